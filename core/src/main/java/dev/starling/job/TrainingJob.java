package dev.starling.job;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Assignment;
import dev.starling.method.MethodNode;
import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.node.Sequence;
import dev.starling.node.Stoppable;
import dev.starling.node.SumRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A whole job at one node, from rows to the finished result: nodes agree, train one problem or one per class, for one λ
 * or for a path of them, again without each fold of rows where they choose one of those, add up what it took, and judge
 * the model by the rows that were kept from training. The same object whoever drives it, so that everything that
 * decides a bit is here, and every runtime gives the same.
 */
public final class TrainingJob extends Sequence<JobResult> implements Stoppable {

    private final Settings settings;
    private final boolean timed;
    private final PlanningPhase agreement;
    private final TrainingListener listener;
    private final Optional<RawWeights> start;
    private final Optional<Holdout.Held> held;
    private final List<SolvePhase> trainings = new ArrayList<>();
    private final List<SolvePhase.Ended> ended = new ArrayList<>();
    private final List<TrainingPlan> plans = new ArrayList<>();
    private TrainingPlan plan;
    private HeldOutScores heldOut;

    /**
     * The job at one node, at its start.
     *
     * @param agreement how the nodes agree before they train
     * @param listener hears how it goes at this node
     */
    public TrainingJob(Settings settings, JobRules rules, PlanningPhase agreement, TrainingListener listener) {
        this(settings, rules, agreement, listener, Optional.empty(), Optional.empty());
    }

    /**
     * A job that may go on from where another one ended.
     *
     * @param start where training begins, the same at all nodes; from nothing if empty
     * @param held this node's rows to judge the model by, where settings keep some from training
     */
    public TrainingJob(
            Settings settings,
            JobRules rules,
            PlanningPhase agreement,
            TrainingListener listener,
            Optional<RawWeights> start,
            Optional<Holdout.Held> held) {
        super(agreement.owner());
        this.start = start;
        this.held = held;
        this.settings = settings;
        this.timed = rules.timed();
        this.agreement = agreement;
        this.listener = listener;
    }

    @Override
    protected Step<?> begin() {
        return next("agree", agreement, this::planned);
    }

    private Step<?> planned(TrainingPlan next) {
        plan = next;
        plans.add(next);
        return train();
    }

    private Step<?> train() {
        int index = ended.size();
        SolvePhase training = new SolvePhase(() -> begun(index), plan.method().longestMessage(agreement.nodes()));
        trainings.add(training);
        listener.started(index, agreement.order().all(), plan, () -> (double) training.updates() / agreement.samples());
        return next("train " + index, training, this::trained);
    }

    private MethodNode begun(int index) {
        StoppingRule rule = new StoppingRule(settings.gap(), settings.maxEpochs(), timed);
        CertificateListener relay = (certificate, nextCheck) ->
                listener.certified(certificate, nextCheck == 0 ? 0 : plan.epochsFrom(certificate.relativeGap()));
        Assignment assignment = new Assignment(
                agreement.problem(index),
                agreement.nodes().of(index, agreement.order().all()),
                rule,
                settings.seed(),
                relay);
        Optional<double[]> given = start.flatMap(
                point -> point.parameter(index, settings, agreement.features(), agreement.standardizer()));
        return plan.method().nodeAfter(known(index, given), assignment);
    }

    /**
     * What the problems of the same class with the λ before, and those before that, tell of where a problem begins. All
     * are without the same fold: what all rows say is nearer, but then rows of the fold would have a part in what they
     * are to judge.
     */
    private PriorKnowledge known(int index, Optional<double[]> given) {
        List<Integer> earlier = given.isPresent() ? List.of() : earlier(index);
        Optional<Integer> before = earlier.stream().findFirst();
        ProblemOrder order = agreement.order();
        Stream<Integer> ofAllRows = order.fold(index) < 0
                ? Stream.empty()
                : Stream.concat(Stream.of(index), before.stream()).map(order::ofAllRows);
        return new PriorKnowledge(
                given.or(() -> before.map(any -> forecast(index, earlier))),
                before.map(this::solved),
                ofAllRows.map(this::solved).toList());
    }

    private Solution solved(int index) {
        return ended.get(index).solved();
    }

    private List<Integer> earlier(int index) {
        ProblemOrder order = agreement.order();
        return settings.path().isPresent()
                ? settings.path().before(order.point(index), PathForecast.MOST).stream()
                        .map(point -> order.atPoint(index, point))
                        .toList()
                : List.of();
    }

    private double[] forecast(int index, List<Integer> earlier) {
        return new PathForecast(
                        earlier.stream().map(agreement::point).toList(),
                        earlier.stream().map(one -> solved(one).parameter()).toList())
                .at(agreement.point(index));
    }

    private void forgetLessons(int from, int to) {
        for (int index = from; index < to; index++) {
            trainings.get(index).forgetLessons();
            ended.set(index, trainings.get(index).result());
        }
    }

    private Step<?> trained(SolvePhase.Ended one) {
        ended.add(one);
        agreement.forget(ended.size() - 2);
        int index = ended.size();
        ProblemOrder order = agreement.order();
        if (!settings.path().isPresent()) {
            forgetLessons(index - 1, index);
        }
        if (order.label(index) > 0) {
            return train();
        }
        if (!order.isFirst(index)) {
            plan = agreement.planWithout(index);
            return train();
        }
        int point = plans.size();
        if (point > 1) {
            // Nothing goes on from the problems of a λ once those of the next have ended.
            forgetLessons(order.first(point - 2), order.first(point - 1));
        }
        if (order.folds() > 0) {
            measure(point - 1);
        }
        if (index == order.all()) {
            return heldOut == null ? totals(Optional.empty()) : chosen();
        }
        return next("facts " + point, agreement.gatherFacts(point), facts -> planned(agreement.plan(point, facts)));
    }

