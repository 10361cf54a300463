package dev.starling;

import dev.starling.data.Dataset;
import dev.starling.data.Fingerprint;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Evaluation;
import dev.starling.job.Agreement;
import dev.starling.job.ClassWeighting;
import dev.starling.job.Folds;
import dev.starling.job.Holdout;
import dev.starling.job.JobResult;
import dev.starling.job.JobRules;
import dev.starling.job.LambdaPath;
import dev.starling.job.NodeRows;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Trains linear models to a certified gap. Immutable: every setting gives a new trainer.
 *
 * <pre>{@code
 * Dataset data = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Fit fit = Trainer.of(new Logistic()).lambda(1e-4).nodes(4).topology("ring").gap(1e-6).fit(data);
 * fit.gap();                      // at most 1e-6, proven
 * fit.model().predict(data, 0);   // the label of the first row
 * }</pre>
 *
 * <p>The objective is mean loss + (λ/2)‖θ‖². With weights, the mean is the weighted one, so that a row of weight 2
 * counts like two rows. The result is a function of the data, these settings and the seed, whatever the runner and the
 * machine.
 */
public final class Trainer {

    /** Nodes that rows are dealt out to unless told otherwise, where there are as many rows. */
    public static final int DEFAULT_NODES = 4;

    /** How many values of λ to choose from unless told otherwise. */
    public static final String USUAL_PATH = "50";

    private static final Set<String> ALWAYS_SHOWN = Set.of("loss", "lambda", "gap");

    private static final long[] NO_KEYS = {};

    private static final JobRules RULES = JobRules.inMemory();

    private final Settings settings;
    private final OptionalInt nodes;
    private final Graph graph;
    private final Runner runner;
    private final TrainingListener listener;
    private final StopSignal signal;

    @FunctionalInterface
    private interface Graph {
        Network build(int nodes, long seed);
    }

    private Trainer(
            Settings settings,
            OptionalInt nodes,
            Graph graph,
            Runner runner,
            TrainingListener listener,
            StopSignal signal) {
        this.settings = settings;
        this.nodes = nodes;
        this.graph = graph;
        this.runner = runner;
        this.listener = listener;
        this.signal = signal;
    }

    /** A trainer with these settings, on {@value #DEFAULT_NODES} nodes that are all linked to all. */
    public static Trainer of(Settings settings) {
        return new Trainer(
                settings,
                OptionalInt.empty(),
                Topology.named("complete")::build,
                new Threads(),
                TrainingListener.NONE,
                StopSignal.manual());
    }

    /** A trainer with this loss and defaults: λ = 1e-4, a gap of 1e-6, {@value #DEFAULT_NODES} nodes. */
    public static Trainer of(Loss loss) {
        return of(Settings.of(loss));
    }

    /** Logistic regression with defaults. */
    public static Trainer logistic() {
        return of(new Logistic());
    }

    private Trainer with(Settings value) {
        return new Trainer(value, nodes, graph, runner, listener, signal);
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
        return text.append(nodes.isPresent() ? nodes.getAsInt() + " nodes]" : "nodes by default]")
                .toString();
    }

    /** The settings so far. */
    public Settings settings() {
        return settings;
    }

    /** The regularisation λ in mean loss + (λ/2)‖θ‖². */
    public Trainer lambda(double value) {
        return with(settings.withLambda(value));
    }

    /** The l1 regularisation λ₁ of an elastic net, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; 0 unless told otherwise. */
    public Trainer l1(double value) {
        return with(settings.withL1(value));
    }

    /**
     * A path of λ instead of one: {@code "50"} for that many values, from the λ that leaves no weight to a ten
     * thousandth of it, or the values themselves, {@code "1e-2,1e-3"}. Each begins where the last ended and is
     * certified; the model is that of the smallest λ and holds them {@linkplain LinearModel#path all}.
     *
     * @param l1Ratios the shares r of the l1 term, λ₁ = λ r/(1 − r): {@code "0.5"}, {@code "1"} for a lasso, whose
     *     values are those of λ₁ and whose λ is 0; several with commas between them, or blank for no such term
     */
    public Trainer lambdaPath(String values, String l1Ratios) {
        return with(settings.withPath(
                LambdaPath.of(values, l1Ratios).with(settings.path().folds())));
    }

