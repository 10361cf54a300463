package dev.starling.job;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Assignment;
import dev.starling.method.MethodNode;
import dev.starling.method.PriorKnowledge;
import dev.starling.method.Solution;
import dev.starling.method.TrainingSum;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.Line;
import dev.starling.node.Sequence;
import dev.starling.node.Stoppable;
import dev.starling.node.SumRequest;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A whole job at one node, from rows to the finished result. The nodes agree on a plan; solve one problem, or one per
 * class, for one λ or for a path of them, and for cross-validation also without each fold of rows; add up the work it
 * took; and evaluate the model on the held-out rows. Everything that can affect a bit of the result is in here, so
 * every runtime gets the same result.
 */
public final class TrainingJob extends Sequence<JobResult> implements Stoppable {

    private final Settings settings;
    private final boolean timed;
    private final PlanningPhase planning;
    private final TrainingListener listener;
    private final Optional<RawWeights> start;
    private final Optional<Holdout.Held> held;
    private final List<SolvePhase> solvePhases = new ArrayList<>();
    private final List<SolvePhase.Ended> ended = new ArrayList<>();
    private final List<TrainingPlan> plans = new ArrayList<>();
    private TrainingPlan plan;
    private HeldOutScores heldOut;

    /**
     * Creates a job that starts training from zero and has no held-out rows.
     *
     * @param planning the first phase, in which the nodes agree on a plan
     * @param listener receives events about the progress at this node
     */
    public TrainingJob(Settings settings, JobRules rules, PlanningPhase planning, TrainingListener listener) {
        this(settings, rules, planning, listener, Optional.empty(), Optional.empty());
    }

    /**
     * Creates a job that may continue from where another one ended.
     *
     * @param start where training starts, the same at all nodes; empty to start from zero
     * @param held this node's held-out rows to evaluate the model on, if the settings ask for some
     */
    public TrainingJob(
            Settings settings,
            JobRules rules,
            PlanningPhase planning,
            TrainingListener listener,
            Optional<RawWeights> start,
            Optional<Holdout.Held> held) {
        super(planning.owner());
        this.start = start;
        this.held = held;
        this.settings = settings;
        this.timed = rules.timed();
        this.planning = planning;
        this.listener = listener;
    }

    @Override
    protected Step<?> begin() {
        return next("agree", planning, this::planned);
    }

    private Step<?> planned(TrainingPlan next) {
        plan = next;
        plans.add(next);
        return train();
    }

    private Step<?> train() {
        int index = ended.size();
        SolvePhase phase = new SolvePhase(() -> newNode(index), plan.method().longestMessage(planning.nodes()));
        solvePhases.add(phase);
        listener.started(index, planning.order().all(), plan, () -> (double) phase.updates() / planning.samples());
        return next("train " + index, phase, this::trained);
    }

    private MethodNode newNode(int index) {
        StoppingRule rule = new StoppingRule(settings.gap(), settings.maxEpochs(), timed);
        CertificateListener relay = (certificate, nextCheck) ->
                listener.certified(certificate, nextCheck == 0 ? 0 : plan.epochsFrom(certificate.relativeGap()));
        List<TrainingSum> announced = planning.announced(index);
        Assignment assignment = new Assignment(
                planning.problem(index),
                planning.nodes()
                        .of(index, planning.order().all())
                        .announcing(request -> announced.stream().anyMatch(sum -> sum.covers(request))),
                rule,
                settings.seed(),
                relay);
        Optional<double[]> given = start.flatMap(point ->
                point.parameter(index, planning.outputs(), settings, planning.features(), planning.standardizer()));
        return plan.method().nodeAfter(priorKnowledge(index, given), assignment);
    }

    /**
     * What earlier problems tell us about a problem before it is solved. Its start is forecast from the problems of the
     * same class that leave out the same fold, for the previous values of λ. The solution on all rows would be closer,
     * but then the rows of the fold would influence the model that they are meant to evaluate.
     */
    private PriorKnowledge priorKnowledge(int index, Optional<double[]> given) {
        List<Integer> earlier = given.isPresent() ? List.of() : earlier(index);
        Optional<Integer> before = earlier.stream().findFirst();
        ProblemOrder order = planning.order();
        Stream<Integer> ofAllRows = order.fold(index) < 0
                ? Stream.empty()
                : Stream.concat(Stream.of(index), before.stream()).map(order::ofAllRows);
        return new PriorKnowledge(
                given.or(() -> before.map(any -> forecast(index, earlier))),
                before.map(this::solution),
                ofAllRows.map(this::solution).toList());
    }

    private Solution solution(int index) {
        return ended.get(index).solved();
    }

    private List<Integer> earlier(int index) {
        ProblemOrder order = planning.order();
        return settings.path().isPresent()
                ? settings.path().before(order.point(index), PathForecast.MOST).stream()
                        .map(point -> order.atPoint(index, point))
                        .toList()
                : List.of();
    }

    private double[] forecast(int index, List<Integer> earlier) {
        return new PathForecast(
                        earlier.stream().map(planning::point).toList(),
                        earlier.stream().map(one -> solution(one).parameter()).toList())
                .at(planning.point(index));
    }

