package dev.starling.objective.strata;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Elementary;
import dev.starling.loss.Ties;
import dev.starling.node.ExactSum;
import dev.starling.problem.CompensatedSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Minus the logarithm of Cox's partial likelihood, with its gradient and its Hessian. At the time of an event, with S_R
 * and S_D the sums of w e^η over the rows at risk and over the d rows with the event, whose weights add up to W, it is
 * −Σ wη + W ln S_R by Breslow and −Σ wη + (W/d) Σ ln(S_R − (l/d) S_D), l = 0 … d − 1, by Efron.
 *
 * <p>Features are centred in every stratum, which changes nothing but rounding. This class is a little longer than
 * most: sums, expected events, hazards and the test of proportional hazards go through the same events.
 */
public final class PartialLikelihood {

    private final Survival survival;
    private final Ties ties;
    private final int features;
    private final double[][] rows;
    private final double[] weights;
    private final double[] offsets;

    /**
     * The sums at a point.
     *
     * @param value minus the log-likelihood
     * @param hessian its second derivatives, row by row
     */
    public record Sums(double value, double[] gradient, double[] hessian) {

        private double[] flat() {
            return DoubleStream.concat(
                            DoubleStream.of(value),
                            DoubleStream.concat(Arrays.stream(gradient), Arrays.stream(hessian)))
                    .toArray();
        }
    }

    /** The rows of each stratum from the last time to the first, and the mean of their features. */
    private final int[][] strata;

    private final double[][] means;

