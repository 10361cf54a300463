package dev.starling.export;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.internal.Version;
import dev.starling.model.LinearModel;
import dev.starling.table.Column;
import dev.starling.table.Formula.Factor;
import dev.starling.table.Formula.Function;
import dev.starling.table.Lookup;
import dev.starling.table.Recipe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A model as a PMML 4.4 document, from raw columns to labels and, of two classes, probabilities.
 *
 * <p>Columns are filled and functions of them computed in local transformations; levels are categorical predictors, and
 * products of columns are predictor terms. A value that the recipe refuses makes the result invalid.
 */
public final class Pmml {

    private final LinearModel model;
    private final Recipe recipe;
    private final Xml xml = new Xml();
    private final Set<String> taken = new HashSet<>();

    /** What each column is called after what is missing has been filled in. */
    private final Map<String, String> filled = new HashMap<>();

    /** What each derived field is called, by what it is. */
    private final Map<Object, String> derived = new HashMap<>();

    private record Level(String column, int place) {}

    private Pmml(LinearModel model) {
        this.model = model;
        this.recipe = Inputs.recipe(model)
                .orElseGet(() -> Recipe.ofNumbers(
                        IntStream.rangeClosed(1, model.features())
                                .mapToObj(feature -> "x" + feature)
                                .toList(),
                        ""));
    }

    /**
     * The document.
     *
     * @throws InvalidInputException if the recipe has something that PMML cannot express
     */
    public static String text(LinearModel model) {
        return new Pmml(model).document();
    }

    private String document() {
        recipe.columns().forEach(column -> taken.add(column.name()));
        recipe.offset().ifPresent(taken::add);
        String target = unique(
                recipe.target().column().isEmpty() ? "label" : recipe.target().column());
        xml.open("PMML", "xmlns", "http://www.dmg.org/PMML-4_4", "version", "4.4");
        xml.open("Header", "description", "model " + model.hash());
        xml.leaf("Application", "", "name", "Starling", "version", Version.current());
        xml.close();
        dataDictionary(target);
        String function = model.isClassifier() ? "classification" : "regression";
        if (model.isClassifier()) {
            // For more than two classes PMML has no logistic model of each against the rest: the largest score wins.
            String normalisation = model.scores() == 1 ? "logit" : "softmax";
            xml.open("RegressionModel", "functionName", function, "normalizationMethod", normalisation);
        } else {
            xml.open("RegressionModel", "functionName", function);
        }
        miningSchema(target);
        output();
        localTransformations();
        if (!model.isClassifier()) {
            regressionTable(0, "");
        } else if (model.scores() == 1) {
            regressionTable(0, model.spelling(model.classes().get(1)));
            xml.leaf("RegressionTable", "", "intercept", "0", "targetCategory", spelling(0));
        } else {
            for (int score = 0; score < model.scores(); score++) {
                regressionTable(score, spelling(score));
            }
        }
        return xml.close().close().toString();
    }

    private String spelling(int place) {
        return model.spelling(model.classes().get(place));
    }

    private void dataDictionary(String target) {
        xml.open("DataDictionary");
        for (Column column : recipe.columns()) {
            if (!column.kind().hasLevels()) {
                xml.leaf("DataField", "", "name", column.name(), "optype", "continuous", "dataType", "double");
                continue;
            }
            xml.open("DataField", "name", column.name(), "optype", "categorical", "dataType", "string");
            recipe.missingTokens().forEach(token -> xml.leaf("Value", "", "value", token, "property", "missing"));
            if (!column.unknownIsReference()) {
                Inputs.levels(column).keySet().forEach(level -> xml.leaf("Value", "", "value", level));
            }
            xml.close();
        }
        recipe.offset()
                .ifPresent(
                        name -> xml.leaf("DataField", "", "name", name, "optype", "continuous", "dataType", "double"));
        if (model.isClassifier()) {
            xml.open("DataField", "name", target, "optype", "categorical", "dataType", "string");
            model.classes().forEach(label -> xml.leaf("Value", "", "value", model.spelling(label)));
            xml.close();
        } else {
            xml.leaf("DataField", "", "name", target, "optype", "continuous", "dataType", "double");
        }
        xml.close();
    }