    /**
     * Chooses one λ of the path, or of {@value #USUAL_PATH} values where there is none, by cross-validation: the model
     * is that λ's, trained on all rows, and its {@linkplain dev.starling.model.Provenance#validation provenance} says
     * how all of them did.
     *
     * @param folds how rows are divided, {@code Folds.of("10", "", "min")}
     */
    public Trainer crossValidation(Folds folds) {
        LambdaPath path = settings.path();
        boolean open = folds.isPresent() && !path.isPresent();
        return with(settings.withPath((open ? LambdaPath.of(USUAL_PATH, "") : path).with(folds)));
    }

    /**
     * How the optimum is looked for, by a name of {@link dev.starling.method.Methods#names}; by default what suits the
     * data, the same on every runtime.
     */
    public Trainer method(String name) {
        return with(settings.withMethod(name));
    }

    /** The number of nodes the rows are dealt out to. */
    public Trainer nodes(int value) {
        if (value < 1) {
            throw new InvalidInputException(value + " nodes; there must be at least one");
        }
        return new Trainer(settings, OptionalInt.of(value), graph, runner, listener, signal);
    }

    /**
     * The graph by name, as {@link Topology#named} takes it: {@code ring}, {@code grid:3x4}. Random ones use the seed.
     */
    public Trainer topology(String name) {
        Topology topology = Topology.named(name);
        return new Trainer(settings, nodes, topology::build, runner, listener, signal);
    }

    /** The graph itself; it has as many nodes as the data are dealt out to. */
    public Trainer network(Network value) {
        return new Trainer(settings, OptionalInt.of(value.size()), (size, anySeed) -> value, runner, listener, signal);
    }

    /** The relative duality gap to reach. */
    public Trainer gap(double value) {
        return with(settings.withGap(value));
    }

    /** Stop after this many passes over the samples, certified or not. */
    public Trainer maxEpochs(double value) {
        return with(settings.withMaxEpochs(value));
    }

    /** Stop after this many seconds, certified or not; classes share them. */
    public Trainer maxSeconds(double value) {
        return with(settings.withMaxSeconds(value));
    }

    /** The seed of all random choices. */
    public Trainer seed(long value) {
        return with(settings.withSeed(value));
    }

    /** The delay τ of a round, in proximal steps, to tune for; by default what a round costs in shared memory. */
    public Trainer delay(double tau) {
        return with(settings.withDelay(OptionalDouble.of(tau)));
    }

    /**
     * Adds an intercept: the weight of a further feature that has this value in every row, regularised like the others
     * (the larger the value, the less it is).
     */
    public Trainer bias(double value) {
        return with(settings.withBias(value));
    }

    /** Adds an intercept that is not regularised; not together with a {@link #bias}. */
    public Trainer intercept(boolean value) {
        return with(settings.withIntercept(value));
    }

    /**
     * Brings features, and in regression the target, to deviation 1 for training, and dense rows to mean 0. The
     * objective is then that of the standardised problem; the model is given back on the raw features.
     */
    public Trainer standardize(boolean value) {
        return scaling(value ? Scaling.STANDARDIZE : Scaling.NONE);
    }

    /** How features are scaled for training. */
    public Trainer scaling(Scaling value) {
        return with(settings.withScaling(value));
    }

    /** Weights by label, which multiply the weights of rows that carry it. */
    public Trainer classWeights(Map<Double, Double> weights) {
        return classWeights(ClassWeighting.of(weights));
    }

    /** How much rows weigh by their class; {@link ClassWeighting#BALANCED} has all classes weigh the same. */
    public Trainer classWeights(ClassWeighting value) {
        return with(settings.withClassWeights(value));
    }

    /**
     * The part of rows that are kept from training, to judge the model by; none unless told otherwise. What a row says
     * and the seed decide whether it is.
     */
    public Trainer holdout(double part) {
        return with(settings.withHoldout(part));
    }

