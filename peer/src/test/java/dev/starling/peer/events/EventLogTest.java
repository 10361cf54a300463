package dev.starling.peer.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.metrics.Status;
import dev.starling.peer.node.LineLogger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLogTest {

    private final List<String> lines = new ArrayList<>();
    private final EventLog log = new EventLog(new LineLogger(lines::add), "a", new Status());

    @Test
    void writesEventsAsKeysAndValues() {
        log.info("link-up", "neighbour", "b", "file", "/data/my rows.txt");
        assertThat(lines).containsExactly("level=INFO site=a event=link-up neighbour=b file=\"/data/my rows.txt\"");
    }

    @Test
    void escapesValuesOfEvents() {
        log.warn("refused", "who", "x\" level=info\nevent=fake {0}", "count", 3);
        assertThat(lines)
                .containsExactly("level=WARNING site=a event=refused who=\"x\\\" level=info event=fake {0}\" count=3");
    }
}