    private void miningSchema(String target) {
        xml.open("MiningSchema");
        xml.leaf("MiningField", "", "name", target, "usageType", "target");
        recipe.offset().ifPresent(name -> xml.leaf("MiningField", "", "name", name));
        for (Column column : recipe.columns()) {
            xml.leaf(
                    "MiningField",
                    "",
                    "name",
                    column.name(),
                    "missingValueTreatment",
                    Inputs.fill(column).isPresent() ? "asIs" : "returnInvalid",
                    "invalidValueTreatment",
                    column.unknownIsReference() ? "asIs" : "returnInvalid");
        }
        xml.close();
    }

    private void output() {
        xml.open("Output");
        String type = model.isClassifier() ? "string" : "double";
        String kind = model.isClassifier() ? "categorical" : "continuous";
        xml.leaf(
                "OutputField",
                "",
                "name",
                unique("prediction"),
                "optype",
                kind,
                "dataType",
                type,
                "feature",
                "predictedValue");
        if (model.hasProbabilities() && model.scores() == 1) {
            for (int k = 0; k < model.classes().size(); k++) {
                xml.leaf(
                        "OutputField",
                        "",
                        "name",
                        unique("probability(" + spelling(k) + ")"),
                        "optype",
                        "continuous",
                        "dataType",
                        "double",
                        "feature",
                        "probability",
                        "value",
                        spelling(k));
            }
        }
        xml.close();
    }

    private void localTransformations() {
        xml.open("LocalTransformations");
        for (Column column : recipe.columns()) {
            fill(column);
        }
        for (Lookup term : recipe.lookups()) {
            for (Factor factor : term.numbers()) {
                if (factor.function() != Function.NONE && !derived.containsKey(factor)) {
                    function(factor);
                }
            }
            if (needsIndicators(term)) {
                for (Column column : term.columns()) {
                    for (int place = 0; place < Lookup.levels(column); place++) {
                        indicator(column, place);
                    }
                }
            }
        }
        xml.close();
    }

    /** Levels by themselves are predictors; within products they are numbers, 0 or 1. */
    private static boolean needsIndicators(Lookup term) {
        return !term.columns().isEmpty()
                && term.numbers().size() + term.columns().size() > 1;
    }

    private void fill(Column column) {
        boolean levels = column.kind().hasLevels();
        filled.put(column.name(), column.name());
        if (Inputs.fill(column).isEmpty() && !column.unknownIsReference()) {
            return;
        }
        String type = levels ? "string" : "double";
        filled.put(column.name(), field(column.name() + " (filled)", levels ? "categorical" : "continuous", type));
        if (Inputs.fill(column).isPresent()) {
            xml.open("Apply", "function", "if");
            isMissing(column);
            xml.leaf("Constant", Inputs.fill(column).get(), "dataType", type);
            known(column, type);
            xml.close();
        } else {
            known(column, type);
        }
        xml.close();
        if (recipe.indicator(column) >= 0) {
            derived.put(column, field(column.name() + " (missing)", "continuous", "double"));
            xml.open("Apply", "function", "if");
            isMissing(column);
            xml.leaf("Constant", "1", "dataType", "double").leaf("Constant", "0", "dataType", "double");
            xml.close().close();
        }
    }

    private void isMissing(Column column) {
        xml.open("Apply", "function", "isMissing")
                .leaf("FieldRef", "", "field", column.name())
                .close();
    }

    /** The value itself, or the reference in place of a level that is not known. */
    private void known(Column column, String type) {
        if (!column.unknownIsReference()) {
            xml.leaf("FieldRef", "", "field", column.name());
            return;
        }
        xml.open("Apply", "function", "if");
        isOneOf(column.name(), List.copyOf(Inputs.levels(column).keySet()));
        xml.leaf("FieldRef", "", "field", column.name());
        xml.leaf("Constant", column.levels().get(Inputs.otherPlace(column)), "dataType", type);
        xml.close();
    }

    private void isOneOf(String field, List<String> words) {
        xml.open("Apply", "function", "isIn").leaf("FieldRef", "", "field", field);
        words.forEach(word -> xml.leaf("Constant", word, "dataType", "string"));
        xml.close();
    }

