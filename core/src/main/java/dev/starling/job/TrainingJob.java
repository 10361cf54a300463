package dev.starling.job;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.inference.FittedPoint;
import dev.starling.inference.HeterogeneityPhase;
import dev.starling.inference.InferencePhase;
import dev.starling.inference.RandomInterceptPhase;
import dev.starling.inference.TermInferencePhase;
import dev.starling.job.folds.HeldOutScores;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.TrainingSum;
import dev.starling.model.CrossValidation;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.node.Phase;
import dev.starling.node.Sequence;
import dev.starling.node.Stoppable;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A whole job at one node, from rows to the finished result. The nodes agree on a plan; solve one problem, or one per
 * class, for one λ or for a path of them, and for cross-validation also without each fold of rows; add up the work it
 * took; and evaluate the model on the held-out rows. Everything that can affect a bit of the result is in here, so
 * every runtime gets the same result. That makes the class longer than most.
 */
public final class TrainingJob extends Sequence<JobResult> implements Stoppable {

    /** As given, with the loss for the number of classes once that is known. */
    private Settings settings;

    private final boolean timed;
    private final PlanningPhase planning;
    private final TrainingListener listener;
    private final Optional<RawWeights> start;
    private final Optional<Holdout.Held> held;
    private final List<SolvePhase> solvePhases = new ArrayList<>();
    private final List<TrainingPlan> plans = new ArrayList<>();
    private Problems problems;
    private Solutions solutions;
    private TrainingPlan plan;

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

    /** The first phase, in which the nodes agree. */
    public PlanningPhase planning() {
        return planning;
    }

    @Override
    protected Step<?> begin() {
        return next("agree", planning, first -> {
            problems = planning.problems();
            settings = settings.forClasses(agreement().labels().classes().size());
            solutions = new Solutions(settings, problems);
            return planned(first);
        });
    }

    private Agreement agreement() {
        return problems.agreement();
    }

    private ProblemOrder order() {
        return agreement().order();
    }

    private Step<?> planned(TrainingPlan next) {
        plan = next;
        plans.add(next);
        return train();
    }

    private Step<?> train() {
        int index = solutions.count();
        SolvePhase phase = new SolvePhase(() -> newNode(index), plan.method().longestMessage(planning.nodes()));
        solvePhases.add(phase);
        listener.started(index, order().all(), plan, () -> (double) phase.updates() / problems.samples());
        return next("train " + index, phase, this::solved);
    }

    private MethodNode newNode(int index) {
        StoppingRule rule = new StoppingRule(settings.gap(), settings.maxEpochs(), timed);
        CertificateListener relay = (certificate, nextCheck) -> listener.certified(
                agreement().units().raw(certificate), nextCheck == 0 ? 0 : plan.epochsFrom(certificate.relativeGap()));
        List<TrainingSum> announced = problems.announced(index);
        Assignment assignment = new Assignment(
                problems.problem(index),
                planning.nodes()
                        .of(index, order().all())
                        .announcing(request -> announced.stream().anyMatch(sum -> sum.covers(request))),
                rule,
                settings.seed(),
                relay);
        Optional<double[]> given = start.flatMap(point -> point.parameter(index, agreement()));
        return plan.method().nodeAfter(solutions.priorKnowledge(index, given), assignment);
    }

    /**
     * Near a perfect fit, a gap relative to an objective of next to nothing is mostly rounding. If the nodes have one
     * owner, they then add up the losses at zero: targets met to nine digits are met. They also bound the objective, in
     * exact arithmetic: the optimum is not below 0, so it is no farther away than that.
     */
    private Step<?> solved(SolvePhase.Ended one) {
        int index = solutions.count();
        int degree = settings.loss().degree();
        if (degree == 0
                || settings.rule().isMet(one.solved().certificate())
                || planning.nodes().guard().isBetweenOwners()) {
            return trained(one);
        }
        LocalProblem problem = problems.problem(index);
        double[] zero = new double[problem.features()];
        return next(
                "zero " + index,
                planning.nodes()
                        .sum(SumRequest.overAll(SumKind.COLUMNS, "zero", problem.samples(), 3), () -> new double[] {
                            problem.lossSum(zero),
                            problem.totalWeight(),
                            SumWords.up(problem.mostAt(one.solved().parameter()))
                        }),
                totals -> {
                    double size = degree == 1 ? Certificate.DIGITS : Certificate.DIGITS * Certificate.DIGITS;
                    Certificate related = one.solved()
                            .certificate()
                            .relativeTo(size * totals[0] / totals[1])
                            .above0(totals[2] / totals[1]);
                    return trained(new SolvePhase.Ended(one.solved().with(related), one.updates()));
                });
    }

