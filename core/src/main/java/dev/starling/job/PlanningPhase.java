package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.job.folds.NodeFolds;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.loss.Ordinal;
import dev.starling.loss.Softmax;
import dev.starling.method.Facts;
import dev.starling.network.Network;
import dev.starling.node.Answer;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.Rounding;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The first phase of a job at one node: nodes agree on labels and layout, on scales, on the path of λ if it is computed
 * from the data, on facts about their rows and on the delay, and tune the method of {@link dev.starling.method.Methods}
 * that is chosen. It ends with the plan for the first λ; {@link #problems} are this node's part of what there is to
 * solve.
 */
public final class PlanningPhase extends Sequence<TrainingPlan> {

    private final JobRules rules;
    private final Network network;
    private final Collectives nodes;

    /**
     * If class weights are balanced, the actual weights replace that setting once they are known; likewise the loss
     * becomes that for the number of classes, in the units that the nodes agree on.
     */
    private Settings settings;

    private NodeRows raw;
    private RowSummary summary;
    private Labels labels;
    private Units units = Units.NONE;
    private Optional<Standardizer> standardizer = Optional.empty();
    private List<Double> deviations = List.of();
    private Optional<NodeFolds> folds = Optional.empty();
    private Problems problems;
    private double[] curves = {};

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
        RowSummary own = RowSummary.of(raw, nodes.node(), settings);
        loss.domain().require(raw.data(), 0, raw.count(), loss.name());
        requireComparable(loss);
        settings.heterogeneity().features(raw.data().names());
        settings.curves().features(raw.data().names());
        if (settings.heterogeneity().bySite()) {
            nodes.guard().requireLeave("estimates by site");
        }
        folds();
        AgreedLabels.requireListed(settings, own, nodes.guard().isBetweenOwners());
        return own;
    }

    /** Without strata, the sums at two events would differ by the rows that left in between, perhaps a single one. */
    private void requireComparable(Loss loss) {
        if (loss.comparesRows() && nodes.size() > 1 && raw.keys().length == 0) {
            throw new InvalidInputException("the loss " + loss.name()
                    + " compares each event with all rows at risk, and"
                    + " these are at " + nodes.size() + " nodes: their sums at two events would differ by the rows of"
                    + " those who left in between; stratify, for example with strata(site), or agree on cut points and"
                    + " fit a poisson model with an exposure per interval");
        }
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
        settings = settings.forClasses(labels.classes().size());
        if (!summary.sizes().needColumns(settings)) {
            return agreeOnUnits(new double[0]);
        }
        return next(
                "units",
                nodes.max(() -> Units.Sizes.ofColumns(raw.data(), summary.widest()), summary.widest()),
                this::agreeOnUnits);
    }

    private Step<?> agreeOnUnits(double[] columns) {
        units = Units.of(summary.sizes(), columns, summary.widest(), raw.data().names(), settings);
        settings = settings.with(Setting.LOSS, units.loss(settings.loss()));
        if (!nodes.guard().isBetweenOwners()) {
            return balanceClasses();
        }
        return next(
                ColumnPresence.KIND,
                nodes.sum(
                        ColumnPresence.request(raw, summary.widest(), labels),
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
                        () -> Arrays.stream(raw.weightByClass(labels))
                                .map(units::weight)
                                .toArray()),
                totals -> {
                    settings = settings.with(Setting.CLASS_WEIGHTS, ClassWeighting.balancing(labels, totals));
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
        NodeRows finished = raw.finished();
        raw = NodeRows.all(units.apply(settings.precision().apply(finished.data())), finished.keys());
        summary = summary.with(values);
        if (!settings.gathersMoments()) {
            return layOut();
        }
        return next(
                "means",
                nodes.sum(
                        SumRequest.overAll(SumKind.COLUMNS, "means", raw.count(), summary.widest() + 2),
                        () -> Moments.sums(wide())),
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
                        () -> Moments.squares(wide(), means)),
                squares -> chooseScales(Moments.of(summary.rows(), means, squares)));
    }

    private boolean isCentred() {
        return settings.scales() && settings.scaling().centres(summary.isDense());
    }

    private Step<?> chooseScales(Moments moments) {
        deviations = units.rawColumns(moments.deviations());
        Standardizer chosen = settings.scales()
                ? settings.scaling()
                        .standardizer(
                                moments, isCentred(), settings.loss().domain().isScalable())
                : Standardizer.identity(moments.features());
        chosen = mayMoveFeatures() ? chosen.withFarFeaturesMoved(moments, Units.isUnpenalised(settings)) : chosen;
        standardizer = settings.scales() || !chosen.isIdentity() ? Optional.of(chosen) : Optional.empty();
        return layOut();
    }

    /** The origins end up in the intercept, and what is lost there to rounding must be bounded. */
    private boolean mayMoveFeatures() {
        Loss loss = settings.loss();
        boolean bounded = loss.outputs() > 1
                ? loss instanceof Softmax || loss instanceof Ordinal
                : loss instanceof Likelihood
                        || Math.min(loss.smoothness(), Rounding.steepest(loss)) < Double.POSITIVE_INFINITY;
        return settings.intercept() && bounded;
    }

    private Step<?> layOut() {
        LambdaPath path = settings.path();
        List<LambdaPath.Point> points = path.isPresent() && path.count() == 0
                ? path.points(0, settings.folds().isPresent())
                : List.of(new LambdaPath.Point(settings.lambda(), settings.l1()));
        Agreement agreement = new Agreement(
                settings,
                units,
                labels,
                summary.widest(),
                raw.data().names(),
                standardizer,
                deviations,
                summary.shape(isCentred(), settings.constantFeature() > 0),
                points,
                Agreement.order(
                        settings,
                        labels.classes().size(),
                        folds().map(NodeFolds::count).orElse(0)));
        problems = new Problems(agreement, network, nodes, raw, folds());
        folds().ifPresent(own -> own.require(
                summary.rows(), path.examples().stream().map(problems::method).toList()));
        return path.count() > 0 ? slopes(0, 0) : gatherFacts();
    }

    private Step<?> gatherFacts() {
        if (settings.curves().isAsked() && curves.length == 0) {
            return next("survival", CurveCounts.sum(settings.curves(), nodes, raw.data()), totals -> {
                curves = totals;
                return gatherFacts();
            });
        }
        return next("facts", problems.gatherFacts(0), this::compareFacts);
    }

    /**
     * The path of λ starts at a value that follows from the steepest slope of any class at the point where all weights
     * are 0.
     *
     * @param steepest the steepest slope of the classes before this one
     */
    private Step<?> slopes(int index, double steepest) {
        ProblemOrder order = problems.agreement().order();
        SlopesAtZero sums = new SlopesAtZero(nodes.of(index, order.all()), () -> problems.problem(index));
        return settings.intercept()
                ? next(
                        "labels " + index,
                        sums.labels(),
                        totals -> slopes(index, steepest, sums, sums.intercepts(totals)))
                : slopes(index, steepest, sums);
    }

    private Step<?> slopes(int index, double before, SlopesAtZero sums, double... intercepts) {
        return next("slopes " + index, sums.slopes(intercepts), totals -> {
            double steepest = Math.max(before, units.rawSlope(sums.steepest(totals)));
            if (index + 1 < problems.agreement().order().classes()) {
                return slopes(index + 1, steepest);
            }
            problems = problems.withPoints(
                    settings.path().points(steepest, settings.folds().isPresent()));
            return gatherFacts();
        });
    }

    private Step<?> compareFacts(double[] gathered) {
        List<Facts> facts = problems.facts(0, gathered);
        if (folds().isEmpty()) {
            return tune(facts);
        }
        NodeFolds own = folds.get();
        return next(
                NodeFolds.KIND,
                nodes.sum(own.request(labels), () -> own.addend(problems.problem(0), raw, labels)),
                sums -> {
                    own.known(sums, facts, labels);
                    return tune(facts);
                });
    }

    private Step<?> tune(List<Facts> facts) {
        if (settings.delay().isPresent() || rules.delay().isPresent()) {
            double delay = settings.delay()
                    .orElseGet(() -> rules.delay()
                            .orElseThrow()
                            .applyAsDouble(problems.agreement().shape()));
            return done(problems.plan(0, facts, delay));
        }
        return next(
                "measured",
                new Answer(MeasuredDelay.QUESTION),
                own -> next(
                        "slowest",
                        nodes.max(() -> own, 2),
                        all -> done(problems.plan(0, facts, MeasuredDelay.of(all)))));
    }

    /** This node's part of each problem; known once the nodes have agreed on their layout. */
    public Problems problems() {
        return problems;
    }

    /** How many rows of all nodes have events by interval; empty if not asked for. */
    double[] curves() {
        return curves;
    }

    Collectives nodes() {
        return nodes;
    }

    State.Owner owner() {
        return raw.owner(nodes.node());
    }
}
