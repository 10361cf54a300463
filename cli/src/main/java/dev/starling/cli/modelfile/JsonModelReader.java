package dev.starling.cli.modelfile;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads Starling's own model format, one value after the other; members it does not know are skipped. */
final class JsonModelReader {

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private final JsonParser json;
    private final String name;

    private String format = "";
    private int formatVersion;
    private String loss = "";
    private List<Double> classes = List.of();
    private int features = -1;
    private String hash = "";
    private double[] intercepts = new double[0];
    private final List<double[]> weights = new ArrayList<>();
    private Provenance provenance = Provenance.UNKNOWN;
    private List<String> command = List.of();
    private List<ModelFile.Edge> edges = List.of();

    private JsonModelReader(JsonParser json, String name) {
        this.json = json;
        this.name = name;
    }

    static ModelFile read(InputStream in, String name) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            return new JsonModelReader(json, name).read();
        } catch (JacksonException e) {
            throw new InvalidInputException(
                    name + ", line "
                            + Math.max(
                                    1,
                                    e.getLocation() == null
                                            ? 1
                                            : e.getLocation().getLineNr())
                            + ": not a whole JSON model (" + firstLine(e.getOriginalMessage())
                            + "); copy or make it again",
                    e);
        }
    }

    private static String firstLine(String message) {
        return message == null ? "unreadable" : message.split("\\R", 2)[0];
    }

    private ModelFile read() {
        json.nextToken();
        members(this::member);
        require(format.equals(JsonModelWriter.FORMAT), "the member \"format\" must be \"starling-model\"");
        require(
                formatVersion == JsonModelWriter.FORMAT_VERSION,
                "format version " + formatVersion + "; this Starling reads version " + JsonModelWriter.FORMAT_VERSION);
        require(features >= 0, "the member \"features\" is missing");
        require(!weights.isEmpty(), "the member \"weights\" is missing");
        for (double[] vector : weights) {
            require(
                    vector.length == features,
                    "a vector of " + vector.length + " weights for " + features + " features");
        }
        Losses.named(loss);
        LinearModel model;
        try {
            model = new LinearModel(loss, classes, weights.toArray(new double[0][]), intercepts, provenance);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
        require(
                hash.isEmpty() || hash.equals(model.hash()),
                "the weights do not match their hash, the file was changed or damaged; make it again");
        return new ModelFile(model, command, edges);
    }

    private void member(String member) {
        switch (member) {
            case "format" -> format = string();
            case "formatVersion" -> formatVersion = integer();
            case "loss" -> loss = string();
            case "classes" -> classes = Arrays.stream(numbers(0)).boxed().toList();
            case "features" -> features = integer();
            case "hash" -> hash = string();
            case "intercepts" -> intercepts = numbers(0);
            case "weights" -> elements(() -> weights.add(vector()));
            case "training" -> training();
            default -> json.skipChildren();
        }
    }

    private void training() {
        Training training = new Training();
        members(training::member);
        provenance = training.provenance();
    }

    /** The members of "training". */
    private final class Training {
        private String version = "";
        private double lambda = Double.NaN;
        private double objective = Double.NaN;
        private double gap = Double.POSITIVE_INFINITY;
        private boolean certified;
        private String graph = "";
        private int nodes;
        private double tau = Double.NaN;
        private long seed;
        private double bias;
        private boolean standardized;
        private String fingerprint = "";

        void member(String member) {
            switch (member) {
                case "version" -> version = string();
                case "lambda" -> lambda = number(Double.NaN);
                case "objective" -> objective = number(Double.NaN);
                case "gap" -> gap = number(Double.POSITIVE_INFINITY);
                case "certified" -> certified = truth();
                case "graph" -> graph = string();
                case "nodes" -> nodes = integer();
                case "tau" -> tau = number(Double.NaN);
                case "seed" -> seed = whole();
                case "bias" -> bias = number(0);
                case "standardized" -> standardized = truth();
                case "fingerprint" -> fingerprint = string();
                case "command" -> command = strings();
                case "edges" -> edges = edges();
                default -> json.skipChildren();
            }
        }

        Provenance provenance() {
            return new Provenance(
                    version,
                    lambda,
                    objective,
                    gap,
                    certified,
                    graph,
                    nodes,
                    tau,
                    seed,
                    bias,
                    standardized,
                    fingerprint);
        }
    }

    private double[] vector() {
        if (json.currentToken() == JsonToken.START_ARRAY) {
            return numbers(Math.max(0, features));
        }
        require(features >= 0, "the member \"features\" must come before \"weights\"");
        double[][] parts = new double[2][];
        members(member -> {
            switch (member) {
                case "columns" -> parts[0] = numbers(0);
                case "values" -> parts[1] = numbers(0);
                default -> json.skipChildren();
            }
        });
        require(
                parts[0] != null && parts[1] != null && parts[0].length == parts[1].length,
                "a sparse vector needs \"columns\" and as many \"values\"");
        double[] vector = new double[features];
        for (int k = 0; k < parts[0].length; k++) {
            double column = parts[0][k];
            require(
                    column >= 0 && column < features && column == Math.rint(column),
                    "column " + column + " must be between 0 and " + (features - 1));
            vector[(int) column] = parts[1][k];
        }
        return vector;
    }

    private List<ModelFile.Edge> edges() {
        List<ModelFile.Edge> result = new ArrayList<>();
        elements(() -> {
            double[] edge = numbers(3);
            require(edge.length == 3, "an edge must be a tail, a head and a weight");
            result.add(new ModelFile.Edge((int) edge[0], (int) edge[1], edge[2]));
        });
        return result;
    }

    private List<String> strings() {
        List<String> result = new ArrayList<>();
        elements(() -> result.add(string()));
        return result;
    }

    private double[] numbers(int expected) {
        double[] result = new double[Math.max(16, expected)];
        int count = 0;
        expect(JsonToken.START_ARRAY, "an array");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (count == result.length) {
                result = Arrays.copyOf(result, 2 * count);
            }
            result[count++] = number();
        }
        return Arrays.copyOf(result, count);
    }

    @FunctionalInterface
    private interface Member {
        void read(String name);
    }

    /** Reads an object: the current token is its brace, and in the call the first of the member's value. */
    private void members(Member member) {
        expect(JsonToken.START_OBJECT, "an object");
        for (String key = json.nextName(); key != null; key = json.nextName()) {
            json.nextToken();
            member.read(key);
        }
    }

    /** Reads an array: the current token is its bracket, and in the call the first of an element. */
    private void elements(Runnable element) {
        expect(JsonToken.START_ARRAY, "an array");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            element.run();
        }
    }

    private double number() {
        // There may be millions of these: the message is made only when it is needed.
        boolean numeric = json.currentToken() != null && json.currentToken().isNumeric();
        double value = numeric ? json.getDoubleValue() : Double.NaN;
        if (!Double.isFinite(value)) {
            throw error(found() + " must be a finite number");
        }
        return value;
    }

    private double number(double orNull) {
        return json.currentToken() == JsonToken.VALUE_NULL ? orNull : number();
    }

    private int integer() {
        long value = whole();
        require(value >= 0 && value <= Integer.MAX_VALUE - 8, found() + " must be a whole number, 0 or more");
        return (int) value;
    }

    private long whole() {
        expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
        return json.getLongValue();
    }

    private boolean truth() {
        require(json.currentToken() != null && json.currentToken().isBoolean(), found() + " must be true or false");
        return json.getBooleanValue();
    }

    private String string() {
        expect(JsonToken.VALUE_STRING, "a string");
        return json.getString();
    }

    private void expect(JsonToken token, String what) {
        require(json.currentToken() == token, found() + " must be " + what);
    }

    private String found() {
        String text = String.valueOf(json.currentToken() == null ? "the end" : json.getString());
        String member = json.currentName() == null ? "" : "\"" + json.currentName() + "\": ";
        return member + "'" + (text.length() > 40 ? text.substring(0, 40) + "…" : text) + "'";
    }

    private void require(boolean holds, String problem) {
        if (!holds) {
            throw error(problem);
        }
    }

    private InvalidInputException error(String problem) {
        return new InvalidInputException(
                name + ", line " + json.currentTokenLocation().getLineNr() + ": " + problem);
    }
}
