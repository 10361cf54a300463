package dev.starling.model;

import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.FoldScores;
import dev.starling.model.CrossValidation.Line;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Reads and writes the results of cross-validation as a JSON object. */
public final class ValidationJson {

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private static final String WEIGHT = "weight";

    private final JsonValues values;

    private int folds;
    private String by = "";
    private String rule = "";
    private boolean certified;
    private boolean stalled;
    private double epochs;
    private int best;
    private int chosen;
    private List<Double> weights = List.of();
    private final Map<String, List<Double>> means = new LinkedHashMap<>();
    private final List<Line> lines = new ArrayList<>();

    private ValidationJson(JsonValues values) {
        this.values = values;
    }

    /** The results as JSON on one line. */
    public static String text(CrossValidation validation) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            write(json, validation);
            json.writeEndObject();
        }
        return text.toString();
    }

    /** Reads what {@link #text} wrote. */
    public static CrossValidation of(String text) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            return read(new JsonValues(json, "cross-validation"));
        }
    }

    /** Writes the members of the object. */
    public static void write(JsonGenerator json, CrossValidation validation) {
        json.writeNumberProperty("folds", validation.folds());
        json.writeStringProperty("by", validation.by());
        json.writeStringProperty("rule", validation.rule());
        json.writeBooleanProperty("certified", validation.certified());
        json.writeBooleanProperty("stalled", validation.stalled());
        json.writeNumberProperty("epochs", validation.epochs());
        json.writeNumberProperty("best", validation.best());
        json.writeNumberProperty("chosen", validation.chosen());
        json.writeArrayPropertyStart("lines");
        for (Line line : validation.lines()) {
            json.writeStartObject();
            json.writeNumberProperty("lambda", line.lambda());
            json.writeNumberProperty("l1", line.l1());
            line.measures().forEach((measure, estimate) -> {
                json.writeObjectPropertyStart(measure);
                json.writeNumberProperty("mean", estimate.mean());
                json.writeNumberProperty("standardError", estimate.error());
                json.writeEndObject();
            });
            json.writeEndObject();
        }
        json.writeEndArray();
        write(json, validation.ofFolds());
    }

    private static void write(JsonGenerator json, FoldScores scores) {
        if (scores.equals(FoldScores.UNKNOWN)) {
            return;
        }
        json.writeObjectPropertyStart("ofFolds");
        numbers(json, WEIGHT, scores.weights());
        scores.means().forEach((measure, values) -> numbers(json, measure, values));
        json.writeEndObject();
    }

    private static void numbers(JsonGenerator json, String name, List<Double> numbers) {
        json.writeArrayPropertyStart(name);
        numbers.forEach(json::writeNumber);
        json.writeEndArray();
    }

    static CrossValidation read(JsonValues values) {
        ValidationJson validation = new ValidationJson(values);
        values.members(validation::member);
        List<Line> lines = validation.lines;
        for (int line : new int[] {validation.best, validation.chosen}) {
            values.require(
                    line >= 0 && line < lines.size(),
                    "cross-validation refers to line " + line + " but has " + lines.size() + " lines");
        }
        validation.means.forEach((measure, ofFolds) -> values.require(
                ofFolds.size() == validation.folds && validation.weights.size() == validation.folds,
                "cross-validation has " + ofFolds.size() + " scores and " + validation.weights.size() + " weights for "
                        + validation.folds + " folds"));
        return new CrossValidation(
                validation.folds,
                validation.by,
                validation.rule,
                validation.certified,
                validation.stalled,
                validation.epochs,
                lines,
                validation.best,
                validation.chosen,
                new FoldScores(validation.weights, validation.means));
    }

    private void member(String member) {
        switch (member) {
            case "folds" -> folds = values.integer();
            case "by" -> by = values.string();
            case "rule" -> rule = values.string();
            case "certified" -> certified = values.bool();
            case "stalled" -> stalled = values.bool();
            case "epochs" -> epochs = values.number(0);
            case "best" -> best = values.integer();
            case "chosen" -> chosen = values.integer();
            case "ofFolds" -> values.members(this::scores);
            case "lines" -> values.elements(() -> lines.add(line()));
            default -> values.skip();
        }
    }

    private void scores(String measure) {
        List<Double> numbers = Arrays.stream(values.numbers(0)).boxed().toList();
        if (measure.equals(WEIGHT)) {
            weights = numbers;
        } else {
            means.put(measure, numbers);
        }
    }

    private Line line() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        Map<String, Estimate> measures = new LinkedHashMap<>();
        values.members(member -> {
            if (member.equals("lambda") || member.equals("l1")) {
                numbers.put(member, values.number());
            } else {
                measures.put(member, estimate());
            }
        });
        values.require(
                numbers.size() == 2 && measures.containsKey(CrossValidation.LOSS),
                "a line of cross-validation needs \"lambda\", \"l1\" and \"loss\"");
        return new Line(numbers.get("lambda"), numbers.get("l1"), measures);
    }

    private Estimate estimate() {
        Map<String, Double> numbers = new LinkedHashMap<>();
        values.members(member -> numbers.put(member, values.number(Double.NaN)));
        return new Estimate(
                numbers.getOrDefault("mean", Double.NaN), numbers.getOrDefault("standardError", Double.NaN));
    }
}
