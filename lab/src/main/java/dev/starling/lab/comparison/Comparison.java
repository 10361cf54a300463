package dev.starling.lab.comparison;

import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.variant.Algorithm;
import dev.starling.loss.Loss;
import dev.starling.method.Constant;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs methods on the same rows and graph in idealised time, and measures how far they are from a certified optimum.
 * Immutable: every setting returns a new comparison.
 *
 * <pre>{@code
 * ComparisonResult outcome = Comparison.of(rows, new Logistic(), 1e-4, network, 5)
 *         .methods(List.of("adfs", "msda"))
 *         .gap(1e-6)
 *         .run()
 *         .orElseThrow();                    // empty if it was stopped
 * outcome.methods().get(0).timeTo(1e-4);   // the idealised time that adfs took
 * }</pre>
 *
 * <p>All numbers except wall times are determined by the rows, the graph, the settings and the seeds.
 *
 * <p>It is longer than most classes, because every condition of a comparison has its setting here.
 */
public final class Comparison implements Cloneable {

    /** Without a time limit, methods get this many times the time that theory predicts for ADFS. */
    private static final double PATIENCE = 10;

    private static final double USUAL_GAP = 1e-6;

    /** The regularisation of rows that only try out a method; as small as usual, so that all constants suit them. */
    private static final double SMALL_LAMBDA = 1e-2;

    private final Dataset rows;
    private final Loss loss;
    private final double lambda;
    private final Network network;
    private final Conditions conditions;

    private List<String> methods = List.of("adfs");
    private List<Algorithm> own = List.of();
    private List<Long> seeds = List.of(1L);
    private double l1;
    private Dealing dealing = Dealing.TURNS;
    private OptionalDouble time = OptionalDouble.empty();
    private OptionalDouble gap = OptionalDouble.empty();
    private OptionalDouble gradient = OptionalDouble.empty();
    private Optional<Optimum> reference = Optional.empty();
    private int points = 80;
    private int watchedNodes = WatchedNodes.USUAL;
    private ComparisonListener listener = ComparisonListener.NONE;
    private StopSignal signal = StopSignal.manual();

    private Comparison(Dataset rows, Loss loss, double lambda, Network network, Conditions conditions) {
        this.rows = rows;
        this.loss = loss;
        this.lambda = lambda;
        this.network = network;
        this.conditions = conditions;
    }

