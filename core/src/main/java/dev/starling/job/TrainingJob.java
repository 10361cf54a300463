package dev.starling.job;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.MethodNode;
import dev.starling.method.Solved;
import dev.starling.node.Sequence;
import dev.starling.node.Stoppable;
import dev.starling.node.SumRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A whole job at one node, from rows to the finished result: nodes agree, train one problem or one per class, and add
 * up what it took. The same object whoever drives it, so that everything that decides a bit is here, and every runtime
 * gives the same.
 */
public final class TrainingJob extends Sequence<JobResult> implements Stoppable {

    private final Settings settings;
    private final boolean timed;
    private final Agreement agreement;
    private final TrainingListener listener;
    private final Optional<RawWeights> start;
    private final List<Training.Ended> ended = new ArrayList<>();
    private TrainingPlan plan;

    /**
     * The job at one node, at its start.
     *
     * @param agreement how the nodes agree before they train
     * @param listener hears how it goes at this node
     */
    public TrainingJob(Settings settings, JobRules rules, Agreement agreement, TrainingListener listener) {
        this(settings, rules, agreement, listener, Optional.empty());
    }

    /**
     * A job that may go on from where another one ended.
     *
     * @param start where training begins, the same at all nodes; from nothing if empty
     */
    public TrainingJob(
            Settings settings,
            JobRules rules,
            Agreement agreement,
            TrainingListener listener,
            Optional<RawWeights> start) {
        super(agreement.owner());
        this.start = start;
        this.settings = settings;
        this.timed = rules.timed();
        this.agreement = agreement;
        this.listener = listener;
    }

    @Override
    protected Step<?> begin() {
        return next("agree", agreement, agreed -> {
            plan = agreed;
            return train();
        });
    }

    private Step<?> train() {
        int index = ended.size();
        Training training = new Training(() -> begun(index), plan.method().longestMessage(agreement.nodes()));
        listener.started(index, agreement.problems(), plan, () -> (double) training.updates() / agreement.samples());
        return next("train " + index, training, this::trained);
    }

    private MethodNode begun(int index) {
        StoppingRule rule = new StoppingRule(settings.gap(), settings.maxEpochs(), timed);
        CertificateListener relay = (certificate, nextCheck) ->
                listener.certified(certificate, nextCheck == 0 ? 0 : plan.epochsFrom(certificate.relativeGap()));
        return plan.method()
                .node(
                        agreement.problem(index),
                        agreement.nodes().of(index, agreement.problems()),
                        rule,
                        settings.seed(),
                        start.flatMap(point ->
                                point.parameter(index, settings, agreement.features(), agreement.standardizer())),
                        relay);
    }

    private Step<?> trained(Training.Ended one) {
        ended.add(one);
        agreement.forget(ended.size() - 2);
        return ended.size() < agreement.problems()
                ? train()
                : next("totals", agreement.nodes().sum(SumRequest.ofNothing("updates", 1), this::updates), this::added);
    }

    private double[] updates() {
        return new double[] {ended.stream().mapToLong(Training.Ended::updates).sum()};
    }

    private Step<?> added(double[] totals) {
        List<Solved> solved = ended.stream().map(Training.Ended::solved).toList();
        long updates = (long) totals[0];
        return done(new JobResult(
                settings,
                plan,
                agreement.labels(),
                agreement.standardizer(),
                agreement.features(),
                agreement.names(),
                solved,
                updates));
    }

    /**
     * The point that training has reached, problem by problem up to the present one: while a certificate is told to the
     * listener, the one that it is of.
     */
    public RawWeights reached() {
        List<double[]> parameters = new ArrayList<>();
        ended.forEach(one -> parameters.add(one.solved().parameter()));
        if (present() instanceof Training training) {
            double[] estimate = new double[agreement.problem(ended.size()).features()];
            training.estimate(estimate);
            parameters.add(estimate);
        }
        return RawWeights.of(parameters, settings, agreement.features(), agreement.standardizer());
    }

    /** What was agreed on; only once training has begun. */
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
        for (Training.Ended one : ended) {
            passes += one.solved().certificate().epochs();
        }
        return present() instanceof Training training ? passes + training.passes() : passes;
    }

    @Override
    public boolean canStop() {
        return present() instanceof Training;
    }

    @Override
    public void stop() {
        ((Training) present()).certifyNow();
    }
}
