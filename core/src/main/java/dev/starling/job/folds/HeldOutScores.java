package dev.starling.job.folds;

import dev.starling.cores.Blocks;
import dev.starling.job.Units;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Estimate;
import dev.starling.model.CrossValidation.FoldScores;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Folds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well models predict the rows of a node that they were not trained on, fold by fold and λ by λ, as numbers that
 * nodes add up once all are known. If every node's rows are a fold, nodes add up moments over folds instead, so that
 * nobody learns how well another node's rows are predicted.
 */
public final class HeldOutScores {

    public static final String KIND = "held-out";

    private static final List<String> OF_CLASSES = List.of(CrossValidation.LOSS, "error");
    private static final List<String> OF_NUMBERS = List.of(CrossValidation.LOSS, "squaredError", "absoluteError");

    private final boolean sites;
    private final RowFolds folds;
    private final int rows;
    private final int points;
    private final double unit;
    private final Units units;
    private final List<String> measures;

    /** What the measures, in units that were agreed on, have to be multiplied by. */
    private final List<Double> factors;

    /** For every fold and λ, the weight of this node's rows in the fold and the sums of all measures over them. */
    private final double[] own;

    /**
     * Creates scores without any models yet.
     *
     * @param kind how rows are divided into folds
     * @param folds the fold of each of this node's rows
     * @param rows the smallest number of this node's rows that any measure covers
     * @param points the number of values of λ
     * @param unit the unit of the targets that training uses, in units of the original targets; 1 unless they are
     *     scaled
     * @param units the units that rows are in
     */
    public HeldOutScores(
            Folds kind, RowFolds folds, int rows, int points, boolean classification, double unit, Units units) {
        this.sites = kind.ofSites();
        this.folds = folds;
        this.rows = rows;
        this.points = points;
        this.unit = unit;
        this.units = units;
        this.measures = classification ? OF_CLASSES : OF_NUMBERS;
        double target = units.rawTarget();
        this.factors = classification ? List.of(1.0, 1.0) : List.of(units.rawLoss(), target * target, target);
        this.own = new double[folds.count() * points * stride()];
    }

    /** The number of entries for each λ of each fold. */
    private int stride() {
        return 1 + measures.size();
    }

    /**
     * Scores the models of one λ. A single pass over the rows serves all folds, because rows of the same fold are not
     * close in memory.
     *
     * @param point the index of λ
     * @param problems the problems of all rows: a single one, or one for each class if there are more than two
     * @param parameters for each fold, the solutions of these problems without that fold
     */
    public void add(int point, List<LocalProblem> problems, List<List<double[]>> parameters) {
        List<List<double[][]>> blocks = parameters.stream()
                .map(ofFold -> ofFold.stream().map(problems.get(0)::blocks).toList())
                .toList();
        Scores total = new Scores(problems, blocks);
        double values = problems.size() * problems.get(0).valuesPerRow();
        int length = folds.count() * stride();
        Blocks.sum(
                problems.get(0).samples(),
                Blocks.rows(values, values, length),
                length,
                total,
                () -> new Scores(problems, blocks));
        for (int fold = 0; fold < total.sums.length; fold++) {
            for (int m = 0; m < stride(); m++) {
                own[(fold * points + point) * stride() + m] = total.sums[fold][m].value();
            }
        }
    }

    /** The sums of all measures over some rows, by fold. */
    private final class Scores implements Blocks.Part<Scores> {
        private final List<LocalProblem> problems;
        private final List<List<double[][]>> models;
        private final double[][] margins;
        private final CompensatedSum[][] sums = new CompensatedSum[folds.count()][stride()];

        Scores(List<LocalProblem> problems, List<List<double[][]>> models) {
            this.problems = problems;
            this.models = models;
            this.margins = new double[problems.size()][problems.get(0).loss().outputs()];
            clear();
        }

        @Override
        public void clear() {
            for (CompensatedSum[] ofFold : sums) {
                Arrays.setAll(ofFold, measure -> new CompensatedSum());
            }
        }

