package dev.starling.peer.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.node.LineLogger;
import dev.starling.peer.trust.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalLogTest {

    private final List<String> lines = new ArrayList<>();
    private final Deque<Runnable> afterwards = new ArrayDeque<>();
    private final RefusalLog log = new RefusalLog(
            new EventLog(new LineLogger(lines::add), "a", new dev.starling.peer.metrics.Status()), afterwards::add);

    @Test
    void logsTheFirstRefusalAtOnceAndCountsTheOthers() {
        for (int k = 0; k < 1350; k++) {
            log.report("/192.0.2.7:" + k, k % 3 == 0 ? Refusal.NOT_TLS : Refusal.EXPIRED, "it did \u001b[31mwrong");
        }
        assertThat(lines)
                .containsExactly("level=WARNING site=a event=refused who=/192.0.2.7:0 why=not-tls reason=\"it did"
                        + " ?[31mwrong\"");
        afterwards.remove().run();
        assertThat(lines)
                .hasSize(2)
                .last()
                .isEqualTo("level=WARNING site=a event=refused-more count=not-tls:449,expired:900");
        afterwards.remove().run();
        assertThat(lines).hasSize(2);
        assertThat(afterwards).isEmpty();
        log.report("b", Refusal.KEY, "again");
        assertThat(lines).hasSize(3);
    }
}
