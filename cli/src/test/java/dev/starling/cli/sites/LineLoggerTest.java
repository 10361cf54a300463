package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.events.PeerEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LineLoggerTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private LineLogger logger(Level least) {
        return logger(least, false);
    }

    private LineLogger logger(Level least, boolean json) {
        return new LineLogger(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                least,
                json);
    }

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void linesBeginWithTheTimeAndTheLevel() {
        logger(Level.INFO).log(Level.WARNING, "site=a event=refused who={0}");
        assertThat(written()).isEqualTo("time=1970-01-01T00:00:00Z level=warn site=a event=refused who={0}\n");
    }

    @Test
    void aQuietLogHasOnlyWarnings() {
        LineLogger quiet = logger(Level.WARNING);
        quiet.log(Level.INFO, "event=link-up");
        quiet.log(Level.ERROR, "event=stopped");
        assertThat(written()).isEqualTo("time=1970-01-01T00:00:00Z level=error event=stopped\n");
    }

    @Test
    void exceptionsAreNamed() {
        logger(Level.INFO).log(Level.ERROR, "event=stopped", new IllegalStateException("no disk"));
        assertThat(written())
                .isEqualTo("time=1970-01-01T00:00:00Z level=error event=stopped"
                        + " thrown=\"java.lang.IllegalStateException: no disk\"\n");
    }

    @Test
    void anEventIsOneJsonObjectOnRequest() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("who", "x\"}\nevent=fake");
        details.put("rounds", 7L);
        details.put("gap", 0.5);
        details.put("tau", Double.POSITIVE_INFINITY);
        LineLogger logger = logger(Level.INFO, true);
        logger.log(Level.WARNING, new PeerEvent("a", "refused", details));
        logger.log(Level.INFO, "plain");
        logger.log(Level.DEBUG, new PeerEvent("a", "unseen", Map.of()));
        assertThat(written()).isEqualTo("""
                        {"time":"1970-01-01T00:00:00Z","level":"warn","site":"a","event":"refused",\
                        "who":"x\\"}\\nevent=fake","rounds":7,"gap":0.5,"tau":null}
                        {"time":"1970-01-01T00:00:00Z","level":"info","message":"plain"}
                        """);
    }
}