    /** Sees how the models of a λ do on the folds that they were trained without. */
    private void measure(int point) {
        heldOut = heldOut == null ? agreement.heldOut() : heldOut;
        ProblemOrder order = agreement.order();
        List<Integer> ofAllRows = IntStream.range(0, order.classes())
                .mapToObj(label -> order.first(point) + label)
                .toList();
        heldOut.add(
                point,
                ofAllRows.stream().map(agreement::problem).toList(),
                IntStream.range(0, order.folds())
                        .mapToObj(fold -> ofAllRows.stream()
                                .map(index -> solved(order.without(fold, index)).parameter())
                                .toList())
                        .toList());
    }

    private Step<?> chosen() {
        return next(
                HeldOutScores.KIND,
                agreement.nodes().sum(heldOut.request(), heldOut::addend),
                totals -> totals(Optional.of(validation(heldOut.estimates(totals)))));
    }

    private CrossValidation validation(List<Map<String, Estimate>> estimates) {
        List<Line> lines = new ArrayList<>();
        int best = 0;
        for (int k = 0; k < estimates.size(); k++) {
            LambdaPath.Point point = agreement.point(agreement.order().first(k));
            lines.add(new Line(point.lambda(), point.l1(), estimates.get(k)));
            best = lines.get(k).loss().mean() < lines.get(best).loss().mean() ? k : best;
        }
        Folds folds = settings.path().folds();
        List<Solution> solved = IntStream.range(0, ended.size())
                .filter(index -> agreement.order().fold(index) >= 0)
                .mapToObj(this::solved)
                .toList();
        return new CrossValidation(
                folds.among(agreement.nodes().size()),
                folds.by(),
                folds.rule().text(),
                solved.stream().allMatch(one -> settings.rule().isMet(one.certificate())),
                solved.stream()
                        .anyMatch(one -> one.stalled() && !settings.rule().isMet(one.certificate())),
                solved.stream().mapToDouble(one -> one.certificate().epochs()).sum(),
                lines,
                best,
                folds.rule().chosen(lines, settings.path().firstOfShare(best), best));
    }

    private Step<?> totals(Optional<CrossValidation> validation) {
        return next(
                "totals",
                agreement.nodes().sum(SumRequest.ofNothing("updates", 1), this::updates),
                totals -> added(totals, validation));
    }

    private double[] updates() {
        return new double[] {ended.stream().mapToLong(SolvePhase.Ended::updates).sum()};
    }

    private Step<?> added(double[] totals, Optional<CrossValidation> validation) {
        long updates = (long) totals[0];
        List<JobResult> path = new ArrayList<>();
        for (int point = 0; point < plans.size(); point++) {
            path.add(result(point, List.of(), Optional.empty(), updates));
        }
        int chosen = validation.map(CrossValidation::chosen).orElse(plans.size() - 1);
        JobResult whole = settings.path().isPresent() ? result(chosen, path, validation, updates) : path.get(chosen);
        if (held.isEmpty()) {
            return done(whole);
        }
        return next(
                "judge",
                new EvaluationPhase(
                        agreement.owner(),
                        agreement.nodes(),
                        whole.model(""),
                        held.get().rows().get()),
                measures -> done(whole.with(measures)));
    }

    private JobResult result(int point, List<JobResult> path, Optional<CrossValidation> validation, long updates) {
        int from = agreement.order().first(point);
        LambdaPath.Point one = agreement.point(from);
        return new JobResult(
                settings.withLambda(one.lambda()).withL1(one.l1()),
                plans.get(point),
                agreement.labels(),
                agreement.standardizer(),
                agreement.features(),
                agreement.names(),
                ended.subList(from, from + agreement.order().classes()).stream()
                        .map(SolvePhase.Ended::solved)
                        .toList(),
                path,
                validation,
                updates,
                Optional.empty());
    }

    /**
     * The point that training has reached, problem by problem up to the present one: while a certificate is told to the
     * listener, the one that it is of.
     */
    public RawWeights reached() {
        List<double[]> parameters = new ArrayList<>();
        ended.forEach(one -> parameters.add(one.solved().parameter()));
        if (present() instanceof SolvePhase training) {
            double[] estimate = new double[agreement.problem(ended.size()).features()];
            training.estimate(estimate);
            parameters.add(estimate);
        }
        return RawWeights.of(parameters, settings, agreement.features(), agreement.standardizer());
    }

    /** What was agreed on, for the present λ; only once training has begun. */
    public TrainingPlan plan() {
        return plan;
    }

    /** τ of the method that is being trained. */
    public double delay() {
        return plan.method().forecast().delay();
    }

    /** Passes over the samples so far in all problems, the same number at every node at a point of rest. */
    public double passes() {
        double passes = 0;
        for (SolvePhase.Ended one : ended) {
            passes += one.solved().certificate().epochs();
        }
        return present() instanceof SolvePhase training ? passes + training.passes() : passes;
    }

    @Override
    public boolean canStop() {
        return present() instanceof SolvePhase;
    }

    @Override
    public void stop() {
        ((SolvePhase) present()).certifyNow();
    }
}
