package dev.starling.export;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.internal.Version;
import dev.starling.loss.Link;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Column;
import dev.starling.recipe.Lookup;
import dev.starling.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Exports a model as a PMML 4.4 document, from raw columns to labels and probabilities.
 *
 * <p>Local transformations replace missing values and compute functions of columns; levels are categorical predictors,
 * and products of columns are predictor terms. A value that the recipe rejects makes the result invalid.
 */
public final class Pmml {

    private static final String FUNCTION = "functionName";
    private static final String NORMALISATION = "normalizationMethod";
    private static final String CLASSIFICATION = "classification";
    private static final String REGRESSION = "regression";

    private final LinearModel model;
    private final Recipe recipe;
    private final Xml xml = new Xml();
    private final PmmlFields fields;

    private Pmml(LinearModel model) {
        this.model = model;
        this.recipe = Inputs.recipe(model)
                .orElseGet(() -> Recipe.ofNumbers(
                        IntStream.rangeClosed(1, model.features())
                                .mapToObj(feature -> "x" + feature)
                                .toList(),
                        ""));
        this.fields = new PmmlFields(recipe, xml);
    }

    /**
     * Returns the document.
     *
     * @throws InvalidInputException if the recipe has something that PMML cannot express
     */
    public static String text(LinearModel model) {
        return new Pmml(model).document();
    }

    private String document() {
        String target = fields.unique(recipe.response().isEmpty() ? "label" : recipe.response());
        xml.open("PMML", "xmlns", "http://www.dmg.org/PMML-4_4", "version", "4.4");
        xml.open("Header", "description", "model " + model.hash());
        xml.leaf("Application", "", "name", "Starling", "version", Version.current());
        xml.close();
        dataDictionary(target);
        if (model.hasProbabilities() && model.scores() > 1 && !model.link().equals(Link.SOFTMAX)) {
            chain(target);
        } else {
            single(target);
        }
        return xml.close().toString();
    }

    private void single(String target) {
        if (model.isClassifier()) {
            // Where scores give no probabilities, softmax does no harm: the largest score wins.
            String normalisation = model.scores() == 1 ? "logit" : "softmax";
            xml.open("RegressionModel", FUNCTION, CLASSIFICATION, NORMALISATION, normalisation);
        } else if (model.link().equals(Link.IDENTITY)) {
            xml.open("RegressionModel", FUNCTION, REGRESSION);
        } else if (model.link().equals(Link.LOG)) {
            xml.open("RegressionModel", FUNCTION, REGRESSION, NORMALISATION, "exp");
        } else {
            throw Inputs.unknownLink(model, "PMML");
        }
        miningSchema(target);
        output();
        fields.write();
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
        xml.close();
    }

    private boolean areOrdered() {
        return model.link().equals(Link.CUMULATIVE);
    }

    /**
     * PMML has no one-against-the-rest logistic model, so there is a model for each class, and a last one that divides
     * their results by their sum. Where classes are in an order, there is one for each threshold, and the last one
     * takes differences.
     */
    private void chain(String target) {
        xml.open("MiningModel", FUNCTION, CLASSIFICATION);
        miningSchema(target);
        output();
        fields.write();
        xml.open("Segmentation", "multipleModelMethod", "modelChain");
        List<String> shares = new ArrayList<>();
        for (int score = 0; score < model.scores(); score++) {
            String share = fields.unique("share(" + spelling(score) + ")");
            segment(REGRESSION, "logit");
            xml.open("MiningSchema");
            fields.predictors().forEach(name -> xml.leaf("MiningField", "", "name", name));
            xml.close();
            xml.open("Output");
            outputField(share, "continuous", "double", "feature", "predictedValue");
            xml.close();
            regressionTable(score, "");
            xml.close().close();
            shares.add(share);
        }
        segment(CLASSIFICATION, "simplemax");
        xml.open("MiningSchema").leaf("MiningField", "", "name", target, "usageType", "target");
        shares.forEach(share -> xml.leaf("MiningField", "", "name", share));
        xml.close();
        for (int k = 0; k < model.classes().size(); k++) {
            boolean last = k == model.scores();
            xml.open("RegressionTable", "intercept", last ? "1" : "0", "targetCategory", spelling(k));
            if (!last) {
                numeric(shares.get(k), 1);
            }
            if (k > 0 && areOrdered()) {
                numeric(shares.get(k - 1), -1);
            }
            xml.close();
        }
        xml.close().close().close().close();
    }

    private void segment(String function, String normalisation) {
        xml.open("Segment").leaf("True", "");
        xml.open("RegressionModel", FUNCTION, function, NORMALISATION, normalisation);
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
        outputField(fields.unique("prediction"), kind, type, "feature", "predictedValue");
        if (model.hasProbabilities()) {
            for (int k = 0; k < model.classes().size(); k++) {
                String name = fields.unique("probability(" + spelling(k) + ")");
                outputField(name, "continuous", "double", "feature", "probability", "value", spelling(k));
            }
        }
        xml.close();
    }

    private void outputField(String name, String kind, String type, Object... more) {
        List<Object> attributes = new ArrayList<>(List.of("name", name, "optype", kind, "dataType", type));
        attributes.addAll(List.of(more));
        xml.leaf("OutputField", "", attributes.toArray());
    }

    private void regressionTable(int score, String category) {
        List<Object> attributes = new ArrayList<>(List.of("intercept", Labels.text(model.intercept(score))));
        if (!category.isEmpty()) {
            attributes.addAll(List.of("targetCategory", category));
        }
        xml.open("RegressionTable", attributes.toArray());
        recipe.offset().ifPresent(name -> numeric(name, areOrdered() ? -1 : 1));
        // The schema requires all predictors of a kind to be together.
        List<Runnable> categories = new ArrayList<>();
        List<Runnable> products = new ArrayList<>();
        for (Column column : recipe.columns()) {
            fields.indicator(column).ifPresent(name -> numeric(name, model.weights(score)[recipe.indicator(column)]));
        }
        for (Lookup term : recipe.lookups()) {
            if (term.columns().isEmpty() && term.numbers().size() == 1) {
                numeric(
                        fields.name(term.numbers().get(0)),
                        sum(score, term.features().get(0)));
            } else if (!PmmlFields.needsIndicators(term) && !term.columns().isEmpty()) {
                categories.add(() -> categories(score, term));
            } else {
                products.add(() -> products(score, term));
            }
        }
        categories.forEach(Runnable::run);
        products.forEach(Runnable::run);
        xml.close();
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
                        fields.filled(column),
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
            term.numbers().forEach(factor -> xml.leaf("FieldRef", "", "field", fields.name(factor)));
            int rest = combination;
            for (int c = term.columns().size() - 1; c >= 0; c--) {
                Column column = term.columns().get(c);
                int place = rest % Lookup.levels(column);
                xml.leaf("FieldRef", "", "field", fields.level(column, place));
                rest /= Lookup.levels(column);
            }
            xml.close();
        }
    }

    private double sum(int score, List<Integer> features) {
        return features.stream()
                .mapToDouble(feature -> model.weight(score, feature))
                .sum();
    }
}
