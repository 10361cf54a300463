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
 * @param ofFolds how well each fold was predicted with the chosen λ; {@link FoldScores#UNKNOWN} if a fold is a site,
 *     whose own scores are nobody else's business
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
        int chosen,
        FoldScores ofFolds) {

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

    /**
     * How well the rows of each fold are predicted by the model that was trained without them.
     *
     * @param weights the weight of each fold's rows
     * @param means for each measure by name, its mean over the rows of each fold
     */
    public record FoldScores(List<Double> weights, Map<String, List<Double>> means) {

        /** Scores that are not known. */
        public static final FoldScores UNKNOWN = new FoldScores(List.of(), Map.of());

        /** Copies the lists. */
        public FoldScores {
            weights = List.copyOf(weights);
            Map<String, List<Double>> copies = new LinkedHashMap<>();
            means.forEach((measure, values) -> copies.put(measure, List.copyOf(values)));
            means = Collections.unmodifiableMap(copies);
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

    /** All of it as nested maps and lists, as model files hold it. */
    public Map<String, Object> toMap() {
        JsonMembers members = JsonMembers.toWrite();
        ValidationJson.members(members, this);
        return members.values();
    }
}
