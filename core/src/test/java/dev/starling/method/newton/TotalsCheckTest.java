package dev.starling.method.newton;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.network.Network;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Totals of two nodes that are sums over rows are taken, and every way not to be is refused. */
class TotalsCheckTest {

    private static final double LITTLE = 1e-6;
    private static final int OVERFLOWS = 2;
    private static final double[] ZERO = new double[3];
    private static final double[] POINT = {0.4, -0.3, 0.7};

    private static Decision asked(PassSums order, double[] point, int every) {
        return new Decision(
                0,
                Optional.empty(),
                false,
                order,
                every,
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                point,
                0);
    }

    private static final ProofBasis BASIS =
            new ProofBasis(new double[] {1, 0, 0, 0, 1, 0, 0, 0, 1}, new double[] {1, 1, 1}, 2, 10, true, 0);

    /** Two nodes, of which the first checks what the totals are. */
    private static final class Nodes {
        private final PassLayout layout;
        private final LocalProblem own;
        private final LocalProblem other;
        private final TunedNewton tuned;
        private TotalsCheck check;

        Nodes(Loss loss, PassLayout layout, boolean shifted) {
            Dataset data = NewtonRun.rows(loss, 40, 2, true, true, 8).withBias(1);
            double[] shifts = new double[40];
            Arrays.fill(shifts, 0.5);
            Problem problem = Problem.deal(shifted ? data.withOffsets(shifts) : data, loss, 0.1, 2);
            this.layout = layout;
            this.own = problem.nodes().get(0);
            this.other = problem.nodes().get(1);
            List<Facts> facts = problem.nodes().stream()
                    .map(node -> Facts.of(node, new double[0]))
                    .toList();
            this.tuned = TunedNewton.of(
                    "newton",
                    Network.of(2, new int[][] {{0, 1}}),
                    layout,
                    new Objective(loss, new Regulariser.SquaredNorm(), layout.intercept()),
                    true,
                    facts,
                    1);
            this.check = new TotalsCheck(own, tuned);
        }

        double[] sums(LocalProblem problem, PassSums order, double[] point) {
            double[] sums = new double[layout.length(order)];
            if (order == PassSums.PROOF) {
                Family.of(problem.loss()).term(problem, layout, 1).prove(point, BASIS, sums);
            } else {
                Family.of(problem.loss()).term(problem, layout, 1).sum(order, point, 1, false, sums);
            }
            return sums;
        }

        double[] totals(PassSums order, double[] point) {
            double[] totals = sums(own, order, point);
            double[] more = sums(other, order, point);
            for (int k = 0; k < totals.length; k++) {
                totals[k] += more[k];
            }
            return totals;
        }

        void require(PassSums order, double[] point, double[] totals) {
            check.require(asked(order, point, 1), sums(own, order, point), totals);
        }

        void assertTaken(PassSums order, double[] point) {
            assertThatCode(() -> require(order, point, totals(order, point))).doesNotThrowAnyException();
        }

        void assertRefused(PassSums order, double[] point, double[] totals, String why) {
            assertThatRefused(() -> require(order, point, totals)).hasMessageContaining(why);
        }

        void restore() {
            check = SavedStates.copy(check, new TotalsCheck(own, tuned));
        }
    }

    private final Nodes nodes = new Nodes(new Logistic(), new PassLayout(3, false), false);

    @Test
    void sumsOverRowsAreAccepted() {
        for (PassSums order : new PassSums[] {PassSums.GRADIENT, PassSums.DIAGONAL, PassSums.HESSIAN, PassSums.PROOF}) {
            nodes.assertTaken(order, ZERO);
            nodes.assertTaken(order, POINT);
            nodes.assertTaken(order, new double[] {-5, 5, 1});
        }
    }

    @Test
    void lossesBelowANodesOwnAreRefused() {
        double[] totals = nodes.totals(PassSums.GRADIENT, POINT);
        totals[PassLayout.LOSS] = nodes.sums(nodes.own, PassSums.GRADIENT, POINT)[PassLayout.LOSS] * (1 - LITTLE);

        nodes.assertRefused(PassSums.GRADIENT, POINT, totals, "the sum of all losses is less than this node's own");
    }

