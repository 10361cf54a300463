package dev.starling.recipe;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowBuffer;
import dev.starling.table.MissingTokens;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Applies a complete recipe to the rows of one table. */
final class Encoder {

    private final Recipe recipe;
    private final Design design;
    private final Table table;
    private final boolean training;
    private final MissingTokens tokens;
    private final List<CellReader> readers = new ArrayList<>();
    private final double[] values;
    private final boolean[] filled;
    private final RowBuffer rows = new RowBuffer(16, 64);
    private final Map<String, Integer> rejected = new HashMap<>();

    /** @param training whether labels and weights are needed */
    Encoder(Recipe recipe, Table table, boolean training) {
        this.recipe = recipe;
        this.design = recipe.design();
        this.table = table;
        this.training = training;
        this.tokens = new MissingTokens(recipe.missingTokens());
        recipe.requireColumns(table.source(), table.names(), training);
        for (Column column : recipe.columns()) {
            readers.add(new CellReader(column, table.names().indexOf(column.name()), tokens));
        }
        this.values = new double[readers.size()];
        this.filled = new boolean[readers.size()];
    }

    Encoded encode() {
        int label = table.names().indexOf(recipe.target().column());
        int weight = training ? recipe.weights().map(table.names()::indexOf).orElse(-1) : -1;
        int offset = recipe.offset().map(table.names()::indexOf).orElse(-1);
        List<Integer> kept = new ArrayList<>();
        boolean labelled = label >= 0;
        int row = 0;
        for (Table.Cursor cursor = table.cursor(); cursor.next(); row++) {
            // Both are always evaluated, so that all missing values are counted.
            boolean complete = read(cursor);
            boolean usable = !training || hasLabel(cursor, label);
            if (!complete || !usable) {
                continue;
            }
            for (Design.Product product : design.products()) {
                emit(cursor, product, 0, 0, 1);
            }
            for (int c = 0; c < values.length; c++) {
                if (filled[c] && design.indicator(c) >= 0) {
                    rows.add(design.indicator(c), 1f);
                }
            }
            double y = label < 0 ? Double.NaN : label(cursor, label);
            labelled &= !Double.isNaN(y);
            rows.endRow(y);
            if (offset >= 0) {
                rows.offset(offset(cursor, offset));
            }
            if (weight >= 0) {
                rows.weigh(weight(cursor, weight));
            }
            kept.add(row);
        }
        requireComplete();
        Dataset data = rows.toDataset(design.names().size()).wellLaidOut().withNames(design.names());
        // Which rows are held out, and which fold each is in, must not depend on the recipe.
        Dataset keyed = training ? data.withKeys(table.keysOf(recipe.ids(), kept)) : data;
        return new Encoded(keyed, kept, labelled, ignored());
    }

    /** Reads all cells of a row and returns whether it can be used. */
    private boolean read(Table.Cursor row) {
        boolean usable = true;
        for (int c = 0; c < values.length; c++) {
            CellReader reader = readers.get(c);
            filled[c] = reader.isMissing(row);
            if (!filled[c]) {
                values[c] = reader.read(row);
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

    private boolean hasLabel(Table.Cursor row, int label) {
        if (!tokens.isMissing(row, label)) {
            return true;
        }
        if (recipe.target().missing() == Missing.REFUSE) {
            rejected.merge(recipe.target().column(), 1, Integer::sum);
        }
        return false;
    }

    private double label(Table.Cursor row, int at) {
        double label = tokens.isMissing(row, at) ? Double.NaN : recipe.target().label(row.text(at));
        if (training && Double.isNaN(label)) {
            List<String> classes = recipe.target().classes();
            throw row.problem(
                    at,
                    "holds '" + CellReader.shown(row.text(at)) + "', which is "
                            + (classes.isEmpty()
                                    ? "not a finite number to predict"
                                    : "not one of the classes " + String.join(", ", classes)));
        }
        return label;
    }

    private static double weight(Table.Cursor row, int at) {
        double weight = row.number(at);
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw row.problem(
                    at, "holds the weight '" + CellReader.shown(row.text(at)) + "', which must be a positive number");
        }
        return weight;
    }

    private static double offset(Table.Cursor row, int at) {
        double offset = row.number(at);
        if (!Double.isFinite(offset)) {
            throw row.problem(
                    at, "holds the offset '" + CellReader.shown(row.text(at)) + "', which must be a finite number");
        }
        return offset;
    }

    /** Adds the features of a product, from the part with the given index on. */
    private void emit(Table.Cursor row, Design.Product product, int place, int feature, double value) {
        if (place == product.parts().size()) {
            add(row, product, product.offset() + feature, value);
            return;
        }
        Design.Part part = product.parts().get(place);
        double own = values[part.column()];
        if (part.isNumber()) {
            emit(row, product, place + 1, feature, value * part.factor().apply(own));
            return;
        }
        int width = part.names().size();
        int level = (int) own;
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

    private void requireComplete() {
        if (!rejected.isEmpty()) {
            String counts = table.names().stream()
                    .filter(rejected::containsKey)
                    .map(name -> "'" + name + "' (" + rejected.get(name) + ")")
                    .collect(Collectors.joining(", "));
            throw new InvalidInputException(table.source() + " has missing values in " + counts
                    + "; drop such rows, impute the values, or leave the columns out");
        }
    }

    private List<String> ignored() {
        Set<String> used = new HashSet<>(recipe.ids());
        recipe.columns().forEach(column -> used.add(column.name()));
        used.add(recipe.target().column());
        recipe.weights().ifPresent(used::add);
        recipe.offset().ifPresent(used::add);
        return table.names().stream()
                .filter(name -> !used.contains(name) && !Table.namesRows(name))
                .toList();
    }
}
