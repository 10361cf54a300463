package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LineLoggerTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private LineLogger logger(Level least) {
        return new LineLogger(
                new PrintStream(bytes, true, StandardCharsets.UTF_8),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                least);
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
    void aQuietLogHasWarningsOnly() {
        LineLogger quiet = logger(Level.WARNING);
        quiet.log(Level.INFO, "event=link-up");
        quiet.log(Level.ERROR, "event=stopped");
        assertThat(written()).isEqualTo("time=1970-01-01T00:00:00Z level=error event=stopped\n");
    }

    @Test
    void whatWasThrownIsNamed() {
        logger(Level.INFO).log(Level.ERROR, "event=stopped", new IllegalStateException("no disk"));
        assertThat(written())
                .isEqualTo("time=1970-01-01T00:00:00Z level=error event=stopped"
                        + " thrown=\"java.lang.IllegalStateException: no disk\"\n");
    }
}