    private void dropWarmStart(int from, int to) {
        for (int index = from; index < to; index++) {
            solvePhases.get(index).dropWarmStart();
            solutions.dropWarmStart(index);
        }
    }

    private Step<?> trained(SolvePhase.Ended one) {
        solutions.add(one);
        problems.forget(solutions.count() - 2);
        int index = solutions.count();
        ProblemOrder order = order();
        if (!settings.path().isPresent()) {
            dropWarmStart(index - 1, index);
        }
        if (order.label(index) > 0) {
            return train();
        }
        if (!order.isFirst(index)) {
            plan = problems.planWithout(index, delay());
            return train();
        }
        int point = plans.size();
        if (point > 1) {
            // Once the problems of a λ have ended, no further problem starts from those of the previous λ.
            dropWarmStart(order.first(point - 2), order.first(point - 1));
        }
        if (order.folds() > 0) {
            solutions.measure(point - 1);
        }
        if (index == order.all()) {
            return solutions.heldOut().map(this::chosen).orElseGet(() -> totals(Optional.empty()));
        }
        return next(
                "facts " + point,
                problems.gatherFacts(point),
                gathered -> planned(problems.plan(point, problems.facts(point, gathered), delay())));
    }

    private Step<?> chosen(HeldOutScores heldOut) {
        return next(
                HeldOutScores.KIND,
                planning.nodes().sum(heldOut.request(), heldOut::addend),
                totals -> totals(Optional.of(solutions.validation(
                        totals, plans.size(), planning.nodes().size()))));
    }

    private Step<?> totals(Optional<CrossValidation> validation) {
        return next(
                "totals",
                planning.nodes().sum(SumRequest.ofNothing("updates", 1), this::updates),
                totals -> added(totals, validation));
    }

    private double[] updates() {
        return new double[] {solvePhases.stream().mapToLong(SolvePhase::updates).sum()};
    }

    private Step<?> added(double[] totals, Optional<CrossValidation> validation) {
        long updates = (long) totals[0];
        List<JobResult> path = new ArrayList<>();
        for (int point = 0; point < plans.size(); point++) {
            path.add(solutions.result(point, plans.get(point), List.of(), Optional.empty(), updates));
        }
        int chosen = validation.map(CrossValidation::chosen).orElse(plans.size() - 1);
        JobResult whole = settings.path().isPresent()
                ? solutions.result(chosen, plans.get(chosen), path, validation, updates)
                : path.get(chosen);
        return settings.standardErrors() == StandardErrors.NONE
                ? evaluated(whole)
                : next("infer", inference(), known -> compared(whole, known));
    }

    private Step<?> compared(JobResult whole, Inference known) {
        Inference counted = known.withCurves(planning.curves());
        if (settings.standardErrors() == StandardErrors.RANDOM_INTERCEPT
                && counted.random().isEmpty()) {
            LocalProblem rows = problems.problem(0);
            return next(
                    "random",
                    new RandomInterceptPhase(
                            planning.owner(),
                            planning.nodes(),
                            rows,
                            (Likelihood) rows.loss(),
                            estimate(solutions.solution(0), rows.loss()),
                            problems.keys()),
                    found -> compared(whole, known.withRandom(found)));
        }
        if (!settings.heterogeneity().isAsked()) {
            return evaluated(whole.with(counted));
        }
        LocalProblem problem = problems.problem(0);
        FittedPoint estimate = estimate(solutions.solution(0), problem.loss());
        return next(
                "compare",
                new HeterogeneityPhase(
                        planning.owner(),
                        planning.nodes(),
                        problem,
                        estimate,
                        settings.heterogeneity(),
                        agreement().names()),
                found -> evaluated(whole.with(counted.withHeterogeneity(found))));
    }