    @ParameterizedTest
    @CsvSource({"1", "-1"})
    void weightsOtherThanStatedAreRefused(double sign) {
        double[] totals = nodes.totals(PassSums.GRADIENT, POINT);
        totals[PassLayout.WEIGHT] *= 1 + sign * LITTLE;

        nodes.assertRefused(PassSums.GRADIENT, POINT, totals, "the sum of all weights is not what the nodes declared");
    }

    /** Of a sample nobody knows the weight. */
    @Test
    void anyWeightOfASampleIsAccepted() {
        double[] totals = nodes.totals(PassSums.GRADIENT, POINT);
        totals[PassLayout.WEIGHT] /= 2;

        assertThatCode(() -> nodes.check.require(
                        asked(PassSums.GRADIENT, POINT, 2), nodes.sums(nodes.own, PassSums.GRADIENT, POINT), totals))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"1", "-1"})
    void impossibleLossesAtZeroAreRefused(double sign) {
        double[] totals = nodes.totals(PassSums.GRADIENT, ZERO);
        totals[PassLayout.LOSS] *= 1 + sign * LITTLE;

        nodes.assertRefused(PassSums.GRADIENT, ZERO, totals, "the losses at 0 do not match the weight of the rows");
    }

    /** With a shift, and for losses of residuals, the loss at 0 is what labels make it. */
    @Test
    void anyLossesAtZeroAreAcceptedWhereLabelsOrOffsetsDetermineThem() {
        for (Nodes one : new Nodes[] {
            new Nodes(new Logistic(), new PassLayout(3, false), true),
            new Nodes(new Squared(), new PassLayout(3, false), false)
        }) {
            double[] totals = one.totals(PassSums.GRADIENT, ZERO);
            totals[PassLayout.LOSS] *= 1 + LITTLE;

            assertThatCode(() -> one.require(PassSums.GRADIENT, ZERO, totals)).doesNotThrowAnyException();
        }
    }

    /** A gradient that leads up to where the losses are known to be lower than it says. */
    @Test
    void totalsThatNoConvexFunctionHasAreRefused() throws IOException {
        nodes.assertTaken(PassSums.GRADIENT, POINT);
        double[] there = {-1, 0.5, 0.1};
        double[] totals = nodes.totals(PassSums.GRADIENT, there);
        for (int c = 0; c < 3; c++) {
            totals[PassLayout.GRADIENT + c] = 1000 * (POINT[c] - there[c]);
        }

        nodes.assertRefused(PassSums.GRADIENT, there, totals, "they do not belong to a convex function");
        nodes.restore();
        nodes.assertRefused(PassSums.GRADIENT, there, totals, "they do not belong to a convex function");
    }

    @ParameterizedTest
    @CsvSource({"HESSIAN,0,0", "HESSIAN,2,1", "HESSIAN,5,2", "DIAGONAL,0,0", "DIAGONAL,1,1", "DIAGONAL,2,2"})
    void aCurvatureBelowANodesOwnIsRefused(PassSums order, int at, int feature) {
        double[] totals = nodes.totals(order, POINT);
        totals[nodes.layout.hessian() + at] =
                nodes.sums(nodes.own, order, POINT)[nodes.layout.hessian() + at] * (1 - LITTLE);

        nodes.assertRefused(order, POINT, totals, "the curvature of feature " + (feature + 1) + " is less than");
    }

    /** The logistic loss bends most at 0. */
    @ParameterizedTest
    @CsvSource({"HESSIAN,0,0", "HESSIAN,2,1", "HESSIAN,5,2", "DIAGONAL,0,0", "DIAGONAL,1,1", "DIAGONAL,2,2"})
    void aCurvatureAboveThatAtZeroIsRefused(PassSums order, int at, int feature) throws IOException {
        nodes.assertTaken(PassSums.HESSIAN, ZERO);
        double[] totals = nodes.totals(order, POINT);
        totals[nodes.layout.hessian() + at] = nodes.totals(order, ZERO)[nodes.layout.hessian() + at] * (1 + LITTLE);

        // It is remembered by who takes up what was saved.
        nodes.restore();
        nodes.assertRefused(order, POINT, totals, "the curvature of feature " + (feature + 1) + " is more than");
    }

    @Test
    void aCurvatureOfASampleIsComparedWithThatOfTheSameSample() {
        nodes.assertTaken(PassSums.HESSIAN, ZERO);
        double[] totals = nodes.totals(PassSums.HESSIAN, POINT);
        totals[nodes.layout.hessian()] = 100 * nodes.totals(PassSums.HESSIAN, ZERO)[nodes.layout.hessian()];

        assertThatCode(() -> nodes.check.require(
                        asked(PassSums.HESSIAN, POINT, 8), nodes.sums(nodes.own, PassSums.HESSIAN, POINT), totals))
                .doesNotThrowAnyException();
    }

    /** What a loss bends elsewhere than at 0 may be more than it bends there. */
    @Test
    void aLossWithMoreCurvatureElsewhereMayHaveMore() {
        Nodes hinge = new Nodes(Losses.named("smoothed-hinge(0.05)"), new PassLayout(3, false), false);
        hinge.assertTaken(PassSums.HESSIAN, ZERO);
        double[] totals = hinge.totals(PassSums.HESSIAN, POINT);
        for (int k = 0; k < 6; k++) {
            totals[nodes.layout.hessian() + k] += 100;
        }

        assertThatCode(() -> hinge.require(PassSums.HESSIAN, POINT, totals)).doesNotThrowAnyException();
    }

    @Test
    void slopesOfOneSignBelowANodesOwnAreRefused() {
        Nodes free = new Nodes(new Logistic(), new PassLayout(3, true), false);
        free.assertTaken(PassSums.GRADIENT, POINT);
        double[] totals = free.totals(PassSums.GRADIENT, POINT);
        totals[free.layout.risingSpread() - 1] =
                free.sums(free.own, PassSums.GRADIENT, POINT)[free.layout.risingSpread() - 1] * (1 - LITTLE);

        free.assertRefused(PassSums.GRADIENT, POINT, totals, "the slopes of one sign add up to less");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void leveragesBelowANodesOwnAreRefused(int which) {
        double[] totals = nodes.totals(PassSums.PROOF, POINT);
        double[] mine = nodes.sums(nodes.own, PassSums.PROOF, POINT);
        totals[nodes.layout.proof() + which] = mine[nodes.layout.proof() + which] / 2;

        nodes.assertRefused(PassSums.PROOF, POINT, totals, "the leverages add up to less than this node's own");
    }

    @Test
    void overflowingTotalsAreNotChecked() {
        double[] totals = new double[nodes.layout.length(PassSums.HESSIAN)];
        totals[OVERFLOWS] = 1;

        assertThatCode(() -> nodes.require(PassSums.HESSIAN, POINT, totals)).doesNotThrowAnyException();
    }

    /** As many more that fall would be as many fewer that rise. */
    @Test
    void slopesOfTheOtherSignBelowANodesOwnAreRefused() {
        Nodes free = new Nodes(new Logistic(), new PassLayout(3, true), false);
        double[] totals = free.totals(PassSums.GRADIENT, POINT);
        double[] mine = free.sums(free.own, PassSums.GRADIENT, POINT);
        int all = free.layout.rising() - 1;
        int rising = free.layout.risingSpread() - 1;
        totals[all] = totals[rising] - (mine[rising] - mine[all]) * (1 - LITTLE);

        free.assertRefused(PassSums.GRADIENT, POINT, totals, "the slopes of one sign add up to less");
    }

    @Test
    void roundingOfAWeightIsAccepted() {
        double[] totals = nodes.totals(PassSums.GRADIENT, POINT);
        totals[PassLayout.WEIGHT] *= 1 + 0x1p-42;

        assertThatCode(() -> nodes.require(PassSums.GRADIENT, POINT, totals)).doesNotThrowAnyException();
    }
}
