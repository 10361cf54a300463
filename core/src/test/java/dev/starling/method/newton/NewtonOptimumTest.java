package dev.starling.method.newton;

import static dev.starling.method.newton.NewtonRun.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.NewtonRun.Proof;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.support.ReferenceNewton;
import dev.starling.support.Stored;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The answer and its proof, against optima and dual values that were found another way. */
@Timeout(60)
class NewtonOptimumTest {

    private static Stream<Arguments> smoothLosses() {
        return NewtonRun.smoothLosses();
    }

    /** One row, a block of rows, and one more than a block. */
    private static final int[] COUNTS = {1, 2, 60, Loss.BLOCK, Loss.BLOCK + 1};

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void findsTheOptimumOfTheReferenceSolver(Way way, String name) {
        Loss loss = Losses.named(name);
        double lambda = 1e-3;
        for (int count : COUNTS) {
            for (boolean dense : new boolean[] {true, false}) {
                for (boolean weighted : new boolean[] {true, false}) {
                    Dataset data = rows(loss, count, 7, dense, weighted, 31 + count);
                    double best =
                            ReferenceNewton.objective(data, loss, lambda, ReferenceNewton.optimum(data, loss, lambda));

                    NewtonRun run = NewtonRun.alone(way, data, loss, lambda);

                    String what = name + ", " + count + " rows, dense " + dense + ", weighted " + weighted;
                    double found = ReferenceNewton.objective(data, loss, lambda, run.parameter());
                    assertThat(run.isCertified()).as(what).isTrue();
                    assertThat(found).as(what).isCloseTo(best, within(1e-9 * best));
                    assertThat(run.certificate().objective()).as(what).isCloseTo(found, within(1e-13 * found));
                }
            }
        }
    }

    /** Enough rows to begin with a sample of them; their optimum is known by the dual value, whoever computed it. */
    @ParameterizedTest
    @MethodSource("smoothLosses")
    void startingOnASampleFindsTheOptimumOfAllRows(Way way, String name) {
        Loss loss = Losses.named(name);
        for (boolean dense : new boolean[] {true, false}) {
            Dataset data = rows(loss, 16_385, 7, dense, !dense, 77);

            assertCertifiedTruly(NewtonRun.alone(way, data, loss, 1e-3), data, loss, 1e-3);
        }
    }