    private Phase<Inference> inference() {
        LocalProblem problem = problems.problem(0);
        FittedPoint estimate = estimate(solutions.solution(0), problem.loss());
        if (problems.agreement().order().all() > 1) {
            throw new InvalidInputException(
                    "standard-errors " + settings.standardErrors().text()
                            + " needs all classes in one fit, not one against the rest at a time; give two classes, or"
                            + " the loss softmax");
        }
        return problem.loss() instanceof Likelihood family
                ? new InferencePhase(
                        planning.owner(),
                        planning.nodes(),
                        problem,
                        family,
                        estimate,
                        settings.standardErrors(),
                        problems.keys())
                : new TermInferencePhase(
                        planning.owner(), planning.nodes(), problem, estimate, settings.proportionalHazards());
    }

    /** The fit with its bounds for the sum of all losses, of which the certificate has the mean. */
    private FittedPoint estimate(Solution solution, Loss loss) {
        double[] theta = solution.parameter();
        boolean[] leftOut = new boolean[theta.length];
        solution.exactness().aliased().forEach(c -> leftOut[c] = true);
        long samples = plan.samples();
        double weight = plan.facts().stream().mapToDouble(Facts::weight).sum();
        Certificate certificate = solution.certificate();
        int kept = theta.length - solution.exactness().aliased().size();
        double deviation = loss.isDispersionKnown()
                ? 1
                : Math.sqrt(2 * certificate.objective() * weight / Math.max(1, samples - kept));
        return new FittedPoint(
                theta,
                leftOut,
                solution.exactness().standardErrors() * deviation,
                certificate.relativeGap() * certificate.objective() * weight,
                settings.intercept(),
                samples,
                agreement().units().rawWeight(1),
                agreement().units().rawLoss(),
                this::raw,
                solution.hessian());
    }

    private double[] raw(double[] parameter) {
        RawWeights raw = agreement().raw(List.of(parameter));
        return problems.problem(0).loss().coefficients(raw.weights(), raw.intercepts(), settings.intercept());
    }

    private Step<?> evaluated(JobResult whole) {
        if (held.isEmpty()) {
            return done(whole);
        }
        return next(
                "evaluate",
                new EvaluationPhase(
                        planning.owner(),
                        planning.nodes(),
                        whole.model(""),
                        held.get().rows().get()),
                measures -> done(whole.with(measures)));
    }

    /**
     * The point that training has reached, for each problem up to the current one. While the listener is being called
     * with a certificate, it is the point that the certificate is about.
     */
    public RawWeights reached() {
        List<double[]> parameters = new ArrayList<>();
        for (int index = 0; index < solutions.count(); index++) {
            parameters.add(solutions.solution(index).parameter());
        }
        if (present() instanceof SolvePhase phase) {
            LocalProblem problem = problems.problem(solutions.count());
            double[] estimate = new double[problem.loss().parameters(problem.features())];
            phase.estimate(estimate);
            parameters.add(estimate);
        }
        return agreement().raw(parameters);
    }

    /** The delay τ that the current method is tuned for. */
    public double delay() {
        return plan.method().forecast().delay();
    }

    /** The passes over the samples so far in all problems; at a point of rest, the number is the same at every node. */
    public double passes() {
        double passes = solutions == null ? 0 : solutions.passes();
        return present() instanceof SolvePhase phase ? passes + phase.passes() : passes;
    }

    @Override
    public boolean canStop() {
        return present() instanceof SolvePhase;
    }

    /**
     * Ends the current problem with a certificate. If a problem of a path is told to end before it has begun, so would
     * all that follow, and the job ends with the values of λ that are complete; which it is, the nodes of this process
     * decide together.
     */
    @Override
    public void stop() {
        SolvePhase phase = (SolvePhase) present();
        int index = solutions.count();
        int point = order().point(index);
        int measured = order().folds() > 0 ? point : 0;
        int solved = index - order().first(point) >= order().classes() ? point + 1 : point;
        boolean idle = planning.nodes().shared().once("idle " + index, phase::isIdle);
        if (!idle || solved == 0) {
            phase.certifyNow();
            return;
        }
        plans.subList(measured > 0 ? measured : solved, plans.size()).clear();
        replace(measured > 0 ? chosen(solutions.heldOut().orElseThrow()) : totals(Optional.empty()));
    }
}
