package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.data.Standardizer.Moments;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.node.Answer;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SavedState;
import dev.starling.node.Sequence;
import dev.starling.node.SharedWork;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.problem.RowBounds;
import java.util.List;
import java.util.Optional;

/**
 * The first half of a job at one node: nodes agree on labels and layout, on scales, on a path of λ if that is left to
 * the data, on what they are and on the delay, and tune the method. It ends with the plan of the first λ;
 * {@link #problem} then gives this node's part of each problem.
 */
public final class PlanningPhase extends Sequence<TrainingPlan> {

    private final JobRules rules;
    private final Network network;
    private final SharedWork shared;
    private final Collectives nodes;

    /** Balanced classes have their weights in it once they are known. */
    private Settings settings;

    private NodeRows raw;
    private RowSummary summary;
    private Labels labels;
    private Optional<Standardizer> standardizer = Optional.empty();
    private Shape shape;
    private PreparedRows prepared;
    private List<LambdaPath.Point> points;
    private double steepest;
    private Optional<NodeFolds> folding = Optional.empty();
    private List<Facts> facts = List.of();
    private RowBounds bounds;

    /**
     * An agreement at its start.
     *
     * @param nodes this node's place among the others
     */
    public PlanningPhase(Settings settings, JobRules rules, Network network, Collectives nodes, NodeRows rows) {
        super(rows.owner(nodes.node()));
        this.settings = settings;
        this.rules = rules;
        this.network = network;
        this.nodes = nodes;
        this.raw = rows;
        // Rows that are dealt out are those of all nodes of the process; others are this node's own.
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
                this::summarised);
    }

    private RowSummary ownSummary() {
        RowSummary own = RowSummary.of(raw, nodes.node(), settings.loss().isClassification());
        folding();
        AgreedLabels.requireListed(settings, own);
        return own;
    }

    /** Made as the first thing of all, so that what this node's rules refuse is refused before anything leaves it. */
    private Optional<NodeFolds> folding() {
        if (settings.path().folds().isPresent() && folding.isEmpty()) {
            folding = Optional.of(new NodeFolds(settings, raw, nodes));
        }
        return folding;
    }

    private Step<?> summarised(double[] all) {
        summary = RowSummary.decode(all);
        summary.requireWidth(rules);
        labels = AgreedLabels.of(settings, rules, summary);
        if (!nodes.guard().isBetweenOwners()) {
            return weighing();
        }
        int numbers = ColumnPresence.length(summary.widest(), labels);
        return next(
                ColumnPresence.KIND,
                nodes.sum(
                        SumRequest.overAll(ColumnPresence.KIND, raw.count(), numbers),
                        () -> ColumnPresence.of(raw, summary.widest(), labels)),
                present -> weighing());
    }

    private Step<?> weighing() {
        if (!settings.classWeights().balanced()) {
            return finishing();
        }
        int classes = labels.classes().size();
        return next(
                "classes",
                nodes.sum(
                        SumRequest.overAll("classes", raw.count(), classes), () -> ClassWeighting.totals(raw, labels)),
                totals -> {
                    settings = settings.withClassWeights(ClassWeighting.balancing(labels, totals));
                    return finishing();
                });
    }

    /** Not before it is known that no column is one node's own. */
    private Step<?> finishing() {
        return raw.unfinished().isEmpty()
                ? counting()
                : next("finish", new RowCompletionPhase(nodes, raw), passed -> counting());
    }

    private Step<?> counting() {
        return next(
                "values",
                nodes.sum(SumRequest.overAll("values", raw.count(), 2), () -> RowSummary.values(raw.finished())),
                this::counted);
    }

    private Step<?> counted(double[] values) {
        raw = raw.finished();
        summary = summary.with(values);
        if (!settings.scales()) {
            return laidOut();
        }
        return next(
                "means",
                nodes.sum(
                        SumRequest.overAll("means", raw.count(), summary.widest() + 2),
                        () -> Moments.sums(wide(), raw.first(), raw.stride())),
                this::centred);
    }

    private Dataset wide() {
        return raw.data().withFeatures(summary.widest());
    }

    private Step<?> centred(double[] totals) {
        double[] means = Moments.means(totals);
        return next(
                "deviations",
                nodes.sum(
                        new SumRequest("deviations", 0, 1, means, raw.count(), means.length),
                        () -> Moments.squares(wide(), raw.first(), raw.stride(), means)),
                squares -> scaled(Moments.of(summary.rows(), means, squares)));
    }

    private boolean isCentred() {
        return settings.scales() && settings.scaling().centres(summary.isDense());
    }

    private Step<?> scaled(Moments moments) {
        standardizer = Optional.of(settings.scaling().standardizer(moments, isCentred(), labels.isRegression()));
        return laidOut();
    }

    private Step<?> laidOut() {
        shape = summary.shape(isCentred(), settings.constantFeature() > 0);
        prepared = new PreparedRows(settings, labels, standardizer, shape.dense());
        folding()
                .ifPresent(folds -> folds.require(
                        summary.rows(),
                        settings.path().examples().stream().map(this::method).toList()));
        if (settings.path().count() > 0) {
            return slopes(0);
        }
        points = settings.path().isPresent() ? settings.path().points(0) : points;
        return next("facts", gatherFacts(0), this::known);
    }

    /** Where a path of λ begins is decided by the steepest slope where all weights are 0, of any class. */
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
            points = settings.path().points(steepest);
            return next("facts", gatherFacts(0), this::known);
        });
    }

    /** What the nodes are, for a λ of the path. */
    Phase<double[]> gatherFacts(int point) {
        return nodes.gather(() -> ownFacts(point), Facts.length(method(point).factCount()));
    }

    private Method method(int point) {
        return method(points.get(point));
    }

    private Method method(LambdaPath.Point point) {
        Method method = Methods.chosen(settings.method(), settings.objective(point), shape);
        if (raw.data().isShifted()) {
            Methods.requireTakesShifts(method, order().classes());
        }
        return method;
    }

    private double[] ownFacts(int point) {
        Method method = method(point);
        if (method.tellsMoreThanSums()) {
            nodes.guard().requireConsent(method.name());
        } else {
            nodes.guard().limits().requireGradients(order().all(), shape.features());
        }
        LocalProblem first = problem(order().first(point));
        return Facts.of(first, method.facts(first)).encode();
    }

    private void know(int point, double[] gathered) {
        facts = shared.once(
                "facts " + point,
                () -> Facts.decode(nodes.byNode(gathered), method(point).factCount(), network));
        requireSaid(point);
    }

    private Step<?> known(double[] gathered) {
        know(0, gathered);
        if (folding().isEmpty()) {
            return timed();
        }
        NodeFolds folds = folding.get();
        return next(
                NodeFolds.KIND, nodes.sum(folds.request(labels), () -> folds.addend(problem(0), raw, labels)), sums -> {
                    folds.known(sums, facts, labels);
                    return timed();
                });
    }

    private Step<?> timed() {
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

    /** The plan of a later λ of the path. */
    TrainingPlan plan(int point, double[] gathered) {
        know(point, gathered);
        return tuned(point, result().method().forecast().delay());
    }

    /** What was gathered came by way of others: each node has signed its own. */
    private void requireSaid(int point) {
        boolean weighed = settings.classWeights().isPresent();
        for (int other = 0; other < facts.size(); other++) {
            Facts said = facts.get(other);
            nodes.guard().requireSaid(other, said.samples(), weighed ? Double.NaN : said.weight());
            said.requireSigma(points.get(point).lambda(), other);
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

    /** The plan of a problem without a fold. */
    TrainingPlan planWithout(int index) {
        List<Facts> others = folding()
                .orElseThrow()
                .without(order().fold(index), point(index).lambda());
        return tuned(index, others, result().method().forecast().delay());
    }

    /** Which problems there are; known as soon as the classes are. */
    ProblemOrder order() {
        return new ProblemOrder(
                labels.classes().size() > 2 ? labels.classes().size() : 1,
                settings.path().isPresent() ? settings.path().size() : 1,
                folding().map(NodeFolds::count).orElse(0));
    }

    /** λ and λ₁ of a problem. */
    LambdaPath.Point point(int index) {
        return points.get(order().point(index));
    }

    /** One problem as this node sees it: the rows that all problems share, with the labels of one class. */
    public LocalProblem problem(int index) {
        LocalProblem whole = wholeProblem(index);
        int fold = order().fold(index);
        return fold < 0
                ? whole
                : folding().orElseThrow().without(fold, whole, point(index).lambda());
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

    /** Neither λ nor the class changes what no row exceeds. */
    private RowBounds bounds(LocalProblem whole) {
        bounds = bounds == null ? whole.bounds() : bounds;
        return bounds;
    }

    /** Nothing held out yet. */
    HeldOutScores heldOut() {
        double unit = standardizer.map(Standardizer::targetUnit).orElse(1.0);
        return folding().orElseThrow().heldOut(points.size(), !labels.isRegression(), unit);
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

    /** Raw features, without the intercept's. */
    int features() {
        return summary.widest();
    }

    /** The features' names, the same at every node. */
    List<String> names() {
        return raw.data().names();
    }

    SavedState.Owner owner() {
        return raw.owner(nodes.node());
    }

    /** Samples of this node. */
    int samples() {
        return raw.count();
    }

    /** What belongs to a problem that all nodes of this process have solved is needed no more. */
    void forget(int index) {
        ProblemOrder order = order();
        if (order.folds() == 0 && index + order.classes() >= order.all()) {
            shared.forget("targets " + order.label(index));
        }
    }

    /** The method as it would be for this node alone: for measuring what a step takes, before the delay is known. */
    public Tuned tunedAlone() {
        Network alone = Network.of(1, new int[0][]);
        return method(0).tune(alone, settings.objective(points.get(0)), shape, List.of(facts.get(nodes.node())), 1);
    }
}
