package dev.starling.model;

import dev.starling.model.inference.Inference;
import dev.starling.model.inference.RandomIntercept;
import dev.starling.model.inference.SiteDifferences;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How {@link Inference} is written in model files. */
final class InferenceJson {

    private static final List<String> VECTORS = List.of(
            "estimateErrors",
            "covariance",
            "relativeErrors",
            "robust",
            "robustErrors",
            "degrees",
            "heterogeneity",
            "siteColumns",
            "bySite",
            "curves",
            "changes",
            "random");

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
        vectors.put("estimateErrors", known.estimateErrors());
        vectors.put("covariance", known.covariance());
        vectors.put("relativeErrors", known.relativeErrors());
        vectors.put("robust", known.robust());
        vectors.put("robustErrors", known.robustErrors());
        vectors.put("degrees", known.degrees());
        SiteDifferences found = known.heterogeneity();
        putIfAny(vectors, "heterogeneity", found.sums());
        putIfAny(vectors, "siteColumns", found.columns());
        putIfAny(vectors, "bySite", found.bySite());
        putIfAny(vectors, "curves", known.curves());
        putIfAny(vectors, "changes", known.changes());
        known.random().ifPresent(fit -> vectors.put("random", fit.numbers()));
        return vectors;
    }

    private static void putIfAny(Map<String, double[]> vectors, String name, double[] vector) {
        if (vector.length > 0) {
            vectors.put(name, vector);
        }
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
        for (String name : VECTORS) {
            if (members.has(name, false)) {
                vectors.put(name, members.numbers(name, new double[0], Double.POSITIVE_INFINITY));
            }
        }
        Map<String, Double> numbers = new HashMap<>();
        for (String name : members.namesBeside(Set.of(), "standardErrors")) {
            if (!VECTORS.contains(name)) {
                numbers.put(name, members.number(name, 0, Double.POSITIVE_INFINITY));
            }
        }
        double[] none = {};
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
                vectors.getOrDefault("estimateErrors", none),
                vectors.getOrDefault("covariance", none),
                vectors.getOrDefault("relativeErrors", none),
                kind,
                numbers.getOrDefault("clusters", 0.0),
                vectors.getOrDefault("robust", none),
                vectors.getOrDefault("robustErrors", none),
                vectors.getOrDefault("degrees", none),
                numbers.getOrDefault("degreesError", Double.POSITIVE_INFINITY),
                new SiteDifferences(
                        vectors.getOrDefault("heterogeneity", none),
                        vectors.getOrDefault("siteColumns", none),
                        vectors.getOrDefault("bySite", none)),
                vectors.getOrDefault("curves", none),
                vectors.getOrDefault("changes", none),
                Optional.ofNullable(vectors.get("random"))
                        .map(all -> RandomIntercept.of(all, vectors.getOrDefault("estimateErrors", none).length)));
    }
}
