package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Profile-likelihood intervals: their ends are the values of a coefficient at which the deviance of the best fit with
 * that value exceeds the least by the quantile of χ², or of F if the dispersion is estimated. Each end takes a few fits
 * in which the coefficient times its column is an offset.
 */
public final class ProfileIntervals {

    private static final int MOST_STEPS = 50;
    private static final double CLOSE = 1e-12;

    private final Dataset rows;
    private final LinearModel model;
    private final Fitting fitting;
    private final Inference known;
    private final Likelihood family;

    /** By how much the deviance may rise. */
    private final double rise;

    /** Fits rows, with or without an intercept. */
    @FunctionalInterface
    public interface Fitting {
        /** Returns the model of these rows, with standard errors. */
        LinearModel fit(Dataset rows, boolean intercept);
    }

    /**
     * Creates the intervals.
     *
     * @param rows the rows that the model was fitted to
     * @param level for example 0.95
     */
    public ProfileIntervals(Dataset rows, LinearModel model, Fitting fitting, double level) {
        this.rows = rows;
        this.model = model;
        this.fitting = fitting;
        this.known = GlmTable.inference(model);
        this.family = GlmTable.family(model);
        if (!family.isConvex()) {
            throw new InvalidInputException("profile intervals need a convex family, not " + family.family());
        }
        double quantile = family.isDispersionKnown()
                ? Distributions.normalQuantile(1 - level)
                : Distributions.tQuantile(1 - level, known.degreesOfFreedom());
        double dispersion = family.isDispersionKnown() ? 1 : known.pearson() / known.degreesOfFreedom();
        this.rise = quantile * quantile * dispersion;
    }

    /** The table with these intervals in the place of Wald's. */
    public GlmTable in(GlmTable table) {
        List<Coefficient> lines = new ArrayList<>();
        for (int line = 0; line < table.coefficients().size(); line++) {
            Coefficient one = table.coefficients().get(line);
            int column = known.intercept() ? (line == 0 ? model.features() : line - 1) : line;
            lines.add(one.isEstimated() ? one.within(end(one, column, -1), end(one, column, 1)) : one);
        }
        return table.with(lines);
    }

    /** One end, by Newton's method: the deviance of the best fit has the slope 2 Σ w ℓ' x by the coefficient. */
    private Proven end(Coefficient line, int column, int sign) {
        double error = Math.sqrt(rise * Inference.entry(known.covariance(), column, column));
        double value = line.estimate().value() + sign * error;
        double step = error;
        double slope = 0;
        double off = 0;
        for (int k = 0; k < MOST_STEPS && Math.abs(step) > CLOSE * error; k++) {
            Dataset shifted = shifted(column, value);
            boolean intercept = known.intercept() && column < model.features();
            LinearModel fit = fitting.fit(shifted, intercept);
            Inference there = GlmTable.inference(fit);
            slope = 2 * slope(fit, shifted, column);
            step = (there.deviance() - known.deviance() - rise) / slope;
            off = there.devianceError() + known.devianceError();
            value -= step;
        }
        boolean converged = Math.abs(step) <= CLOSE * error;
        return new Proven(value, converged ? 2 * (Math.abs(off / slope) + Math.abs(step)) : Double.POSITIVE_INFINITY);
    }

    /** The rows without a column, whose part of the score is an offset instead; the intercept's column is 1. */
    private Dataset shifted(int column, double coefficient) {
        int features = rows.features();
        int[] kept = IntStream.range(0, features).filter(c -> c != column).toArray();
        double[] values = new double[rows.rows() * kept.length];
        double[] offsets = new double[rows.rows()];
        double[] weights = new double[rows.rows()];
        for (int row = 0; row < rows.rows(); row++) {
            double[] dense = Scores.row(rows, row, rows.features() + 1, true);
            for (int c = 0; c < kept.length; c++) {
                values[row * kept.length + c] = dense[kept[c]];
            }
            offsets[row] = rows.offset(row) + coefficient * dense[column];
            weights[row] = rows.weight(row);
        }
        return Dataset.dense(kept.length, values, rows.labels())
                .withNames(Arrays.stream(kept).mapToObj(rows.names()::get).toList())
                .withWeights(weights)
                .withOffsets(offsets);
    }

    private double slope(LinearModel fit, Dataset shifted, int column) {
        double sum = 0;
        for (int row = 0; row < shifted.rows(); row++) {
            sum += shifted.weight(row)
                    * family.derivative(fit.score(shifted, row, 0), label(shifted.label(row)))
                    * Scores.row(rows, row, rows.features() + 1, true)[column];
        }
        return sum;
    }

    /** A label as the loss takes it: two classes as −1 and 1. */
    private double label(double label) {
        return model.isClassifier() ? (label == model.classes().get(1) ? 1 : -1) : label;
    }
}