    private void function(Factor factor) {
        derived.put(factor, field(factor.toString(), "continuous", "double"));
        String name = switch (factor.function()) {
            case LOG -> "ln";
            case POWER -> "pow";
            default -> factor.function().name().toLowerCase(Locale.ROOT);
        };
        xml.open("Apply", "function", name).leaf("FieldRef", "", "field", filled.get(factor.column()));
        if (factor.function() == Function.POWER) {
            xml.leaf("Constant", Integer.toString(factor.power()), "dataType", "double");
        }
        xml.close().close();
    }

    private void indicator(Column column, int place) {
        Level level = new Level(column.name(), place);
        if (derived.containsKey(level)) {
            return;
        }
        List<String> words = words(column, place);
        derived.put(level, field(column.name() + "=" + words.get(0), "continuous", "double"));
        xml.open("Apply", "function", "if");
        isOneOf(filled.get(column.name()), words);
        xml.leaf("Constant", "1", "dataType", "double").leaf("Constant", "0", "dataType", "double");
        xml.close().close();
    }

    /** All spellings of what has a place. */
    private static List<String> words(Column column, int place) {
        return Inputs.levels(column).entrySet().stream()
                .filter(entry -> entry.getValue() == place)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Starts a derived field and returns its name. */
    private String field(String wanted, String kind, String type) {
        String name = unique(wanted);
        xml.open("DerivedField", "name", name, "optype", kind, "dataType", type);
        return name;
    }

    private String unique(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name += "_";
        }
        return name;
    }

    private void regressionTable(int score, String category) {
        List<Object> attributes = new ArrayList<>(List.of("intercept", Labels.text(model.intercept(score))));
        if (!category.isEmpty()) {
            attributes.addAll(List.of("targetCategory", category));
        }
        xml.open("RegressionTable", attributes.toArray());
        recipe.offset().ifPresent(name -> numeric(name, 1));
        // The schema wants all predictors of a kind together.
        List<Runnable> categories = new ArrayList<>();
        List<Runnable> products = new ArrayList<>();
        for (Column column : recipe.columns()) {
            if (derived.containsKey(column)) {
                numeric(derived.get(column), model.weights(score)[recipe.indicator(column)]);
            }
        }
        for (Lookup term : recipe.lookups()) {
            if (term.columns().isEmpty() && term.numbers().size() == 1) {
                numeric(name(term.numbers().get(0)), sum(score, term.features().get(0)));
            } else if (!needsIndicators(term) && !term.columns().isEmpty()) {
                categories.add(() -> categories(score, term));
            } else {
                products.add(() -> products(score, term));
            }
        }
        categories.forEach(Runnable::run);
        products.forEach(Runnable::run);
        xml.close();
    }

    private String name(Factor factor) {
        return factor.function() == Function.NONE ? filled.get(factor.column()) : derived.get(factor);
    }

    private void numeric(String name, double weight) {
        xml.leaf("NumericPredictor", "", "name", name, "coefficient", Labels.text(weight));
    }

    private void categories(int score, Lookup term) {
        Column column = term.columns().get(0);
        Inputs.levels(column).forEach((word, place) -> {
            double weight = sum(score, term.features().get(place));
            if (weight != 0) {
                xml.leaf(
                        "CategoricalPredictor",
                        "",
                        "name",
                        filled.get(column.name()),
                        "value",
                        word,
                        "coefficient",
                        Labels.text(weight));
            }
        });
    }

    private void products(int score, Lookup term) {
        for (int combination = 0; combination < term.features().size(); combination++) {
            double weight = sum(score, term.features().get(combination));
            if (weight == 0) {
                continue;
            }
            xml.open("PredictorTerm", "coefficient", Labels.text(weight));
            term.numbers().forEach(factor -> xml.leaf("FieldRef", "", "field", name(factor)));
            int rest = combination;
            for (int c = term.columns().size() - 1; c >= 0; c--) {
                Column column = term.columns().get(c);
                int place = rest % Lookup.levels(column);
                xml.leaf("FieldRef", "", "field", derived.get(new Level(column.name(), place)));
                rest /= Lookup.levels(column);
            }
            xml.close();
        }
    }

    private double sum(int score, List<Integer> features) {
        return features.stream()
                .mapToDouble(feature -> model.weights(score)[feature])
                .sum();
    }
}
