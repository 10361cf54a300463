package dev.starling.model;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonTree;
import dev.starling.network.GraphRecipe;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What a model file in Starling's own format says. What training left is listed once, for writing and reading. */
final class ModelJson {

    private ModelJson() {}

    static Map<String, Object> members(LinearModel model) {
        JsonMembers m = JsonMembers.toWrite();
        m.text("format", JsonFormat.FORMAT);
        m.count("formatVersion", model.recipe().isPresent() ? JsonFormat.VERSION : JsonFormat.VERSION_WITHOUT_RECIPE);
        m.text("loss", model.loss());
        m.put("classes", model.classes());
        m.count("features", model.features());
        m.texts("names", model.names());
        model.recipe().ifPresent(recipe -> m.put("recipe", recipe.toMap()));
        m.object("training", model.provenance(), ModelJson::training);
        model.inference().ifPresent(known -> {
            JsonMembers inference = JsonMembers.toWrite();
            InferenceJson.write(inference, known);
            m.put("inference", inference.values());
        });
        m.text("hash", model.hash());
        scores(m, model);
        if (!model.path().isEmpty()) {
            m.put(
                    "path",
                    model.path().stream()
                            .map(one -> onItsOwnLine(() -> element(one)))
                            .toList());
        }
        return m.values();
    }

    private static Map<String, Object> element(LinearModel model) {
        JsonMembers m = JsonMembers.toWrite();
        m.number("lambda", ModelPath.number(model, "lambda"));
        m.number("l1", ModelPath.number(model, "l1"));
        m.text("method", model.provenance().method());
        proof(m, model.provenance());
        m.count("nonZeros", model.nonZeros());
        scores(m, model);
        return m.values();
    }

    private static void scores(JsonMembers m, LinearModel model) {
        m.put(
                "intercepts",
                IntStream.range(0, model.scores()).mapToDouble(model::intercept).toArray());
        m.put(
                "weights",
                IntStream.range(0, model.scores())
                        .mapToObj(k -> onItsOwnLine(() -> vector(model.weights(k))))
                        .toList());
    }

    private static JsonTree.OwnLine onItsOwnLine(Supplier<Object> value) {
        return new JsonTree.OwnLine(value);
    }

    /** All weights or, if at least half of them are zero, only the others with their columns; −0 keeps its sign. */
    private static Object vector(double[] weights) {
        int[] columns = IntStream.range(0, weights.length)
                .filter(j -> Double.doubleToRawLongBits(weights[j]) != 0)
                .toArray();
        if (2 * columns.length > weights.length) {
            return weights;
        }
        Map<String, Object> sparse = new LinkedHashMap<>();
        sparse.put("columns", columns);
        sparse.put("values", Arrays.stream(columns).mapToDouble(j -> weights[j]).toArray());
        return sparse;
    }

