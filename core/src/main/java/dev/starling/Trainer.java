package dev.starling;

import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.evaluation.Evaluation;
import dev.starling.job.Holdout;
import dev.starling.job.JobResult;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TimeBudget;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Shape;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Trains linear models to a certified gap. A trainer is immutable: every setter returns a new one.
 *
 * <pre>{@code
 * Dataset data = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Fit fit = Trainer.of("logistic").lambda(1e-4).nodes(4).topology("ring").gap(1e-6).fit(data);
 * fit.gap();                      // at most 1e-6, proven
 * fit.model().predict(data, 0);   // the label of the first row
 * }</pre>
 *
 * <p>The objective is mean loss + (λ/2)‖θ‖². If rows have weights, the mean is weighted, so a row of weight 2 counts
 * like two rows. The result depends only on the data, these settings and the seed, not on the runner or the machine.
 *
 * <p>This class is longer than most, because it has a documented setter for each setting.
 */
public final class Trainer {

    /** How many nodes a graph has if nobody says how many; the same on every machine, since bits depend on it. */
    private static final int NODES_OF_A_GRAPH = 4;

    private static final Set<String> ALWAYS_SHOWN = Set.of("loss", "lambda", "gap");

    private static final long[] NO_KEYS = {};

    private static final JobRules RULES = JobRules.inMemory();

    private final Settings settings;
    private final OptionalDouble c;
    private final OptionalInt nodes;
    private final Graph graph;
    private final Runner runner;
    private final TrainingListener listener;
    private final StopSignal signal;
    private final Dealing dealing;

    @FunctionalInterface
    private interface Graph {
        Network build(int nodes, long seed);
    }

    private Trainer(
            Settings settings,
            OptionalDouble c,
            OptionalInt nodes,
            Graph graph,
            Runner runner,
            TrainingListener listener,
            StopSignal signal,
            Dealing dealing) {
        this.settings = settings;
        this.c = c;
        this.nodes = nodes;
        this.graph = graph;
        this.runner = runner;
        this.listener = listener;
        this.signal = signal;
        this.dealing = dealing;
    }

    /** Creates a trainer with these settings, on one node. */
    public static Trainer of(Settings settings) {
        return new Trainer(
                settings,
                OptionalDouble.empty(),
                OptionalInt.empty(),
                Topology.named("complete")::build,
                new Threads(),
                TrainingListener.NONE,
                StopSignal.manual(),
                Dealing.TURNS);
    }

    /** Creates a trainer with this loss and the defaults: λ = 1e-4, a gap of 1e-6, one node. */
    public static Trainer of(Loss loss) {
        return of(Settings.of(loss));
    }

    /**
     * The same for the loss with a name, as settings and model files have it: {@code "poisson"}, {@code "huber(0.5)"}.
     *
     * @throws InvalidInputException if there is no such loss
     */
    public static Trainer of(String loss) {
        return of(Losses.named(loss));
    }

    /** Creates a trainer for logistic regression with the defaults. */
    public static Trainer logistic() {
        return of(new Logistic());
    }

    private Trainer with(Settings value) {
        return new Trainer(value, c, nodes, graph, runner, listener, signal, dealing);
    }

    /** The loss, λ, the gap to reach and whatever else was set, in a line. */
    @Override
    public String toString() {
        Map<String, String> usual = Settings.of(settings.loss()).toMap();
        StringBuilder text = new StringBuilder("Trainer[");
        settings.toMap().forEach((name, value) -> {
            if (ALWAYS_SHOWN.contains(name) || !value.equals(usual.get(name))) {
                text.append(name).append('=').append(value).append(", ");
            }
        });
        int count = nodes.orElse(1);
        return text.append(count == 1 ? "1 node]" : count + " nodes]").toString();
    }

    /** Returns a trainer with another value of any setting of the table. */
    public <T> Trainer with(Setting<T> setting, T value) {
        return with(settings.with(setting, value));
    }

    /** The current settings. */
    public Settings settings() {
        return settings;
    }

    /** The regularisation λ in mean loss + (λ/2)‖θ‖². */
    public Trainer lambda(double value) {
        return with(Setting.LAMBDA, value);
    }

