package dev.starling.verify.loss;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Scales;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.DD;

/**
 * Minus the logarithm of Cox's partial likelihood, less its least possible value. A row's label is the time until which
 * it was watched, positive if the event was seen then; it may have come late, at its entry. At the time of events of d
 * rows with the weight W, it is −Σ wη + (W/d) Σ ln(S − (l/d) D), l = 0 … d − 1, with S and D the sums of w e^η over the
 * rows then at risk and over those with the event; by Breslow all l are 0. It would be least, (W/d) Σ ln(W (1 − l/d)),
 * if nobody else were at risk. A ridge λ/2‖β‖² may be added to the mean.
 *
 * @param efron whether ties are treated by Efron's method
 * @param strata the stratum of each row; empty if all are of one
 * @param lambda λ
 * @param theta the model's weights
 */
public record WholeTimes(Dataset rows, boolean efron, long[] strata, double[] weights, double lambda, DD[] theta)
        implements Whole {

    @Override
    public DD[] parameter() {
        return theta;
    }

    /** The rows of each stratum, those with the latest times first. */
    private List<List<Integer>> members() {
        List<List<Integer>> members = new ArrayList<>();
        IntStream.range(0, weights.length)
                .filter(i -> weights[i] > 0)
                .boxed()
                .collect(Collectors.groupingBy(i -> strata.length == 0 ? 0 : strata[i]))
                .values()
                .forEach(one -> members.add(one.stream()
                        .sorted(Comparator.comparingDouble(i -> -Math.abs(rows.label(i))))
                        .toList()));
        return members;
    }

    /** Moments of rows that are weighted by w e^η. */
    private static final class Moments {
        private DD total = DD.ZERO;
        private final Sums sums;

        Moments(int parameters) {
            this.sums = Sums.of(parameters);
        }

        void add(DD[] x, DD weight) {
            total = total.add(weight);
            sums.slope(x, weight);
            sums.bend(x, weight);
        }
    }

    /** The mean of the features of some rows. */
    private DD[] centre(List<Integer> members) {
        DD[] centre = Scales.zeros(theta.length);
        for (int i : members) {
            DD[] x = WholeOrder.row(rows, i);
            Arrays.setAll(centre, c -> centre[c].add(x[c]));
        }
        Arrays.setAll(centre, c -> centre[c].divide(members.size()));
        return centre;
    }

    private DD[] centred(int i, DD[] centre) {
        DD[] x = WholeOrder.row(rows, i);
        Arrays.setAll(x, c -> x[c].subtract(centre[c]));
        return x;
    }

    @Override
    public Sums at(DD[] point) {
        Sums sums = Sums.of(point.length);
        DD value = DD.ZERO;
        for (List<Integer> members : members()) {
            value = value.add(stratum(members, point, sums));
        }
        Sums mean = sums.mean(value, Arrays.stream(weights).mapToObj(DD::of).reduce(DD.ZERO, DD::add));
        return lambda > 0 ? mean.withRidge(lambda, point) : mean;
    }

    private DD stratum(List<Integer> members, DD[] point, Sums sums) {
        DD[] centre = centre(members);
        Moments risk = new Moments(point.length);
        DD value = DD.ZERO;
        int from = 0;
        while (from < members.size()) {
            double time = Math.abs(rows.label(members.get(from)));
            Moments dead = new Moments(point.length);
            DD weight = DD.ZERO;
            int deaths = 0;
            int to = from;
            for (; to < members.size() && Math.abs(rows.label(members.get(to))) == time; to++) {
                int i = members.get(to);
                DD[] x = centred(i, centre);
                DD score = WholeOrder.product(x, point, 0).add(rows.offset(i));
                DD part = DoubleDoubles.exp(score).multiply(weights[i]);
                risk.add(x, part);
                if (rows.label(i) > 0) {
                    dead.add(x, part);
                    deaths++;
                    weight = weight.add(weights[i]);
                    value = value.subtract(score.multiply(weights[i]));
                    sums.slope(x, DD.of(-weights[i]));
                }
            }
            Moments watched =
                    rows.hasEntries() && deaths > 0 ? watched(members.subList(0, to), time, centre, point) : risk;
            for (int l = 0; l < deaths; l++) {
                DD share = DD.of(efron ? l : 0).divide(deaths);
                DD each = weight.divide(deaths);
                DD left = watched.total.subtract(dead.total.multiply(share));
                DD least = weight.multiply(DD.ONE.subtract(share));
                value = value.add(DoubleDoubles.log(left.divide(least)).multiply(each));
                addMoments(sums, watched, dead, share, left, each);
            }
            from = to;
        }
        return value;
    }

    /** The moments of those rows that were watched at a time: rows that came later were not at risk yet. */
    private Moments watched(List<Integer> members, double time, DD[] centre, DD[] point) {
        Moments risk = new Moments(point.length);
        for (int i : members) {
            if (rows.entry(i) < time) {
                DD[] x = centred(i, centre);
                DD score = WholeOrder.product(x, point, 0).add(rows.offset(i));
                risk.add(x, DoubleDoubles.exp(score).multiply(weights[i]));
            }
        }
        return risk;
    }

    /** Adds the mean and the covariance of rows at risk, those with the event less a share of them. */
    private static void addMoments(Sums sums, Moments risk, Moments dead, DD share, DD left, DD each) {
        int size = sums.gradient().length;
        DD[] mean = new DD[size];
        for (int a = 0; a < size; a++) {
            mean[a] = risk.sums
                    .gradient()[a]
                    .subtract(dead.sums.gradient()[a].multiply(share))
                    .divide(left);
        }
        sums.slope(mean, each);
        sums.bend(mean, each.negate());
        for (int a = 0; a < size; a++) {
            for (int b = 0; b <= a; b++) {
                DD second = risk.sums
                        .hessian()[a][b]
                        .subtract(dead.sums.hessian()[a][b].multiply(share))
                        .divide(left);
                sums.hessian()[a][b] = sums.hessian()[a][b].add(second.multiply(each));
            }
        }
    }

    /** Rows of a stratum differ along a direction by no more than twice the largest distance from their mean. */
    @Override
    public double third(ToDoubleFunction<DD[]> length, double radius) {
        double sum = 0;
        for (List<Integer> members : members()) {
            DD[] centre = centre(members);
            double longest = 0;
            double events = 0;
            for (int i : members) {
                longest = Math.max(longest, length.applyAsDouble(centred(i, centre)));
                events += rows.label(i) > 0 ? weights[i] : 0;
            }
            double width = 2 * longest;
            sum += events * width * width * width * MOMENT;
        }
        return sum / Arrays.stream(weights).sum();
    }

    @Override
    public double rounding() {
        return 0x1p-53 * (2.0 * weights.length + 256) * (8 + WholeOrder.largest(rows, weights, theta));
    }
}
