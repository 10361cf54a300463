package dev.starling;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.Fingerprint;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.Solver.Agreement;
import dev.starling.method.adfs.Tuning;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

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

    private final Loss loss;
    private double lambda = 1e-4;
    private double l1;
    private Method method = Method.AUTO;
    private int nodes = Runtime.getRuntime().availableProcessors();
    private Graph graph = Topology.named("complete")::build;
    private double gap = 1e-6;
    private double maxEpochs = 10_000;
    private double maxSeconds = Double.POSITIVE_INFINITY;
    private long seed = 1;
    private OptionalDouble delay = OptionalDouble.empty();
    private float bias;
    private boolean standardize;
    private Map<Double, Double> classWeights = Map.of();
    private Runner runner = new Threads();
    private TrainingListener listener = TrainingListener.NONE;
    private StopSignal signal = StopSignal.manual();

    private Trainer(Loss loss) {
        this.loss = loss;
    }

    private Trainer(Trainer other) {
        loss = other.loss;
        lambda = other.lambda;
        l1 = other.l1;
        method = other.method;
        nodes = other.nodes;
        graph = other.graph;
        gap = other.gap;
        maxEpochs = other.maxEpochs;
        maxSeconds = other.maxSeconds;
        seed = other.seed;
        delay = other.delay;
        bias = other.bias;
        standardize = other.standardize;
        classWeights = other.classWeights;
        runner = other.runner;
        listener = other.listener;
        signal = other.signal;
    }

    /** A trainer with this loss and defaults: λ = 1e-4, a gap of 1e-6, one node per core, all linked to all. */
    public static Trainer of(Loss loss) {
        return new Trainer(loss);
    }

    /** Logistic regression with defaults. */
    public static Trainer logistic() {
        return of(new Logistic());
    }

    /** The regularisation λ in mean loss + (λ/2)‖θ‖². */
    public Trainer lambda(double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new InvalidInputException("lambda " + value + " must be positive and finite, for example 1e-4");
        }
        Trainer copy = new Trainer(this);
        copy.lambda = value;
        return copy;
    }

    /** The l1 regularisation λ₁ of an elastic net, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; 0 unless told otherwise. */
    public Trainer l1(double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new InvalidInputException("l1 " + value + " must be 0 or more, and finite, for example 1e-4");
        }
        Trainer copy = new Trainer(this);
        copy.l1 = value;
        return copy;
    }

    /** How the optimum is looked for; by default what suits the data, the same on every runtime. */
    public Trainer method(Method value) {
        Trainer copy = new Trainer(this);
        copy.method = value;
        return copy;
    }

    /** The number of nodes the rows are dealt out to. */
    public Trainer nodes(int value) {
        if (value < 1) {
            throw new InvalidInputException(value + " nodes; there must be at least one");
        }
        Trainer copy = new Trainer(this);
        copy.nodes = value;
        return copy;
    }

    /**
     * The graph by name, as {@link Topology#named} takes it: {@code ring}, {@code grid:3x4}. Random ones use the seed.
     */
    public Trainer topology(String name) {
        Topology topology = Topology.named(name);
        Trainer copy = new Trainer(this);
        copy.graph = topology::build;
        return copy;
    }

    /** The graph itself; it has as many nodes as the data are dealt out to. */
    public Trainer network(Network value) {
        Trainer copy = new Trainer(this);
        copy.nodes = value.size();
        copy.graph = (size, anySeed) -> value;
        return copy;
    }

    /** The relative duality gap to reach. */
    public Trainer gap(double value) {
        Trainer copy = new Trainer(this);
        copy.gap = new StoppingRule(value, 1).relativeGap();
        return copy;
    }

    /** Stop after so many proximal steps per sample, certified or not. */
    public Trainer maxEpochs(double value) {
        Trainer copy = new Trainer(this);
        copy.maxEpochs = new StoppingRule(1, value).maxEpochs();
        return copy;
    }

    /** Stop after so many seconds, certified or not. */
    public Trainer maxSeconds(double value) {
        if (!(value > 0)) {
            throw new InvalidInputException("max-seconds " + value + " must be positive");
        }
        Trainer copy = new Trainer(this);
        copy.maxSeconds = value;
        return copy;
    }

    /** The seed of all random choices. */
    public Trainer seed(long value) {
        Trainer copy = new Trainer(this);
        copy.seed = value;
        return copy;
    }

    /** The delay τ of a round, in proximal steps, to tune for; by default what a round costs in shared memory. */
    public Trainer delay(double tau) {
        if (!(tau >= 0) || Double.isInfinite(tau)) {
            throw new InvalidInputException("tau " + tau + " must be 0 or more, and finite");
        }
        Trainer copy = new Trainer(this);
        copy.delay = OptionalDouble.of(tau);
        return copy;
    }

    /**
     * Adds an intercept: the weight of a further feature that has this value in every row, regularised like the others
     * (the larger the value, the less it is).
     */
    public Trainer bias(double value) {
        if (!(value >= 0) || Double.isInfinite((float) value)) {
            throw new InvalidInputException("bias " + value + " must be positive, for example 1, or 0 for none");
        }
        Trainer copy = new Trainer(this);
        copy.bias = (float) value;
        return copy;
    }

    /**
     * Brings features, and in regression the target, to mean 0 and deviation 1 for training. The objective is then that
     * of the standardised problem; the model is given back on the raw features.
     */
    public Trainer standardize(boolean value) {
        Trainer copy = new Trainer(this);
        copy.standardize = value;
        return copy;
    }

    /** Weights by label, which multiply the weights of rows that carry it. */
    public Trainer classWeights(Map<Double, Double> weights) {
        Trainer copy = new Trainer(this);
        copy.classWeights = Map.copyOf(weights);
        return copy;
    }

    /** Who drives the nodes; by default threads of this process. It changes the time taken, not the result. */
    public Trainer runner(Runner value) {
        Trainer copy = new Trainer(this);
        copy.runner = value;
        return copy;
    }

    /** Who hears how training goes. */
    public Trainer listener(TrainingListener value) {
        Trainer copy = new Trainer(this);
        copy.listener = value;
        return copy;
    }

    /** A signal that someone may raise to end training early, as an interrupt of the calling thread does. */
    public Trainer stopSignal(StopSignal value) {
        Trainer copy = new Trainer(this);
        copy.signal = value;
        return copy;
    }

    /** What training on the data would use, without training: the network, the facts, the tuning. */
    public Preparation prepare(Dataset data) {
        Task task = new Task(data);
        return Preparation.of(task.agree(task.problem(0)), gap);
    }

    /**
     * Trains on the data.
     *
     * @throws InvalidInputException if the data and the settings do not fit together
     */
    public Fit fit(Dataset data) {
        long start = System.nanoTime();
        return new Task(data).solve(start);
    }

    /** The data as the settings ask for it, and one problem for each score. */
    private final class Task {
        private final Dataset raw;
        private final Labels labels;
        private final Dataset rows;
        private final Standardizer standardizer;
        private final Network network;

        Task(Dataset data) {
            raw = data;
            labels = loss.isClassification() ? Labels.classification(data) : Labels.regression();
            Dataset prepared = weighted(data);
            if (standardize) {
                Standardizer features = Standardizer.centred(Standardizer.Moments.of(prepared));
                standardizer = labels.isRegression() ? features.withTarget() : features;
                prepared = standardizer.apply(prepared);
            } else {
                standardizer = null;
            }
            if (bias > 0) {
                prepared = prepared.withBias(bias);
            }
            rows = prepared.wellLaidOut();
            network = graph.build(nodes, seed);
        }

        private Dataset weighted(Dataset data) {
            if (classWeights.isEmpty()) {
                return data;
            }
            Map<Double, Double> remaining = new TreeMap<>(classWeights);
            remaining.keySet().removeAll(labels.classes());
            if (!remaining.isEmpty()) {
                throw new InvalidInputException("class weight for label "
                        + remaining.keySet().iterator().next() + ", which no row has; there are: " + labels.classes());
            }
            double[] weights = new double[data.rows()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = data.weight(i) * classWeights.getOrDefault(data.label(i), 1.0);
            }
            return data.withWeights(weights);
        }

        int problems() {
            return labels.classes().size() > 2 ? labels.classes().size() : 1;
        }

        Problem problem(int index) {
            Dataset targets;
            if (labels.isRegression()) {
                targets = rows;
            } else if (labels.isBinary()) {
                targets = labels.binary(rows);
            } else {
                targets = labels.binary(rows, labels.classes().get(index));
            }
            return Problem.deal(targets, loss, lambda, nodes).withRegulariser(Regulariser.elasticNet(lambda, l1));
        }

        Agreement agree(Problem problem) {
            Solver solver = Solver.of(method, loss, problem.regulariser(), rows);
            double tau = delay.orElseGet(
                    () -> Tuning.sharedMemoryDelay(rows.features(), (double) rows.storedValues() / rows.rows()));
            return solver.agree(network, solver.facts(problem), tau);
        }

        Fit solve(long start) {
            StopSignal stop = signal.andAfter(maxSeconds);
            List<Solved> solved = new ArrayList<>();
            for (int index = 0; index < problems(); index++) {
                solved.add(solve(index, stop));
            }
            double seconds = (System.nanoTime() - start) * 1e-9;
            return assemble(solved, seconds);
        }

        private Solved solve(int index, StopSignal stop) {
            Problem problem = problem(index);
            Agreement agreement = agree(problem);
            Preparation preparation = Preparation.of(agreement, gap);
            StoppingRule rule = new StoppingRule(gap, maxEpochs);
            Run run = Run.prepare(problem, agreement, rule, seed, relay(preparation));
            listener.started(index, problems(), preparation, run::epochsOfFirstNode);
            RunReport report = run.run(runner, stop);
            return new Solved(preparation, report, run, rule);
        }

        private CertificateListener relay(Preparation preparation) {
            return (certificate, nextCheck) -> {
                double left = nextCheck == 0
                        ? 0
                        : preparation.tuning().stepsFor(Math.max(1, certificate.relativeGap() / gap));
                listener.certified(certificate, preparation.epochs(left));
            };
        }

        private Fit assemble(List<Solved> solved, double seconds) {
            Certificate whole = solved.get(0).certificate;
            RunReport report = solved.get(0).report;
            for (Solved next : solved.subList(1, solved.size())) {
                whole = whole.plus(next.certificate);
                report = report.then(next.report);
            }
            Fit.Outcome outcome = solved.stream().allMatch(one -> one.met)
                    ? Fit.Outcome.CERTIFIED
                    : report.completed() ? Fit.Outcome.EPOCH_LIMIT : Fit.Outcome.STOPPED;
            return new Fit(
                    model(solved, whole, outcome == Fit.Outcome.CERTIFIED),
                    whole,
                    outcome,
                    solved.stream().map(one -> one.certificate).toList(),
                    solved.stream().map(one -> one.preparation).toList(),
                    solved.stream().mapToLong(one -> one.updates).sum(),
                    report.rounds(),
                    report.bytes(),
                    report.idealisedTime(),
                    seconds);
        }

        private LinearModel model(List<Solved> solved, Certificate whole, boolean certified) {
            int features = raw.features();
            double[][] weights = new double[solved.size()][];
            double[] intercepts = new double[solved.size()];
            for (int k = 0; k < weights.length; k++) {
                double[] parameter = solved.get(k).parameter;
                weights[k] = Arrays.copyOf(parameter, features);
                intercepts[k] = bias > 0 ? bias * parameter[features] : 0;
                if (standardizer != null) {
                    Standardizer.RawModel onRaw = standardizer.toRaw(weights[k], intercepts[k]);
                    weights[k] = onRaw.weights();
                    intercepts[k] = onRaw.intercept();
                }
            }
            Preparation first = solved.get(0).preparation;
            Provenance provenance = new Provenance(
                    Version.current(),
                    settings().toMap(),
                    first.method().lowerCase(),
                    network.recipe(),
                    first.tuning().delay(),
                    whole,
                    certified,
                    Fingerprint.of(raw));
            return new LinearModel(loss.name(), labels.classes(), raw.names(), weights, intercepts, provenance);
        }

        private Settings settings() {
            return new Settings(
                    loss,
                    lambda,
                    l1,
                    method.lowerCase(),
                    gap,
                    maxEpochs,
                    maxSeconds,
                    seed,
                    delay,
                    bias,
                    standardize ? Scaling.STANDARDIZE : Scaling.NONE,
                    classWeights,
                    List.of());
        }
    }

    @FunctionalInterface
    private interface Graph {
        Network build(int nodes, long seed);
    }

    /** One problem's outcome; of the run itself only what outlives it is kept. */
    private static final class Solved {
        private final Preparation preparation;
        private final RunReport report;
        private final Certificate certificate;
        private final double[] parameter;
        private final long updates;
        private final boolean met;

        Solved(Preparation preparation, RunReport report, Run run, StoppingRule rule) {
            this.preparation = preparation;
            this.report = report;
            this.certificate = run.certificate();
            this.parameter = run.parameter();
            this.updates = run.updates();
            this.met = rule.isMet(certificate);
        }
    }
}
