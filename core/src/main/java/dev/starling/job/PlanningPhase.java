package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.data.Standardizer.Moments;
import dev.starling.loss.Loss;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.node.Answer;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.SharedWork;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.problem.Rounding;
import dev.starling.problem.RowBounds;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.List;
import java.util.Optional;

/**
 * The first phase of a job at one node: nodes agree on labels and layout, on scales, on the path of λ if it is computed
 * from the data, on facts about their rows and on the delay, and tune the method. It ends with the plan for the first
 * λ; {@link #problem} then gives this node's part of each problem.
 */
public final class PlanningPhase extends Sequence<TrainingPlan> {

    private final JobRules rules;
    private final Network network;
    private final SharedWork shared;
    private final Collectives nodes;

    /**
     * If class weights are balanced, the actual weights replace that setting once they are known; likewise the loss
     * becomes that for the number of classes.
     */
    private Settings settings;

    private NodeRows raw;
    private RowSummary summary;
    private Labels labels;
    private Optional<Standardizer> standardizer = Optional.empty();
    private Shape shape;
    private PreparedRows prepared;
    private List<LambdaPath.Point> points;
    private double steepest;
    private Optional<NodeFolds> folds = Optional.empty();
    private List<Facts> facts = List.of();
    private RowBounds bounds;

    /**
     * Creates the phase.
     *
     * @param nodes this node's collectives
     * @param rows this node's rows
     */
    public PlanningPhase(Settings settings, JobRules rules, Network network, Collectives nodes, NodeRows rows) {
        super(rows.owner(nodes.node()));
        this.settings = settings;
        this.rules = rules;
        this.network = network;
        this.nodes = nodes;
        this.raw = rows;
        // With this stride, the nodes of the process share one dataset, so they can share the work on it.
        this.shared = rows.stride() == nodes.size() ? nodes.shared() : new SharedWork();
        this.points = List.of(new LambdaPath.Point(settings.lambda(), settings.l1()));
    }

    @Override
    protected Step<?> begin() {
        return next(
                "rows",
                nodes.fold(
                        () -> ownSummary().encode(),
                        (one, other) -> RowSummary.decode(one)
                                .merge(RowSummary.decode(other))
                                .encode(),
                        RowSummary.LONGEST),
                this::agreeOnLabels);
    }

    private RowSummary ownSummary() {
        Loss loss = settings.loss();
        RowSummary own = RowSummary.of(raw, nodes.node(), loss.isClassification());
        loss.domain().require(raw.data(), raw.first(), raw.data().rows(), raw.stride(), loss.name());
        folds();
        AgreedLabels.requireListed(settings, own);
        return own;
    }

    /** Made before anything else, so that what this node's rules refuse is refused before anything leaves the node. */
    private Optional<NodeFolds> folds() {
        if (settings.folds().isPresent() && folds.isEmpty()) {
            folds = Optional.of(new NodeFolds(settings, raw, nodes));
        }
        return folds;
    }

    private Step<?> agreeOnLabels(double[] all) {
        summary = RowSummary.decode(all);
        summary.requireWidth(rules);
        labels = AgreedLabels.of(settings, rules, summary);
        settings = settings.with(
                Setting.LOSS, settings.loss().forClasses(labels.classes().size()));
        if (!nodes.guard().isBetweenOwners()) {
            return balanceClasses();
        }
        int numbers = ColumnPresence.length(summary.widest(), labels);
        return next(
                ColumnPresence.KIND,
                nodes.sum(
                        SumRequest.overAll(SumKind.PRESENCE, ColumnPresence.KIND, raw.count(), numbers),
                        () -> ColumnPresence.of(raw, summary.widest(), labels)),
                present -> balanceClasses());
    }

    private Step<?> balanceClasses() {
        if (!settings.classWeights().balanced()) {
            return completeRows();
        }
        int classes = labels.classes().size();
        return next(
                "classes",
                nodes.sum(
                        SumRequest.overAll(SumKind.COUNTS, "classes", raw.count(), classes),
                        () -> raw.weightByClass(labels)),
                totals -> {
                    settings = settings.withClassWeights(ClassWeighting.balancing(labels, totals));
                    return completeRows();
                });
    }

    /** Comes after {@link ColumnPresence}, once it is known that no column belongs to one node alone. */
    private Step<?> completeRows() {
        return raw.unfinished().isEmpty()
                ? countValues()
                : next("finish", new RowCompletionPhase(nodes, raw), passed -> countValues());
    }

    private Step<?> countValues() {
        return next(
                "values",
                nodes.sum(
                        SumRequest.overAll(SumKind.COUNTS, "values", raw.count(), 2),
                        () -> RowSummary.values(raw.finished())),
                this::gatherMoments);
    }