    private void dropWarmStart(int from, int to) {
        for (int index = from; index < to; index++) {
            solvePhases.get(index).dropWarmStart();
            ended.set(index, solvePhases.get(index).result());
        }
    }

    private Step<?> trained(SolvePhase.Ended one) {
        ended.add(one);
        planning.forget(ended.size() - 2);
        int index = ended.size();
        ProblemOrder order = planning.order();
        if (!settings.path().isPresent()) {
            dropWarmStart(index - 1, index);
        }
        if (order.label(index) > 0) {
            return train();
        }
        if (!order.isFirst(index)) {
            plan = planning.planWithout(index);
            return train();
        }
        int point = plans.size();
        if (point > 1) {
            // Once the problems of a λ have ended, no further problem starts from those of the previous λ.
            dropWarmStart(order.first(point - 2), order.first(point - 1));
        }
        if (order.folds() > 0) {
            measure(point - 1);
        }
        if (index == order.all()) {
            return heldOut == null ? totals(Optional.empty()) : chosen();
        }
        return next("facts " + point, planning.gatherFacts(point), facts -> planned(planning.plan(point, facts)));
    }

    /** Scores the models of a λ on the folds that they were trained without. */
    private void measure(int point) {
        heldOut = heldOut == null ? planning.heldOut() : heldOut;
        ProblemOrder order = planning.order();
        List<Integer> ofAllRows = IntStream.range(0, order.classes())
                .mapToObj(label -> order.first(point) + label)
                .toList();
        heldOut.add(
                point,
                ofAllRows.stream().map(planning::problem).toList(),
                IntStream.range(0, order.folds())
                        .mapToObj(fold -> ofAllRows.stream()
                                .map(index ->
                                        solution(order.without(fold, index)).parameter())
                                .toList())
                        .toList());
    }

    private Step<?> chosen() {
        return next(
                HeldOutScores.KIND,
                planning.nodes().sum(heldOut.request(), heldOut::addend),
                totals -> totals(Optional.of(validation(heldOut.estimates(totals)))));
    }

    private CrossValidation validation(List<Map<String, Estimate>> estimates) {
        List<Line> lines = new ArrayList<>();
        int best = 0;
        for (int k = 0; k < estimates.size(); k++) {
            LambdaPath.Point point = planning.point(planning.order().first(k));
            lines.add(new Line(point.lambda(), point.l1(), estimates.get(k)));
            best = lines.get(k).loss().mean() < lines.get(best).loss().mean() ? k : best;
        }
        Folds folds = settings.folds();
        List<Solution> solutions = IntStream.range(0, ended.size())
                .filter(index -> planning.order().fold(index) >= 0)
                .mapToObj(this::solution)
                .toList();
        return new CrossValidation(
                folds.among(planning.nodes().size()),
                folds.basis(),
                folds.rule().text(),
                solutions.stream().allMatch(one -> settings.rule().isMet(one.certificate())),
                solutions.stream()
                        .anyMatch(one -> one.stalled() && !settings.rule().isMet(one.certificate())),
                solutions.stream()
                        .mapToDouble(one -> one.certificate().epochs())
                        .sum(),
                lines,
                best,
                folds.rule().chosen(lines, settings.path().firstOfShare(best), best));
    }

    private Step<?> totals(Optional<CrossValidation> validation) {
        return next(
                "totals",
                planning.nodes().sum(SumRequest.ofNothing("updates", 1), this::updates),
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
                        planning.owner(),
                        planning.nodes(),
                        whole.model(""),
                        held.get().rows().get()),
                measures -> done(whole.with(measures)));
    }

    private JobResult result(int point, List<JobResult> path, Optional<CrossValidation> validation, long updates) {
        int from = planning.order().first(point);
        LambdaPath.Point one = planning.point(from);
        return new JobResult(
                settings.withLambda(one.lambda()).withL1(one.l1()),
                plans.get(point),
                planning.labels(),
                planning.standardizer(),
                planning.features(),
                planning.names(),
                ended.subList(from, from + planning.order().classes()).stream()
                        .map(SolvePhase.Ended::solved)
                        .toList(),
                path,
                validation,
                updates,
                Optional.empty());
    }

    /**
     * The point that training has reached, for each problem up to the current one. While the listener is being called
     * with a certificate, it is the point that the certificate is about.
     */
    public RawWeights reached() {
        List<double[]> parameters = new ArrayList<>();
        ended.forEach(one -> parameters.add(one.solved().parameter()));
        if (present() instanceof SolvePhase phase) {
            double[] estimate = new double
                    [planning.outputs() * planning.problem(ended.size()).features()];
            phase.estimate(estimate);
            parameters.add(estimate);
        }
        return RawWeights.of(parameters, settings, planning.features(), planning.standardizer());
    }

    /** The plan for the current λ; available once training has begun. */
    public TrainingPlan plan() {
        return plan;
    }

    /** The delay τ that the current method is tuned for. */
    public double delay() {
        return plan.method().forecast().delay();
    }

    /** The passes over the samples so far in all problems; at a point of rest, the number is the same at every node. */
    public double passes() {
        double passes = 0;
        for (SolvePhase.Ended one : ended) {
            passes += one.solved().certificate().epochs();
        }
        return present() instanceof SolvePhase phase ? passes + phase.passes() : passes;
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
