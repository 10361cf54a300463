package dev.starling.serve;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.table.Kind;
import dev.starling.table.Table;
import dev.starling.table.TableColumns;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rows of a request, made from its arrays: a dense matrix, the three arrays of a sparse one, or the columns of a
 * table.
 *
 * @param rows the rows
 * @param recipe how they were made from a table, if they were
 * @param clusters which rows belong together, for standard errors; empty if none do
 */
record SentRows(Dataset rows, Optional<Recipe> recipe, long... clusters) {

    /** The arrays of a request, of which each must be used. */
    static final class Arrays {
        private final Map<String, Object> all;

        Arrays(Map<String, Object> all) {
            this.all = all;
        }

        Optional<Object> take(String name) {
            return Optional.ofNullable(all.remove(name));
        }

        <T> Optional<T> take(String name, Class<T> type) {
            return take(name).map(array -> {
                if (!type.isInstance(array)) {
                    throw new InvalidInputException("the array '" + name + "' has type "
                            + ArrayType.of(array).text() + "; it must be "
                            + ArrayType.of(Array.newInstance(type.getComponentType(), 0))
                                    .text());
                }
                return type.cast(array);
            });
        }

        <T> T require(String name, Class<T> type) {
            return take(name, type)
                    .orElseThrow(() -> new InvalidInputException("there is no array '" + name + "'; it is needed"));
        }

        void requireAllUsed() {
            if (!all.isEmpty()) {
                throw new InvalidInputException(
                        "arrays that do not belong to such a request: " + String.join(", ", all.keySet()));
            }
        }
    }

    /**
     * Makes rows.
     *
     * @param classes whether labels are classes
     * @param keyed whether rows of a table get keys, by which some are held out or assigned to folds
     */
    static SentRows of(Members header, Map<String, Object> sent, boolean classes, boolean keyed) {
        Arrays arrays = new Arrays(sent);
        Optional<double[]> weights = arrays.take("weights", double[].class);
        Optional<double[]> offsets = arrays.take("offsets", double[].class);
        if (header.has("table")) {
            return ofTable(header, arrays, classes, keyed, weights, offsets);
        }
        Optional<int[]> clusters = arrays.take("clusters", int[].class);
        double[] labels = arrays.require("y", double[].class);
        if (labels.length == 0) {
            throw new InvalidInputException("the array 'y' is empty; at least one row is needed");
        }
        int features = (int) Math.min(header.whole("features", 0), Integer.MAX_VALUE);
        Dataset matrix = arrays.all.containsKey("x")
                ? dense(header, arrays, features, labels)
                : sparse(arrays, features, labels);
        arrays.requireAllUsed();
        Dataset rows = matrix.withNames(header.texts("names"));
        rows = weights.map(rows::withWeights).orElse(rows);
        rows = offsets.map(rows::withOffsets).orElse(rows);
        return new SentRows(rows, Optional.empty(), keys(clusters, rows.rows()));
    }

    private static long[] keys(Optional<int[]> clusters, int rows) {
        if (clusters.isPresent() && clusters.get().length != rows) {
            throw new InvalidInputException(
                    "the array 'clusters' has " + clusters.get().length + " elements; there are " + rows + " rows");
        }
        return java.util.Arrays.stream(clusters.orElse(new int[0]))
                .asLongStream()
                .toArray();
    }

    private static Dataset dense(Members header, Arrays arrays, int features, double... labels) {
        Object x = arrays.take("x").orElseThrow();
        if (Array.getLength(x) != (long) features * labels.length) {
            throw new InvalidInputException("the array 'x' has " + Array.getLength(x) + " elements; " + labels.length
                    + " rows of " + features + " features need " + (long) features * labels.length);
        }
        String order = header.text("order").orElse("rows");
        if (!order.equals("rows") && !order.equals("columns")) {
            throw InvalidInputException.unknownName("order", order, List.of("columns", "rows"));
        }
        boolean byRow = order.equals("rows");
        if (x instanceof float[] floats) {
            return Dataset.dense(features, byRow ? floats : transposed(floats, labels.length, features), labels);
        }
        if (x instanceof double[] doubles) {
            return Dataset.dense(features, byRow ? doubles : transposed(doubles, labels.length, features), labels);
        }
        throw new InvalidInputException(
                "the array 'x' has type " + ArrayType.of(x).text() + "; it must be f64 or f32");
    }

    private static double[] transposed(double[] columns, int rows, int features) {
        double[] result = new double[columns.length];
        for (int j = 0, k = 0; j < features; j++) {
            for (int i = 0; i < rows; i++) {
                result[i * features + j] = columns[k++];
            }
        }
        return result;
    }

