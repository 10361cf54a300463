package dev.starling.export;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Version;
import dev.starling.loss.Link;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Column;
import dev.starling.recipe.Factor;
import dev.starling.recipe.Lookup;
import dev.starling.recipe.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Exports a model as an ONNX file, from raw columns to labels, scores and probabilities, in doubles.
 *
 * <p>Every term of the recipe becomes a table of weights, one row for each combination of levels, in which the term's
 * part of the scores is looked up; it is multiplied by a number if the term has one. A value that the recipe rejects
 * makes the scores NaN and the label {@code NA}.
 */
public final class Onnx {

    private static final String NOT_AVAILABLE = "NA";

    private final LinearModel model;
    private final OnnxGraph graph = new OnnxGraph();

    /** For each column, its number or the indices of its levels. */
    private final Map<String, String> values = new HashMap<>();

    private Onnx(LinearModel model) {
        this.model = model;
    }

    /**
     * Returns the content of the file.
     *
     * @throws InvalidInputException if the recipe has something that ONNX cannot express
     */
    public static byte[] bytes(LinearModel model) {
        Onnx onnx = new Onnx(model);
        Optional<Recipe> recipe = Inputs.recipe(model);
        String scores = recipe.map(onnx::scores).orElseGet(onnx::scoresOfNumbers);
        if (model.isClassifier()) {
            onnx.classes(scores);
        } else {
            onnx.graph.output("prediction", onnx.mean(scores), OnnxGraph.DOUBLE, 1);
        }
        return onnx.graph.toBytes(Version.current(), model.hash());
    }

    private String mean(String scores) {
        if (model.link().equals(Link.IDENTITY)) {
            return scores;
        }
        if (model.link().equals(Link.LOG)) {
            return graph.apply("Exp", scores);
        }
        throw Inputs.unknownLink(model, "ONNX");
    }

    /** The scores of rows that consist of numbers already, all in one input. */
    private String scoresOfNumbers() {
        String rows = graph.input("features", OnnxGraph.DOUBLE, model.features());
        double[][] weights = new double[model.features()][];
        for (int feature = 0; feature < weights.length; feature++) {
            weights[feature] = weights(List.of(feature));
        }
        return graph.apply("Add", graph.apply("MatMul", rows, graph.doubles(weights)), intercepts());
    }

    private String scores(Recipe recipe) {
        Map<Column, String> inputs = new HashMap<>();
        for (Column column : recipe.columns()) {
            int type = column.kind().hasLevels() ? OnnxGraph.STRING : OnnxGraph.DOUBLE;
            inputs.put(column, graph.input(column.name(), type, 1));
        }
        List<String> parts = new ArrayList<>(List.of(intercepts()));
        recipe.offset()
                .map(name -> graph.input(name, OnnxGraph.DOUBLE, 1))
                .ifPresent(offset -> parts.add(areOrdered() ? graph.apply("Neg", offset) : offset));
        for (Column column : recipe.columns()) {
            String input = inputs.get(column);
            values.put(
                    column.name(),
                    column.kind().hasLevels() ? places(column, input, recipe) : number(column, input, recipe));
            int indicator = recipe.indicator(column);
            if (indicator >= 0) {
                String missing = graph.cast(isMissing(column, input, recipe), OnnxGraph.DOUBLE);
                parts.add(graph.apply("Mul", missing, graph.doubles(new double[][] {weights(List.of(indicator))})));
            }
        }
        for (Lookup term : recipe.lookups()) {
            parts.add(part(term));
        }
        return graph.apply("Sum", parts);
    }

    /** The number in a column, with NaN replaced. */
    private String number(Column column, String input, Recipe recipe) {
        return Inputs.fill(column)
                .map(fill -> graph.apply(
                        "Where", isMissing(column, input, recipe), graph.number(Double.parseDouble(fill)), input))
                .orElse(input);
    }

    /** The indices of a column's levels, as a vector. */
    private String places(Column column, String input, Recipe recipe) {
        Map<String, Integer> places = Inputs.places(column, recipe.missingTokens());
        String numbered = graph.numbered(
                input, List.copyOf(places.keySet()), List.copyOf(places.values()), Inputs.otherPlace(column));
        return graph.apply("Reshape", numbered, graph.wholes(-1));
    }

    private String isMissing(Column column, String input, Recipe recipe) {
        List<String> tokens = recipe.missingTokens();
        return column.kind().hasLevels()
                ? graph.numbered(input, tokens, tokens.stream().map(token -> 1).toList(), 0)
                : graph.apply("IsNaN", input);
    }

    /** The contribution of a term to the scores. */
    private String part(Lookup term) {
        String table = graph.doubles(table(term));
        String weights = term.columns().isEmpty() ? table : graph.apply("Gather", table, combination(term));
        return term.numbers().isEmpty() ? weights : graph.apply("Mul", product(term), weights);
    }

