package dev.starling.lab.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalTuningTest {

    @Test
    void onALargeGridTheLocalMethodCommunicatesAThirdMoreOften() {
        Network grid = Topology.named("grid").build(100, 1);
        double balance = 0.5;
        Tuning synchronous = Tuning.of(grid, evenFacts(100), 5, balance);
        LocalTuning local = LocalTuning.of(grid, evenFacts(100), 5, balance);

        // (2/n) Σ_kl √(2R_kl)/√λ_max(L), where Σ_kl R_kl = n − 1 and the resistances of a grid are all near 1/2.
        double perFactor = local.communicationProbability() / local.tuning().rate();
        assertThat(perFactor / synchronous.communicationConstant()).isCloseTo(1.35, within(0.005));
        double computing = local.computationProbability() / local.tuning().rate();
        assertThat(computing).isCloseTo(synchronous.computationConstant(), within(1e-9 * computing));
    }

    private static List<Conditioning> evenFacts(int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(i -> new Conditioning(100, 100, 2.0, 150, 1.25, 500, 30))
                .toList();
    }
}
