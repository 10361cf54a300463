package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.setup.RowSplit;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that goes on from where another was has the bits of the simulator, begun at the same point. */
@Timeout(300)
@Tag("thorough")
class WarmStartTest {

    private static final int SITES = 4;
    private static final double TAU = 8;

    @TempDir
    private Path directory;

    /**
     * The hash of the model with which the simulator ends where sites go on after a change.
     *
     * @param file of one of them, which names the point that they go on from
     * @param parts the rows of each
     */
    static String simulated(Path file, List<Dataset> parts) {
        SiteConfig config = SiteConfig.read(file);
        Optional<RawWeights> start = Membership.start(config, config.tls().load());
        assertThat(start).as("the point that " + file + " goes on from").isPresent();
        return simulated(config.training(), Site.rules(config, true), config.network(), parts, start);
    }

    private static String simulated(
            Settings settings, JobRules rules, Network network, List<Dataset> parts, Optional<RawWeights> start) {
        List<TrainingJob> jobs = new ArrayList<>();
        for (int node = 0; node < network.size(); node++) {
            Collectives place = Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
            PlanningPhase agreement = new PlanningPhase(settings, rules, network, place, NodeRows.all(parts.get(node)));
            jobs.add(new TrainingJob(settings, rules, agreement, TrainingListener.NONE, start, Optional.empty()));
        }
        Delays delays = new Delays(node -> 1, (from, to) -> jobs.get(to).delay());
        new Simulator().run(network, jobs, delays, StopSignal.manual());
        return jobs.get(0).result().model("rows").hash();
    }

    /** All are killed, the last is gone for good, the others go on, and one of them is killed once more. */
    @ParameterizedTest
    @CsvSource({"newton,0ms", "adfs,100ms"})
    void aRunContinuedWithOtherMembersHasTheSimulatorsBits(String method, String every) throws Exception {
        Dataset rows = Generator.classification(1200, 10).noise(0.2).seed(6).generate();
        List<String> training = List.of("method: " + method, "lambda: 1e-3", "gap: 1e-6", "tau: " + TAU);
        UnaryOperator<String> often = text -> text.replace("every: 30s", "every: " + every);
        try (ProcessNetwork network = new ProcessNetwork(directory, "ring", SITES, training).with(rows, often)) {
            network.startAll();
            // The point of the first is 0, and that of the second is on disk before there is a third.
            network.await(0, "event=certificate", 3);
            for (int site = 0; site < SITES; site++) {
                network.killAnyhow(site);
                Files.deleteIfExists(network.output(site));
            }
            Departure departure = Departure.ofTheLast(network, false);
            List<Path> files = departure.files();
            for (int site = 0; site < files.size(); site++) {
                network.follow(site, files.get(site));
                network.start(site);
            }
            network.await(1, "event=agreed", 2);
            network.killAnyhow(1);
            network.start(1);
            List<Dataset> parts = IntStream.range(0, files.size())
                    .mapToObj(site -> RowSplit.part(rows, site, SITES))
                    .toList();
            String expected = simulated(files.get(0), parts);
            for (int site = 0; site < files.size(); site++) {
                assertThat(network.exit(site)).as(network.tail(site)).isZero();
                assertThat(network.result(site, "hash")).isEqualTo(expected);
            }
            SiteConfig config = SiteConfig.read(files.get(0));
            assertThat(simulated(
                            config.training(), Site.rules(config, true), config.network(), parts, Optional.empty()))
                    .as("a start from nothing ends with other bits, or the test shows nothing")
                    .isNotEqualTo(expected);
        }
    }
}
