package dev.starling.model;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.InvalidInputException;
import dev.starling.network.GraphRecipe;
import dev.starling.table.Recipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Reads Starling's own model format, one value after the other; members it does not know are skipped. */
final class JsonModelReader {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

    private final JsonParser json;
    private final String name;

    private String format = "";
    private int formatVersion;
    private String loss = "";
    private List<Double> classes = List.of();
    private List<String> names = List.of();
    private int features = -1;
    private String hash = "";
    private double[] intercepts = new double[0];
    private final List<double[]> weights = new ArrayList<>();
    private Provenance provenance = Provenance.UNKNOWN;
    private Optional<Recipe> recipe = Optional.empty();

    private JsonModelReader(JsonParser json, String name) {
        this.json = json;
        this.name = name;
    }

    static LinearModel read(InputStream in, String name) throws IOException {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            return new JsonModelReader(json, name).readOrExplain(in);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /** Reads the model; what Jackson finds wrong is told in words that a user knows. */
    private LinearModel readOrExplain(InputStream in) throws IOException {
        try {
            return read();
        } catch (JacksonIOException e) {
            throw e;
        } catch (JacksonException e) {
            boolean ended = json.releaseBuffered(OutputStream.nullOutputStream()) <= 0 && in.read() < 0;
            throw new InvalidInputException(
                    ended
                            ? name + " ends in the middle of the model; it is truncated, copy or make it again"
                            : name + ", line " + json.currentLocation().getLineNr()
                                    + ": this is not JSON; copy or make the file again",
                    e);
        }
    }

    private LinearModel read() {
        json.nextToken();
        members(this::member);
        require(format.equals(JsonFormat.FORMAT), "the member \"format\" must be \"" + JsonFormat.FORMAT + "\"");
        require(
                formatVersion >= 1 && formatVersion <= JsonFormat.VERSION,
                "format version " + formatVersion + "; this Starling reads versions 1 to " + JsonFormat.VERSION);
        require(!loss.isEmpty(), "the member \"loss\" is missing");
        require(features >= 0, "the member \"features\" is missing");
        require(!weights.isEmpty(), "the member \"weights\" is missing");
        for (double[] vector : weights) {
            require(
                    vector.length == features,
                    "a vector of " + vector.length + " weights for " + features + " features");
        }
        LinearModel model;
        try {
            LinearModel bare =
                    new LinearModel(loss, classes, names, weights.toArray(new double[0][]), intercepts, provenance);
            model = recipe.map(bare::with).orElse(bare);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
        require(
                hash.isEmpty() || hash.equals(formatVersion == 1 ? model.weightsHash() : model.hash()),
                "the model does not match its hash, the file was changed or damaged; make it again");
        return model;
    }

    private void member(String member) {
        switch (member) {
            case "format" -> format = string();
            case "formatVersion" -> formatVersion = integer();
            case "loss" -> loss = string();
            case "classes" -> classes = Arrays.stream(numbers(0)).boxed().toList();
            case "names" -> names = strings();
            case "features" -> features = integer();
            case "hash" -> hash = string();
            case "intercepts" -> intercepts = numbers(0);
            case "weights" -> elements(() -> weights.add(vector()));
            case "training" -> training();
            case "recipe" -> recipe = Optional.of(recipe());
            default -> json.skipChildren();
        }
    }

    private Recipe recipe() {
        try {
            return RecipeJson.recipe(json);
        } catch (InvalidInputException e) {
            throw error(e.getMessage());
        }
    }

    private void training() {
        Training training = new Training();
        members(training::member);
        provenance = training.provenance();
    }

    /** The members of "training", those of version 1 among them. */
    private final class Training {
        private String version = "";
        private final Map<String, String> settings = new LinkedHashMap<>();
        private String method = "";
        private GraphRecipe graph = GraphRecipe.UNKNOWN;
        private double tau = Double.NaN;
        private double objective = Double.POSITIVE_INFINITY;
        private double dual = Double.NEGATIVE_INFINITY;
        private double error;
        private double coefficientError = Double.POSITIVE_INFINITY;
        private List<Integer> aliased = List.of();
        private boolean certified;
        private long steps;
        private double epochs;
        private String fingerprint = "";
        private String session = "";
        private String history = "";
        private final List<Signatures.Signer> signers = new ArrayList<>();

        void member(String member) {
            switch (member) {
                case "version" -> version = string();
                case "settings" -> members(setting -> settings.put(setting, string()));
                case "method" -> method = string();
                case "graph" -> graph = json.currentToken() == JsonToken.VALUE_STRING ? described(string()) : graph();
                case "tau" -> tau = number(Double.NaN);
                case "objective" -> objective = number(Double.POSITIVE_INFINITY);
                case "dual" -> dual = number(Double.NEGATIVE_INFINITY);
                case "error" -> error = number(Double.POSITIVE_INFINITY);
                case "coefficientError" -> coefficientError = number(Double.POSITIVE_INFINITY);
                case "aliased" ->
                    aliased = Arrays.stream(numbers(0)).mapToObj(c -> (int) c).toList();
                case "certified" -> certified = truth();
                case "steps" -> steps = whole();
                case "epochs" -> epochs = number(0);
                case "fingerprint" -> fingerprint = string();
                case "signatures" -> members(this::signature);
                default -> {
                    if (formatVersion == 1) {
                        oldMember(member);
                    } else {
                        json.skipChildren();
                    }
                }
            }
        }

        private void signature(String member) {
            switch (member) {
                case "session" -> session = string();
                case "history" -> history = string();
                case "sites" ->
                    elements(() -> {
                        Map<String, String> signer = new LinkedHashMap<>();
                        members(key -> signer.put(key, string()));
                        signers.add(new Signatures.Signer(
                                signer.getOrDefault("site", ""),
                                signer.getOrDefault("chain", ""),
                                signer.getOrDefault("signature", "")));
                    });
                default -> json.skipChildren();
            }
        }

        /** Version 1 had some of the settings one by one, the gap instead of the dual, and the graph in words. */
        private void oldMember(String member) {
            switch (member) {
                case "gap" -> dual = objective * (1 - number(Double.POSITIVE_INFINITY));
                case "lambda", "seed", "bias" -> settings.put(member, json.getString());
                case "standardized" -> settings.put("scaling", truth() ? "standardize" : "none");
                case "nodes" -> graph = of(graph.description(), integer(), graph.edges());
                case "edges" -> graph = of(graph.description(), graph.nodes(), edges());
                default -> json.skipChildren();
            }
        }

        private GraphRecipe described(String words) {
            return of(words, graph.nodes(), graph.edges());
        }

        private static GraphRecipe of(String description, int nodes, List<GraphRecipe.Edge> edges) {
            return new GraphRecipe(description, nodes, "", 0, List.of(), edges);
        }

        Provenance provenance() {
            return new Provenance(
                    version,
                    settings,
                    method,
                    graph,
                    tau,
                    new Certificate(objective, dual, error, steps, epochs),
                    new Exactness(coefficientError, aliased),
                    certified,
                    fingerprint,
                    new Signatures(session, history, signers));
        }
    }

    private GraphRecipe graph() {
        Graph graph = new Graph();
        members(graph::member);
        return new GraphRecipe(graph.description, graph.nodes, graph.topology, graph.seed, graph.called, graph.edges);
    }

    /** The members of "graph". */
    private final class Graph {
        private String description = "";
        private int nodes;
        private String topology = "";
        private long seed;
        private List<String> called = List.of();
        private List<GraphRecipe.Edge> edges = List.of();

        void member(String member) {
            switch (member) {
                case "description" -> description = string();
                case "nodes" -> nodes = integer();
                case "topology" -> topology = string();
                case "seed" -> seed = whole();
                case "names" -> called = strings();
                case "edges" -> edges = edges();
                default -> json.skipChildren();
            }
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

    private List<GraphRecipe.Edge> edges() {
        List<GraphRecipe.Edge> result = new ArrayList<>();
        elements(() -> {
            double[] edge = numbers(3);
            require(edge.length == 3, "an edge must be a tail, a head and a weight");
            result.add(new GraphRecipe.Edge((int) edge[0], (int) edge[1], edge[2]));
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