    /** Copies and sorts rows, whose labels are not used. */
    public PartialLikelihood(Dataset data, Survival survival, Ties ties) {
        this.survival = survival;
        this.ties = ties;
        this.features = data.features();
        this.rows = new double[data.rows()][features];
        this.weights = new double[data.rows()];
        this.offsets = new double[data.rows()];
        for (int i = 0; i < rows.length; i++) {
            data.addTo(i, 1, rows[i]);
            weights[i] = data.weight(i);
            offsets[i] = data.offset(i);
        }
        this.strata = new int[survival.strataCount()][];
        this.means = new double[strata.length][features];
        for (int s = 0; s < strata.length; s++) {
            int stratum = s;
            strata[s] = IntStream.range(0, rows.length)
                    .filter(i -> survival.strata()[i] == stratum && weights[i] > 0)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> -survival.stop()[i]))
                    .mapToInt(Integer::intValue)
                    .toArray();
            centre(strata[s], means[s]);
        }
    }

    private void centre(int[] members, double[] mean) {
        for (int c = 0; c < features; c++) {
            CompensatedSum sum = new CompensatedSum();
            for (int i : members) {
                sum.add(rows[i][c] / members.length);
            }
            mean[c] = sum.value();
            for (int i : members) {
                rows[i][c] -= mean[c];
            }
        }
    }

    /** The times and events. */
    public Survival survival() {
        return survival;
    }

    /** A row's features, centred. */
    public double[] row(int i) {
        return rows[i];
    }

    /** A row's weight. */
    public double weight(int i) {
        return weights[i];
    }

    /** The rows of a stratum, from the last time to the first. */
    public int[] members(int stratum) {
        return strata[stratum];
    }

    /** The scores of all rows at a point, with a row's offset but relative to the mean of its stratum. */
    public double[] scores(double[] theta) {
        double[] scores = offsets.clone();
        for (int i = 0; i < scores.length; i++) {
            for (int c = 0; c < features; c++) {
                scores[i] = Math.fma(rows[i][c], theta[c], scores[i]);
            }
        }
        return scores;
    }

    /** Sums over rows: Σ p, Σ p x, Σ p xxᵀ (its lower triangle). */
    private static final class Moments {
        private double total;
        private final double[] first;
        private final double[] second;

        Moments(int features) {
            this.first = new double[features];
            this.second = new double[features * features];
        }

        void clear() {
            total = 0;
            Arrays.fill(first, 0);
            Arrays.fill(second, 0);
        }

        void add(double p, double[] x) {
            total += p;
            for (int a = 0; a < x.length; a++) {
                double part = p * x[a];
                first[a] += part;
                for (int b = 0; b <= a; b++) {
                    second[a * x.length + b] = Math.fma(part, x[b], second[a * x.length + b]);
                }
            }
        }
    }

    /** What is told of the rows at risk, and of those with an event, at each time of an event of a stratum. */
    private interface Visitor {
        void at(double time, Moments risk, Moments deaths, int[] dead, int count);
    }

    /** Visits the times of a stratum's events, the last one first. */
    private void visit(int stratum, double[] scores, double highest, Visitor each) {
        int[] members = strata[stratum];
        double[] exponentials = new double[members.length];
        Arrays.setAll(exponentials, k -> weights[members[k]] * Elementary.exp(scores[members[k]] - highest));
        Moments risk = new Moments(features);
        Moments deaths = new Moments(features);
        int[] dead = new int[members.length];
        boolean truncated = survival.isTruncated();
        int from = 0;
        while (from < members.length) {
            double time = survival.stop()[members[from]];
            int to = from;
            int count = 0;
            deaths.clear();
            while (to < members.length && survival.stop()[members[to]] == time) {
                int i = members[to];
                if (survival.events()[i]) {
                    dead[count++] = i;
                    deaths.add(exponentials[to], rows[i]);
                }
                if (!truncated) {
                    risk.add(exponentials[to], rows[i]);
                }
                to++;
            }
            if (count > 0) {
                if (truncated) {
                    // Adding the rows up anew loses no digits, which taking away those that came later would.
                    risk.clear();
                    for (int k = 0; k < to; k++) {
                        if (survival.start()[members[k]] < time) {
                            risk.add(exponentials[k], rows[members[k]]);
                        }
                    }
                }
                each.at(time, risk, deaths, dead, count);
            }
            from = to;
        }
    }

    private double highest(int stratum, double[] scores) {
        return Arrays.stream(strata[stratum]).mapToDouble(i -> scores[i]).max().orElse(0);
    }

    /** The sums at a point. */
    public Sums at(double[] theta) {
        double[] scores = scores(theta);
        double[][] each = new double[strata.length][];
        Arrays.setAll(each, s -> at(s, scores).flat());
        double[] all = ExactSum.of(each, 0, 1 + features + features * features);
        return new Sums(
                all[0], Arrays.copyOfRange(all, 1, 1 + features), Arrays.copyOfRange(all, 1 + features, all.length));
    }

    /**
     * What a test of coefficients that change with time needs, β + γ g(t) at γ = 0: the gradient by γ, then the lower
     * triangles of the second derivatives by β and γ, and by γ.
     *
     * @param scale g
     */
    public double[] changes(double[] theta, DoubleUnaryOperator scale) {
        double[] scores = scores(theta);
        double[][] each = new double[strata.length][];
        Arrays.setAll(each, s -> {
            Sums once = at(s, scores, scale);
            Sums twice = at(s, scores, time -> scale.applyAsDouble(time) * scale.applyAsDouble(time));
            return Stream.of(once.gradient, triangle(once.hessian), triangle(twice.hessian))
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
        });
        return ExactSum.of(each, 0, features + features * (features + 1));
    }

    private double[] triangle(double[] square) {
        return IntStream.range(0, features)
                .mapToObj(a -> Arrays.copyOfRange(square, a * features, a * features + a + 1))
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    /** The sums of a stratum, where all rows have these scores. */
    Sums at(int stratum, double[] scores) {
        return at(stratum, scores, time -> 1);
    }

    /** The sums of a stratum in which every event counts as often as a function of its time says. */
    private Sums at(int stratum, double[] scores, DoubleUnaryOperator counts) {
        CompensatedSum value = new CompensatedSum();
        CompensatedSum[] slopes = new CompensatedSum[features];
        Arrays.setAll(slopes, c -> new CompensatedSum());
        double[] hessian = new double[features * features];
        double[] mean = new double[features];
        double highest = highest(stratum, scores);
        visit(stratum, scores, highest, (time, risk, deaths, dead, count) -> {
            double counted = counts.applyAsDouble(time);
            double weight = 0;
            for (int k = 0; k < count; k++) {
                double own = counted * weights[dead[k]];
                weight += own;
                value.add(-own * (scores[dead[k]] - highest));
                for (int c = 0; c < features; c++) {
                    slopes[c].add(-own * rows[dead[k]][c]);
                }
            }
            int steps = ties == Ties.EFRON ? count : 1;
            double share = weight / steps;
            for (int l = 0; l < steps; l++) {
                double part = (double) l / steps;
                double total = risk.total - part * deaths.total;
                value.add(share * Elementary.log(total));
                for (int c = 0; c < features; c++) {
                    mean[c] = (risk.first[c] - part * deaths.first[c]) / total;
                    slopes[c].add(share * mean[c]);
                }
                for (int a = 0; a < features; a++) {
                    for (int b = 0; b <= a; b++) {
                        int at = a * features + b;
                        double moment = (risk.second[at] - part * deaths.second[at]) / total;
                        hessian[at] = Math.fma(share, moment - mean[a] * mean[b], hessian[at]);
                    }
                }
            }
        });
        for (int a = 0; a < features; a++) {
            for (int b = 0; b < a; b++) {
                hessian[b * features + a] = hessian[a * features + b];
            }
        }
        double[] gradient =
                Arrays.stream(slopes).mapToDouble(CompensatedSum::value).toArray();
        return new Sums(value.value(), gradient, hessian);
    }

    /**
     * What minus the log-likelihood of a stratum is at least, whatever the scores: its value if every event happened to
     * rows of which all have the same score, with nobody else at risk.
     */
    double saturated(int stratum) {
        CompensatedSum sum = new CompensatedSum();
        visit(stratum, new double[rows.length], 0, (time, risk, deaths, dead, count) -> {
            double weight = deaths.total;
            int steps = ties == Ties.EFRON ? count : 1;
            for (int l = 0; l < steps; l++) {
                sum.add(weight / steps * Elementary.log(weight * (steps - l) / steps));
            }
        });
        return sum.value();
    }

    /**
     * What each row is multiplied by in the gradient, less its weight if the event happened to it, so that no number is
     * negative: its weight times the expected number of events.
     */
    public double[] expected(double[] theta) {
        return expected(theta, time -> 1);
    }

    /** The same if every event counts as often as a function of its time says. */
    double[] expected(double[] theta, DoubleUnaryOperator counts) {
        double[] scores = scores(theta);
        double[] expected = new double[rows.length];
        for (int s = 0; s < strata.length; s++) {
            double highest = highest(s, scores);
            NavigableMap<Double, Double> hazard = new TreeMap<>();
            visit(s, scores, highest, (time, risk, deaths, dead, count) -> {
                int steps = ties == Ties.EFRON ? count : 1;
                double counted = counts.applyAsDouble(time);
                double all = 0;
                double less = 0;
                for (int l = 0; l < steps; l++) {
                    double part = (double) l / steps;
                    double step = counted * eventWeight(dead, count) / steps / (risk.total - part * deaths.total);
                    all += step;
                    less += part * step;
                }
                hazard.put(time, all);
                for (int k = 0; k < count; k++) {
                    expected[dead[k]] -= less;
                }
            });
            double sum = 0;
            for (Map.Entry<Double, Double> step : hazard.entrySet()) {
                sum += step.getValue();
                step.setValue(sum);
            }
            for (int i : strata[s]) {
                expected[i] += until(hazard, survival.stop()[i]) - until(hazard, survival.start()[i]);
                expected[i] *= weights[i] * Elementary.exp(scores[i] - highest);
            }
        }
        return expected;
    }

    private static double until(NavigableMap<Double, Double> hazard, double time) {
        Map.Entry<Double, Double> last = hazard.floorEntry(time);
        return last == null ? 0 : last.getValue();
    }

    private double eventWeight(int[] dead, int count) {
        double weight = 0;
        for (int k = 0; k < count; k++) {
            weight += weights[dead[k]];
        }
        return weight;
    }

    /** The times of a stratum's events, and the cumulative hazard after each. */
    public double[][] hazard(int stratum, double[] theta) {
        double[] scores = scores(theta);
        double highest = highest(stratum, scores);
        double shift = highest;
        for (int c = 0; c < features; c++) {
            shift += means[stratum][c] * theta[c];
        }
        double scale = Elementary.exp(-shift);
        List<double[]> steps = new ArrayList<>();
        visit(stratum, scores, highest, (time, risk, deaths, dead, count) -> {
            double weight = eventWeight(dead, count);
            int parts = ties == Ties.EFRON ? count : 1;
            double step = 0;
            for (int l = 0; l < parts; l++) {
                step += weight / parts / (risk.total - (double) l / parts * deaths.total);
            }
            steps.add(new double[] {time, step * scale});
        });
        Collections.reverse(steps);
        double[] times = steps.stream().mapToDouble(step -> step[0]).toArray();
        double[] cumulative = steps.stream().mapToDouble(step -> step[1]).toArray();
        for (int k = 1; k < cumulative.length; k++) {
            cumulative[k] += cumulative[k - 1];
        }
        return new double[][] {times, cumulative};
    }

    /** The part of the total weight of events that is a stratum's. */
    public double eventWeight(int stratum) {
        return Arrays.stream(strata[stratum])
                .filter(i -> survival.events()[i])
                .mapToDouble(i -> weights[i])
                .sum();
    }
}
