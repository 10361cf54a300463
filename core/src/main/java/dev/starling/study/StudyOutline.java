package dev.starling.study;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
 * What a study says, one thing after the other, so that two of them can be compared. In brief it has names, kinds and
 * settings as they are, and of all that may come from somebody's rows (levels, classes) only a digest.
 */
public final class StudyOutline {

    /** Members that may have been made from rows. */
    private static final Set<String> FROM_ROWS = Set.of("levels", "reference", "rare", "fill", "classes");

    private static final String KIND_OF = "kind of ";
    private static final String ORDER = "order of the columns";
    private static final char HIDDEN = '#';
    private static final int DIGEST_BYTES = 8;

    private final Map<String, String> things;

    private StudyOutline(Map<String, String> things) {
        this.things = Collections.unmodifiableMap(things);
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
        Map<String, String> things = new LinkedHashMap<>();
        Map<String, Object> members = study.toMap();
        List<?> columns = (List<?>) members.remove("columns");
        for (Object column : columns) {
            Map<?, ?> map = (Map<?, ?>) column;
            put(things, map, " of column '" + map.get("name") + "'", brief);
        }
        put(things, (Map<?, ?>) members.remove("label"), " of the label", brief);
        put(things, members, "", brief);
        things.put(
                ORDER,
                columns.stream()
                        .map(column -> String.valueOf(((Map<?, ?>) column).get("name")))
                        .map(StudyOutline::line)
                        .collect(Collectors.joining(", ")));
        return new StudyOutline(things);
    }

    private static void put(Map<String, String> things, Map<?, ?> members, String where, boolean brief) {
        members.forEach((key, value) -> {
            boolean hidden = brief && FROM_ROWS.contains(key.toString());
            if (!key.equals("name")) {
                things.put(line(key + where), hidden ? HIDDEN + digest(value.toString()) : line(text(value)));
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
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The outline as lines, which {@link #parse} reads. */
    public String text() {
        return things.entrySet().stream()
                .map(thing -> thing.getKey() + "\t" + thing.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** An outline that somebody else has sent; whatever makes no sense in it is left out. */
    public static StudyOutline parse(String text) {
        Map<String, String> things = new LinkedHashMap<>();
        text.lines()
                .map(line -> line.split("\t", 2))
                .filter(parts -> parts.length == 2)
                .forEach(parts -> things.put(parts[0], parts[1]));
        return new StudyOutline(things);
    }

    /**
     * How two outlines differ, a sentence each; columns that only one of them has come first.
     *
     * @param here where this study is found: "at site a", "in a.yaml"
     * @param there where the other is
     */
    public List<String> differences(StudyOutline other, String here, String there) {
        List<String> differences = new ArrayList<>(alone(other, here));
        differences.addAll(other.alone(this, there));
        boolean sameColumns = differences.isEmpty();
        Set<String> keys = new LinkedHashSet<>(things.keySet());
        keys.addAll(other.things.keySet());
        for (String key : keys) {
            String ours = things.getOrDefault(key, "");
            String theirs = other.things.getOrDefault(key, "");
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
        return things.keySet().stream()
                .filter(key -> key.startsWith(KIND_OF) && !other.things.containsKey(key))
                .map(key -> key.substring(KIND_OF.length()) + " exists only " + here)
                .toList();
    }

    private static boolean isColumnOfOneOnly(String key, StudyOutline other) {
        int at = key.indexOf(" of column '");
        return at >= 0 && !other.things.containsKey(KIND_OF + key.substring(at + " of ".length()));
    }

    private static boolean isHidden(String value) {
        return !value.isEmpty() && value.charAt(0) == HIDDEN;
    }

    private static String shown(String value) {
        return value.isEmpty() ? "nothing" : value;
    }
}
