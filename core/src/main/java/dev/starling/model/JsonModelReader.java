package dev.starling.model;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonTree;
import dev.starling.network.GraphRecipe;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads Starling's own model format in a single pass; unknown members are skipped. This class is longer than most,
 * because every member of the format has its case.
 */
final class JsonModelReader {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

    private final JsonParser json;
    private final JsonValues values;
    private final String name;

    private String format = "";
    private int formatVersion;
    private String loss = "";
    private List<Double> classes = List.of();
    private List<String> names = List.of();
    private int features = -1;
    private String hash = "";
    private final Scores scores = new Scores();
    private final List<PathElement> path = new ArrayList<>();
    private Provenance provenance = Provenance.UNKNOWN;
    private Optional<TableEncoding> recipe = Optional.empty();
    private Optional<Inference> inference = Optional.empty();

    private JsonModelReader(JsonParser json, String name) {
        this.json = json;
        this.values = new JsonValues(json, name);
        this.name = name;
    }

    static LinearModel read(InputStream in, String name) throws IOException {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            return new JsonModelReader(json, name).readOrExplain(in);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /** Reads the model; errors from Jackson are explained in terms that a user knows. */
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
        values.members(this::member);
        values.require(format.equals(JsonFormat.FORMAT), "the member \"format\" must be \"" + JsonFormat.FORMAT + "\"");
        values.require(
                formatVersion >= 1 && formatVersion <= JsonFormat.VERSION,
                "format version " + formatVersion + "; this Starling reads versions 1 to " + JsonFormat.VERSION);
        values.require(!loss.isEmpty(), "the member \"loss\" is missing");
        values.require(features >= 0, "the member \"features\" is missing");
        int deviations = provenance.rows().deviations().size();
        values.require(
                deviations == 0 || deviations == features, deviations + " deviations for " + features + " features");
        LinearModel model =
                scores.model(provenance, path.stream().map(PathElement::model).toList());
        if (recipe.isPresent()) {
            model = with(recipe.get(), model);
        }
        model = inference.map(model::with).orElse(model);
        values.require(
                hash.isEmpty() || hash.equals(formatVersion == 1 ? model.weightsHash() : model.hash()),
                "the model does not match its hash, the file was changed or damaged; make it again");
        return model;
    }