    /** Who drives the nodes; by default threads of this process. It changes the time taken, not the result. */
    public Trainer runner(Runner value) {
        return new Trainer(settings, nodes, graph, value, listener, signal);
    }

    /** Who hears how training goes. */
    public Trainer listener(TrainingListener value) {
        return new Trainer(settings, nodes, graph, runner, value, signal);
    }

    /** A signal that someone may raise to end training early, as an interrupt of the calling thread does. */
    public Trainer stopSignal(StopSignal value) {
        return new Trainer(settings, nodes, graph, runner, listener, value);
    }

    /** What training on the data would use, without training: the network, the facts, the method with its constants. */
    public TrainingPlan prepare(Dataset data) {
        return prepare(data, NO_KEYS);
    }

    /** The same for rows with keys, as {@link #fit(Dataset, long[])} takes them. */
    public TrainingPlan prepare(Dataset data, long[] keys) {
        Network network = network(data);
        List<Agreement> agreements = agreements(network, divided(network, data, keys));
        new Simulator().run(network, agreements, Delays.uniform(0), StopSignal.manual());
        return agreements.get(0).result();
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
     * Trains on the data, whose rows come with keys: those with the same one are in the same fold.
     *
     * @param keys one for every row, as {@link dev.starling.data.RowKeys} makes them; or none
     * @throws InvalidInputException if the data and the settings do not fit together
     */
    public Fit fit(Dataset data, long[] keys) {
        long start = System.nanoTime();
        TimeBudget budget = new TimeBudget(settings.maxSeconds());
        Network network = network(data);
        List<TrainingJob> jobs = new ArrayList<>();
        List<Holdout> divided = divided(network, data, keys);
        for (Agreement agreement : agreements(network, divided)) {
            TrainingListener hears = jobs.isEmpty() ? budget.and(listener) : TrainingListener.NONE;
            Optional<Holdout.Held> held = divided.get(jobs.size()).held();
            jobs.add(new TrainingJob(settings, RULES, agreement, hears, Optional.empty(), held));
        }
        // τ is known once the nodes have agreed, and needed for rounds only, which come later.
        Delays delays = new Delays(node -> 1, (from, to) -> jobs.get(to).delay());
        RunReport report = runner.run(network, jobs, delays, signal.or(budget::isSpent));
        double seconds = (System.nanoTime() - start) * 1e-9;
        JobResult result = jobs.get(0).result();
        LinearModel model = result.model(Fingerprint.of(data));
        // Areas under curves are known exactly here, where all rows are.
        List<Dataset> held = divided.stream()
                .flatMap(rows -> rows.held().stream())
                .map(rows -> Holdout.judged(model, rows.rows().get()))
                .toList();
        return Fit.of(result, model, outcome(result, report), report, seconds)
                .with(result.judgement().map(byCounts -> Evaluation.of(model, held)));
    }

    private static Fit.Outcome outcome(JobResult result, RunReport report) {
        if (result.isCertified()) {
            return Fit.Outcome.CERTIFIED;
        }
        if (report.completed()) {
            return result.isStalled() ? Fit.Outcome.STALLED : Fit.Outcome.EPOCH_LIMIT;
        }
        return Thread.currentThread().isInterrupted() ? Fit.Outcome.INTERRUPTED : Fit.Outcome.STOPPED;
    }

    private Network network(Dataset data) {
        return graph.build(nodes.orElse(Math.min(DEFAULT_NODES, Math.max(1, data.rows()))), settings.seed());
    }

    private List<Holdout> divided(Network network, Dataset data, long[] keys) {
        return NodeRows.dealt(data, network.size(), keys).stream()
                .map(rows -> Holdout.of(settings, rows))
                .toList();
    }

    private List<Agreement> agreements(Network network, List<Holdout> divided) {
        SpanningTree tree = network.spanningTree();
        SharedWork shared = new SharedWork();
        List<Agreement> agreements = new ArrayList<>();
        for (Holdout rows : divided) {
            Collectives nodes = Collectives.together(tree, agreements.size(), network.size(), shared);
            agreements.add(new Agreement(settings, RULES, network, nodes, rows.training()));
        }
        return agreements;
    }
}
