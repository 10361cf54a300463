package dev.starling.job;

import dev.starling.cores.NewCode;
import dev.starling.data.Dataset;
import dev.starling.job.folds.HeldOutScores;
import dev.starling.job.folds.NodeFolds;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SharedWork;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.problem.RowBounds;
import dev.starling.settings.LambdaPath;
import java.util.List;
import java.util.Optional;

/** This node's part of each problem of a job, and the method that solves it. */
public final class Problems {

    private final Agreement agreement;
    private final Network network;
    private final Collectives nodes;
    private final NodeRows rows;
    private final Optional<NodeFolds> folds;
    private final SharedWork prepared;
    private RowBounds bounds;

    /**
     * Creates the problems.
     *
     * @param rows this node's rows in the units of problems, all of them finished
     */
    Problems(Agreement agreement, Network network, Collectives nodes, NodeRows rows, Optional<NodeFolds> folds) {
        this(agreement, network, nodes, rows, folds, new SharedWork());
    }

    private Problems(
            Agreement agreement,
            Network network,
            Collectives nodes,
            NodeRows rows,
            Optional<NodeFolds> folds,
            SharedWork prepared) {
        this.agreement = agreement;
        this.network = network;
        this.nodes = nodes;
        this.rows = rows;
        this.folds = folds;
        this.prepared = prepared;
    }

    /** The same problems for other values of λ. */
    Problems withPoints(List<LambdaPath.Point> points) {
        return new Problems(agreement.withPoints(points), network, nodes, rows, folds, prepared);
    }

    Agreement agreement() {
        return agreement;
    }

    /** A number for each of this node's rows, which says what rows belong together; empty if nothing does. */
    long[] keys() {
        return rows.keys();
    }

    /** The number of this node's samples. */
    int samples() {
        return rows.count();
    }

    /**
     * This node's part of a problem: its rows, without those of a fold if the problem leaves one out, with the labels
     * of one class.
     */
    public LocalProblem problem(int index) {
        LocalProblem whole = wholeProblem(index);
        int fold = agreement.order().fold(index);
        return fold < 0
                ? whole
                : folds.orElseThrow()
                        .without(fold, whole, agreement.penalties(index).lambda());
    }

    private LocalProblem wholeProblem(int index) {
        int label = agreement.order().label(index);
        Dataset targets = prepared.once(
                "targets " + label,
                () -> agreement.targets(prepared.once("rows", () -> agreement.prepared(rows.data())), label));
        LambdaPath.Point point = agreement.penalties(index);
        LocalProblem whole = LocalProblem.of(targets, agreement.settings().loss(), point.lambda())
                .withRegulariser(Regulariser.elasticNet(point.lambda(), point.l1()))
                .withIntercept(agreement.settings().intercept())
                .withGroups(rows.keys());
        return whole.withBounds(() -> bounds(whole));
    }

    /** Bounds on the rows, which are the same for every λ and class. */
    private RowBounds bounds(LocalProblem whole) {
        bounds = bounds == null ? whole.bounds() : bounds;
        return bounds;
    }

    /** Drops rows that no later problem needs. */
    void forget(int index) {
        ProblemOrder order = agreement.order();
        if (order.folds() == 0 && index + order.classes() >= order.all()) {
            prepared.forget("targets " + order.label(index));
        }
    }

    /** The method for a point of the path. */
    Method method(int point) {
        return method(agreement.points().get(point));
    }

    /** The method for a λ and λ₁. */
    Method method(LambdaPath.Point point) {
        return method(point, nodes.size());
    }

    private Method method(LambdaPath.Point point, int size) {
        Method method =
                Methods.chosen(agreement.settings().method(), agreement.objective(point), agreement.shape(), size);
        if (rows.data().hasOffsets()) {
            Methods.requireTakesOffsets(
                    method, agreement.settings().loss(), agreement.order().classes());
        }
        return method;
    }

    /**
     * The sums that the method of a problem has announced; where nodes have different owners, they add up no others.
     */
    public List<TrainingSum> announced(int index) {
        int point = agreement.order().point(index);
        return method(point).trainingSums(agreement.objective(point), agreement.shape());
    }

    /** Gathers the facts of all nodes for a point of the path. */
    Phase<double[]> gatherFacts(int point) {
        return nodes.gather(
                () -> {
                    requireAllowed(method(point));
                    return NewCode.call(() -> ownFacts(point, method(point))).encode();
                },
                Facts.length(method(point).factCount()));
    }

    private void requireAllowed(Method method) {
        if (method.tellsMoreThanSums()) {
            nodes.guard().requireConsent(method.name());
        } else {
            int parameters =
                    agreement.settings().loss().parameters(agreement.shape().features());
            nodes.guard().limits().requireGradients(agreement.order().all(), parameters);
        }
    }

    private Facts ownFacts(int point, Method method) {
        LocalProblem first = problem(agreement.order().first(point));
        return Facts.of(first, method.facts(first));
    }

    /** The facts of all nodes, as gathered. */
    List<Facts> facts(int point, double[] gathered) {
        List<Facts> facts = nodes.shared()
                .once(
                        "facts " + point,
                        () -> Facts.decode(nodes.byNode(gathered), method(point).factCount(), network));
        requireSigned(point, facts);
        return facts;
    }

    /** The facts passed through other nodes, so they are compared with what each node has signed. */
    private void requireSigned(int point, List<Facts> facts) {
        Units units = agreement.units();
        double lambda = units.penalties(agreement.points().get(point)).lambda();
        boolean weighed = agreement.settings().classWeights().isPresent();
        for (int other = 0; other < facts.size(); other++) {
            Facts theirs = facts.get(other);
            double weight = weighed ? Double.NaN : units.rawWeight(theirs.weight());
            nodes.guard().requireSaid(other, theirs.samples(), weight);
            theirs.requireSigma(lambda, other);
        }
    }

    /** The plan for the problems of all rows at a point of the path. */
    TrainingPlan plan(int point, List<Facts> facts, double delay) {
        return tuned(agreement.order().first(point), facts, delay);
    }

    /** The plan for a problem that leaves out a fold. */
    TrainingPlan planWithout(int index, double delay) {
        List<Facts> others = folds.orElseThrow()
                .without(
                        agreement.order().fold(index),
                        agreement.penalties(index).lambda());
        return tuned(index, others, delay);
    }

    private TrainingPlan tuned(int index, List<Facts> facts, double delay) {
        int point = agreement.order().point(index);
        Tuned tuned = nodes.shared()
                .once(
                        "tuned " + index / agreement.order().classes(),
                        () -> method(point).tune(network, agreement.objective(point), agreement.shape(), facts, delay));
        return new TrainingPlan(
                network, agreement.shape(), facts, tuned, agreement.settings().gap());
    }

    /**
     * The method tuned for this node alone, to measure the time of a step before the delay is known.
     *
     * @param size the number of nodes that are to use the method, on which the choice of one may depend
     */
    public Tuned tunedAlone(int size) {
        Network alone = Network.of(1, new int[0][]);
        Method method = method(agreement.points().get(0), size);
        return method.tune(alone, agreement.objective(0), agreement.shape(), List.of(ownFacts(0, method)), 1);
    }

    /** Creates empty scores on held-out rows. */
    HeldOutScores heldOut() {
        return folds.orElseThrow()
                .heldOut(
                        agreement.points().size(),
                        !agreement.labels().isRegression(),
                        agreement.targetUnit(),
                        agreement.units());
    }
}
