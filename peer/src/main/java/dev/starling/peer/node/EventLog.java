package dev.starling.peer.node;

import dev.starling.peer.transport.Printable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.regex.Pattern;

/**
 * A site's events, told to a logger one line each: the site, the event, then keys and values, quoted where there are
 * blanks, so that people and programs can both read them.
 */
final class EventLog {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:/+,\\[\\]@-]+");

    private static final int LONGEST = 4000;

    private final Logger logger;
    private final String site;

    EventLog(Logger logger, String site) {
        this.logger = logger;
        this.site = site;
    }

    /** Tells what happens as it should: an event, then keys and values in turn. */
    void info(String event, Object... keysAndValues) {
        tell(Level.INFO, event, keysAndValues);
    }

    /** Tells what someone may want to look into. */
    void warn(String event, Object... keysAndValues) {
        tell(Level.WARNING, event, keysAndValues);
    }

    private void tell(Level level, String event, Object... keysAndValues) {
        if (!logger.isLoggable(level)) {
            return;
        }
        StringBuilder line = new StringBuilder();
        append(line, "site", site);
        append(line, "event", event);
        for (int k = 0; k + 1 < keysAndValues.length; k += 2) {
            append(line, String.valueOf(keysAndValues[k]), String.valueOf(keysAndValues[k + 1]));
        }
        logger.log(level, line.toString());
    }

    private static void append(StringBuilder line, String key, String value) {
        line.append(line.isEmpty() ? "" : " ").append(key).append('=');
        if (PLAIN.matcher(value).matches()) {
            line.append(value);
        } else {
            String oneLine = value.replaceAll("[\\r\\n\\t]", " ");
            String clean = Printable.of(oneLine, LONGEST).replace("\\", "\\\\").replace("\"", "\\\"");
            line.append('"').append(clean).append('"');
        }
    }
}
