package dev.starling.model;

import dev.starling.model.inference.Inference;
import dev.starling.model.inference.RandomIntercept;
import dev.starling.model.inference.SiteDifferences;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** How {@link Inference} is written in model files. */
final class InferenceJson {

    private static final double[] NONE = {};

    /** How many of the vectors are written even if they are empty. */
    private static final int ALWAYS = 6;

    /** The vectors and triangles of a file, in order. */
    private static final Map<String, Function<Inference, double[]>> VECTORS = new LinkedHashMap<>();

    static {
        VECTORS.put("estimateErrors", Inference::estimateErrors);
        VECTORS.put("covariance", Inference::covariance);
        VECTORS.put("relativeErrors", Inference::relativeErrors);
        VECTORS.put("robust", Inference::robust);
        VECTORS.put("robustErrors", Inference::robustErrors);
        VECTORS.put("degrees", Inference::degrees);
        VECTORS.put("heterogeneity", known -> known.heterogeneity().sums());
        VECTORS.put("siteColumns", known -> known.heterogeneity().columns());
        VECTORS.put("bySite", known -> known.heterogeneity().bySite());
        VECTORS.put("curves", Inference::curves);
        VECTORS.put("changes", Inference::changes);
        VECTORS.put(
                "random", known -> known.random().map(RandomIntercept::numbers).orElse(NONE));
    }

    private InferenceJson() {}

    /** Its numbers, by name, in the order of files. */
    static Map<String, Double> numbers(Inference known) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put("rows", known.rows());
        numbers.put("weight", known.weight());
        numbers.put("deviance", known.deviance());
        numbers.put("devianceError", known.devianceError());
        numbers.put("nullDeviance", known.nullDeviance());
        numbers.put("nullDevianceError", known.nullDevianceError());
        numbers.put("pearson", known.pearson());
        numbers.put("pearsonError", known.pearsonError());
        numbers.put("constant", known.constant());
        if (known.shapeInformation() != 0) {
            numbers.put("shapeSlope", known.shapeSlope());
            numbers.put("shapeError", known.shapeError());
            numbers.put("shapeInformation", known.shapeInformation());
        }
        numbers.put("intercept", known.intercept() ? 1.0 : 0);
        numbers.put("clusters", known.clusters());
        if (known.degrees().length > 0) {
            numbers.put("degreesError", known.degreesError());
        }
        return numbers;
    }

    /** Its vectors and triangles, by name. */
    static Map<String, double[]> vectors(Inference known) {
        Map<String, double[]> vectors = new LinkedHashMap<>();
        VECTORS.forEach((name, of) -> {
            double[] vector = of.apply(known);
            if (vectors.size() < ALWAYS || vector.length > 0) {
                vectors.put(name, vector);
            }
        });
        return vectors;
    }

    static void write(JsonMembers members, Inference known) {
        members.text("standardErrors", known.kind().text());
        numbers(known).forEach(members::number);
        vectors(known).forEach((name, vector) -> members.put(name, JsonMembers.boxed(vector)));
    }

    /** A bound that is not known is infinite, which JSON cannot say. */
    static Inference read(JsonMembers members) {
        StandardErrors kind = StandardErrors.named(members.text("standardErrors", StandardErrors.MODEL.text()));
        Map<String, double[]> vectors = new HashMap<>();
        for (String name : VECTORS.keySet()) {
            if (members.has(name, false)) {
                vectors.put(name, members.numbers(name, new double[0], Double.POSITIVE_INFINITY));
            }
        }
        Map<String, Double> numbers = new HashMap<>();
        for (String name : members.namesBeside(Set.of(), "standardErrors")) {
            if (!VECTORS.containsKey(name)) {
                numbers.put(name, members.number(name, 0, Double.POSITIVE_INFINITY));
            }
        }
        return new Inference(
                numbers.getOrDefault("rows", 0.0),
                numbers.getOrDefault("weight", 0.0),
                numbers.getOrDefault("deviance", Double.NaN),
                numbers.getOrDefault("devianceError", Double.POSITIVE_INFINITY),
                numbers.getOrDefault("nullDeviance", Double.NaN),
                numbers.getOrDefault("nullDevianceError", Double.POSITIVE_INFINITY),
                numbers.getOrDefault("pearson", Double.NaN),
                numbers.getOrDefault("pearsonError", Double.POSITIVE_INFINITY),
                numbers.getOrDefault("constant", Double.NaN),
                numbers.getOrDefault("shapeSlope", 0.0),
                numbers.getOrDefault("shapeError", 0.0),
                numbers.getOrDefault("shapeInformation", 0.0),
                numbers.getOrDefault("intercept", 0.0) > 0,
                vectors.getOrDefault("estimateErrors", NONE),
                vectors.getOrDefault("covariance", NONE),
                vectors.getOrDefault("relativeErrors", NONE),
                kind,
                numbers.getOrDefault("clusters", 0.0),
                vectors.getOrDefault("robust", NONE),
                vectors.getOrDefault("robustErrors", NONE),
                vectors.getOrDefault("degrees", NONE),
                numbers.getOrDefault("degreesError", Double.POSITIVE_INFINITY),
                new SiteDifferences(
                        vectors.getOrDefault("heterogeneity", NONE),
                        vectors.getOrDefault("siteColumns", NONE),
                        vectors.getOrDefault("bySite", NONE)),
                vectors.getOrDefault("curves", NONE),
                vectors.getOrDefault("changes", NONE),
                Optional.ofNullable(vectors.get("random"))
                        .map(all -> RandomIntercept.of(all, vectors.getOrDefault("estimateErrors", NONE).length)));
    }
}
