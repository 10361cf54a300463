package dev.starling.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How cross-validation chose the λ of a model: how well the models for each λ of a path predict the fold of rows that
 * they were not trained on.
 *
 * @param folds the number of folds
 * @param by what rows were assigned to folds by: content, site, or the names of columns
 * @param rule min or 1se
 * @param certified whether the models of all folds reached the requested gap
 * @param stalled whether one of them did not because many further passes did not improve its certificate
 * @param epochs the passes of all of them together, each over the rows it was trained on
 * @param lines the results for each λ, in the order of the path
 * @param best the index of the line with the smallest mean loss
 * @param chosen the index of the line of the model
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
     * @param mean the mean over all rows, each predicted by a model that was not trained on its fold
     * @param error the standard error of that mean, estimated from the differences between folds
     */
    public record Estimate(double mean, double error) {

        /**
         * Computes an estimate from moments over folds.
         *
         * @param folds the number of folds
         * @param weight Σ W over folds, where W is the total weight of a fold's rows
         * @param sum Σ S over folds, where S is the sum of the measure times the weight over a fold's rows
         * @param squares Σ S²/W over folds
         */
        public static Estimate of(int folds, double weight, double sum, double squares) {
            double mean = sum / weight;
            double variance = Math.max(0, squares / weight - mean * mean);
            return new Estimate(mean, Math.sqrt(variance / (folds - 1)));
        }
    }

    /**
     * The results for one λ.
     *
     * @param measures the measures by name, starting with the loss
     */
    public record Line(double lambda, double l1, Map<String, Estimate> measures) {

        /** Copies the measures. */
        public Line {
            measures = Collections.unmodifiableMap(new LinkedHashMap<>(measures));
        }

        /** The mean of the loss that the models are trained with. */
        public Estimate loss() {
            return measures.get(LOSS);
        }
    }

    /** Copies the lines. */
    public CrossValidation {
        lines = List.copyOf(lines);
    }

    /** The results for the chosen λ. */
    public Line chosenLine() {
        return lines.get(chosen);
    }
}
