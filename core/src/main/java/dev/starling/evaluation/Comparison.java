package dev.starling.evaluation;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Judged.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares two models on the same rows: how much each measure differs, and how much of that chance may explain. Rows
 * that are hard for one model are hard for the other, so the difference is far less uncertain than either measure.
 */
public final class Comparison {

    private static final double FEWEST_ROWS = 1.5;

    /** Measures of which more is better; of the others, less is. */
    private static final Set<String> MORE_IS_BETTER = Set.of("accuracy", "auc");

    private Comparison() {}

    /**
     * By how much a measure of the second model differs from that of the first.
     *
     * @param measure the measure's name
     * @param first the measure of the first model
     * @param second the measure of the second model
     * @param standardError the standard error of second − first as an estimate for other rows from the same
     *     distribution; NaN if there are too few rows
     * @param degrees the degrees of freedom of that standard error; infinite if it is normal
     */
    public record Difference(String measure, double first, double second, double standardError, double degrees) {

        /** The difference. */
        public double value() {
            return second - first;
        }

        /** The lower end of its 95 % confidence interval. */
        public double lower() {
            return value() - StudentT.quantile(degrees) * standardError;
        }

        /** The upper end of its 95 % confidence interval. */
        public double upper() {
            return value() + StudentT.quantile(degrees) * standardError;
        }

        /** Whether the interval excludes 0. */
        public boolean isMoreThanChance() {
            return lower() > 0 || upper() < 0;
        }

        /** Whether the second model is better than the first, be it by chance or not. */
        public boolean favoursSecond() {
            return isBetter(measure, second, first);
        }
    }

    /** Whether a value of a measure is better than another. */
    public static boolean isBetter(String measure, double value, double other) {
        return MORE_IS_BETTER.contains(measure) ? value > other : value < other;
    }

    /**
     * The differences between two models.
     *
     * @throws InvalidInputException if they do not predict the same labels of equally weighted rows
     */
    public static List<Difference> of(Judged first, Judged second) {
        requireSame(first, second);
        double[] weights = first.weights();
        List<Difference> differences = new ArrayList<>();
        Map<String, Measured> others = second.means();
        first.means().forEach((measure, one) -> {
            boolean same = !measure.equals("loss")
                    || first.model().loss().equals(second.model().loss());
            if (others.containsKey(measure) && same) {
                differences.add(difference(measure, one, others.get(measure), weights, new Object[weights.length]));
            }
        });
        if (first.model().isClassifier()) {
            Difference area = difference("auc", first.area(), second.area(), weights, first.labels());
            if (!Double.isNaN(area.value())) {
                differences.add(Math.min(1, differences.size()), area);
            }
        }
        return differences;
    }

    private static void requireSame(Judged first, Judged second) {
        if (!Arrays.equals(first.labels(), second.labels())) {
            throw new InvalidInputException("the models do not predict the same labels of the same rows; compare models"
                    + " of one column, with the same classes");
        }
        if (!Arrays.equals(first.weights(), second.weights())) {
            throw new InvalidInputException(
                    "the models give the same rows different weights; compare models with the same column of weights");
        }
    }

    /** @param groups the group of each row, whose rows are a sample of their own; null for all rows together */
    private static Difference difference(
            String measure, Measured first, Measured second, double[] weights, Object[] groups) {
        Map<Object, Group> found = new LinkedHashMap<>();
        for (int i = 0; i < weights.length; i++) {
            found.computeIfAbsent(groups[i], any -> new Group()).add(weights[i], second.parts()[i] - first.parts()[i]);
        }
        double variance = found.values().stream().mapToDouble(Group::variance).sum();
        // DeLong's interval is normal; a mean has a degree of freedom less than rows.
        double degrees =
                found.size() == 1 ? found.values().iterator().next().effective() - 1 : Double.POSITIVE_INFINITY;
        return new Difference(measure, first.value(), second.value(), Math.sqrt(variance), degrees);
    }

    /** The mean of numbers and its variance, from the first number on, which keeps rounding small. */
    private static final class Group {
        private double weight;
        private double squaredWeights;
        private double mean;
        private double squares;

        void add(double more, double value) {
            if (more > 0) {
                weight += more;
                squaredWeights += more * more;
                double before = mean;
                mean += (value - mean) * more / weight;
                squares += more * (value - before) * (value - mean);
            }
        }

        /** The number of equally weighted rows that would say as much. */
        double effective() {
            return weight * weight / squaredWeights;
        }

        /** The variance of the mean; NaN for a single row. */
        double variance() {
            return effective() > FEWEST_ROWS ? squares / weight / (effective() - 1) : Double.NaN;
        }
    }

    /**
     * The difference of a measure over folds of a cross-validation, which both models had in common. Models of
     * different folds were trained on mostly the same rows, so that folds differ less than separate samples would; the
     * variance is enlarged for that as Nadeau and Bengio (2003) propose.
     *
     * @param weights the weight of each fold's rows
     * @param first the means over each fold of the first model
     * @param second the means over each fold of the second model
     */
    public static Difference ofFolds(String measure, List<Double> weights, List<Double> first, List<Double> second) {
        Group differences = new Group();
        Group ones = new Group();
        Group others = new Group();
        for (int fold = 0; fold < weights.size(); fold++) {
            differences.add(weights.get(fold), second.get(fold) - first.get(fold));
            ones.add(weights.get(fold), first.get(fold));
            others.add(weights.get(fold), second.get(fold));
        }
        double folds = weights.size();
        return new Difference(
                measure,
                ones.mean,
                others.mean,
                Math.sqrt(differences.variance() * (1 + folds / (folds - 1))),
                folds - 1);
    }
}
