package dev.starling.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** How {@link Inference} is written in model files. */
final class InferenceJson {

    private InferenceJson() {}

    /** Its numbers, by name, in the order of files. */
    static Map<String, Double> numbers(Inference known) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        numbers.put("rows", known.rows());
        numbers.put("weight", known.weight());
        numbers.put("deviance", known.deviance());
        numbers.put("devianceError", known.devianceError());
        numbers.put("nullDeviance", known.nullDeviance());
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
        if (known.heterogeneity().length > 0) {
            vectors.put("heterogeneity", known.heterogeneity());
        }
        return vectors;
    }

    static void write(JsonGenerator json, Inference known) {
        json.writeStringProperty("standardErrors", known.kind().text());
        numbers(known).forEach((name, number) -> {
            json.writeName(name);
            number(json, number);
        });
        vectors(known).forEach((name, vector) -> {
            json.writeArrayPropertyStart(name);
            for (double number : vector) {
                number(json, number);
            }
            json.writeEndArray();
        });
    }

    /** A bound that is not known is infinite, which JSON cannot say. */
    private static void number(JsonGenerator json, double number) {
        if (Double.isFinite(number)) {
            json.writeNumber(number);
        } else {
            json.writeNull();
        }
    }

    private static double[] numbers(JsonValues values) {
        List<Double> numbers = new ArrayList<>();
        values.elements(() -> numbers.add(values.number(Double.POSITIVE_INFINITY)));
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    static Inference read(JsonValues values) {
        Map<String, Double> numbers = new HashMap<>();
        Map<String, double[]> vectors = new HashMap<>();
        StandardErrors[] kind = {StandardErrors.MODEL};
        values.members(member -> {
            switch (member) {
                case "standardErrors" -> kind[0] = StandardErrors.named(values.string());
                case "estimateErrors", "covariance", "relativeErrors", "robust", "robustErrors", "degrees",
                        "heterogeneity" ->
                    vectors.put(member, numbers(values));
                default -> numbers.put(member, values.number(Double.POSITIVE_INFINITY));
            }
        });
        double[] none = {};
        return new Inference(
                numbers.getOrDefault("rows", 0.0),
                numbers.getOrDefault("weight", 0.0),
                numbers.getOrDefault("deviance", Double.NaN),
                numbers.getOrDefault("devianceError", Double.POSITIVE_INFINITY),
                numbers.getOrDefault("nullDeviance", Double.NaN),
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
                kind[0],
                numbers.getOrDefault("clusters", 0.0),
                vectors.getOrDefault("robust", none),
                vectors.getOrDefault("robustErrors", none),
                vectors.getOrDefault("degrees", none),
                vectors.getOrDefault("heterogeneity", none));
    }
}
