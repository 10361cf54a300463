package dev.starling.study;

import dev.starling.data.keys.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The content of a study as a list of items, so that two studies can be compared. A brief outline has names, kinds and
 * settings as they are, but only digests of what may come from somebody's rows (levels, classes).
 */
public final class StudyOutline {

    /** Members that may have been learnt from rows. */
    private static final Set<String> FROM_ROWS = Set.of("levels", "reference", "rare", "fill", "classes");

    private static final String KIND_OF = "kind of ";
    private static final String ORDER = "order of the columns";
    private static final char HIDDEN = '#';
    private static final int DIGEST_BYTES = 8;

    private final Map<String, String> items;

    private StudyOutline(Map<String, String> items) {
        this.items = Collections.unmodifiableMap(items);
    }

    /** The outline of a study, with everything as it is. */
    public static StudyOutline of(Study study) {
        return outline(study, false);
    }

    /** The outline that others may see. */
    public static StudyOutline brief(Study study) {
        return outline(study, true);
    }

    private static StudyOutline outline(Study study, boolean brief) {
        Map<String, String> items = new LinkedHashMap<>();
        Map<String, Object> members = study.toMap();
        List<?> columns = (List<?>) members.remove("columns");
        for (Object column : columns) {
            Map<?, ?> map = (Map<?, ?>) column;
            put(items, map, " of column '" + map.get("name") + "'", brief);
        }
        put(items, (Map<?, ?>) members.remove("label"), " of the label", brief);
        put(items, members, "", brief);
        items.put(
                ORDER,
                columns.stream()
                        .map(column -> String.valueOf(((Map<?, ?>) column).get("name")))
                        .map(StudyOutline::line)
                        .collect(Collectors.joining(", ")));
        return new StudyOutline(items);
    }

    private static void put(Map<String, String> items, Map<?, ?> members, String where, boolean brief) {
        members.forEach((key, value) -> {
            boolean hidden = brief && FROM_ROWS.contains(key.toString());
            if (!key.equals("name")) {
                items.put(line(key + where), hidden ? HIDDEN + digest(value.toString()) : line(text(value)));
            }
        });
    }

    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(", "))
                : value.toString();
    }

    private static String line(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static String digest(String value) {
        byte[] digest = Fingerprint.sha256().digest(value.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
    }

    /** The outline as lines of text, which {@link #parse} reads. */
    public String text() {
        return items.entrySet().stream()
                .map(thing -> thing.getKey() + "\t" + thing.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** Parses an outline that somebody else has sent; malformed lines are ignored. */
    public static StudyOutline parse(String text) {
        Map<String, String> items = new LinkedHashMap<>();
        text.lines()
                .map(line -> line.split("\t", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> items.put(parts[0], parts[1]));
        return new StudyOutline(items);
    }

    /**
     * How two outlines differ, one sentence for each difference; columns that only one of them has come first.
     *
     * @param here where this study is, such as "at site a" or "in a.yaml"
     * @param there where the other one is
     */
    public List<String> differences(StudyOutline other, String here, String there) {
        List<String> differences = new ArrayList<>(alone(other, here));
        differences.addAll(other.alone(this, there));
        boolean sameColumns = differences.isEmpty();
        Set<String> keys = new LinkedHashSet<>(items.keySet());
        keys.addAll(other.items.keySet());
        for (String key : keys) {
            String ours = items.getOrDefault(key, "");
            String theirs = other.items.getOrDefault(key, "");
            boolean isKnown = isColumnOfOneOnly(key, this) || isColumnOfOneOnly(key, other);
            if (!ours.equals(theirs) && !isKnown && (sameColumns || !key.equals(ORDER))) {
                differences.add(
                        isHidden(ours) || isHidden(theirs)
                                ? key + ": not the same"
                                : key + ": " + shown(ours) + " " + here + ", " + shown(theirs) + " " + there);
            }
        }
        return differences;
    }

    private List<String> alone(StudyOutline other, String here) {
        return items.keySet().stream()
                .filter(key -> key.startsWith(KIND_OF) && !other.items.containsKey(key))
                .map(key -> key.substring(KIND_OF.length()) + " exists only " + here)
                .toList();
    }

    private static boolean isColumnOfOneOnly(String key, StudyOutline other) {
        int at = key.indexOf(" of column '");
        return at >= 0 && !other.items.containsKey(KIND_OF + key.substring(at + " of ".length()));
    }

    private static boolean isHidden(String value) {
        return !value.isEmpty() && value.charAt(0) == HIDDEN;
    }

    private static String shown(String value) {
        return value.isEmpty() ? "nothing" : value;
    }
}