    /** The weights of a term for each combination of levels; NaN where a level is unknown. */
    private double[][] table(Lookup term) {
        int rows = 1;
        for (Column column : term.columns()) {
            rows = Math.multiplyExact(rows, Lookup.levels(column) + 1);
        }
        double[][] table = new double[rows][];
        for (int row = 0; row < rows; row++) {
            int place = 0;
            boolean known = true;
            int rest = row;
            int scale = 1;
            for (int c = term.columns().size() - 1; c >= 0; c--) {
                int levels = Lookup.levels(term.columns().get(c));
                known &= rest % (levels + 1) < levels;
                place += scale * (rest % (levels + 1));
                scale *= levels;
                rest /= levels + 1;
            }
            table[row] = known ? weights(term.features().get(place)) : unknown();
        }
        return table;
    }

    private String combination(Lookup term) {
        String place = values.get(term.columns().get(0).name());
        for (Column column : term.columns().subList(1, term.columns().size())) {
            String scaled = graph.apply("Mul", place, graph.wholes(Lookup.levels(column) + 1L));
            place = graph.apply("Add", scaled, values.get(column.name()));
        }
        return place;
    }

    private String product(Lookup term) {
        return term.numbers().stream()
                .map(this::value)
                .reduce((a, b) -> graph.apply("Mul", a, b))
                .orElseThrow();
    }

    private String value(Factor factor) {
        String value = values.get(factor.column());
        return switch (factor.function()) {
            case LOG -> graph.apply("Log", value);
            case SQRT -> graph.apply("Sqrt", value);
            case EXP -> graph.apply("Exp", value);
            case POWER -> {
                String power = value;
                for (int i = 1; i < factor.power(); i++) {
                    power = graph.apply("Mul", power, value);
                }
                yield power;
            }
            default -> value;
        };
    }

    /** For each score, the sum of some features' weights. */
    private double[] weights(List<Integer> features) {
        double[] sums = new double[model.scores()];
        for (int score = 0; score < sums.length; score++) {
            for (int feature : features) {
                sums[score] += model.weight(score, feature);
            }
        }
        return sums;
    }

    private double[] unknown() {
        double[] nothing = new double[model.scores()];
        Arrays.fill(nothing, Double.NaN);
        return nothing;
    }

    private String intercepts() {
        double[] intercepts = new double[model.scores()];
        Arrays.setAll(intercepts, model::intercept);
        return graph.doubles(new double[][] {intercepts});
    }

    private void classes(String scores) {
        int count = model.classes().size();
        List<String> names =
                new ArrayList<>(model.classes().stream().map(model::spelling).toList());
        names.add(NOT_AVAILABLE);
        String best = model.scores() == 1
                ? graph.apply(
                        "Reshape",
                        graph.cast(graph.apply("Greater", scores, graph.number(0)), OnnxGraph.INT64),
                        graph.wholes(-1))
                : graph.firstGreatest(areOrdered() ? probabilities(scores) : scores);
        String sums = graph.apply("ReduceSum", "keepdims", 0, scores, graph.wholes(1));
        String known = graph.apply("Where", graph.apply("IsNaN", sums), graph.wholes(count), best);
        graph.output("label", graph.apply("Gather", graph.strings(names), known), OnnxGraph.STRING, 0);
        graph.output("scores", scores, OnnxGraph.DOUBLE, model.scores());
        if (model.hasProbabilities()) {
            graph.output("probabilities", probabilities(scores), OnnxGraph.DOUBLE, count);
        }
    }

    private boolean areOrdered() {
        return model.link().equals(Link.CUMULATIVE);
    }

    private String probabilities(String scores) {
        if (model.scores() > 1 && model.link().equals(Link.SOFTMAX)) {
            return graph.apply("Softmax", "axis", 1, scores);
        }
        String each = graph.apply("Sigmoid", scores);
        if (model.scores() == 1) {
            return graph.apply("Concat", "axis", 1, graph.apply("Sigmoid", graph.apply("Neg", scores)), each);
        }
        if (areOrdered()) {
            return differences(each);
        }
        String sum = graph.apply("ReduceSum", "keepdims", 1, each, graph.wholes(1));
        String equal = graph.number(1.0 / model.scores());
        return graph.apply("Where", graph.apply("Equal", sum, graph.number(0)), equal, graph.apply("Div", each, sum));
    }

    /** The probabilities of classes in an order from those of every class but the last or one before it. */
    private String differences(String cumulative) {
        double[][] signs = new double[model.scores()][model.scores() + 1];
        for (int score = 0; score < signs.length; score++) {
            signs[score][score] = 1;
            signs[score][score + 1] = -1;
        }
        double[][] whole = new double[1][model.scores() + 1];
        whole[0][model.scores()] = 1;
        return graph.apply("Add", graph.apply("MatMul", cumulative, graph.doubles(signs)), graph.doubles(whole));
    }
}
