package dev.starling.peer.node;

import dev.starling.peer.transport.Printable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Something that happened at a site. As text it is a line of keys and values, quoted where there are blanks, so that
 * people and programs can both read it; a logger that writes another form takes it apart.
 *
 * @param site the site's name
 * @param name what happened, in a word
 * @param details the circumstances: text, numbers and truth values, in order
 */
public record PeerEvent(String site, String name, Map<String, Object> details) {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:/+,\\[\\]@-]+");

    private static final int LONGEST = 4000;

    /** Copies the details. */
    public PeerEvent {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** An event with keys and values in turn. */
    static PeerEvent of(String site, String name, Object... keysAndValues) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (int k = 0; k + 1 < keysAndValues.length; k += 2) {
            details.put(String.valueOf(keysAndValues[k]), keysAndValues[k + 1]);
        }
        return new PeerEvent(site, name, details);
    }

    /** The circumstances alone, as text. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        details.forEach((key, value) -> append(text, key, String.valueOf(value)));
        return text.toString();
    }

    @Override
    public String toString() {
        StringBuilder line = new StringBuilder();
        append(line, "site", site);
        append(line, "event", name);
        details.forEach((key, value) -> append(line, key, String.valueOf(value)));
        return line.toString();
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
