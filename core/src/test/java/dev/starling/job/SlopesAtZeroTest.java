package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.method.LoneNode;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlopesAtZeroTest {

    private static final double[] WEIGHTS = {1, 2, 3, 4};

    /** Two features and a last one that is 1. */
    private static LocalProblem problem(Loss loss, double... labels) {
        Dataset rows = Dataset.of(new double[][] {{1, -2, 1}, {0, 3, 1}, {2, 0, 1}, {-1, 1, 1}}, labels)
                .withWeights(WEIGHTS)
                .withOffsets(new double[] {0, 0.5, 0, -0.25});
        return LocalProblem.of(rows, loss, 0.1);
    }

    private static SlopesAtZero slopes(LocalProblem problem) {
        return new SlopesAtZero(Collectives.alone(), () -> problem);
    }

    private static double[] run(Phase<double[]> phase) {
        LoneNode.run(phase);
        return phase.result();
    }

    @Test
    void slopesAreThoseOfTheLossesAtTheIntercept() {
        LocalProblem problem = problem(new Logistic(), 1, -1, 1, -1);
        double intercept = 0.7;
        double[] totals = run(slopes(problem).slopes(intercept));

        for (int c = 0; c < 3; c++) {
            double[] up = {0, 0, intercept};
            double[] down = {0, 0, intercept};
            up[c] += 1e-5;
            down[c] -= 1e-5;
            assertThat(totals[c]).isCloseTo((problem.lossSum(up) - problem.lossSum(down)) / 2e-5, within(1e-8));
        }
        assertThat(totals[3]).isEqualTo(10);
    }

    @Test
    void nodesAreAskedForAGradientAtTheIntercept() {
        LocalProblem problem = problem(new Logistic(), 1, -1, 1, -1);
        List<SumRequest> asked = new ArrayList<>();
        Collectives place = Collectives.apart(Topology.named("line").build(1, 1).spanningTree(), 0, 1, new SumGuard() {
                    @Override
                    public void opened(SumRequest request, double[] totals) {
                        asked.add(request);
                    }
                })
                .of(2, 5);
        SlopesAtZero slopes = new SlopesAtZero(place, () -> problem);
        run(slopes.labels());
        run(slopes.slopes(0.7));

        assertThat(asked.get(0).rows()).isEqualTo(4);
        assertThat(asked.get(1).name()).isEqualTo("gradient");
        assertThat(asked.get(1).problem()).isEqualTo(2);
        assertThat(asked.get(1).point()).containsExactly(0, 0, 0.7);
        assertThat(asked.get(1).rows()).isEqualTo(4);
        assertThat(asked.get(1).numbers()).isEqualTo(4);
    }
}
