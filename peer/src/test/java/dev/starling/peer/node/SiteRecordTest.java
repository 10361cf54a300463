package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.facts.SiteMeasures;
import dev.starling.peer.facts.SiteShape;
import dev.starling.problem.NodeFacts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteRecordTest {

    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final SiteMeasures MEASURES =
            new SiteMeasures(new NodeFacts(10, 10.5, 0.1, 12, 1.1, INFINITE, INFINITE), 0.25, 100);

    @TempDir
    private Path directory;

    private static SiteShape shape(String method) {
        return new SiteShape("v", "logistic", method, 1, 1, 1e-6, 100, 0, 0, 10, 40, 5, List.of(0.0, 1.0), "rows");
    }

    private CheckpointStore open() throws Exception {
        return CheckpointStore.open(directory, 2, message -> {});
    }

    @Test
    void shouldHaveNothingAtFirst() throws Exception {
        try (CheckpointStore store = open()) {
            SiteRecord record = SiteRecord.takeUp(store, shape("auto"));
            assertThat(record.measures()).isEmpty();
            assertThat(record.recoveries()).isZero();
        }
    }

    @Test
    void shouldKeepWhatWasMeasuredAndCountRestarts() throws Exception {
        try (CheckpointStore store = open()) {
            SiteRecord.takeUp(store, shape("auto")).keep(MEASURES);
            SiteRecord.takeUp(store, shape("auto"));
            SiteRecord record = SiteRecord.takeUp(store, shape("auto"));
            assertThat(record.measures()).contains(MEASURES);
            assertThat(record.recoveries()).isEqualTo(2);
        }
    }

    /** What Newton's method measures says nothing of smoothness, without which ADFS cannot be tuned. */
    @Test
    void shouldNotUseWhatWasMeasuredForAnotherMethod() throws Exception {
        try (CheckpointStore store = open()) {
            SiteRecord.takeUp(store, shape("newton")).keep(MEASURES);
            assertThat(SiteRecord.takeUp(store, shape("adfs")).measures()).isEmpty();
        }
    }
}
