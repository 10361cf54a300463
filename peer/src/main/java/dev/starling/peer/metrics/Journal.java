package dev.starling.peer.metrics;

import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

/**
 * A log of events, one line each: the time, the level, the site and then words and values ({@code key=value}, quoted
 * where there are blanks), so that people and programs can both read it.
 */
public final class Journal {

    /** How much an event matters. */
    public enum Level {
        /** What happens as it should. */
        INFO,
        /** What someone may want to look into. */
        WARN,
        /** Why the peer stops. */
        ERROR
    }

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:/+,\\[\\]@-]+");

    private final PrintStream out;
    private final String site;
    private final Clock clock;
    private final boolean quiet;

    /**
     * A journal.
     *
     * @param quiet whether to leave out what happens as it should
     */
    public Journal(PrintStream out, String site, Clock clock, boolean quiet) {
        this.out = out;
        this.site = site;
        this.clock = clock;
        this.quiet = quiet;
    }

    /** Writes what happens as it should: an event, then keys and values in turn. */
    public void info(String event, Object... keysAndValues) {
        if (!quiet) {
            write(Level.INFO, event, keysAndValues);
        }
    }

    /** Writes what someone may want to look into. */
    public void warn(String event, Object... keysAndValues) {
        write(Level.WARN, event, keysAndValues);
    }

    /** Writes why the peer stops. */
    public void error(String event, Object... keysAndValues) {
        write(Level.ERROR, event, keysAndValues);
    }

    private void write(Level level, String event, Object... keysAndValues) {
        StringBuilder line = new StringBuilder();
        line.append("time=").append(clock.instant().truncatedTo(ChronoUnit.MILLIS));
        append(line, "level", level.name().toLowerCase(java.util.Locale.ROOT));
        append(line, "site", site);
        append(line, "event", event);
        for (int k = 0; k + 1 < keysAndValues.length; k += 2) {
            append(line, String.valueOf(keysAndValues[k]), String.valueOf(keysAndValues[k + 1]));
        }
        out.println(line);
    }

    private static void append(StringBuilder line, String key, String value) {
        line.append(' ').append(key).append('=');
        if (PLAIN.matcher(value).matches()) {
            line.append(value);
        } else {
            String clean = value.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ");
            line.append('"').append(clean).append('"');
        }
    }
}
