package dev.starling.cli.show;

import dev.starling.internal.JsonObject;
import dev.starling.loss.Elementary;
import dev.starling.model.LinearModel;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.Proven;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The coefficients of one score of a model: a line for the intercept, if there is one, and for each feature, with a
 * column for each thing known about it. Every form of output shows all columns there are. A page draws an interval for
 * each coefficient if there are columns with the keys {@code lower} and {@code upper}.
 *
 * @param ofClass the class that has this score, as written in the data; empty if the model has a single score
 * @param features the names of the lines
 * @param columns the numbers, by column
 */
public record CoefficientTable(Optional<String> ofClass, List<String> features, List<Numbers> columns) {

    /** The name of the line of the intercept. */
    public static final String INTERCEPT = "(intercept)";

    private static final double LEVEL = 0.95;

    /**
     * A column of numbers.
     *
     * @param key its name in JSON and CSV
     * @param heading its name in tables for people
     * @param values a number for each line; NaN where there is none
     */
    public record Numbers(String key, String heading, double[] values) {}

    /** The tables of a model, one for each of its scores. */
    public static List<CoefficientTable> of(LinearModel model) {
        return IntStream.range(0, model.scores())
                .mapToObj(score -> of(model, score))
                .toList();
    }

    private static CoefficientTable of(LinearModel model, int score) {
        boolean intercept = new Question(model).hasIntercept();
        List<String> features = new ArrayList<>(intercept ? List.of(INTERCEPT) : List.of());
        features.addAll(model.coefficients(score).keySet());
        double[] coefficients = lines(intercept, model.intercept(score), model.weights(score));
        List<Numbers> columns = new ArrayList<>(List.of(new Numbers("coefficient", "coefficient", coefficients)));
        model.inference().ifPresent(known -> columns.addAll(statistics(model)));
        List<Double> deviations = model.provenance().rows().deviations();
        if (!deviations.isEmpty()) {
            double[] products = new double[model.features()];
            Arrays.setAll(products, c -> model.weight(score, c) * deviations.get(c));
            columns.add(new Numbers("perDeviation", "per deviation", lines(intercept, Double.NaN, products)));
        }
        Optional<String> ratio = ratio(model);
        if (ratio.isPresent()) {
            double[] ratios =
                    Arrays.stream(model.weights(score)).map(Elementary::exp).toArray();
            columns.add(
                    new Numbers(ratio.get() + "Ratio", ratio.get() + " ratio", lines(intercept, Double.NaN, ratios)));
        }
        return new CoefficientTable(
                model.scores() == 1
                        ? Optional.empty()
                        : Optional.of(model.spelling(model.classes().get(score))),
                features,
                columns);
    }

    /** What a model that was trained with standard errors knows about each coefficient besides its estimate. */
    private static List<Numbers> statistics(LinearModel model) {
        GlmTable table = GlmTable.of(model, LEVEL);
        return List.of(
                numbers("se", "std. error", table, Coefficient::se),
                numbers("statistic", table.tested() ? "t" : "z", table, Coefficient::statistic),
                numbers("p", "p", table, Coefficient::p),
                numbers("lower", "lower 95%", table, Coefficient::lower),
                numbers("upper", "upper 95%", table, Coefficient::upper));
    }

    private static Numbers numbers(String key, String heading, GlmTable table, Function<Coefficient, Proven> part) {
        return new Numbers(
                key,
                heading,
                table.coefficients().stream()
                        .mapToDouble(one -> part.apply(one).value())
                        .toArray());
    }

    /** What one unit more of a feature multiplies by e to its coefficient, if anything. */
    static Optional<String> ratio(LinearModel model) {
        return GlmTable.ratio(model.loss(), model.link().name());
    }

    private static double[] lines(boolean intercept, double first, double[] others) {
        double[] lines = new double[others.length + (intercept ? 1 : 0)];
        System.arraycopy(others, 0, lines, lines.length - others.length, others.length);
        if (intercept) {
            lines[0] = first;
        }
        return lines;
    }

    /** The numbers of the lines that are not of features with the coefficient 0. */
    List<Integer> nonZero() {
        return IntStream.range(0, features.size())
                .filter(line ->
                        columns.get(0).values()[line] != 0 || features.get(line).equals(INTERCEPT))
                .boxed()
                .toList();
    }

    /** Writes the tables of all scores of a model. */
    public static void write(JsonObject json, LinearModel model) {
        json.objects("scores", of(model), (one, table) -> table.write(one));
    }

    /** Writes the lines as an array of objects. */
    private void write(JsonObject json) {
        json.with("class", ofClass).objects("coefficients", features.size(), (one, line) -> {
            one.with("feature", features.get(line));
            columns.forEach(column -> one.with(column.key(), column.values()[line]));
        });
    }
}
