package dev.starling.peer.events;

import dev.starling.peer.trust.Printable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * An event at a site. As text it is a line of keys and values, quoted where necessary, so that both people and programs
 * can read it; a logger that writes another format can use the components.
 *
 * @param site the site's name
 * @param name the name of the event
 * @param details the details: strings, numbers and booleans, in order
 */
public record PeerEvent(String site, String name, Map<String, Object> details) {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:/+,\\[\\]@-]+");

    private static final int LONGEST = 4000;

    /** Copies the details. */
    public PeerEvent {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }

    /** Creates an event from alternating keys and values. */
    static PeerEvent of(String site, String name, Object... keysAndValues) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (int k = 0; k + 1 < keysAndValues.length; k += 2) {
            details.put(String.valueOf(keysAndValues[k]), keysAndValues[k + 1]);
        }
        return new PeerEvent(site, name, details);
    }

    /** The details alone, as text. */
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
