package dev.starling.recipe;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.data.RowBuffer;
import dev.starling.table.MissingTokens;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Applies a complete recipe to the rows of one table.
 *
 * <p>It is longer than most classes and has more fields than most: what every row asks of the recipe is looked up once,
 * for all parts of the table.
 */
final class Encoder {

    /** How many rows are encoded by one thread, and how many times as many before they are put together. */
    private static final int ROWS_AT_ONCE = 1 << 13;

    private static final int PARTS_AT_ONCE = 16;

    private final Recipe recipe;
    private final Design design;
    private final Table table;
    private final boolean training;
    private final boolean features;
    private final MissingTokens tokens;
    private final List<CellReader> readers = new ArrayList<>();

    /** The columns whose cells are looked at. */
    private final int[] read;

    /** For every product of the design, the column that it consists of, if it is a number as it is; otherwise −1. */
    private final int[] plain;

    private final int[] labelColumns;

    /** The columns without which a row tells nothing: those of the label, the stratum and the cluster. */
    private final int[] needed;

    private final boolean timed;
    private final boolean ofCounts;
    private final int weightColumn;
    private final DoubleUnaryOperator response;
    private final List<Offset> offsets;
    /** A number of each row that is added to its score. */
    private record Offset(int column, DoubleUnaryOperator function) {}

    /**
     * @param training whether labels and weights are needed
     * @param surveyed a survey of the table, if features are not needed: then a column matters only if a cell of it is
     *     missing and nothing takes its place
     */
    Encoder(Recipe recipe, Table table, boolean training, Optional<Survey> surveyed) {
        this.recipe = recipe;
        this.design = recipe.design();
        this.table = table;
        this.training = training;
        this.features = surveyed.isEmpty();
        this.tokens = new MissingTokens(recipe.missingTokens());
        recipe.requireColumns(table.source(), table.names(), training);
        for (Column column : recipe.columns()) {
            readers.add(new CellReader(column, table.names().indexOf(column.name()), tokens));
        }
        this.read = IntStream.range(0, readers.size())
                .filter(c -> surveyed.map(survey -> isLeftOut(recipe.columns().get(c), survey))
                        .orElse(true))
                .toArray();
        this.plain =
                design.products().stream().mapToInt(Design.Product::plainColumn).toArray();
        this.labelColumns =
                recipe.labelColumns().stream().mapToInt(table.names()::indexOf).toArray();
        this.needed = Stream.of(recipe.labelColumns(), recipe.strata(), recipe.clusters())
                .flatMap(List::stream)
                .mapToInt(table.names()::indexOf)
                .filter(column -> column >= 0)
                .toArray();
        this.ofCounts = recipe.isOfCounts();
        this.timed = recipe.parsed().status().isPresent();
        this.weightColumn =
                training ? recipe.weights().map(table.names()::indexOf).orElse(-1) : -1;
        this.response = recipe.parsed().response().single();
        this.offsets = recipe.offsets().stream()
                .map(offset -> new Offset(table.names().indexOf(offset.column()), offset.single()))
                .toList();
    }

    private static boolean isLeftOut(Column column, Survey survey) {
        return !column.missing().isImputed() && survey.column(column.name()).missing() > 0;
    }

