package dev.starling.job;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.Labels;
import dev.starling.data.Standardizer;
import dev.starling.evaluation.Measures;
import dev.starling.internal.Version;
import dev.starling.method.Solution;
import dev.starling.model.CrossValidation;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.model.Signatures;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a job ends with, the same at every node.
 *
 * @param settings what it was asked for; with a path, λ and λ₁ are those of its last problem or of the one chosen
 * @param plan what it was solved with
 * @param labels the classes
 * @param standardizer how features were scaled, if they were
 * @param features raw features, without the intercept's
 * @param names the features' names; empty where they have none
 * @param solved one solution, or one per class where there are more than two
 * @param path the results for each λ of a path, this one's among them; empty where there is no path
 * @param validation how this one of the path was chosen; empty where it is the last
 * @param updates samples visited, by all nodes
 * @param judgement how well the model predicts rows that were kept from training, by sums and counts; if there are any
 */
public record JobResult(
        Settings settings,
        TrainingPlan plan,
        Labels labels,
        Optional<Standardizer> standardizer,
        int features,
        List<String> names,
        List<Solution> solved,
        List<JobResult> path,
        Optional<CrossValidation> validation,
        long updates,
        Optional<Measures> judgement) {

    /** Copies the lists. */
    public JobResult {
        names = List.copyOf(names);
        solved = List.copyOf(solved);
        path = List.copyOf(path);
    }

    /** The same, judged. */
    JobResult with(Optional<Measures> measures) {
        return new JobResult(
                settings, plan, labels, standardizer, features, names, solved, path, validation, updates, measures);
    }

    /** One certificate per problem. */
    public List<Certificate> certificates() {
        return solved.stream().map(Solution::certificate).toList();
    }

    /** The certificate of the sum of all objectives. */
    public Certificate certificate() {
        return certificates().stream().reduce(Certificate::plus).orElseThrow();
    }

    /** What is known of all coefficients, where nothing is regularised. */
    public Exactness exactness() {
        return solved.stream().map(Solution::exactness).reduce(Exactness::and).orElseThrow();
    }

    /** Whether the gap asked for was reached in every problem, of every λ, with all rows and without a fold of them. */
    public boolean isCertified() {
        return path.stream().allMatch(JobResult::isCertified)
                && validation.map(CrossValidation::certified).orElse(true)
                && certificates().stream().allMatch(settings.rule()::isMet);
    }

    /** Whether a problem short of the gap ended because many further passes proved no more. */
    public boolean isStalled() {
        return path.stream().anyMatch(JobResult::isStalled)
                || validation.map(CrossValidation::stalled).orElse(false)
                || solved.stream()
                        .anyMatch(one -> one.stalled() && !settings.rule().isMet(one.certificate()));
    }

    /**
     * The model, on raw features.
     *
     * @param fingerprint a digest of the rows of all nodes
     */
    public LinearModel model(String fingerprint) {
        RawWeights raw =
                RawWeights.of(solved.stream().map(Solution::parameter).toList(), settings, features, standardizer);
        return new LinearModel(
                        settings.loss().name(),
                        labels.classes(),
                        names,
                        raw.weights(),
                        raw.intercepts(),
                        provenance(fingerprint))
                .with(path.stream().map(one -> one.model(fingerprint)).toList());
    }

    private Provenance provenance(String fingerprint) {
        return new Provenance(
                Version.current(),
                settings.toMap(),
                plan.method().name(),
                plan.network().recipe(),
                plan.method().forecast().delay(),
                certificate(),
                exactness(),
                isCertified(),
                fingerprint,
                Signatures.NONE,
                validation,
                judgement
                        .map(measures -> Map.of(EvaluationRecord.HOLDOUT, measures.toKeep()))
                        .orElse(Map.of()));
    }
}
