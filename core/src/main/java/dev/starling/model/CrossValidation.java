package dev.starling.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the λ of a model was chosen: how well models with each λ of a path predict the folds of rows that they were not
 * trained on.
 *
 * @param folds how many folds there were
 * @param by what decided on a row's fold: content, site, or the names of columns
 * @param rule min or 1se
 * @param certified whether all models without a fold have reached the gap that was asked for
 * @param stalled whether one of them has not because many further passes proved no more
 * @param epochs the passes they took, each over the rows that it was trained on
 * @param lines what was found for each λ, in the order of the path
 * @param best the line with the smallest mean loss
 * @param chosen the line of the model
 */
public record CrossValidation(
        int folds,
        String by,
        String rule,
        boolean certified,
        boolean stalled,
        double epochs,
        List<Line> lines,
        int best,
        int chosen) {

    /** The measure by which λ is chosen. */
    public static final String LOSS = "loss";

    /**
     * A measure over all folds.
     *
     * @param mean over all rows, each predicted by the model without its fold
     * @param error the standard error of that mean, from how the folds differ
     */
    public record Estimate(double mean, double error) {

        /**
         * From moments over folds.
         *
         * @param folds how many there are
         * @param weight Σ W, the weights of the rows of each
         * @param sum Σ S, a measure times the weight, summed up over the rows of each
         * @param squares Σ S²/W
         */
        public static Estimate of(int folds, double weight, double sum, double squares) {
            double mean = sum / weight;
            double variance = Math.max(0, squares / weight - mean * mean);
            return new Estimate(mean, Math.sqrt(variance / (folds - 1)));
        }
    }

    /**
     * What was found for one λ.
     *
     * @param measures by name, the loss first
     */
    public record Line(double lambda, double l1, Map<String, Estimate> measures) {

        /** Copies the measures. */
        public Line {
            measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        }

        /** The mean of the loss that is trained for. */
        public Estimate loss() {
            return measures.get(LOSS);
        }
    }

    /** Copies the lines. */
    public CrossValidation {
        lines = List.copyOf(lines);
    }

    /** What was found for the λ that was chosen. */
    public Line chosenLine() {
        return lines.get(chosen);
    }
}
