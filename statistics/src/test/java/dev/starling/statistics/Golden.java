package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.support.Stored;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** Data with values that were computed with 50 digits. */
final class Golden {

    private final String json;
    private final Dataset rows;
    private final long[] sites;
    private final List<String[]> cells;

    private Golden(String json, List<String[]> cells, Dataset rows, long... sites) {
        this.json = json;
        this.cells = cells;
        this.rows = rows;
        this.sites = sites;
    }

    /** Reads a set of data, or skips the test where the shared files are not at hand. */
    static Golden read(String name) {
        Path folder = Path.of(System.getProperty("starling.shared", "../../shared"), "golden", "statistics");
        Assumptions.assumeTrue(Files.isDirectory(folder), folder + " is not there");
        try {
            List<String[]> cells = Files.readAllLines(folder.resolve(name + ".csv")).stream()
                    .map(line -> line.replace("\"", "").split(",", -1))
                    .toList();
            return new Golden(
                    Files.readString(folder.resolve(name + ".json")), cells, rows(cells), keys(cells, "site"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A part of the values that belong to no table. */
    static Golden extra(String key) {
        Path file =
                Path.of(System.getProperty("starling.shared", "../../shared"), "golden", "statistics", "extra.json");
        Assumptions.assumeTrue(Files.exists(file), file + " is not there");
        try {
            String all = Files.readString(file);
            return new Golden(
                    all.substring(all.indexOf('"' + key + '"')),
                    List.of(),
                    Dataset.of(new double[1][1], new double[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double[] column(List<String[]> cells, int column) {
        return cells.stream()
                .skip(1)
                .mapToDouble(row -> Double.parseDouble(row[column]))
                .toArray();
    }

    private static long[] keys(List<String[]> cells, String name) {
        int at = Arrays.asList(cells.get(0)).indexOf(name);
        return at < 0
                ? new long[0]
                : Arrays.stream(column(cells, at)).mapToLong(key -> (long) key).toArray();
    }

    /** The rows without the column of the intercept; it, or else the offset, comes before all features. */
    private static Dataset rows(List<String[]> cells) {
        List<String> header = Arrays.asList(cells.get(0));
        List<Integer> features = new ArrayList<>();
        int before = Math.max(header.indexOf("(Intercept)"), header.indexOf("offset"));
        for (int c = before + 1; c < header.size(); c++) {
            features.add(c);
        }
        double[] values = cells.stream()
                .skip(1)
                .flatMapToDouble(row -> features.stream().mapToDouble(c -> Double.parseDouble(row[c])))
                .toArray();
        return Dataset.dense(features.size(), values, column(cells, header.indexOf("y")))
                .withNames(features.stream().map(header::get).toList())
                .withWeights(column(cells, header.indexOf("weight")))
                .withOffsets(column(cells, header.indexOf("offset")));
    }

    /** The cluster of each row. */
    long[] clusters() {
        return keys(cells, "cluster");
    }

    Dataset rows() {
        return rows;
    }

    /** The rows without offsets, all of which are 0, and weights. */
    Dataset rowsWithoutOffsets() {
        return Dataset.dense(rows.features(), Stored.values(rows), rows.labels())
                .withNames(rows.names());
    }

    /** The times of a Cox model, with strata. */
    Survival survival() {
        List<String> header = Arrays.asList(cells.get(0));
        double[] start = Arrays.stream(column(cells, header.indexOf("start")))
                .map(time -> time < 0 ? Double.NEGATIVE_INFINITY : time)
                .toArray();
        double[] status = column(cells, header.indexOf("status"));
        boolean[] events = new boolean[status.length];
        for (int i = 0; i < events.length; i++) {
            events[i] = status[i] == 1;
        }
        double[] strata = column(cells, header.indexOf("stratum"));
        double[] levels = Arrays.stream(strata).sorted().distinct().toArray();
        return new Survival(
                start,
                column(cells, header.indexOf("stop")),
                events,
                Arrays.stream(strata)
                        .mapToInt(level -> Arrays.binarySearch(levels, level))
                        .toArray());
    }

    /** The site of each row. */
    long[] sites() {
        return sites.clone();
    }

    double[] vector(String name) {
        Matcher found = Pattern.compile("\"" + name + "\": \\[([^\\]]*)\\]").matcher(json);
        if (!found.find()) {
            throw new IllegalArgumentException(name);
        }
        return Arrays.stream(found.group(1).split(","))
                .mapToDouble(text -> Double.parseDouble(text.replace("\"", "").strip()))
                .toArray();
    }

    double number(String name) {
        Matcher found = Pattern.compile("\"" + name + "\": \"?([-+0-9.e]+)").matcher(json);
        return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
    }
}
