package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Logistic;
import dev.starling.method.Facts;
import dev.starling.method.Objective;
import dev.starling.method.newton.NewtonDecisions.Decision;
import dev.starling.network.Network;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a node does with what is decided: the pass that is asked for, what it costs, and a look at the totals. */
class NewtonRowsTest {

    /** 400 rows of 8 values, of which a sum may be of no fewer than 50. */
    private static final LocalProblem PROBLEM =
            LocalProblem.of(NewtonRun.rows(new Logistic(), 400, 8, true, false, 8), new Logistic(), 1);

    private static final double[] POINT = {1, 0, -1, 0.5, 0, 0, 2, 0.1};

    private static NewtonRows rows(LocalProblem problem, PassLayout layout) {
        TunedNewton tuned = TunedNewton.of(
                "newton",
                Network.of(2, new int[][] {{0, 1}}),
                layout,
                new Objective(problem.loss(), new Regulariser.SquaredNorm()),
                true,
                List.of(Facts.of(problem, new double[0])),
                1);
        return new NewtonRows(problem, tuned, 50);
    }

    private static Decision asked(PassSums order, int every, Optional<ProofBasis> basis) {
        return new Decision(
                0, Optional.empty(), false, order, every, false, basis, Optional.empty(), Optional.empty(), POINT, 0);
    }

    private static Decision asked(PassSums order, int every) {
        return asked(order, every, Optional.empty());
    }

    private final PassLayout layout = new PassLayout(8, false);
    private final NewtonRows rows = rows(PROBLEM, layout);

    @Test
    void sumsAreRequestedByTheirContents() {
        SumRequest request = rows.request(asked(PassSums.HESSIAN, 8), 3);

        assertThat(request).isEqualTo(SumRequest.atPoint(SumKind.HESSIAN, 3, 8, request.point(), 50, 5 + 8 + 36));
        assertThat(request.point()).containsExactly(POINT);
    }

    /** A product and a sum are 32 operations of a row, an outer product 64. */
    @ParameterizedTest
    @CsvSource({"GRADIENT,1,400", "GRADIENT,8,50", "DIAGONAL,1,600", "HESSIAN,1,1200", "HESSIAN,8,150", "PROOF,1,1200"})
    void theCostOfAPassIsThatOfItsOperations(PassSums order, int every, double cost) {
        assertThat(rows.cost(asked(order, every))).isEqualTo(cost);
    }

    /**
     * Three rows: three combinations take a product and a sum each and a product later; outer products are of three.
     */
    @Test
    void theCostInTheSpanOfTheRowsIsAnother() {
        Dataset few = PROBLEM.data().picked(new int[] {0, 1, 2});
        NewtonRows wide = rows(LocalProblem.of(few, PROBLEM.loss(), 1), PassLayout.inSpan(8, false, 3));

        assertThat(wide.cost(asked(PassSums.SPAN, 1))).isEqualTo(3 * 5.5);
        assertThat(wide.cost(asked(PassSums.HESSIAN, 1))).isEqualTo(3 * (1 + 9.0 / 32));
    }

    @Test
    void theRequestedPassIsMade() {
        double[] sums = new double[layout.length(PassSums.HESSIAN)];
        double[] expected = new double[layout.length(PassSums.HESSIAN)];
        Family.of(PROBLEM.loss()).term(PROBLEM, layout, 50).sum(PassSums.HESSIAN, POINT, 8, false, expected);

        assertThat(rows.add(asked(PassSums.HESSIAN, 8), sums)).isEqualTo(50);

        assertThat(sums).isEqualTo(expected);
    }

    @Test
    void aProofPassUsesItsBasis() {
        double[] identity = new double[64];
        double[] scales = new double[8];
        Arrays.fill(scales, 1);
        for (int c = 0; c < 8; c++) {
            identity[9 * c] = 1;
        }
        ProofBasis basis = new ProofBasis(identity, scales, 3, 8, true, 0);
        double[] sums = new double[layout.length(PassSums.PROOF)];
        double[] expected = new double[layout.length(PassSums.PROOF)];
        Family.of(PROBLEM.loss()).term(PROBLEM, layout, 50).prove(POINT, basis, expected);

        assertThat(rows.add(asked(PassSums.PROOF, 1, Optional.of(basis)), sums)).isEqualTo(400);

        assertThat(sums).isEqualTo(expected);
    }

    /** The losses are those of fewer rows than this node has, whoever has to say so. */
    @Test
    void totalsAreCheckedNowAndAfterARestart() throws IOException {
        Decision decision = asked(PassSums.GRADIENT, 1);
        double[] own = new double[layout.length(PassSums.GRADIENT)];
        rows.add(decision, own);
        rows.require(decision, own, own);
        double[] bent = own.clone();
        bent[PassLayout.LOSS] *= 2;

        NewtonRows restored = SavedStates.copy(rows, rows(PROBLEM, layout));

        // At one and the same point it was half as much before.
        for (NewtonRows one : List.of(rows, restored)) {
            assertThatThrownBy(() -> one.require(decision, own, bent))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("do not belong to a convex function");
        }
    }
}