    static LinearModel read(JsonMembers m, String name) {
        m.require(
                m.text("format", "").equals(JsonFormat.FORMAT),
                "the member \"format\" must be \"" + JsonFormat.FORMAT + "\"");
        int version = m.count("formatVersion", 0);
        m.require(
                version >= JsonFormat.VERSION_WITHOUT_RECIPE && version <= JsonFormat.VERSION,
                "format version " + version + "; this Starling reads versions " + JsonFormat.VERSION_WITHOUT_RECIPE
                        + " and " + JsonFormat.VERSION);
        m.require(!m.text("loss", "").isEmpty(), "the member \"loss\" is missing");
        m.require(m.has("features", false), "the member \"features\" is missing");
        Provenance made = m.object("training", Provenance.UNKNOWN, ModelJson::training);
        int features = m.count("features", 0);
        int deviations = made.rows().deviations().size();
        m.require(deviations == 0 || deviations == features, deviations + " deviations for " + features + " features");
        made.rows().deviations().forEach(one -> m.require(one >= 0, "\"deviations\": '" + one + "' must be 0 or more"));
        List<LinearModel> path = m.listOf("path", one -> element(one, m, made));
        try {
            LinearModel model = scored(m, m, made).with(path);
            if (m.has(JsonMembers.RECIPE, false)) {
                model = model.with(m.recipe(TableEncoding::of));
            }
            if (m.has("inference", false)) {
                model = model.with(InferenceJson.read(m.within("inference")));
            }
            String hash = m.text("hash", "");
            m.require(
                    hash.isEmpty() || hash.equals(model.hash()),
                    "the model does not match its hash, the file was changed or damaged; make it again");
            return model;
        } catch (InvalidInputException e) {
            throw e.getMessage().startsWith(name) ? e : new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }

    private static LinearModel scored(JsonMembers m, JsonMembers whole, Provenance made) {
        int features = whole.count("features", 0);
        List<double[]> weights = m.vectors("weights", features);
        m.require(!weights.isEmpty(), "the member \"weights\" is missing");
        for (double[] vector : weights) {
            m.require(
                    vector.length == features,
                    "a vector of " + vector.length + " weights for " + features + " features");
        }
        return new LinearModel(
                whole.text("loss", ""),
                whole.someNumbers("classes", List.of()),
                whole.texts("names", List.of()),
                weights.toArray(new double[0][]),
                m.numbers("intercepts", new double[0]),
                made);
    }

    private static LinearModel element(JsonMembers m, JsonMembers whole, Provenance made) {
        LinearModel model = scored(m, whole, element(m, made));
        int nonZeros = m.count("nonZeros", model.nonZeros());
        m.require(
                nonZeros == model.nonZeros(),
                "\"nonZeros\": '" + nonZeros + "' must be the number of weights that are not 0, " + model.nonZeros());
        return model;
    }

    /** An element of "path": a model that was made like the main one except for λ and λ₁. */
    private static Provenance element(JsonMembers m, Provenance main) {
        Map<String, String> settings = new LinkedHashMap<>(main.settings());
        for (String setting : List.of("lambda", "l1")) {
            if (m.has(setting, false)) {
                settings.put(setting, Double.toString(m.number(setting, Double.NaN)));
            }
        }
        Proof proven = proof(m, Provenance.UNKNOWN);
        return new Provenance(
                main.version(),
                settings,
                m.text("method", ""),
                main.graph(),
                main.delay(),
                proven.certificate(),
                proven.exactness(),
                proven.certified(),
                main.rows(),
                main.fingerprint(),
                Signatures.NONE,
                Optional.empty(),
                Map.of());
    }

    private static Provenance training(JsonMembers m, Provenance made) {
        String version = m.text("version", made.version());
        Map<String, String> settings = m.object("settings", made.settings(), ModelJson::settings);
        String method = m.text("method", made.method());
        GraphRecipe graph = m.object("graph", made.graph(), ModelJson::graph);
        double delay = size(m, "tau", made.delay());
        Proof proven = proof(m, made);
        long rows = m.has("rows", made.rows().count() > 0)
                ? m.whole("rows", made.rows().count())
                : 0;
        m.require(!m.has("rows", false) || rows > 0, "\"rows\": '" + rows + "' must be 1 or more");
        List<Double> deviations = m.someNumbers("deviations", made.rows().deviations());
        String fingerprint = m.text("fingerprint", made.fingerprint());
        Signatures signatures = m.has("signatures", !made.signatures().signers().isEmpty())
                ? m.object("signatures", made.signatures(), ModelJson::signatures)
                : Signatures.NONE;
        Optional<CrossValidation> validation = m.has(
                        "crossValidation", made.validation().isPresent())
                ? Optional.of(m.object(
                        "crossValidation", made.validation().orElse(ValidationJson.NONE), ValidationJson::members))
                : Optional.empty();
        Map<String, EvaluationRecord> evaluations =
                m.has("evaluation", !made.evaluations().isEmpty())
                        ? m.object("evaluation", made.evaluations(), ModelJson::evaluations)
                        : Map.of();
        return new Provenance(
                version,
                settings,
                method,
                graph,
                delay,
                proven.certificate(),
                proven.exactness(),
                proven.certified(),
                new TrainingRows(rows, deviations),
                fingerprint,
                signatures,
                validation,
                evaluations);
    }

    private static Map<String, String> settings(JsonMembers m, Map<String, String> settings) {
        Map<String, String> result = new LinkedHashMap<>();
        for (String name : m.namesBeside(settings.keySet())) {
            result.put(name, m.text(name, settings.getOrDefault(name, "")));
        }
        return result;
    }

    private static double size(JsonMembers m, String name, double value) {
        double found = m.number(name, value);
        m.require(!(found < 0), "\"" + name + "\": '" + found + "' must be 0 or more");
        return found;
    }

    /** What is proven. */
    private record Proof(Certificate certificate, Exactness exactness, boolean certified) {}

    private static Proof proof(JsonMembers m, Provenance made) {
        Certificate c = made.certificate();
        double objective = m.number("objective", c.objective());
        double dual = m.number("dual", c.dual());
        double error = m.number("error", c.error(), Double.POSITIVE_INFINITY);
        double scale = m.has("scale", c.scale() != c.objective()) ? m.number("scale", c.scale(), 0) : objective;
        double bound = m.has("bound", c.bound() > Double.NEGATIVE_INFINITY)
                ? m.number("bound", c.bound(), Double.NEGATIVE_INFINITY)
                : Double.NEGATIVE_INFINITY;
        m.number("gap", c.relativeGap());
        double exact = made.exactness().standardErrors();
        double coefficientError = m.has("coefficientError", Double.isFinite(exact))
                ? m.number("coefficientError", exact, Double.POSITIVE_INFINITY)
                : exact;
        List<Integer> aliased = m.counts("aliased", made.exactness().aliased());
        boolean certified = m.truth("certified", made.certified());
        long steps = m.whole("steps", c.steps());
        m.require(steps >= 0, "\"steps\": '" + steps + "' must be 0 or more");
        double epochs = size(m, "epochs", c.epochs());
        return new Proof(
                new Certificate(objective, dual, error, scale, bound, steps, epochs),
                new Exactness(coefficientError, aliased),
                certified);
    }

    private static GraphRecipe graph(JsonMembers m, GraphRecipe graph) {
        String description = m.text("description", graph.description());
        int nodes = m.count("nodes", graph.nodes());
        boolean hasTopology = m.has("topology", !graph.topology().isEmpty());
        String topology = hasTopology ? m.text("topology", graph.topology()) : "";
        long seed = hasTopology ? m.whole("seed", graph.seed()) : 0;
        List<String> names = m.texts("names", graph.names());
        if (!graph.edges().isEmpty()) {
            m.put(
                    "edges",
                    graph.edges().stream()
                            .map(edge -> List.of(edge.tail(), edge.head(), edge.weight()))
                            .toList());
        }
        List<GraphRecipe.Edge> edges = !m.reads() || !m.has("edges", false)
                ? graph.edges()
                : m.vectors("edges", 0).stream()
                        .map(edge -> {
                            m.require(
                                    edge.length == 3 && isNode(edge[0], nodes) && isNode(edge[1], nodes),
                                    "an edge must be a tail, a head and a weight, with nodes from 0 to " + (nodes - 1));
                            return new GraphRecipe.Edge((int) edge[0], (int) edge[1], edge[2]);
                        })
                        .toList();
        return new GraphRecipe(description, nodes, topology, seed, names, edges);
    }

    private static boolean isNode(double index, int nodes) {
        return index >= 0 && index < nodes && index == Math.rint(index);
    }

    private static Signatures signatures(JsonMembers m, Signatures signatures) {
        return new Signatures(
                m.text("session", signatures.session()),
                m.text("history", signatures.history()),
                m.objects(
                        "sites",
                        signatures.signers(),
                        new Signatures.Signer("", "", ""),
                        (s, signer) -> new Signatures.Signer(
                                s.text("site", signer.site()),
                                s.text("chain", signer.chain()),
                                s.text("signature", signer.signature()))));
    }

    private static Map<String, EvaluationRecord> evaluations(JsonMembers m, Map<String, EvaluationRecord> evaluations) {
        EvaluationRecord none = new EvaluationRecord(0, 0, "", Map.of());
        Map<String, EvaluationRecord> result = new LinkedHashMap<>();
        for (String by : m.namesBeside(evaluations.keySet())) {
            result.put(by, m.object(by, evaluations.getOrDefault(by, none), ModelJson::evaluation));
        }
        return result;
    }

    private static EvaluationRecord evaluation(JsonMembers m, EvaluationRecord evaluated) {
        m.require(m.has("rows", true) && m.has("weight", true), "an evaluation needs \"rows\" and \"weight\"");
        long rows = m.whole("rows", evaluated.rows());
        m.require(rows >= 0, "\"rows\": '" + rows + "' must be 0 or more");
        double weight = m.number("weight", evaluated.weight(), Double.NaN);
        m.require(!(weight < 0), "\"weight\": '" + weight + "' must be 0 or more");
        String fingerprint = m.has("fingerprint", !evaluated.fingerprint().isEmpty())
                ? m.text("fingerprint", evaluated.fingerprint())
                : "";
        Map<String, Double> measures = new LinkedHashMap<>();
        for (String measure : m.namesBeside(evaluated.measures().keySet(), "rows", "weight", "fingerprint")) {
            measures.put(measure, m.number(measure, evaluated.measures().getOrDefault(measure, Double.NaN)));
        }
        return new EvaluationRecord(rows, weight, fingerprint, measures);
    }
}