    /** @param keyed whether rows get keys, by which some are held out or assigned to folds */
    Encoded encode(boolean keyed) {
        Part all = new Part(0, table.rows(), room(table.rows()));
        int parts = (table.rows() + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
        if (parts == 1) {
            all.encode();
        }
        RowBuffer[] rooms = new RowBuffer[PARTS_AT_ONCE];
        Arrays.setAll(rooms, k -> room(parts > 1 ? ROWS_AT_ONCE : 0));
        for (int first = 0; parts > 1 && first < parts; first += PARTS_AT_ONCE) {
            int from = first;
            Part[] some = new Part[Math.min(PARTS_AT_ONCE, parts - first)];
            Loops.run(some.length, k -> {
                int start = ROWS_AT_ONCE * (from + k);
                rooms[k].clear();
                some[k] = new Part(start, Math.min(table.rows(), start + ROWS_AT_ONCE), rooms[k]);
                some[k].encode();
            });
            Arrays.stream(some).forEach(all::add);
        }
        requireComplete(all.rejected);
        Dataset data = all.rows.toDataset(design.names().size()).wellLaidOut().withNames(design.names());
        // Which rows are held out, and which fold each is in, must not depend on the recipe.
        Dataset known = keyed ? data.withKeys(table.keysOf(recipe.ids(), all.kept)) : data;
        return new Encoded(known, all.kept, all.weightless, all.labelled, ignored());
    }

    private RowBuffer room(int most) {
        return new RowBuffer(most, Math.min(ROWS_AT_ONCE, most) * Math.min(plain.length, 64));
    }

    /** Some rows of the table. */
    private final class Part {
        private final int from;
        private final int to;
        private final double[] values = new double[readers.size()];
        private final boolean[] filled = new boolean[values.length];

        /** What was read of texts that the table keeps once among some rows; NaN until it is. */
        private final double[][] known = new double[values.length][];

        private int block = -1;
        private final RowBuffer rows;
        private final Map<String, Integer> rejected = new HashMap<>();
        private final RowIndices kept = new RowIndices();
        private final Map<String, Double> labelsOfClasses = new HashMap<>();
        private int weightless;
        private boolean labelled = labelColumns[0] >= 0;

        Part(int from, int to, RowBuffer rows) {
            this.from = from;
            this.to = to;
            this.rows = rows;
        }

        /** Adds what is known of rows that come later. */
        void add(Part later) {
            rows.addAll(later.rows);
            later.rejected.forEach((name, count) -> rejected.merge(name, count, Integer::sum));
            later.kept.forEach(kept::append);
            weightless += later.weightless;
            labelled &= later.labelled;
        }

        void encode() {
            int row = from;
            for (Table.Cursor cursor = table.cursor(from, to); cursor.next(); row++) {
                encode(cursor, row);
            }
        }

        private void encode(Table.Cursor cursor, int row) {
            // Both are always evaluated, so that all missing values are counted.
            boolean complete = read(cursor);
            boolean usable = !training || hasAllNeeded(cursor);
            if (!complete || !usable) {
                return;
            }
            double weight = weightColumn < 0 ? 1 : weight(cursor, weightColumn, "weight");
            if (weight == 0) {
                weightless++;
            } else if (training && ofCounts) {
                double failures = weight(cursor, labelColumns[1], "count");
                double successes = weight(cursor, labelColumns[0], "count");
                weightless += failures + successes == 0 ? 1 : 0;
                if (recipe.target().classes().isEmpty()) {
                    add(cursor, row, successes / (failures + successes), weight * (failures + successes));
                } else {
                    add(cursor, row, 0, weight * failures);
                    add(cursor, row, 1, weight * successes);
                }
            } else {
                add(cursor, row, label(cursor), weight);
            }
        }

        /** Adds a row to the result, unless it has no weight. */
        private void add(Table.Cursor cursor, int row, double label, double weight) {
            if (weight == 0) {
                return;
            }
            if (features) {
                emit(cursor);
            }
            labelled &= !Double.isNaN(label);
            rows.endRow(label);
            if (timed && training && labelColumns.length > 2) {
                rows.entry(entry(cursor, Math.abs(label)));
            }
            if (!offsets.isEmpty()) {
                rows.offset(offset(cursor));
            }
            if (weightColumn >= 0 || (training && ofCounts)) {
                rows.weigh(weight);
            }
            kept.append(row);
        }

        private void emit(Table.Cursor cursor) {
            List<Design.Product> products = design.products();
            for (int p = 0; p < plain.length; p++) {
                if (plain[p] < 0 || !Double.isFinite(values[plain[p]])) {
                    emit(cursor, products.get(p), 0, 0, 1);
                } else if (values[plain[p]] != 0) {
                    rows.add(products.get(p).offset(), values[plain[p]]);
                }
            }
            for (int c = 0; c < values.length; c++) {
                if (filled[c] && design.indicator(c) >= 0) {
                    rows.add(design.indicator(c), 1f);
                }
            }
        }

        /** Reads all cells of a row and returns whether it can be used. */
        private boolean read(Table.Cursor row) {
            boolean usable = true;
            if (block != row.block()) {
                block = row.block();
                forget(row);
            }
            for (int c : read) {
                CellReader reader = readers.get(c);
                int code = row.code(reader.at());
                if (code >= 0 && !Double.isNaN(known[c][code])) {
                    filled[c] = false;
                    values[c] = known[c][code];
                    continue;
                }
                filled[c] = reader.isMissing(row);
                if (!filled[c]) {
                    values[c] = features ? reader.read(row) : 0;
                    if (code >= 0) {
                        known[c][code] = values[c];
                    }
                    continue;
                }
                values[c] = reader.fill();
                if (!reader.column().missing().isImputed()) {
                    usable = false;
                    if (reader.column().missing() == Missing.REFUSE) {
                        rejected.merge(reader.column().name(), 1, Integer::sum);
                    }
                }
            }
            return usable;
        }

        private void forget(Table.Cursor row) {
            for (int c : read) {
                known[c] = new double[row.codes(readers.get(c).at())];
                Arrays.fill(known[c], Double.NaN);
            }
        }

        private boolean hasAllNeeded(Table.Cursor row) {
            for (int column : needed) {
                if (tokens.isMissing(row, column)) {
                    if (recipe.target().missing() == Missing.REFUSE) {
                        rejected.merge(table.names().get(column), 1, Integer::sum);
                    }
                    return false;
                }
            }
            return true;
        }

        /** The label of a row; NaN if it is unknown, as those of counts are unless they are learnt from. */
        private double label(Table.Cursor row) {
            int at = ofCounts ? -1 : labelColumns[0];
            if (at < 0) {
                return Double.NaN;
            }
            double label = tokens.isMissing(row, at)
                    ? Double.NaN
                    : response.applyAsDouble(
                            recipe.target().classes().isEmpty() ? row.number(at) : ofClass(row.text(at)));
            if (training && !Double.isFinite(label)) {
                List<String> classes = recipe.target().classes();
                throw row.problem(
                        at,
                        "holds '" + CellReader.shown(row.text(at)) + "', which is "
                                + (classes.isEmpty()
                                        ? "not a finite number to predict as " + recipe.response()
                                        : "not one of the classes " + String.join(", ", classes)));
            }
            return timed && training ? timed(row, label) : label;
        }

        private double ofClass(String text) {
            Double known = labelsOfClasses.get(text);
            if (known != null) {
                return known;
            }
            double label = recipe.target().label(text);
            if (!Double.isNaN(label)) {
                labelsOfClasses.put(text, label);
            }
            return label;
        }

        /** A time, negative unless the event was seen then. */
        private double timed(Table.Cursor row, double time) {
            if (!(time > 0)) {
                throw row.problem(labelColumns[0], "holds the time " + time + ", which must be greater than 0");
            }
            int at = labelColumns[1];
            String text = row.text(at).strip().toLowerCase(Locale.ROOT);
            if (row.number(at) == 1 || text.equals("true")) {
                return time;
            }
            if (row.number(at) == 0 || text.equals("false")) {
                return -time;
            }
            throw row.problem(
                    at,
                    "holds '" + CellReader.shown(row.text(at))
                            + "', which does not say whether there was an event; write"
                            + " 1 (or TRUE) for an event and 0 (or FALSE) for none");
        }

        /** The time from which on a row was watched. */
        private double entry(Table.Cursor row, double until) {
            int at = labelColumns[2];
            double time = row.number(at);
            if (!(time < until) || !Double.isFinite(time)) {
                throw row.problem(
                        at,
                        "holds '" + CellReader.shown(row.text(at)) + "', which is no time before the row ends at "
                                + until + "; correct the times, or leave the row out");
            }
            return time;
        }

        private double weight(Table.Cursor row, int at, String what) {
            double weight = row.number(at);
            if (!(weight >= 0) || Double.isInfinite(weight)) {
                throw row.problem(
                        at,
                        "holds the " + what + " '" + CellReader.shown(row.text(at))
                                + "', which must be a number, 0 or more");
            }
            return weight;
        }

        private double offset(Table.Cursor row) {
            double sum = 0;
            for (Offset offset : offsets) {
                double value = offset.function.applyAsDouble(row.number(offset.column));
                if (!Double.isFinite(value)) {
                    throw row.problem(
                            offset.column,
                            "holds the offset '" + CellReader.shown(row.text(offset.column))
                                    + "', which must be a finite number");
                }
                sum += value;
            }
            return sum;
        }

        /** Adds the features of a product, from the part with the given index on. */
        private void emit(Table.Cursor row, Design.Product product, int place, int feature, double value) {
            if (place == product.parts().size()) {
                add(row, product, product.offset() + feature, value);
                return;
            }
            Design.Part part = product.parts().get(place);
            double own = values[part.column()];
            int width = part.names().size();
            if (part.isNumber()) {
                double[] numbers = part.of(own);
                for (int k = 0; k < width; k++) {
                    emit(row, product, place + 1, feature * width + k, value * numbers[k]);
                }
                return;
            }
            int level = part.level(own);
            if (level < 0) {
                throw row.problem(
                        readers.get(part.column()).at(),
                        "holds '" + own + "', which is in none of the intervals of " + part.factor()
                                + "; let the first break be -Inf or the last one Inf");
            }
            if (part.ordered()) {
                for (int k = 1; k <= level; k++) {
                    emit(row, product, place + 1, feature * width + part.positions()[k], value);
                }
            } else if (part.positions()[level] >= 0) {
                emit(row, product, place + 1, feature * width + part.positions()[level], value);
            }
        }

        private void add(Table.Cursor row, Design.Product product, int feature, double value) {
            if (!Double.isFinite(value)) {
                Design.Part part = product.parts().get(0);
                throw row.problem(
                        readers.get(part.column()).at(),
                        "makes " + design.names().get(feature) + " " + value + "; values must be finite");
            }
            if (value != 0) {
                rows.add(feature, value);
            }
        }
    }

    private void requireComplete(Map<String, Integer> rejected) {
        if (!rejected.isEmpty()) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            table.names().stream().filter(rejected::containsKey).forEach(name -> counts.put(name, rejected.get(name)));
            List<String> dates = recipe.columns().stream()
                    .filter(column -> column.kind().isDate())
                    .map(Column::name)
                    .toList();
            throw new MissingValuesException(
                    table.source(),
                    counts,
                    counts.keySet().stream()
                            .filter(name -> dates.contains(name)
                                    || Arrays.stream(needed)
                                            .anyMatch(column ->
                                                    table.names().get(column).equals(name)))
                            .toList());
        }
    }

    private List<String> ignored() {
        Set<String> used = new HashSet<>(recipe.ids());
        recipe.columns().forEach(column -> used.add(column.name()));
        used.addAll(recipe.labelColumns());
        used.addAll(recipe.strata());
        used.addAll(recipe.clusters());
        recipe.weights().ifPresent(used::add);
        recipe.offsets().forEach(offset -> used.add(offset.column()));
        return table.names().stream()
                .filter(name -> !used.contains(name) && !Table.namesRows(name))
                .toList();
    }
}