        @Override
        public void sum(int from, int to) {
            for (int j = from; j < to; j++) {
                List<double[][]> ofFold = models.get(folds.of(j));
                for (int k = 0; k < margins.length; k++) {
                    problems.get(k).margins(j, ofFold.get(k), margins[k]);
                }
                HeldOutScores.this.add(j, problems, margins, sums[folds.of(j)]);
            }
        }

        @Override
        public void add(Scores next) {
            for (int fold = 0; fold < sums.length; fold++) {
                for (int m = 0; m < sums[fold].length; m++) {
                    sums[fold][m].add(next.sums[fold][m]);
                }
            }
        }
    }

    private void add(int sample, List<LocalProblem> problems, double[][] margins, CompensatedSum[] sums) {
        LocalProblem first = problems.get(0);
        double weight = first.weight(sample);
        sums[0].add(weight);
        for (int k = 0; k < margins.length; k++) {
            LocalProblem problem = problems.get(k);
            sums[1].add(weight * problem.loss().value(margins[k], problem.label(sample)));
        }
        if (measures == OF_CLASSES) {
            sums[2].add(isRight(sample, problems, margins) ? 0 : weight);
        } else {
            double residual = unit * (margins[0][0] - first.label(sample));
            sums[2].add(weight * residual * residual);
            sums[3].add(weight * Math.abs(residual));
        }
    }

    private static boolean isRight(int sample, List<LocalProblem> problems, double[][] margins) {
        double label = problems.get(0).label(sample);
        if (margins[0].length > 1) {
            return largest(margins[0]) == label;
        }
        if (margins.length == 1) {
            return margins[0][0] > 0 == label > 0;
        }
        int best = 0;
        for (int k = 1; k < margins.length; k++) {
            best = margins[k][0] > margins[best][0] ? k : best;
        }
        return problems.get(best).label(sample) > 0;
    }

    private static int largest(double[] margins) {
        int best = 0;
        for (int k = 1; k < margins.length; k++) {
            best = margins[k] > margins[best] ? k : best;
        }
        return best;
    }

    /** The sum over all nodes, once all models are scored. */
    public SumRequest request() {
        return SumRequest.overAll(SumKind.PREDICTIONS, KIND, rows, sites ? points * moments() : own.length);
    }

    /**
     * The number of moments for each λ: the weight, then for each measure S its sum over folds and that of S²/weight.
     */
    private int moments() {
        return 1 + 2 * measures.size();
    }

    /** This node's addend, once all models are scored. */
    public double[] addend() {
        return sites ? moments(own) : own;
    }

    /** The moments over folds for each λ, from the sums for each fold and λ. */
    private double[] moments(double[] sums) {
        int stride = stride();
        double[] moments = new double[points * moments()];
        for (int fold = 0; fold < folds.count(); fold++) {
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

    /** The scores of each fold for a λ, from the totals over all nodes, which do not have them if a fold is a node. */
    public FoldScores ofFolds(double[] totals, int point) {
        if (sites) {
            return FoldScores.UNKNOWN;
        }
        List<Double> weights = new ArrayList<>();
        Map<String, List<Double>> means = new LinkedHashMap<>();
        measures.forEach(measure -> means.put(measure, new ArrayList<>()));
        for (int fold = 0; fold < folds.count(); fold++) {
            int from = (fold * points + point) * stride();
            weights.add(units.rawWeight(totals[from]));
            for (int m = 0; m < measures.size(); m++) {
                means.get(measures.get(m)).add(factors.get(m) * totals[from + 1 + m] / totals[from]);
            }
        }
        return new FoldScores(weights, means);
    }

    /** The estimates for each λ, from the totals over all nodes. */
    public List<Map<String, Estimate>> estimates(double[] totals) {
        double[] moments = sites ? totals : moments(totals);
        List<Map<String, Estimate>> result = new ArrayList<>();
        for (int point = 0; point < points; point++) {
            int from = point * moments();
            Map<String, Estimate> estimates = new LinkedHashMap<>();
            for (int m = 0; m < measures.size(); m++) {
                double factor = factors.get(m);
                estimates.put(
                        measures.get(m),
                        Estimate.of(
                                folds.count(),
                                moments[from],
                                factor * moments[from + 1 + 2 * m],
                                factor * factor * moments[from + 2 + 2 * m]));
            }
            result.add(estimates);
        }
        return result;
    }
}
