package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingPlan;
import dev.starling.loss.Logistic;
import dev.starling.method.Facts;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.membership.StartPoint;
import dev.starling.peer.metrics.Status;
import dev.starling.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobProgressTest {

    private static final LinearModel MODEL = new LinearModel(
            "logistic", List.of(-1.0, 1.0), new double[][] {{1, 2}}, new double[] {0}, Provenance.UNKNOWN);

    @TempDir
    private Path directory;

    private final List<String> lines = new ArrayList<>();
    private final Status status = new Status();
    private final SiteExpenses spent = new SiteExpenses();
    private boolean driven;

    private JobProgress progress(double maxSeconds) {
        EventLog log = new EventLog(new LineLogger(lines::add), "a", status);
        return new JobProgress(
                Settings.of(Map.of("max-seconds", String.valueOf(maxSeconds))),
                new Announcements(log, status),
                new CertifiedPoint(directory, Duration.ofHours(1), log, System::nanoTime),
                new JobProgress.View(() -> 7, () -> RawWeights.of(MODEL), () -> spent, () -> driven));
    }

    private static TrainingPlan plan() {
        Network network = Topology.named("complete").build(3, 1);
        Shape shape = new Shape(4, 300, 1200, 1200, true);
        List<Facts> facts = Collections.nCopies(3, new Facts(100, 100, 1, new double[0]));
        return new TrainingPlan(
                network,
                shape,
                facts,
                Methods.named("newton")
                        .tune(network, Settings.of(new Logistic()).objective(), shape, facts, 30),
                1e-6);
    }

    @Test
    void logsEachPartOfAJobOnce() {
        JobProgress progress = progress(1e9);
        progress.enterPart("rows");
        progress.enterPart("rows");
        progress.enterPart("facts");
        assertThat(lines)
                .containsExactly("level=INFO site=a event=phase name=rows", "level=INFO site=a event=phase name=facts");
    }

    @Test
    void trainsFromTheFirstProblemOn() {
        JobProgress progress = progress(1e9);
        driven = true;
        progress.enterPhase();
        assertThat(status.phase()).isEqualTo(Status.Phase.GATHERING);
        assertThat(progress.isTraining()).isFalse();
        progress.started(0, 2, plan(), () -> 0);
        progress.started(1, 2, plan(), () -> 0);
        assertThat(progress.isTraining()).isTrue();
        assertThat(status.phase()).isEqualTo(Status.Phase.TRAINING);
        assertThat(lines).hasSize(1).allMatch(line -> line.contains("event=agreed method=newton tau=30.0"));
    }

    @Test
    void leavesTheStatusAloneUntilARestoredJobIsDriven() {
        JobProgress progress = progress(1e9);
        Status.Phase before = status.phase();
        progress.started(0, 1, plan(), () -> 0);
        assertThat(status.phase()).isEqualTo(before);
    }

    @Test
    void countsTheSecondsOfEarlierProcesses() {
        spent.seconds = 10;
        JobProgress late = progress(9);
        late.started(0, 1, plan(), () -> 0);
        assertThat(late.isTimeUp()).isTrue();
        JobProgress early = progress(1e9);
        early.started(0, 1, plan(), () -> 0);
        assertThat(early.isTimeUp()).isFalse();
    }

    @Test
    void keepsTheFirstCertifiedPointAtOnce() {
        progress(1e9).certified(new Certificate(2, 1, 3, 3), 1);
        assertThat(lines).anyMatch(line -> line.contains("event=certificate gap=0.5 objective=2.0"));
        assertThat(Files.exists(directory.resolve(StartPoint.FILE))).isTrue();
    }
}
