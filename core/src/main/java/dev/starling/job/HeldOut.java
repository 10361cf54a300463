package dev.starling.job;

import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.node.SumRequest;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well models predict the rows of a node that they were trained without, fold by fold and λ by λ, as numbers that
 * nodes add up once all are known. Where a fold is what one node has, nodes add up moments over folds, so that nobody
 * learns how well another node's rows are predicted.
 */
final class HeldOut {

    static final String KIND = "held-out";

    private static final List<String> OF_CLASSES = List.of(CrossValidation.LOSS, "error");
    private static final List<String> OF_NUMBERS = List.of(CrossValidation.LOSS, "squaredError", "absoluteError");

    private final boolean sites;
    private final int folds;
    private final int rows;
    private final int points;
    private final double unit;
    private final List<String> measures;

    /** For every λ of every fold so far, the weight of this node's rows and the sums of all measures over them. */
    private final List<double[]> own = new ArrayList<>();

    /**
     * Of nothing yet.
     *
     * @param rows the fewest rows of this node that any measure is of
     * @param points how many values of λ there are
     * @param unit of numbers that are predicted, in terms of those that training sees
     */
    HeldOut(Folds kind, int folds, int rows, int points, boolean classification, double unit) {
        this.sites = kind.sites();
        this.folds = folds;
        this.rows = rows;
        this.points = points;
        this.unit = unit;
        this.measures = classification ? OF_CLASSES : OF_NUMBERS;
    }

    /**
     * Takes in the next λ of a fold, or the first of the next fold.
     *
     * @param problems the rows of the fold, one problem for each class where there are more than two
     * @param parameters their solutions without it
     */
    void add(List<LocalProblem> problems, List<double[]> parameters) {
        double[] sums = new double[1 + measures.size()];
        sums[0] = problems.get(0).totalWeight();
        for (int k = 0; k < problems.size(); k++) {
            sums[1] += problems.get(k).lossSum(parameters.get(k));
        }
        if (measures == OF_CLASSES) {
            sums[2] = weightOfErrors(problems, parameters);
        } else {
            addResiduals(problems.get(0), parameters.get(0), sums);
        }
        own.add(sums);
    }

    private static double weightOfErrors(List<LocalProblem> problems, List<double[]> parameters) {
        LocalProblem first = problems.get(0);
        double errors = 0;
        for (int j = 0; j < first.samples(); j++) {
            int best = 0;
            double highest = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < problems.size(); k++) {
                LocalProblem problem = problems.get(k);
                double score = problem.margin(j, parameters.get(k));
                if (score > highest) {
                    best = k;
                    highest = score;
                }
            }
            boolean right = problems.size() == 1
                    ? highest > 0 == first.label(j) > 0
                    : problems.get(best).label(j) > 0;
            errors += right ? 0 : first.weight(j);
        }
        return errors;
    }

    private void addResiduals(LocalProblem problem, double[] parameter, double[] sums) {
        CompensatedSum squares = new CompensatedSum();
        CompensatedSum sizes = new CompensatedSum();
        for (int j = 0; j < problem.samples(); j++) {
            double residual = unit * (problem.margin(j, parameter) - problem.label(j));
            squares.add(problem.weight(j) * residual * residual);
            sizes.add(problem.weight(j) * Math.abs(residual));
        }
        sums[2] = squares.value();
        sums[3] = sizes.value();
    }

    /** What is asked of a node once all folds are taken in. */
    SumRequest request() {
        return SumRequest.overAll(KIND, rows, sites ? points * moments() : folds * points * (1 + measures.size()));
    }

    /** Weight, then for each measure the sum and the square of the sum over the weight. */
    private int moments() {
        return 1 + 2 * measures.size();
    }

    /** This node's numbers, once all folds are taken in. */
    double[] addend() {
        double[] sums = own.stream().flatMapToDouble(Arrays::stream).toArray();
        return sites ? moments(sums) : sums;
    }

    /** Moments over folds, for each λ, of sums for each λ of each fold. */
    private double[] moments(double[] sums) {
        int stride = 1 + measures.size();
        double[] moments = new double[points * moments()];
        for (int fold = 0; fold < folds; fold++) {
            for (int point = 0; point < points; point++) {
                int from = (fold * points + point) * stride;
                int to = point * moments();
                double weight = sums[from];
                moments[to] += weight;
                for (int m = 1; m < stride && weight > 0; m++) {
                    moments[to + 2 * m - 1] += sums[from + m];
                    moments[to + 2 * m] += sums[from + m] * sums[from + m] / weight;
                }
            }
        }
        return moments;
    }

    /** The estimates for each λ from what all nodes' numbers add up to. */
    List<Map<String, Estimate>> estimates(double[] totals) {
        double[] moments = sites ? totals : moments(totals);
        List<Map<String, Estimate>> result = new ArrayList<>();
        for (int point = 0; point < points; point++) {
            int from = point * moments();
            Map<String, Estimate> estimates = new LinkedHashMap<>();
            for (int m = 0; m < measures.size(); m++) {
                estimates.put(
                        measures.get(m),
                        Estimate.of(folds, moments[from], moments[from + 1 + 2 * m], moments[from + 2 + 2 * m]));
            }
            result.add(estimates);
        }
        return result;
    }
}
