package dev.starling;

import dev.starling.certificate.Certificate;
import dev.starling.evaluation.Measures;
import dev.starling.job.JobResult;
import dev.starling.job.TrainingPlan;
import dev.starling.model.CrossValidation;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.table.Recipe;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The outcome of training: a model, the proof of how good it is, and what it took.
 *
 * @param model the model; with a path, that of its last λ or of the one chosen, which holds the others
 * @param certificate the certificate of the model's whole objective, summed over the classes where there are several
 * @param outcome why training ended
 * @param certificates one certificate per score of the model
 * @param plan what it was solved with
 * @param updates proximal steps, or visits of samples, of all nodes
 * @param rounds communication rounds
 * @param bytes payload of all messages, certificates' included
 * @param idealisedTime time on a clock on which a proximal step costs 1 and a message τ
 * @param seconds time taken for solving
 * @param judgement how well the model predicts rows that were kept from training, if any were
 */
public record Fit(
        LinearModel model,
        Certificate certificate,
        Outcome outcome,
        List<Certificate> certificates,
        TrainingPlan plan,
        long updates,
        long rounds,
        long bytes,
        double idealisedTime,
        double seconds,
        Optional<Measures> judgement) {

    /** Why training ended. */
    public enum Outcome {
        /** The gap asked for is certified. */
        CERTIFIED,
        /** Many further passes proved no more: most likely the limit of rounding. */
        STALLED,
        /** The limit on epochs came first. */
        EPOCH_LIMIT,
        /** The time limit, or someone who asked to stop, came first. */
        STOPPED,
        /** The thread that trained was interrupted; it still is. */
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
                report.bytes(),
                report.idealisedTime(),
                seconds,
                result.judgement());
    }

    /** The same outcome, whose model knows the recipe that the rows were made by. */
    public Fit with(Recipe recipe) {
        return with(model.with(recipe), judgement);
    }

    /** The same outcome with the judgement of somebody who has all rows at hand. */
    Fit with(Optional<Measures> exact) {
        return with(
                exact.map(measures -> model.with(EvaluationRecord.HOLDOUT, measures.toKeep()))
                        .orElse(model),
                exact);
    }

    private Fit with(LinearModel newModel, Optional<Measures> newJudgement) {
        return new Fit(
                newModel,
                certificate,
                outcome,
                certificates,
                plan,
                updates,
                rounds,
                bytes,
                idealisedTime,
                seconds,
                newJudgement);
    }

    /** Whether the gap asked for was reached. */
    public boolean isCertified() {
        return outcome == Outcome.CERTIFIED;
    }

    /** The classes whose own scores did not reach the gap asked for; empty unless there are more than two. */
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

    /** Passes over the samples, for all values of λ and all folds where there are several. */
    public double epochs() {
        return model.path().isEmpty()
                ? certificate.epochs()
                : model.path().stream()
                                .mapToDouble(
                                        one -> one.provenance().certificate().epochs())
                                .sum()
                        + validation().map(CrossValidation::epochs).orElse(0.0);
    }

    /** How the model was chosen from its path, where that was left to cross-validation. */
    public Optional<CrossValidation> validation() {
        return model.provenance().validation();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "Fit[%s, objective %.6g, gap %.3g, %.1f epochs by %s, %.3f s]",
                outcome.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                objective(),
                gap(),
                epochs(),
                plan.method().name(),
                seconds);
    }
}