    private static float[] transposed(float[] columns, int rows, int features) {
        float[] result = new float[columns.length];
        for (int j = 0, k = 0; j < features; j++) {
            for (int i = 0; i < rows; i++) {
                result[i * features + j] = columns[k++];
            }
        }
        return result;
    }

    private static Dataset sparse(Arrays arrays, int features, double... labels) {
        int[] starts = arrays.require("starts", int[].class);
        int[] columns = arrays.require("columns", int[].class);
        Object values = arrays.take("values").orElse(new byte[0]);
        boolean ordered = starts.length == labels.length + 1
                && starts[0] == 0
                && starts[labels.length] == columns.length
                && columns.length == Array.getLength(values);
        for (int i = 0; ordered && i < labels.length; i++) {
            ordered = starts[i] <= starts[i + 1];
        }
        if (!ordered) {
            throw new InvalidInputException("the arrays 'starts', 'columns' and 'values' are not those of "
                    + labels.length + " sparse rows: starts must ascend from 0 to the number of values, with one more"
                    + " than there are rows");
        }
        if (values instanceof float[] floats) {
            return Dataset.sparse(features, starts, columns, floats, labels);
        }
        if (values instanceof double[] doubles) {
            return Dataset.sparse(features, starts, columns, doubles, labels);
        }
        throw new InvalidInputException(
                "the array 'values' has type " + ArrayType.of(values).text() + "; it must be f64 or f32");
    }

    /** A column of a table: numbers, NaN where they are missing, or codes of levels, −1 where they are missing. */
    private record SentColumn(String name, double[] numbers, int[] codes, List<String> levels, boolean ordered) {

        static SentColumn of(Members column, Arrays arrays, String array) {
            column.requireOnly(Set.of("name", "levels", "ordered"));
            String name = column.required("name");
            List<String> levels = column.texts("levels");
            boolean factor = column.has("levels");
            double[] numbers = factor ? new double[0] : arrays.require(array, double[].class);
            int[] codes = factor ? arrays.require(array, int[].class) : new int[0];
            return new SentColumn(name, numbers, codes, levels, column.flag("ordered"));
        }

        boolean isFactor() {
            return numbers.length == 0;
        }

        void addTo(TableColumns table) {
            if (isFactor()) {
                table.levels(name, levels, codes);
            } else {
                table.numbers(name, numbers);
            }
        }

        void describeTo(RecipeBuilder recipe) {
            recipe.kind(name, isFactor() ? ordered ? Kind.ORDERED : Kind.CATEGORICAL : Kind.NUMERIC);
            if (isFactor()) {
                recipe.levels(name, levels);
            }
        }
    }

    private static SentRows ofTable(
            Members header,
            Arrays arrays,
            boolean classes,
            boolean keyed,
            Optional<double[]> weights,
            Optional<double[]> offsets) {
        List<SentColumn> columns = new ArrayList<>();
        for (Object each : header.list("table")) {
            columns.add(SentColumn.of(Members.of("a column", each), arrays, Integer.toString(columns.size())));
        }
        SentColumn label = SentColumn.of(Members.of("\"label\"", header.all().get("label")), arrays, "y");
        arrays.requireAllUsed();
        List<SentColumn> all = new ArrayList<>(columns);
        all.add(label);
        TableColumns sent = new TableColumns("the table");
        all.forEach(column -> column.addTo(sent));
        Table table = sent.build();
        RecipeBuilder builder = Recipe.builder()
                .label(label.name)
                .keep(columns.stream().map(SentColumn::name).toList())
                .missing(Missing.named(header.text("missing").orElse("refuse")))
                .unknownIsReference(header.text("unknown").orElse("refuse").equals("reference"));
        columns.forEach(column -> column.describeTo(builder));
        Recipe recipe = (classes ? builder : builder.regression()).learn(table);
        Encoded encoded = keyed ? recipe.encode(table) : recipe.encodeWithoutKeys(table);
        int[] kept = encoded.kept().stream().mapToInt(Integer::intValue).toArray();
        Dataset rows = encoded.rows();
        if (weights.isPresent()) {
            rows = rows.withWeights(picked("weights", weights.get(), table.rows(), kept));
        }
        if (offsets.isPresent()) {
            rows = rows.withOffsets(picked("offsets", offsets.get(), table.rows(), kept));
        }
        return new SentRows(rows, Optional.of(recipe));
    }

    private static double[] picked(String name, double[] values, int rows, int... kept) {
        if (values.length != rows) {
            throw new InvalidInputException(
                    "the array '" + name + "' has " + values.length + " elements; there are " + rows + " rows");
        }
        double[] some = new double[kept.length];
        java.util.Arrays.setAll(some, k -> values[kept[k]]);
        return some;
    }
}
