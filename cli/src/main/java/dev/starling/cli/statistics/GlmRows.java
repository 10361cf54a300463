package dev.starling.cli.statistics;

import dev.starling.cli.options.ColumnOptions;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Logistic;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.table.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The rows of a generalised linear model, with how they were made.
 *
 * @param loss the family, for classes that of classes
 * @param clusters the cluster of every row; empty if there are none
 */
record GlmRows(Recipe recipe, Dataset rows, Likelihood loss, long[] clusters) {

    /**
     * Makes rows of a table.
     *
     * @param cluster the column of clusters
     * @param frequencies a column with counts: a row stands for so many equal ones
     * @param encode makes the rows that a recipe describes
     */
    static GlmRows of(
            Table table,
            String source,
            Likelihood loss,
            ColumnOptions columns,
            Optional<String> cluster,
            Optional<String> frequencies,
            Function<Recipe, Encoded> encode) {
        frequencies.ifPresent(column -> columns.requireNoWeights("--frequencies " + column));
        cluster.filter(column -> !table.names().contains(column)).ifPresent(column -> {
            throw new InvalidInputException(source + " has no column '" + column + "' of clusters; there are: "
                    + String.join(", ", table.names()));
        });
        Recipe recipe;
        Likelihood used = loss;
        try {
            recipe = builder(loss, columns, cluster, frequencies).learn(table);
        } catch (InvalidInputException e) {
            // Two classes with names are successes and failures too.
            if (!loss.name().equals("binomial")) {
                throw loss.takesShares()
                        ? new InvalidInputException(
                                e.getMessage().replaceFirst(";.*", "")
                                        + "; write successes as 1 and failures as 0, or take binomial with its logit",
                                e)
                        : e;
            }
            used = new Logistic();
            recipe = builder(used, columns, cluster, frequencies).learn(table);
            int classes = recipe.target().classes().size();
            if (classes > 2) {
                throw new InvalidInputException(
                        source + ": column '" + recipe.target().column() + "' has " + classes
                                + " classes, and binomial takes two; use --family multinomial",
                        e);
            }
            if (classes < 2) {
                throw e;
            }
        }
        Encoded encoded = encode.apply(recipe);
        Dataset rows = encoded.rows();
        int coefficients = rows.features() + (recipe.intercept() ? 1 : 0);
        if (rows.rows() < coefficients) {
            throw new InvalidInputException(
                    source + ": " + rows.rows() + (rows.rows() == 1 ? " row for " : " rows for ") + coefficients
                            + " coefficients, which rows cannot tell apart; leave out columns");
        }
        long[] clusters = cluster.map(column -> table.keys(List.of(column), encoded.kept()))
                .orElse(new long[0]);
        GlmRows read = new GlmRows(recipe, rows, used, clusters);
        if (frequencies.isEmpty()) {
            return read;
        }
        int[] repeated = repeated(rows, source);
        long[] ofRepeated = clusters.length == 0
                ? clusters
                : Arrays.stream(repeated).mapToLong(row -> clusters[row]).toArray();
        return new GlmRows(recipe, unweighted(rows, repeated), used, ofRepeated);
    }

    /** The rows, each as often as its weight says. */
    static Dataset repeatedRows(Dataset rows, String source) {
        return unweighted(rows, repeated(rows, source));
    }

    private static Dataset unweighted(Dataset rows, int... repeated) {
        double[] ones = new double[repeated.length];
        Arrays.fill(ones, 1);
        return rows.picked(repeated).withWeights(ones);
    }

    private static RecipeBuilder builder(
            Likelihood loss, ColumnOptions columns, Optional<String> cluster, Optional<String> frequencies) {
        RecipeBuilder builder = columns.builder();
        frequencies.ifPresent(builder::weights);
        cluster.ifPresent(column -> builder.clustered());
        return loss.isClassification() ? builder : loss.takesShares() ? builder.shares() : builder.regression();
    }

    private static int[] repeated(Dataset rows, String source) {
        double total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            total += rows.weight(i);
            if (rows.weight(i) != Math.rint(rows.weight(i))) {
                throw new InvalidInputException(source + ": a row has the frequency " + rows.weight(i)
                        + "; --frequencies takes counts, and --weights-column other weights");
            }
        }
        if (total > Integer.MAX_VALUE / 2.0) {
            throw new InvalidInputException(
                    source + ": " + total + " rows, counted by frequency, are too many for one machine");
        }
        return IntStream.range(0, rows.rows())
                .flatMap(i -> IntStream.range(0, (int) rows.weight(i)).map(k -> i))
                .toArray();
    }
}
