package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.variant.Algorithms;
import dev.starling.loss.Logistic;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The constants of the authors' program, against what that program computes. */
class ConferenceConstantsTest {

    @Test
    void theyAreThoseThatTheProgramComputes() {
        int nodes = 4;
        int rowsPerNode = 3;
        float[] values = new float[2 * nodes * rowsPerNode];
        double[] labels = new double[nodes * rowsPerNode];
        for (int r = 0; r < labels.length; r++) {
            // The program gives every node a block of rows; here they are dealt in turn.
            int k = rowsPerNode * (r % nodes) + r / nodes;
            values[2 * r] = 1 + 0.25f * k;
            values[2 * r + 1] = (k % 2 == 0 ? 1 : -1) * (2 - 0.125f * k);
            labels[r] = k % 2 == 0 ? 1 : -1;
        }
        double sigma = 0.5;
        Problem problem = Problem.deal(Dataset.dense(2, values, labels), new Logistic(), sigma / rowsPerNode, nodes);
        Tuning tuning = LocalTuning.ofConference(
                        Topology.named("grid").build(nodes, 1),
                        problem.nodes().stream().map(Conditioning::of).toList(),
                        5)
                .tuning();
        assertThat(tuning.computationProbability()).isCloseTo(0.7250432187559214, within(1e-12));
        assertThat(tuning.rate()).isCloseTo(0.012457882366413013, within(1e-14));
        assertThat(tuning.strongConvexity()).isCloseTo(0.09853733641262503, within(1e-13));
        assertThat(tuning.stepSize()).isCloseTo(0.12642804057789464, within(1e-12));
    }

    @Test
    void whereTheyDoNotSuitItSaysSoAndWhatElseThereIs() {
        Dataset rows = Generator.classification(43, 4)
                .conditioning(10)
                .noise(0.1)
                .seed(3)
                .generate();
        assertThatThrownBy(() -> programs(rows, Topology.named("ring").build(5, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("a proximal step would go backwards; adfs-local has theory's");
        assertThatThrownBy(() -> programs(rows, Topology.named("line").build(1, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at least two nodes; adfs-theory can do with one");
        assertThat(programs(rows, Topology.named("star").build(4, 1))).hasSize(4);
    }

    private static List<?> programs(Dataset rows, Network network) {
        Problem problem = Problem.deal(rows, new Logistic(), 1e-2, network.size());
        return Algorithms.named("adfs-conference").programs(problem, network, 5, 11);
    }
}
