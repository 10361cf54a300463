package dev.starling.job;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.Standardizer;
import dev.starling.evaluation.Measures;
import dev.starling.internal.Version;
import dev.starling.loss.Loss;
import dev.starling.loss.Ordinal;
import dev.starling.loss.Softmax;
import dev.starling.method.Facts;
import dev.starling.method.Solution;
import dev.starling.model.CrossValidation;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.model.Signatures;
import dev.starling.model.TrainingRows;
import dev.starling.model.inference.Inference;
import dev.starling.problem.Rounding;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a job, the same at every node.
 *
 * @param settings the settings of the job; for a path, λ and λ₁ are those of its last problem or of the chosen one
 * @param plan the plan that it was solved with
 * @param agreement what the nodes agreed on about their rows
 * @param solved one solution, or one per class if there are more than two and the loss takes one at a time
 * @param path the results for each λ of a path, including this one; empty if there is no path
 * @param validation how cross-validation chose this λ from the path; empty if it is simply the last one
 * @param updates the number of samples visited, by all nodes together
 * @param evaluation how well the model predicts the held-out rows, from sums and counts; empty if there are none
 * @param inference what standard errors follow from; empty if none were asked for
 */
public record JobResult(
        Settings settings,
        TrainingPlan plan,
        Agreement agreement,
        List<Solution> solved,
        List<JobResult> path,
        Optional<CrossValidation> validation,
        long updates,
        Optional<Measures> evaluation,
        Optional<Inference> inference) {

    /** The number of roundings of a coefficient that is scaled back, with room to spare. */
    private static final int ROUNDINGS = 16;

    private static final double LEAST_CURVATURE = 1024;

    /** Copies the lists. */
    public JobResult {
        solved = List.copyOf(solved);
        path = List.copyOf(path);
    }

    /** Returns a copy with the measures on held-out rows. */
    JobResult with(Optional<Measures> measures) {
        return with(measures, inference);
    }

    /** Returns a copy with what standard errors follow from. */
    JobResult with(Inference known) {
        return with(evaluation, Optional.of(known));
    }

    private JobResult with(Optional<Measures> measures, Optional<Inference> known) {
        return new JobResult(settings, plan, agreement, solved, path, validation, updates, measures, known);
    }

    /** One certificate per problem, of the weights on raw features. */
    public List<Certificate> certificates() {
        return solved.stream().map(this::certificate).toList();
    }

    private Certificate certificate(Solution solution) {
        return agreement.units().raw(inUnits(solution));
    }

    private Certificate inUnits(Solution solution) {
        Loss loss = settings.loss();
        Optional<Standardizer> standardizer = agreement.standardizer();
        boolean ordered = loss instanceof Ordinal;
        if (standardizer.isEmpty() || (loss.outputs() > 1 && !(loss instanceof Softmax || ordered))) {
            return solution.certificate();
        }
        int features = agreement.features();
        double constant = agreement.constant();
        int width = ordered ? solution.parameter().length : constant > 0 ? features + 1 : features;
        double distance = 0;
        double rounding = 0;
        for (int from = 0; from < solution.parameter().length; from += width) {
            double[] weights = Arrays.copyOfRange(solution.parameter(), from, from + features);
            double intercept = constant > 0 && !ordered ? constant * solution.parameter()[from + features] : 0;
            double moves = standardizer.get().movedBy(weights, intercept);
            double rounds = standardizer.get().roundedBy(weights, intercept);
            distance += moves * moves;
            rounding += rounds * rounds;
        }
        Certificate moved = movedBy(solution, Math.sqrt(distance));
        Certificate rounded = movedBy(solution, Math.sqrt(distance) + Math.sqrt(rounding));
        // Rounding is no news unless the objective is next to nothing.
        boolean tells = rounded.gap() - moved.gap() > Certificate.RESOLUTION * moved.scale();
        return tells ? rounded : moved.boundedAs(rounded);
    }

    private Certificate movedBy(Solution solution, double distance) {
        Loss loss = settings.loss();
        boolean joint = loss.outputs() > 1;
        double steepest = joint ? Double.POSITIVE_INFINITY : Rounding.steepest(loss);
        double beta = joint ? Softmax.MOST_CURVATURE : loss.smoothness();
        return solution.certificate()
                .movedBy(
                        distance,
                        steepest < Double.POSITIVE_INFINITY ? beta : Math.min(beta, meanCurvature()),
                        steepest,
                        settings.intercept());
    }

    /**
     * A bound on the curvature of the loss of counts, times and amounts near an optimum with an intercept, in the mean:
     * there, means add up to the responses.
     */
    private double meanCurvature() {
        return Math.max(
                LEAST_CURVATURE,
                2 * Math.abs(agreement.standardizer().orElseThrow().targetMean()));
    }

    /** The certificate of the sum of all objectives. */
    public Certificate certificate() {
        return certificates().stream().reduce(Certificate::plus).orElseThrow();
    }

    /** What is known about all coefficients if nothing is regularised. */
    public Exactness exactness() {
        Exactness all = solved.stream().map(this::onRaw).reduce(Exactness::and).orElseThrow();
        Units units = agreement.units();
        int width = agreement.features() + (agreement.constant() > 0 ? 1 : 0);
        // Heavier rows leave smaller standard errors, unless these follow from what is left of the target.
        double unit = settings.loss().isDispersionKnown() ? Math.sqrt(units.rawWeight(1)) : 1;
        return new Exactness(
                unit * all.standardErrors(),
                all.aliased().stream()
                        .map(parameter -> settings.loss().feature(parameter, width))
                        .filter(feature -> feature >= 0)
                        .distinct()
                        .toList());
    }

    /**
     * What rounding leaves of exactness where coefficients are scaled back, or the intercept makes up for features that
     * were moved: next to nothing, but estimates of linear models may be right to the last digit before.
     */
    private Exactness onRaw(Solution solution) {
        double[] theta = solution.parameter();
        int d = theta.length;
        if (agreement.standardizer().isEmpty() || solution.hessian().length == 0) {
            return solution.exactness();
        }
        double size = 0;
        for (int c = 0; c < d; c++) {
            size += Math.abs(theta[c]) * Math.sqrt(solution.hessian()[c * d + c]);
        }
        double weight = plan.facts().stream().mapToDouble(Facts::weight).sum();
        int free = (int)
                Math.max(1, plan.samples() - d + solution.exactness().aliased().size());
        double variance = settings.loss().isDispersionKnown()
                ? 1 / weight
                : 2 * solution.certificate().objective() / free;
        double more = ROUNDINGS * Rounding.UNIT * size / Math.sqrt(variance);
        return new Exactness(
                solution.exactness().standardErrors() + (more > 0 ? more : 0),
                solution.exactness().aliased());
    }

    /** Whether every λ that was asked for was solved. */
    public boolean isComplete() {
        return path.isEmpty() || path.size() == settings.path().size();
    }

    /** Whether the requested gap was reached in every problem: for every λ, on all rows and without each fold. */
    public boolean isCertified() {
        return path.stream().allMatch(JobResult::isCertified)
                && validation.map(CrossValidation::certified).orElse(true)
                && certificates().stream().allMatch(settings.rule()::isMet);
    }

    /**
     * Whether a problem ended short of the requested gap because many further passes did not improve its certificate,
     * or because the rounding of its model, on raw features, takes more than was left.
     */
    public boolean isStalled() {
        return path.stream().anyMatch(JobResult::isStalled)
                || validation.map(CrossValidation::stalled).orElse(false)
                || solved.stream()
                        .anyMatch(one -> (one.stalled() || settings.rule().isMet(one.certificate()))
                                && !settings.rule().isMet(certificate(one)));
    }

    /**
     * The model, on raw features.
     *
     * @param fingerprint a digest of the rows of all nodes
     */
    public LinearModel model(String fingerprint) {
        RawWeights raw = agreement.raw(solved.stream().map(Solution::parameter).toList());
        LinearModel model = new LinearModel(
                        settings.loss().name(),
                        agreement.labels().classes(),
                        agreement.names(),
                        raw.weights(),
                        raw.intercepts(),
                        provenance(fingerprint))
                .with(path.stream().map(one -> one.model(fingerprint)).toList());
        return inference.map(model::with).orElse(model);
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
                new TrainingRows(plan.samples(), agreement.deviations()),
                fingerprint,
                Signatures.NONE,
                validation,
                evaluation
                        .map(measures -> Map.of(EvaluationRecord.HOLDOUT, measures.toKeep()))
                        .orElse(Map.of()));
    }
}