    private Step<?> gatherMoments(double[] values) {
        raw = raw.finished();
        summary = summary.with(values);
        if (!settings.gathersMoments()) {
            return layOut();
        }
        return next(
                "means",
                nodes.sum(
                        SumRequest.overAll(SumKind.COLUMNS, "means", raw.count(), summary.widest() + 2),
                        () -> Moments.sums(wide(), raw.first(), raw.stride())),
                this::gatherDeviations);
    }

    private Dataset wide() {
        return raw.data().withFeatures(summary.widest());
    }

    private Step<?> gatherDeviations(double[] totals) {
        double[] means = Moments.means(totals);
        return next(
                "deviations",
                nodes.sum(
                        SumRequest.atPoint(SumKind.COLUMNS, 0, 1, means, raw.count(), means.length)
                                .named("deviations"),
                        () -> Moments.squares(wide(), raw.first(), raw.stride(), means)),
                squares -> chooseScales(Moments.of(summary.rows(), means, squares)));
    }

    private boolean isCentred() {
        return settings.scales() && settings.scaling().centres(summary.isDense());
    }

    private Step<?> chooseScales(Moments moments) {
        Standardizer chosen = settings.scales()
                ? settings.scaling()
                        .standardizer(
                                moments, isCentred(), settings.loss().domain().isScalable())
                : Standardizer.identity(moments.features());
        chosen = mayMoveFeatures() ? chosen.withFarFeaturesMoved(moments) : chosen;
        standardizer = settings.scales() || !chosen.isIdentity() ? Optional.of(chosen) : Optional.empty();
        return layOut();
    }

    /** The origins end up in the intercept, and what is lost there to rounding must be bounded. */
    private boolean mayMoveFeatures() {
        double beta = settings.loss().smoothness();
        return settings.intercept() && Math.min(beta, Rounding.steepest(settings.loss())) < Double.POSITIVE_INFINITY;
    }

    private Step<?> layOut() {
        shape = summary.shape(isCentred(), settings.constantFeature() > 0);
        prepared = new PreparedRows(settings, labels, standardizer, shape.dense());
        folds().ifPresent(own -> own.require(
                summary.rows(),
                settings.path().examples().stream().map(this::method).toList()));
        if (settings.path().count() > 0) {
            return slopes(0);
        }
        points = settings.path().isPresent()
                ? settings.path().points(0, settings.folds().isPresent())
                : points;
        return next("facts", gatherFacts(0), this::compareFacts);
    }

    /**
     * The path of λ starts at a value that follows from the steepest slope of any class at the point where all weights
     * are 0.
     */
    private Step<?> slopes(int index) {
        SlopesAtZero sums = new SlopesAtZero(nodes.of(index, order().all()), () -> problem(index));
        return settings.intercept()
                ? next("labels " + index, sums.labels(), totals -> slopes(index, sums, sums.intercept(totals)))
                : slopes(index, sums, 0);
    }

    private Step<?> slopes(int index, SlopesAtZero sums, double intercept) {
        return next("slopes " + index, sums.slopes(intercept), totals -> {
            steepest = Math.max(steepest, sums.steepest(totals));
            if (index + 1 < order().classes()) {
                return slopes(index + 1);
            }
            points = settings.path().points(steepest, settings.folds().isPresent());
            return next("facts", gatherFacts(0), this::compareFacts);
        });
    }

    /** Gathers the facts of all nodes for a λ of the path. */
    Phase<double[]> gatherFacts(int point) {
        return nodes.gather(() -> ownFacts(point), Facts.length(method(point).factCount()));
    }

    private Method method(int point) {
        return method(points.get(point));
    }

    private Method method(LambdaPath.Point point) {
        Method method = Methods.chosen(settings.method(), settings.objective(point), shape);
        if (raw.data().hasOffsets()) {
            Methods.requireTakesOffsets(method, settings.loss(), order().classes());
        }
        return method;
    }

    private double[] ownFacts(int point) {
        Method method = method(point);
        if (method.tellsMoreThanSums()) {
            nodes.guard().requireConsent(method.name());
        } else {
            nodes.guard().limits().requireGradients(order().all(), outputs() * shape.features());
        }
        LocalProblem first = problem(order().first(point));
        return Facts.of(first, method.facts(first)).encode();
    }

    private void takeFacts(int point, double[] gathered) {
        facts = shared.once(
                "facts " + point,
                () -> Facts.decode(nodes.byNode(gathered), method(point).factCount(), network));
        requireSignedFacts(point);
    }

    private Step<?> compareFacts(double[] gathered) {
        takeFacts(0, gathered);
        if (folds().isEmpty()) {
            return tune();
        }
        NodeFolds own = folds.get();
        return next(NodeFolds.KIND, nodes.sum(own.request(labels), () -> own.addend(problem(0), raw, labels)), sums -> {
            own.known(sums, facts, labels);
            return tune();
        });
    }

    private Step<?> tune() {
        if (settings.delay().isPresent() || rules.delay().isPresent()) {
            double delay =
                    settings.delay().orElseGet(() -> rules.delay().orElseThrow().applyAsDouble(shape));
            return done(tuned(0, delay));
        }
        return next(
                "measured",
                new Answer(MeasuredDelay.QUESTION),
                own -> next("slowest", nodes.max(() -> own, 2), all -> done(tuned(0, MeasuredDelay.of(all)))));
    }

