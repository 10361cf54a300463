package dev.starling.cli.train;

import dev.starling.cli.console.Json;
import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.statistics.PredictionIntervals;
import dev.starling.statistics.PredictionIntervals.Interval;
import dev.starling.table.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Predictions as text: one line for each row, or additional columns of the table that the rows come from.
 *
 * @param rows the rows to predict
 * @param kept the index of each row in the table; the table's other rows lack a value, and their prediction is NA
 * @param table the table that the rows were made from; empty if they were numbers already
 */
record Predictions(LinearModel model, Dataset rows, List<Integer> kept, Optional<Table> table) {

    private static final String NOT_AVAILABLE = "NA";

    /** How many lines are made at once. */
    private static final int AT_ONCE = 1 << 15;

    /** Which numbers to write after each label. */
    record Extras(boolean scores, boolean probabilities, Optional<PredictionIntervals> intervals) {}

    /** Writes one line per row: the label, then the extras, separated by blanks. */
    void write(Extras extras, Writer out) {
        try {
            if (extras.scores || extras.intervals.isPresent()) {
                out.write(String.join(" ", names(extras)) + "\n");
            } else if (extras.probabilities) {
                // LIBLINEAR's format.
                out.write("labels " + model.classes().stream().map(this::text).collect(Collectors.joining(" ")) + "\n");
            }
            int[] places = places();
            for (int from = 0; from < places.length; from += AT_ONCE) {
                int first = from;
                writeLines(Math.min(AT_ONCE, places.length - from), out, k -> {
                    int place = places[first + k];
                    return place < 0 ? NOT_AVAILABLE : String.join(" ", values(place, extras));
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refuses a table that already has a column with the name of one that would be added. */
    void requireNewColumns(Extras extras) {
        Table source = table.orElseThrow();
        for (String name : names(extras)) {
            if (source.names().contains(name)) {
                throw new InvalidInputException(source.source() + " already has a column '" + name
                        + "', which --append would add; rename or remove it");
            }
        }
    }

    /** Writes the table as it was, with additional columns. */
    void append(Extras extras, Writer out) {
        Table source = table.orElseThrow();
        List<String> names = names(extras);
        try {
            if (!source.header().isEmpty()) {
                out.write(line(source, source.header(), names) + "\n");
            }
            List<String> unknown = names.stream().map(name -> NOT_AVAILABLE).toList();
            int[] places = places();
            List<String> records = new ArrayList<>();
            Table.Cursor cursor = source.cursor();
            for (int from = 0; from < places.length; from += AT_ONCE) {
                int first = from;
                for (records.clear(); records.size() < AT_ONCE && cursor.next(); ) {
                    records.add(cursor.record());
                }
                writeLines(records.size(), out, k -> {
                    int place = places[first + k];
                    return line(source, records.get(k), place < 0 ? unknown : values(place, extras));
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Table table, String record, List<String> cells) {
        return record
                + cells.stream()
                        .map(cell -> table.delimiter() + quoted(cell, table.delimiter()))
                        .collect(Collectors.joining());
    }

    /** Of each row of the table, or of each row if there is no table: its place among the rows to predict, or −1. */
    private int[] places() {
        int[] places = new int[table.map(Table::rows).orElse(rows.rows())];
        Arrays.setAll(places, row -> table.isEmpty() ? row : -1);
        for (int k = 0; k < kept.size(); k++) {
            places[kept.get(k)] = k;
        }
        return places;
    }

    /** Writes a number of lines, which are made on all cores. */
    private static void writeLines(int count, Writer out, IntFunction<String> line) throws IOException {
        String[] lines = new String[count];
        Loops.overRows(count, AT_ONCE / 32, (from, to) -> {
            for (int k = from; k < to; k++) {
                lines[k] = line.apply(k);
            }
        });
        for (String each : lines) {
            out.write(each);
            out.write('\n');
        }
    }

    private static String quoted(String cell, char delimiter) {
        boolean plain = cell.indexOf(delimiter) < 0 && cell.indexOf('"') < 0 && cell.indexOf('\n') < 0;
        return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private List<String> names(Extras extras) {
        List<String> names = new ArrayList<>(List.of("prediction"));
        if (extras.scores && model.scores() == 1) {
            names.add("score");
        } else if (extras.scores) {
            model.classes().forEach(label -> names.add("score(" + text(label) + ")"));
        }
        if (extras.probabilities) {
            model.classes().forEach(label -> names.add("probability(" + text(label) + ")"));
        }
        extras.intervals.ifPresent(intervals -> {
            names.addAll(List.of("lower", "upper"));
            if (intervals.haveLabels()) {
                names.addAll(List.of("lowerOfLabel", "upperOfLabel"));
            }
        });
        return names;
    }

    private List<String> values(int row, Extras extras) {
        List<String> values = new ArrayList<>();
        values.add(text(model.predict(rows, row)));
        if (extras.scores) {
            for (double score : model.scores(rows, row)) {
                values.add(Json.text(score));
            }
        }
        if (extras.probabilities) {
            for (double probability : model.probabilities(rows, row)) {
                values.add(Json.text(probability));
            }
        }
        extras.intervals.ifPresent(intervals -> {
            add(intervals.mean(rows, row), values);
            if (intervals.haveLabels()) {
                add(intervals.label(rows, row), values);
            }
        });
        return values;
    }

    private static void add(Interval interval, List<String> values) {
        values.add(Json.text(interval.lower()));
        values.add(Json.text(interval.upper()));
    }

    private String text(double label) {
        return model.isClassifier() && model.recipe().isPresent() ? model.spelling(label) : Json.text(label);
    }
}