    private LinearModel with(TableEncoding made, LinearModel model) {
        try {
            return model.with(made);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }

    private void member(String member) {
        switch (member) {
            case "format" -> format = values.string();
            case "formatVersion" -> formatVersion = values.integer();
            case "loss" -> loss = values.string();
            case "classes" -> classes = Arrays.stream(values.numbers(0)).boxed().toList();
            case "names" -> names = values.strings();
            case "features" -> features = values.integer();
            case "hash" -> hash = values.string();
            case "training" -> training();
            case "recipe" -> recipe = Optional.of(recipe());
            case "inference" -> inference = Optional.of(InferenceJson.read(values));
            case "path" ->
                values.elements(() -> {
                    PathElement one = new PathElement();
                    values.members(one::member);
                    path.add(one);
                });
            default -> scores.member(member);
        }
    }

    /** Intercepts and weights. */
    private final class Scores {
        private double[] intercepts = new double[0];
        private final List<double[]> weights = new ArrayList<>();

        void member(String member) {
            switch (member) {
                case "intercepts" -> intercepts = values.numbers(0);
                case "weights" -> values.elements(() -> weights.add(vector()));
                default -> values.skip();
            }
        }

        LinearModel model(Provenance made, List<LinearModel> others) {
            values.require(!weights.isEmpty(), "the member \"weights\" is missing");
            for (double[] vector : weights) {
                values.require(
                        vector.length == features,
                        "a vector of " + vector.length + " weights for " + features + " features");
            }
            try {
                return new LinearModel(loss, classes, names, weights.toArray(new double[0][]), intercepts, made)
                        .with(others);
            } catch (InvalidInputException e) {
                throw new InvalidInputException(name + ": " + e.getMessage(), e);
            }
        }
    }

    /** An element of "path": a model that was made like the main one except for λ and λ₁. */
    private final class PathElement {
        private final Scores numbers = new Scores();
        private final Training training = new Training();

        void member(String member) {
            switch (member) {
                case "lambda", "l1" -> training.settings.put(member, Double.toString(values.number()));
                case "intercepts", "weights" -> numbers.member(member);
                default -> training.member(member);
            }
        }

        LinearModel model() {
            Map<String, String> settings = new LinkedHashMap<>(provenance.settings());
            settings.putAll(training.settings);
            Provenance made = new Provenance(
                    provenance.version(),
                    settings,
                    training.method,
                    provenance.graph(),
                    provenance.delay(),
                    training.certificate(),
                    new Exactness(training.coefficientError, training.aliased),
                    training.certified,
                    provenance.rows(),
                    provenance.fingerprint(),
                    Signatures.NONE,
                    Optional.empty(),
                    Map.of());
            return numbers.model(made, List.of());
        }
    }

    private TableEncoding recipe() {
        try {
            if (!(JsonTree.read(json) instanceof Map<?, ?> members)) {
                throw new InvalidInputException("a recipe must be an object, in braces");
            }
            return TableEncoding.of(members);
        } catch (InvalidInputException e) {
            throw values.error(e.getMessage());
        }
    }

    private void training() {
        Training training = new Training();
        values.members(training::member);
        provenance = training.provenance();
    }

    /** The members of "training", including those of version 1. */
    private final class Training {
        private String version = "";
        private final Map<String, String> settings = new LinkedHashMap<>();
        private String method = "";
        private GraphRecipe graph = GraphRecipe.UNKNOWN;
        private double tau = Double.NaN;
        private double objective = Double.POSITIVE_INFINITY;
        private double dual = Double.NEGATIVE_INFINITY;
        private double error;
        private OptionalDouble scale = OptionalDouble.empty();
        private double coefficientError = Double.POSITIVE_INFINITY;
        private List<Integer> aliased = List.of();
        private boolean certified;
        private long steps;
        private double epochs;
        private long rows;
        private List<Double> deviations = List.of();
        private String fingerprint = "";
        private String session = "";
        private String history = "";
        private final List<Signatures.Signer> signers = new ArrayList<>();
        private Optional<CrossValidation> validation = Optional.empty();
        private final Map<String, EvaluationRecord> evaluations = new LinkedHashMap<>();

        void member(String member) {
            switch (member) {
                case "version" -> version = values.string();
                case "settings" -> values.members(setting -> settings.put(setting, values.string()));
                case "method" -> method = values.string();
                case "graph" -> graph = values.isString() ? described(values.string()) : graph();
                case "tau" -> tau = values.number(Double.NaN);
                case "objective" -> objective = values.number(Double.POSITIVE_INFINITY);
                case "dual" -> dual = values.number(Double.NEGATIVE_INFINITY);
                case "scale" -> scale = OptionalDouble.of(values.number(0));
                case "error" -> error = values.number(Double.POSITIVE_INFINITY);
                case "coefficientError" -> coefficientError = values.number(Double.POSITIVE_INFINITY);
                case "aliased" -> {
                    List<Integer> features = new ArrayList<>();
                    values.elements(() -> features.add(values.integer()));
                    aliased = features;
                }
                case "certified" -> certified = values.bool();
                case "steps" -> steps = values.whole();
                case "epochs" -> epochs = values.number(0);
                case "rows" -> rows = values.whole();
                case "deviations" ->
                    deviations = Arrays.stream(values.numbers(0)).boxed().toList();
                case "fingerprint" -> fingerprint = values.string();
                case "signatures" -> values.members(this::signature);
                case "crossValidation" -> validation = Optional.of(ValidationJson.read(values));
                case "evaluation" -> values.members(by -> evaluations.put(by, evaluated()));
                default -> {
                    if (formatVersion == 1) {
                        oldMember(member);
                    } else {
                        values.skip();
                    }
                }
            }
        }

        private void signature(String member) {
            switch (member) {
                case "session" -> session = values.string();
                case "history" -> history = values.string();
                case "sites" ->
                    values.elements(() -> {
                        Map<String, String> signer = new LinkedHashMap<>();
                        values.members(key -> signer.put(key, values.string()));
                        signers.add(new Signatures.Signer(
                                signer.getOrDefault("site", ""),
                                signer.getOrDefault("chain", ""),
                                signer.getOrDefault("signature", "")));
                    });
                default -> values.skip();
            }
        }

        /**
         * Version 1 had some of the settings as separate members, the gap instead of the dual, and the graph as text.
         */
        private void oldMember(String member) {
            switch (member) {
                case "gap" -> dual = objective * (1 - values.number(Double.POSITIVE_INFINITY));
                case "lambda", "seed", "bias" -> settings.put(member, values.text());
                case "standardized" -> settings.put("scaling", values.bool() ? "standardize" : "none");
                case "nodes" -> graph = of(graph.description(), values.integer(), graph.edges());
                case "edges" -> graph = of(graph.description(), graph.nodes(), edges());
                default -> values.skip();
            }
        }

        private GraphRecipe described(String description) {
            return of(description, graph.nodes(), graph.edges());
        }

        private static GraphRecipe of(String description, int nodes, List<GraphRecipe.Edge> edges) {
            return new GraphRecipe(description, nodes, "", 0, List.of(), edges);
        }

        Certificate certificate() {
            return new Certificate(objective, dual, error, scale.orElse(objective), steps, epochs);
        }

        Provenance provenance() {
            return new Provenance(
                    version,
                    settings,
                    method,
                    graph,
                    tau,
                    certificate(),
                    new Exactness(coefficientError, aliased),
                    certified,
                    new TrainingRows(rows, deviations),
                    fingerprint,
                    new Signatures(session, history, signers),
                    validation,
                    evaluations);
        }

        private EvaluationRecord evaluated() {
            Map<String, Double> numbers = new LinkedHashMap<>();
            StringBuilder digits = new StringBuilder();
            values.members(member -> {
                if (member.equals("fingerprint")) {
                    digits.append(values.string());
                } else {
                    numbers.put(member, values.number(Double.NaN));
                }
            });
            Double rows = numbers.remove("rows");
            Double weight = numbers.remove("weight");
            values.require(rows != null && weight != null, "an evaluation needs \"rows\" and \"weight\"");
            return new EvaluationRecord(rows.longValue(), weight, digits.toString(), numbers);
        }
    }

    private GraphRecipe graph() {
        Graph graph = new Graph();
        values.members(graph::member);
        return new GraphRecipe(
                graph.description, graph.nodes, graph.topology, graph.seed, graph.nodeNames, graph.edges);
    }

    /** The members of "graph". */
    private final class Graph {
        private String description = "";
        private int nodes;
        private String topology = "";
        private long seed;
        private List<String> nodeNames = List.of();
        private List<GraphRecipe.Edge> edges = List.of();

        void member(String member) {
            switch (member) {
                case "description" -> description = values.string();
                case "nodes" -> nodes = values.integer();
                case "topology" -> topology = values.string();
                case "seed" -> seed = values.whole();
                case "names" -> nodeNames = values.strings();
                case "edges" -> edges = edges();
                default -> values.skip();
            }
        }
    }

    private double[] vector() {
        if (values.isArray()) {
            return values.numbers(Math.max(0, features));
        }
        values.require(features >= 0, "the member \"features\" must come before \"weights\"");
        double[][] parts = new double[2][];
        values.members(member -> {
            switch (member) {
                case "columns" -> parts[0] = values.numbers(0);
                case "values" -> parts[1] = values.numbers(0);
                default -> values.skip();
            }
        });
        values.require(
                parts[0] != null && parts[1] != null && parts[0].length == parts[1].length,
                "a sparse vector needs \"columns\" and as many \"values\"");
        double[] vector = new double[features];
        for (int k = 0; k < parts[0].length; k++) {
            double column = parts[0][k];
            values.require(
                    column >= 0 && column < features && column == Math.rint(column),
                    "column " + column + " must be between 0 and " + (features - 1));
            vector[(int) column] = parts[1][k];
        }
        return vector;
    }

    private List<GraphRecipe.Edge> edges() {
        List<GraphRecipe.Edge> result = new ArrayList<>();
        values.elements(() -> {
            double[] edge = values.numbers(3);
            values.require(edge.length == 3, "an edge must be a tail, a head and a weight");
            result.add(new GraphRecipe.Edge((int) edge[0], (int) edge[1], edge[2]));
        });
        return result;
    }
}
