package dev.starling.method.newton;

import static dev.starling.method.newton.NewtonRun.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.newton.NewtonRun.Proof;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.problem.Problem;
import dev.starling.runtime.Simulator;
import dev.starling.support.ReferenceNewton;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Newton's method where the last weight is not regularised, with Hessians and without, against an optimum found another
 * way.
 */
@Timeout(60)
class FreeInterceptTest {

    private static final double LAMBDA = 1e-3;
    private static final int FEATURES = 6;

    static Stream<Arguments> smoothLosses() {
        return NewtonRun.smoothLosses();
    }

    @ParameterizedTest
    @MethodSource("smoothLosses")
    void findsTheOptimumWithEveryLowerBoundBelowIt(Way way, String name) {
        Loss loss = Losses.named(name);
        // The last is enough to begin with a sample of the rows.
        for (int count : new int[] {60, Loss.BLOCK + 1, 16_390}) {
            for (boolean dense : new boolean[] {true, false}) {
                boolean weighted = dense == (count % 2 == 0);
                Dataset data =
                        rows(loss, count, FEATURES, dense, weighted, 31 + count).withBias(1);
                double[] best = ReferenceNewton.optimum(data, loss, LAMBDA, FEATURES);
                double optimum = ReferenceNewton.objective(data, loss, LAMBDA, FEATURES, best);

                Problem problem = new Problem(Problem.deal(data, loss, LAMBDA, 3).nodes().stream()
                        .map(node -> node.withIntercept(true))
                        .toList());
                NewtonRun run =
                        NewtonRun.of(way, problem, "line", NewtonRun.TIGHT).run(new Simulator());

                String what = name + ", " + count + " rows, dense " + dense + ", weighted " + weighted;
                double found = ReferenceNewton.objective(data, loss, LAMBDA, FEATURES, run.parameter());
                assertThat(run.isCertified()).as(what).isTrue();
                assertThat(found).as(what).isCloseTo(optimum, within(2e-10 * optimum));
                for (Proof proof : run.proofs()) {
                    double there = ReferenceNewton.objective(data, loss, LAMBDA, FEATURES, proof.theta());
                    assertThat(proof.certificate().objective()).as(what).isCloseTo(there, within(1e-12 * there));
                    assertThat(proof.certificate().dual()).as(what).isLessThanOrEqualTo(optimum * (1 + 1e-13));
                }
            }
        }
    }
}