    private static void assertCertifiedTruly(NewtonRun run, Dataset data, Loss loss, double lambda) {
        double objective = ReferenceNewton.objective(data, loss, lambda, run.parameter());
        double dual = NewtonRun.dual(data, loss, lambda, run.parameter());
        assertThat(run.isCertified()).isTrue();
        assertThat(objective - dual).isLessThanOrEqualTo(1e-9 * objective);
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void findsTheOptimumForLargeAndSmallLambdas(Way way, String name) {
        Loss loss = Losses.named(name);
        Dataset data = rows(loss, 150, 5, true, true, 3);
        for (double lambda : new double[] {1e-6, 1e-2, 1, 100, 1e6}) {
            double best = ReferenceNewton.objective(data, loss, lambda, ReferenceNewton.optimum(data, loss, lambda));

            NewtonRun run = NewtonRun.alone(way, data, loss, lambda);

            assertThat(run.isCertified()).as("lambda %s", lambda).isTrue();
            assertThat(run.certificate().objective())
                    .as("lambda %s", lambda)
                    .isBetween(best * (1 - 1e-13), best * (1 + 1e-9));
        }
    }

    @ParameterizedTest
    @EnumSource
    void leastSquaresAreTheSolutionOfTheNormalEquations(Way way) {
        Dataset data = rows(new Squared(), 90, 6, true, true, 8);
        double lambda = 0.02;
        DMatrixRMaj matrix = CommonOps_DDRM.identity(6);
        DMatrixRMaj right = new DMatrixRMaj(6, 1);
        double total = 0;
        for (int i = 0; i < data.rows(); i++) {
            total += data.weight(i);
        }
        CommonOps_DDRM.scale(lambda * total, matrix);
        for (int i = 0; i < data.rows(); i++) {
            double[] row = new double[6];
            data.addTo(i, 1, row);
            for (int a = 0; a < 6; a++) {
                right.data[a] += data.weight(i) * row[a] * data.label(i);
                for (int b = 0; b < 6; b++) {
                    matrix.data[a * 6 + b] += data.weight(i) * row[a] * row[b];
                }
            }
        }
        DMatrixRMaj expected = new DMatrixRMaj(6, 1);
        CommonOps_DDRM.solve(matrix, right, expected);

        NewtonRun run = NewtonRun.alone(way, data, new Squared(), lambda);

        // λ-strong convexity: λ/2 ‖θ − θ*‖² ≤ P − D.
        double gap = run.certificate().objective() - run.certificate().dual();
        for (int a = 0; a < 6; a++) {
            assertThat(run.parameter()[a]).isCloseTo(expected.data[a], within(1e-12 + Math.sqrt(2 * gap / lambda)));
        }
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void everyCertificateHasTheDualValueOfItsSlopes(Way way, String name) {
        Loss loss = Losses.named(name);
        for (int count : new int[] {40, 20_000}) {
            for (boolean weighted : new boolean[] {true, false}) {
                Dataset data = rows(loss, count, 6, !weighted, weighted, 5);
                NewtonRun run = NewtonRun.of(way, Problem.deal(data, loss, 1e-3, 3), "line", NewtonRun.TIGHT)
                        .run(new Simulator());

                assertThat(run.proofs()).hasSizeGreaterThan(1);
                for (Proof proof : run.proofs()) {
                    double objective = ReferenceNewton.objective(data, loss, 1e-3, proof.theta());
                    double dual = NewtonRun.dual(data, loss, 1e-3, proof.theta());
                    double rounding = 1e-12 * (objective + Math.abs(dual));
                    assertThat(proof.certificate().objective()).isCloseTo(objective, within(1e-13 * objective));
                    assertThat(proof.certificate().dual()).isCloseTo(dual, within(rounding));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void everyCertificateOnTheWayIsTrue(Way way, String name) {
        Loss loss = Losses.named(name);
        Dataset data = rows(loss, 300, 8, true, false, 12);
        double best = ReferenceNewton.objective(data, loss, 1e-4, ReferenceNewton.optimum(data, loss, 1e-4));

        NewtonRun run = NewtonRun.alone(way, data, loss, 1e-4);

        for (Proof proof : run.proofs()) {
            double objective = proof.certificate().objective();
            assertThat(objective - best).isLessThanOrEqualTo(proof.certificate().relativeGap() * objective);
            assertThat(proof.certificate().dual()).isLessThanOrEqualTo(best * (1 + 1e-14));
        }
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void reachesTheSmallestAllowedGap(Way way, String name) {
        Loss loss = Losses.named(name);
        Dataset data = rows(loss, 500, 10, true, false, 2);

        StoppingRule rule = new StoppingRule(1e-14, 500);
        NewtonRun run = NewtonRun.of(way, Problem.deal(data, loss, 1e-4, 2), "line", rule)
                .run(new Simulator());

        assertThat(run.isCertified()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"DIRECT,17000", "DIRECT,140000", "QUASI,17000"})
    void anUnrepresentativeSampleDoesNoHarm(Way way, int count) {
        // Every eighth row, which is what the first passes see, has the labels of another model.
        Loss loss = Losses.named("logistic");
        Dataset data = rows(loss, count, 4, true, false, 6);
        double[] labels = data.labels().clone();
        for (int i = 0; i < labels.length; i += 8) {
            labels[i] = Stored.value(data, i, 0) > 0 ? 1 : -1;
        }
        Dataset misleading = data.withLabels(labels);
        NewtonRun run = NewtonRun.alone(way, misleading, loss, 1e-5);

        assertCertifiedTruly(run, misleading, loss, 1e-5);
    }
}