    private Comparison with(Consumer<Comparison> change) {
        try {
            Comparison copy = (Comparison) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Creates a comparison on rows whose labels are those that the loss sees (−1 and 1 for a classification loss),
     * which are distributed over the nodes of a network.
     *
     * @param lambda λ of mean loss + (λ/2)‖θ‖²
     * @param delay τ, the time of a message when a proximal step takes 1
     */
    public static Comparison of(Dataset rows, Loss loss, double lambda, Network network, double delay) {
        return of(rows, loss, lambda, network, Conditions.usual(delay));
    }

    /** The same under any conditions. */
    public static Comparison of(Dataset rows, Loss loss, double lambda, Network network, Conditions conditions) {
        conditions.timing().requireWithin(network);
        return new Comparison(rows, loss, lambda, network, conditions);
    }

    /** Sets the methods to run, by name. */
    public Comparison methods(List<String> names) {
        if (names.isEmpty()) {
            throw new InvalidInputException(
                    "no algorithm to compare; there are: " + String.join(", ", ComparedMethods.names()));
        }
        HashSet<String> seen = new HashSet<>();
        for (String name : names) {
            if (!seen.add(named(name).name())) {
                throw new InvalidInputException("algorithm '" + name + "' is listed twice; list each once");
            }
        }
        return with(copy -> copy.methods = List.copyOf(names));
    }

    /** Adds methods that are not among the usual ones, to be named in {@link #methods}. */
    public Comparison own(List<? extends Algorithm> more) {
        return with(copy -> copy.own = List.copyOf(more));
    }

    private Algorithm named(String name) {
        return own.stream()
                .filter(method -> method.name().equals(name))
                .findFirst()
                .orElseGet(() -> ComparedMethods.named(name));
    }

    /** Sets the seeds, each of which gives every method one curve. */
    public Comparison seeds(List<Long> values) {
        if (values.isEmpty() || new HashSet<>(values).size() < values.size()) {
            throw new InvalidInputException("seeds " + values + " must be one or more different numbers");
        }
        return with(copy -> copy.seeds = List.copyOf(values));
    }

    /** Sets λ₁ of an elastic net, mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; the default is 0. */
    public Comparison l1(double value) {
        Regulariser.elasticNet(lambda, value);
        return with(copy -> copy.l1 = value);
    }

    /** Sets how rows are dealt to the nodes, at random with the first seed; the default is in turn. */
    public Comparison dealing(Dealing value) {
        return with(copy -> copy.dealing = value);
    }

    /** Sets the idealised time at which methods are cut off; the default is ten times the predicted time of ADFS. */
    public Comparison time(double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new InvalidInputException("time " + value + " must be positive and finite, for example 5e5");
        }
        return with(copy -> copy.time = OptionalDouble.of(value));
    }

    /** Sets the suboptimality at which a method may stop; the default is 1e-6 unless a time is given. */
    public Comparison gap(double value) {
        if (!(value > 0) || !(value < 1)) {
            throw new InvalidInputException("gap " + value + " must be between 0 and 1, for example 1e-6");
        }
        return with(copy -> copy.gap = OptionalDouble.of(value));
    }

    /**
     * Sets the norm of the objective's gradient, at every watched node, at which a method may stop, instead of a
     * suboptimality. It costs another pass over all rows per node and point.
     */
    public Comparison gradient(double norm) {
        if (!(norm > 0) || Double.isInfinite(norm)) {
            throw new InvalidInputException("gradient " + norm + " must be positive and finite, for example 1e-9");
        }
        if (!loss.isDifferentiable() || l1 > 0) {
            throw new InvalidInputException(
                    "a gradient to stop at, but the objective has kinks, where it has none; stop at a gap instead");
        }
        return with(copy -> copy.gradient = OptionalDouble.of(norm));
    }

    /** Sets the optimum, from an earlier comparison on the same rows, loss and λ; it is computed unless given. */
    public Comparison reference(Optimum known) {
        return with(copy -> copy.reference = Optional.of(known));
    }

    /** Sets the largest number of points of a curve. */
    public Comparison points(int value) {
        if (value < 2) {
            throw new InvalidInputException("points " + value + "; a curve needs at least 2");
        }
        return with(copy -> copy.points = value);
    }

    /**
     * Sets the largest number of nodes over which the suboptimality is averaged; the default is 4. They are spread over
     * the network; each of them costs a pass over all rows of all nodes at every point.
     */
    public Comparison watch(int nodes) {
        if (nodes < 1) {
            throw new InvalidInputException("watch " + nodes + "; at least 1 node must be looked at");
        }
        return with(copy -> copy.watchedNodes = nodes);
    }

    /** Sets the listener that receives progress. */
    public Comparison listener(ComparisonListener value) {
        return with(copy -> copy.listener = value);
    }

    /** Sets a signal that ends the comparison early, with the curves so far. */
    public Comparison stopSignal(StopSignal value) {
        return with(copy -> copy.signal = value);
    }

    /**
     * Rejects what would make every run fail: a method that cannot handle the objective or the network, or too few
     * rows.
     *
     * @throws InvalidInputException if there is such a problem
     */
    public void check() {
        checkMethods(loss, l1, network, conditions, methods.stream().map(this::named));
        Problem.deal(rows, loss, lambda, network.size());
    }

    /**
     * Rejects a method that cannot handle the loss, an l1 term, the network or the conditions, before any rows are
     * read.
     *
     * @throws InvalidInputException if there is one
     */
    public static void checkMethods(
            Loss loss, double l1, Network network, Conditions conditions, List<String> methods) {
        checkMethods(loss, l1, network, conditions, methods.stream().map(ComparedMethods::named));
    }

    private static void checkMethods(
            Loss loss, double l1, Network network, Conditions conditions, Stream<Algorithm> methods) {
        int nodes = network.size();
        float[] values = new float[nodes];
        double[] labels = new double[nodes];
        Arrays.fill(values, 1);
        Arrays.fill(labels, 1);
        Problem small = Problem.deal(Dataset.dense(1, values, labels), loss, SMALL_LAMBDA, nodes)
                .withRegulariser(Regulariser.elasticNet(SMALL_LAMBDA, l1));
        methods.forEach(method -> conditions.programs(method, small, network, 1));
    }

    /** Every node's part of the objective. */
    public List<OwnMethod.Part> parts() {
        return problem().nodes().stream()
                .map(Conditioning::of)
                .map(node -> new OwnMethod.Part(node.sigma(), node.curvature()))
                .toList();
    }

    /** Runs the comparison; empty if it was stopped before the optimum was known. */
    public Optional<ComparisonResult> run() {
        check();
        Optimum optimum = reference.orElseGet(() -> Optimum.of(rows, loss, lambda, l1, signal));
        if (signal.isRaised()) {
            return Optional.empty();
        }
        Problem problem = problem();
        double limit = time.isPresent() ? time.getAsDouble() : PATIENCE * predictedTime(problem);
        Goal goal = new Goal(gap.orElse(time.isPresent() ? 0 : USUAL_GAP), gradient);
        listener.begun(optimum, methods.size() * seeds.size());
        ComparisonSetup setup = new ComparisonSetup(
                problem, network, conditions, optimum, limit, goal, points, watchedNodes, listener, signal);
        return Optional.of(outcome(setup, optimum, limit));
    }

    /**
     * Like {@link Problem#deal}, but every node's rows are contiguous in memory, which makes the simulation of many
     * nodes faster.
     */
    private Problem problem() {
        return new Problem(Arrays.stream(dealing.rows(rows, network.size(), seeds.get(0)))
                .map(rows::picked)
                .map(own -> LocalProblem.of(own, loss, lambda))
                .map(own -> own.withRegulariser(Regulariser.elasticNet(lambda, l1)))
                .toList());
    }

    /** What the split of the rows over the nodes is, in the numbers on which rates depend. */
    public List<Constant> split(Optimum optimum) {
        double[] theta =
                optimum.parameter().stream().mapToDouble(Double::doubleValue).toArray();
        return Split.of(problem(), network, theta, "at the optimum");
    }

    private double predictedTime(Problem problem) {
        List<Conditioning> facts =
                problem.nodes().parallelStream().map(Conditioning::of).toList();
        Timing timing = conditions.timing();
        StepForecast pace = loss.hasBoundedCurvature() && problem.regulariser().isSmooth()
                ? Tuning.of(network, facts, timing.delay())
                : NonSmoothTuning.of(network, facts, timing.delay());
        double step = timing.nodes().values().stream().reduce(1.0, Math::max);
        double message = timing.edges().values().stream().reduce(timing.delay(), Math::max);
        // Near the optimum, the gradient's norm is of the order of the root of the suboptimality.
        double target = gradient.isPresent()
                ? Math.min(USUAL_GAP, gradient.getAsDouble() * gradient.getAsDouble())
                : gap.orElse(USUAL_GAP);
        return pace.stepsFor(1 / target)
                * (step * pace.computationProbability() + message * pace.communicationProbability());
    }

    private ComparisonResult outcome(ComparisonSetup setup, Optimum optimum, double limit) {
        ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<List<Future<Optional<Curve>>>> running = new ArrayList<>();
            for (String method : methods) {
                List<Future<Optional<Curve>>> curves = new ArrayList<>();
                seeds.forEach(seed -> curves.add(pool.submit(() -> setup.run(named(method), seed))));
                running.add(curves);
            }
            List<MethodResult> results = new ArrayList<>();
            boolean complete = true;
            for (int k = 0; k < methods.size(); k++) {
                List<Curve> curves = new ArrayList<>();
                for (Future<Optional<Curve>> curve : running.get(k)) {
                    get(curve).ifPresent(curves::add);
                }
                if (!curves.isEmpty()) {
                    results.add(new MethodResult(methods.get(k), curves));
                }
                complete &= curves.size() == seeds.size()
                        && curves.stream().noneMatch(curve -> curve.end() == Curve.End.STOPPED);
            }
            return new ComparisonResult(optimum, limit, results, complete);
        } finally {
            pool.shutdownNow();
        }
    }

    private <T> T get(Future<T> future) {
        while (true) {
            try {
                return future.get();
            } catch (InterruptedException e) {
                // Treated like the signal: the curves so far are still wanted.
                signal.request();
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
