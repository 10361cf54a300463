package dev.starling;

import dev.starling.certificate.Certificate;
import dev.starling.evaluation.Measures;
import dev.starling.job.JobResult;
import dev.starling.job.TrainingPlan;
import dev.starling.model.CrossValidation;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.model.TableEncoding;
import dev.starling.runtime.Runner.RunReport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The outcome of training: a model, a proof of how good it is, and what it cost.
 *
 * @param model the model; for a path of λ, the one for the last λ or for the λ that cross-validation chose, which also
 *     holds the models for all other λ
 * @param certificate the certificate of the model's whole objective: the sum over classes if there are more than two
 * @param outcome why training ended
 * @param certificates one certificate per score of the model
 * @param plan the network, method and constants that training used
 * @param updates proximal steps, or visits to samples, at all nodes together
 * @param rounds the most times that a node waited for its neighbours
 * @param latency messages sent one after another, each because of the one before; empty between sites, whose messages
 *     do not tell what they come after
 * @param bytes payload of all messages, including those for certificates
 * @param idealisedTime time on a clock on which a proximal step costs 1 and a message τ
 * @param seconds wall-clock time of training
 * @param evaluation how well the model predicts the held-out rows, if any rows were held out
 */
public record Fit(
        LinearModel model,
        Certificate certificate,
        Outcome outcome,
        List<Certificate> certificates,
        TrainingPlan plan,
        long updates,
        long rounds,
        OptionalLong latency,
        long bytes,
        double idealisedTime,
        double seconds,
        Optional<Measures> evaluation) {

    /** Why training ended. */
    public enum Outcome {
        /** The requested gap is certified. */
        CERTIFIED,
        /** Many further passes did not improve the certificate, most likely because rounding allows no better one. */
        STALLED,
        /** The limit on epochs was reached before the gap. */
        EPOCH_LIMIT,
        /** The time limit or a stop signal ended training before the gap was reached. */
        STOPPED,
        /** The training thread was interrupted; its interrupt flag is still set. */
        INTERRUPTED
    }

    /** Copies the list. */
    public Fit {
        certificates = List.copyOf(certificates);
    }

    /** The outcome of a job. */
    public static Fit of(JobResult result, LinearModel model, Outcome outcome, RunReport report, double seconds) {
        return new Fit(
                model,
                result.certificate(),
                outcome,
                result.certificates(),
                result.plan(),
                result.updates(),
                report.rounds(),
                report.latency(),
                report.bytes(),
                report.idealisedTime(),
                seconds,
                result.evaluation());
    }

    /** Returns a copy whose model carries the recipe that encoded the rows. */
    public Fit with(TableEncoding recipe) {
        return with(model.with(recipe), evaluation);
    }

    /**
     * Returns a copy with measures computed from all held-out rows instead of from counts in bins.
     *
     * @param keys the sum of these rows' keys
     */
    Fit with(Optional<Measures> exact, long keys) {
        return with(
                exact.map(measures -> model.with(
                                EvaluationRecord.HOLDOUT, measures.toKeep().of(keys)))
                        .orElse(model),
                exact);
    }

    private Fit with(LinearModel newModel, Optional<Measures> newEvaluation) {
        return new Fit(
                newModel,
                certificate,
                outcome,
                certificates,
                plan,
                updates,
                rounds,
                latency,
                bytes,
                idealisedTime,
                seconds,
                newEvaluation);
    }

    /** Whether the requested gap was reached. */
    public boolean isCertified() {
        return outcome == Outcome.CERTIFIED;
    }

    /** The classes whose own scores did not reach the requested gap; empty unless there are more than two classes. */
    public List<Double> uncertifiedClasses() {
        return IntStream.range(0, certificates.size() > 1 ? certificates.size() : 0)
                .filter(k -> certificates.get(k).relativeGap() > plan.targetGap())
                .mapToObj(k -> model.classes().get(k))
                .toList();
    }

    /** The objective, mean loss + (λ/2)‖θ‖², at the model's weights. */
    public double objective() {
        return certificate.objective();
    }

    /** The certified relative duality gap. */
    public double gap() {
        return certificate.relativeGap();
    }

    /** Passes over the samples, summed over all values of λ and all folds. */
    public double epochs() {
        return model.path().isEmpty()
                ? certificate.epochs()
                : model.path().stream()
                                .mapToDouble(
                                        one -> one.provenance().certificate().epochs())
                                .sum()
                        + validation().map(CrossValidation::epochs).orElse(0.0);
    }

    /** How cross-validation chose the model from its path, if it did. */
    public Optional<CrossValidation> validation() {
        return model.provenance().validation();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.US,
                "Fit[%s, objective %.6g, gap %.3g, %.1f epochs by %s, %.3f s]",
                outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                objective(),
                gap(),
                epochs(),
                plan.method().name(),
                seconds);
    }
}
