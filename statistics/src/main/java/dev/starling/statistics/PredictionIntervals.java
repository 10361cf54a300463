package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;

/** Intervals of what a model predicts, from the covariance of its coefficients. */
public final class PredictionIntervals {

    private final LinearModel model;
    private final Inference known;
    private final Likelihood family;
    private final double dispersion;
    private final double quantile;

    /**
     * Creates the intervals of a model's predictions.
     *
     * @param level for example 0.95
     * @throws InvalidInputException if the model was not trained with standard errors
     */
    public PredictionIntervals(LinearModel model, double level) {
        GlmTable.requireLevel(level);
        this.model = model;
        this.known = GlmTable.inferenceOfWhole(model, "intervals of predictions");
        this.family = GlmTable.family(model);
        boolean isKnown = family.isDispersionKnown();
        this.dispersion = isKnown ? 1 : known.pearson() / known.degreesOfFreedom();
        this.quantile = isKnown
                ? Distributions.normalQuantile(1 - level)
                : Distributions.tQuantile(1 - level, known.degreesOfFreedom());
    }

    /**
     * The interval of the mean of a row, or of a further label with that mean.
     *
     * @param lower its lower end
     * @param upper its upper end
     */
    public record Interval(double lower, double upper) {}

    /** Whether there are intervals of further labels too: only for numbers with normal errors. */
    public boolean haveLabels() {
        return family.family().equals("gaussian");
    }

    /** The standard error of the score of a row. */
    public double standardError(Dataset rows, int row) {
        return Math.sqrt(variance(rows, row));
    }

    /** The confidence interval of the mean of a row. */
    public Interval mean(Dataset rows, int row) {
        return around(model.score(rows, row, 0), quantile * standardError(rows, row));
    }

    /** The prediction interval of a further label with the features of a row. */
    public Interval label(Dataset rows, int row) {
        return around(model.score(rows, row, 0), quantile * Math.sqrt(dispersion + variance(rows, row)));
    }

    private Interval around(double score, double half) {
        return new Interval(family.link().mean(score - half), family.link().mean(score + half));
    }

    /** φ xᵀVx, or the same with the robust covariance. */
    private double variance(Dataset rows, int row) {
        double[] covariance = known.kind().isRobust() ? known.robust() : known.covariance();
        double factor = known.kind().isRobust() ? GlmTable.robustFactor(known) : dispersion;
        double sum = Scores.quadratic(covariance, Scores.row(rows, row, known.coefficients(), known.intercept()));
        return factor * Math.max(0, sum);
    }
}
