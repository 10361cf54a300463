package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.method.Facts;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.ForgetfulProgram;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SavedRunTest {

    @Test
    void aRunRestoredFromItsSavedStatesEndsWithTheSameBits() {
        for (String topology : List.of("ring", "star")) {
            List<Supplier<CertifiedProgram>> fresh =
                    programs(Topology.named(topology).build(5, 1));
            List<CertifiedProgram> straight = fresh.stream().map(Supplier::get).toList();
            List<ForgetfulProgram<CertifiedProgram>> forgetful = fresh.stream()
                    .map(program -> new ForgetfulProgram<>(program, 7))
                    .toList();
            Network network = Topology.named(topology).build(5, 1);
            new Simulator().run(network, straight, Delays.uniform(1), StopSignal.manual());
            new Simulator().run(network, forgetful, Delays.uniform(1), StopSignal.manual());

            for (int i = 0; i < 5; i++) {
                CertifiedProgram expected = straight.get(i);
                CertifiedProgram actual = forgetful.get(i).program();
                assertThat(expected.isDone()).isTrue();
                assertThat(actual.result().parameter())
                        .isEqualTo(expected.result().parameter());
                assertThat(actual.result().certificate())
                        .isEqualTo(expected.result().certificate());
            }
        }
    }

    @Test
    void everyNodeEndsWithTheSameParameterAndCertificate() {
        Network network = Topology.named("binary-tree").build(5, 1);
        List<CertifiedProgram> programs =
                programs(network).stream().map(Supplier::get).toList();
        new Simulator().run(network, programs, Delays.uniform(1), StopSignal.manual());

        for (CertifiedProgram program : programs) {
            assertThat(program.result().parameter())
                    .isEqualTo(programs.get(0).result().parameter());
            assertThat(program.result().certificate().objective())
                    .isEqualTo(programs.get(0).result().certificate().objective());
        }
    }

    private static List<Supplier<CertifiedProgram>> programs(Network network) {
        Dataset data = Generator.classification(203, 9).density(0.5).seed(4).generate();
        Problem problem = Problem.deal(data, new Logistic(), 1e-3, network.size());
        List<NodeFacts> facts = problem.nodes().stream().map(NodeFacts::of).toList();
        Tuning tuning = Tuning.of(network, facts, 2);
        Facts totals = new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]);
        return IntStream.range(0, network.size())
                .<Supplier<CertifiedProgram>>mapToObj(node -> () -> new CertifiedProgram(
                        new Adfs(problem.nodes().get(node), facts.get(node), network, node, tuning, 1),
                        network.spanningTree(),
                        node,
                        totals,
                        tuning,
                        new StoppingRule(1e-7, 1000),
                        network.size(),
                        CertificateListener.NONE))
                .toList();
    }
}