    /** The plan for a later λ of the path. */
    TrainingPlan plan(int point, double[] gathered) {
        takeFacts(point, gathered);
        return tuned(point, result().method().forecast().delay());
    }

    /** The facts passed through other nodes, so they are compared with what each node has signed. */
    private void requireSignedFacts(int point) {
        boolean weighed = settings.classWeights().isPresent();
        for (int other = 0; other < facts.size(); other++) {
            Facts theirs = facts.get(other);
            nodes.guard().requireSaid(other, theirs.samples(), weighed ? Double.NaN : theirs.weight());
            theirs.requireSigma(points.get(point).lambda(), other);
        }
    }

    private TrainingPlan tuned(int point, double delay) {
        return tuned(order().first(point), facts, delay);
    }

    private TrainingPlan tuned(int index, List<Facts> known, double delay) {
        int point = order().point(index);
        Tuned tuned = shared.once(
                "tuned " + index / order().classes(),
                () -> method(point).tune(network, settings.objective(points.get(point)), shape, known, delay));
        return new TrainingPlan(network, shape, known, tuned, settings.gap());
    }

    /** The plan for a problem that leaves out a fold. */
    TrainingPlan planWithout(int index) {
        List<Facts> others =
                folds().orElseThrow().without(order().fold(index), point(index).lambda());
        return tuned(index, others, result().method().forecast().delay());
    }

    /**
     * The sums that the method of a problem has announced; where nodes have different owners, they add up no others.
     */
    public List<TrainingSum> announced(int index) {
        return method(order().point(index)).trainingSums(settings.objective(point(index)), shape);
    }

    /** The order of all problems; known as soon as the classes are. */
    ProblemOrder order() {
        return new ProblemOrder(
                labels.classes().size() > 2 && outputs() == 1 ? labels.classes().size() : 1,
                settings.path().isPresent() ? settings.path().size() : 1,
                folds().map(NodeFolds::count).orElse(0));
    }

    /** The number of margins of a row in each problem; known as soon as the classes are. */
    int outputs() {
        return settings.loss().outputs();
    }

    /** λ and λ₁ of a problem. */
    LambdaPath.Point point(int index) {
        return points.get(order().point(index));
    }

    /**
     * This node's part of a problem: its rows, without those of a fold if the problem leaves one out, with the labels
     * of one class.
     */
    public LocalProblem problem(int index) {
        LocalProblem whole = wholeProblem(index);
        int fold = order().fold(index);
        return fold < 0
                ? whole
                : folds().orElseThrow().without(fold, whole, point(index).lambda());
    }

    private LocalProblem wholeProblem(int index) {
        int label = order().label(index);
        Dataset targets = shared.once(
                "targets " + label, () -> prepared.targets(shared.once("rows", () -> prepared.of(wide())), label));
        LambdaPath.Point point = point(index);
        LocalProblem whole = LocalProblem.dealt(targets, raw.first(), raw.stride(), settings.loss(), point.lambda())
                .withRegulariser(Regulariser.elasticNet(point.lambda(), point.l1()))
                .withIntercept(settings.intercept());
        return whole.withBounds(() -> bounds(whole));
    }

    /** Bounds on the rows, which are the same for every λ and class. */
    private RowBounds bounds(LocalProblem whole) {
        bounds = bounds == null ? whole.bounds() : bounds;
        return bounds;
    }

    /** Creates empty scores on held-out rows. */
    HeldOutScores heldOut() {
        double unit = standardizer.map(Standardizer::targetUnit).orElse(1.0);
        return folds().orElseThrow().heldOut(points.size(), !labels.isRegression(), unit);
    }

    Collectives nodes() {
        return nodes;
    }

    Labels labels() {
        return labels;
    }

    Optional<Standardizer> standardizer() {
        return standardizer;
    }

    /** The number of raw features, without that of the intercept. */
    int features() {
        return summary.widest();
    }

    /** The names of the features, the same at every node. */
    List<String> names() {
        return raw.data().names();
    }

    State.Owner owner() {
        return raw.owner(nodes.node());
    }

    /** The number of this node's samples. */
    int samples() {
        return raw.count();
    }

    /** Drops shared data that no later problem needs, once all nodes of this process have solved this one. */
    void forget(int index) {
        ProblemOrder order = order();
        if (order.folds() == 0 && index + order.classes() >= order.all()) {
            shared.forget("targets " + order.label(index));
        }
    }

    /** The method tuned for this node alone, to measure the time of a step before the delay is known. */
    public Tuned tunedAlone() {
        Network alone = Network.of(1, new int[0][]);
        return method(0).tune(alone, settings.objective(points.get(0)), shape, List.of(facts.get(nodes.node())), 1);
    }
}
