package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.config.SiteConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CheckpointScheduleTest {

    private long nanos = -5;
    private long bytes;
    private final CheckpointSchedule schedule = new CheckpointSchedule(
            new SiteConfig.Checkpoints(Duration.ofNanos(100), 2, 64, 512), () -> nanos, () -> bytes);

    @Test
    void isDueAfterTheTimeBetweenTwoCheckpoints() {
        nanos = 95;
        assertThat(schedule.isDue()).isFalse();
        nanos = 96;
        assertThat(schedule.isDue()).isTrue();
        schedule.taken();
        assertThat(schedule.isDue()).isFalse();
        nanos = 197;
        assertThat(schedule.isDue()).isTrue();
    }

    @Test
    void isDueEarlyWhenNeighboursKeepTooMuch() {
        bytes = 64;
        assertThat(schedule.isDue()).isFalse();
        bytes = 65;
        assertThat(schedule.isDue()).isTrue();
        schedule.taken();
        bytes = 129;
        assertThat(schedule.isDue()).isFalse();
        bytes = 130;
        assertThat(schedule.isDue()).isTrue();
    }
}