    /**
     * The regularisation as LIBLINEAR's C, instead of {@link #lambda}: λ = 1/(C W), where W is the total weight of the
     * rows that are trained on, or half of that for losses that LIBLINEAR has without the factor 1/2.
     */
    public Trainer c(double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new InvalidInputException("c " + value + " must be positive and finite, for example 1");
        }
        return new Trainer(settings, OptionalDouble.of(value), nodes, graph, runner, listener, signal, dealing);
    }

    /** The l1 regularisation λ₁ of an elastic net, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; 0 by default. */
    public Trainer l1(double value) {
        return with(Setting.L1, value);
    }

    /**
     * Trains for a path of values of λ instead of a single one: {@code LambdaPath.of(50)} for that many values,
     * {@code LambdaPath.values(1e-2, 1e-3)} for these, each with {@code .l1Ratios(0.5)} for an elastic net. Each
     * problem starts from the solution of the previous one and is certified; the resulting model is that of the
     * smallest λ and holds {@linkplain LinearModel#path the models for all of them}. No path by default.
     */
    public Trainer lambdaPath(LambdaPath path) {
        return with(settings.withPath(path));
    }

    /**
     * Chooses one λ of the path, or of {@value LambdaPath#USUAL_COUNT} values if no path is set, by cross-validation.
     * The resulting model is the one for that λ, trained on all rows; its
     * {@linkplain dev.starling.model.Provenance#validation provenance} says how well every λ did. Not by default.
     *
     * @param folds how rows are divided, for example {@code Folds.of(10)}
     */
    public Trainer crossValidation(Folds folds) {
        return with(settings.withFolds(folds));
    }

    /**
     * The optimisation method, one of {@link dev.starling.method.Methods#names}. By default it is chosen to suit the
     * data; the choice is the same on every runtime.
     */
    public Trainer method(String name) {
        return with(Setting.METHOD, name);
    }

    /** The number of nodes among which the rows are divided; 1 by default, since one machine needs no more. */
    public Trainer nodes(int value) {
        if (value < 1) {
            throw new InvalidInputException(value + " nodes; there must be at least one");
        }
        return new Trainer(settings, c, OptionalInt.of(value), graph, runner, listener, signal, dealing);
    }

    /**
     * The graph, by a name that {@link Topology#named} understands, such as {@code ring} or {@code grid:3x4}. Random
     * graphs are drawn with the seed. It has four nodes unless the name or {@link #nodes} says how many.
     */
    public Trainer topology(String name) {
        Topology topology = Topology.named(name);
        int size = nodes.orElse(topology.fixedNodes().orElse(NODES_OF_A_GRAPH));
        return new Trainer(settings, c, OptionalInt.of(size), topology::build, runner, listener, signal, dealing);
    }

    /** The graph with these edges between nodes that are numbered from 0; the rows are divided among its nodes. */
    public Trainer network(int nodes, int[]... edges) {
        return network(Network.of(nodes, edges));
    }

    /** The graph itself. */
    public Trainer network(Network value) {
        return new Trainer(
                settings, c, OptionalInt.of(value.size()), (size, anySeed) -> value, runner, listener, signal, dealing);
    }

    /** The relative duality gap to reach. */
    public Trainer gap(double value) {
        return with(Setting.GAP, value);
    }

    /** Stops after this many passes over the samples, certified or not. */
    public Trainer maxEpochs(double value) {
        return with(Setting.MAX_EPOCHS, value);
    }

    /**
     * Stops after this many seconds, certified or not; if there are several problems (classes, values of λ), they share
     * the time.
     */
    public Trainer maxSeconds(double value) {
        return with(Setting.MAX_SECONDS, value);
    }

    /** The seed of all random choices. */
    public Trainer seed(long value) {
        return with(Setting.SEED, value);
    }

    /**
     * The delay τ of a communication round, in proximal steps, to tune for; by default that of a round in shared
     * memory.
     */
    public Trainer delay(double tau) {
        return with(Setting.TAU, OptionalDouble.of(tau));
    }

    /**
     * Adds an intercept: the weight of an extra feature that has this value in every row. It is regularised like the
     * other weights; the larger the value, the less the intercept is regularised.
     */
    public Trainer bias(double value) {
        return with(Setting.BIAS, value);
    }

    /**
     * Whether there is an intercept that is not regularised; cannot be combined with a {@link #bias}. By default there
     * is one if the columns have names and the method can take it: see {@link #settingsFor}.
     */
    public Trainer intercept(boolean value) {
        return with(Setting.INTERCEPT, value);
    }

    /**
     * Scales the features, and in regression the target, to standard deviation 1 for training, and centres dense rows
     * to mean 0. The objective is then that of the standardised problem; the resulting model applies to the raw
     * features.
     */
    public Trainer standardize(boolean value) {
        return scaling(value ? Scaling.STANDARDIZE : Scaling.NONE);
    }

    /** How features are scaled for training. */
    public Trainer scaling(Scaling value) {
        return with(Setting.SCALING, value);
    }

    /**
     * Whether each of more than two classes is told from the rest by a model of its own; if not, {@code logistic} tells
     * all apart at once, as {@code softmax} does, where the method can.
     */
    public Trainer oneVersusRest(boolean value) {
        return with(Setting.ONE_VERSUS_REST, value);
    }

    /** Weights by label; each multiplies the weights of the rows with that label. */
    public Trainer classWeights(Map<Double, Double> weights) {
        return classWeights(ClassWeighting.of(weights));
    }

    /** How rows are weighted by class; {@link ClassWeighting#BALANCED} gives all classes the same total weight. */
    public Trainer classWeights(ClassWeighting value) {
        return with(Setting.CLASS_WEIGHTS, value);
    }

    /**
     * The fraction of rows that are held out from training to evaluate the model; 0 by default. Whether a row is held
     * out depends on its contents and the seed.
     */
    public Trainer holdout(double part) {
        return with(Setting.HOLDOUT, part);
    }

    /** What runs the nodes; by default threads of this process. It affects the time taken, not the result. */
    public Trainer runner(Runner value) {
        return new Trainer(settings, c, nodes, graph, value, listener, signal, dealing);
    }

    /** The listener that receives events about the progress of training. */
    public Trainer listener(TrainingListener value) {
        return new Trainer(settings, c, nodes, graph, runner, value, signal, dealing);
    }

    /** Ends training early once this holds, which any thread may ask; so does interrupting the calling thread. */
    public Trainer stopWhen(BooleanSupplier condition) {
        return stopSignal(signal.or(condition));
    }

    /** A signal that ends training early when raised. */
    public Trainer stopSignal(StopSignal value) {
        return new Trainer(settings, c, nodes, graph, runner, listener, value, dealing);
    }

    /**
     * All settings as {@link #fit} uses them for this data. If nothing was said about an intercept, columns with names
     * (those of a table) get one that is not regularised, provided that the method can take it; rows without names,
     * such as LIBSVM's, get none. λ follows from {@link #c} if that was set.
     *
     * @throws InvalidInputException if the settings do not go together
     */
    public Settings settingsFor(Dataset data) {
        Settings known = c.isPresent() ? settings.with(Setting.LAMBDA, lambdaOf(data)) : settings;
        boolean open = !known.has(Setting.INTERCEPT) && !known.has(Setting.BIAS);
        Settings extended = known.with(Setting.INTERCEPT, true);
        boolean takes = open
                && (!data.names().isEmpty() || data.features() == 0)
                && extended.suits(Shape.of(data.withFeatures(data.features() + 1)));
        return (takes ? extended : known).checked();
    }

    private double lambdaOf(Dataset data) {
        if (settings.has(Setting.LAMBDA)) {
            throw new InvalidInputException("lambda " + settings.lambda() + " and c " + c.getAsDouble()
                    + " both say how much to regularise; give one of them");
        }
        Dataset trained = settings.classWeights().apply(settings.heldOut().without(data));
        double total = 0;
        for (int i = 0; i < trained.rows(); i++) {
            total += trained.weight(i);
        }
        return 1 / (c.getAsDouble() * total * (Losses.isHalved(settings.loss()) ? 2 : 1));
    }

    /**
     * What training would begin with.
     *
     * @param plan the network, the facts, the method and its constants
     * @param problem the first problem, as its nodes have it once they have planned: without rows that are held out,
     *     scaled, for the first class if each is told from the rest, with the first λ of a path; made when asked for
     */
    public record Start(TrainingPlan plan, Supplier<Problem> problem) {}

    /**
     * Returns what training on the data would use, without training: the network, the facts, the method and its
     * constants.
     */
    public TrainingPlan prepare(Dataset data) {
        return prepare(data, NO_KEYS).plan();
    }

    /** Like {@link #prepare(Dataset)}, for rows with keys as in {@link #fit(Dataset, long[])}, and with the problem. */
    public Start prepare(Dataset data, long[] keys) {
        Settings chosen = settingsFor(data);
        Trainer trainer = with(chosen);
        Network network = trainer.network();
        List<PlanningPhase> planning = trainer.planningPhases(
                network, trainer.divided(network, chosen.precision().apply(data), keys));
        new Simulator().run(network, planning, Delays.uniform(0), StopSignal.manual());
        return new Start(
                planning.get(0).result(),
                () -> new Problem(planning.stream()
                        .map(phase -> phase.problems().problem(0))
                        .toList()));
    }

    /**
     * Trains on the data.
     *
     * @throws InvalidInputException if the data and the settings do not fit together
     */
    public Fit fit(Dataset data) {
        return fit(data, NO_KEYS);
    }

    /**
     * Trains on the data, with a key for every row: in cross-validation, rows with the same key belong to the same
     * fold.
     *
     * @param keys one key per row, as {@link dev.starling.data.keys.RowKeys} makes them; empty for none
     * @throws InvalidInputException if the data and the settings do not fit together
     */
    public Fit fit(Dataset data, long[] keys) {
        Settings chosen = settingsFor(data);
        return with(chosen).trained(chosen.precision().apply(data), keys);
    }

    private Fit trained(Dataset data, long... keys) {
        long start = System.nanoTime();
        TimeBudget budget = new TimeBudget(settings, 0);
        Network network = network();
        List<TrainingJob> jobs = new ArrayList<>();
        List<Holdout> divided = divided(network, data, keys);
        for (PlanningPhase planning : planningPhases(network, divided)) {
            TrainingListener jobListener = jobs.isEmpty() ? budget.and(listener) : TrainingListener.NONE;
            Optional<Holdout.Held> held = divided.get(jobs.size()).held();
            jobs.add(new TrainingJob(settings, RULES, planning, jobListener, Optional.empty(), held));
        }
        // τ is known once planning has ended, and only communication rounds, which come later, need it.
        Delays delays = new Delays(node -> 1, (from, to) -> jobs.get(to).delay());
        RunReport report = runner.run(network, jobs, delays, signal.or(budget::isSpent));
        double seconds = (System.nanoTime() - start) * 1e-9;
        JobResult result = jobs.get(0).result();
        LinearModel model = result.model(runner.call(() -> Fingerprint.of(data)));
        // All rows are in this process, so areas under curves can be computed exactly.
        List<Dataset> held = divided.stream()
                .flatMap(rows -> rows.held().stream())
                .map(rows -> Holdout.evaluated(model, rows.rows().get()))
                .toList();
        long heldKeys = held.stream().mapToLong(RowKeys::sum).sum();
        return Fit.of(result, model, outcome(result, report), report, seconds)
                .with(result.evaluation().map(byCounts -> Evaluation.of(model, held)), heldKeys);
    }

    private static Fit.Outcome outcome(JobResult result, RunReport report) {
        if (result.isCertified() && result.isComplete()) {
            return Fit.Outcome.CERTIFIED;
        }
        if (report.completed()) {
            return result.isStalled() ? Fit.Outcome.STALLED : Fit.Outcome.EPOCH_LIMIT;
        }
        return Thread.currentThread().isInterrupted() ? Fit.Outcome.INTERRUPTED : Fit.Outcome.STOPPED;
    }

    /**
     * Sets how rows are dealt to the nodes; the default is in turn. Model files do not record it: another way gives
     * other bits of the same optimum.
     */
    public Trainer dealing(Dealing value) {
        return new Trainer(settings, c, nodes, graph, runner, listener, signal, value);
    }

    private Network network() {
        return graph.build(nodes.orElse(1), settings.seed());
    }

    private List<Holdout> divided(Network network, Dataset data, long[] keys) {
        // Nodes know their rows only by their own numbers.
        settings.loss().domain().require(data, 0, data.rows(), settings.loss().name());
        boolean together = keys.length > 0 && settings.keepsKeysTogether();
        List<NodeRows> dealt = runner.call(() -> together
                ? NodeRows.dealtByKey(data, network.size(), keys)
                : NodeRows.dealt(data, dealing.rows(data, network.size(), settings.seed()), keys));
        return dealt.stream().map(rows -> Holdout.of(settings, rows)).toList();
    }

    private List<PlanningPhase> planningPhases(Network network, List<Holdout> divided) {
        SpanningTree tree = network.spanningTree();
        SharedWork shared = new SharedWork();
        List<PlanningPhase> phases = new ArrayList<>();
        for (Holdout rows : divided) {
            Collectives nodes = Collectives.together(tree, phases.size(), network.size(), shared);
            phases.add(new PlanningPhase(settings, RULES, network, nodes, rows.training()));
        }
        return phases;
    }
}
