package dev.starling.statistics;

import dev.starling.loss.Normal;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A line of the table.
 *
 * @param name the name of the feature; {@code (Intercept)} for the intercept
 * @param estimate the estimate
 * @param se its standard error
 * @param statistic the estimate divided by it
 * @param p the probability of one at least as far from 0, if the true coefficient were 0
 * @param lower the lower end of its confidence interval
 * @param upper the upper end
 */
public record Coefficient(
        String name, Proven estimate, Proven se, Proven statistic, Proven p, Proven lower, Proven upper) {

    /** A bound on the relative error of functions computed here. */
    static final double ROUNDING = 0x1p-46;

    /**
     * The line of an estimate.
     *
     * @param quantile how many standard errors an interval extends to either side
     * @param p the probability of a statistic at least as far from 0
     */
    static Coefficient of(String name, Proven estimate, Proven se, Proven quantile, UnaryOperator<Proven> p) {
        double z = estimate.value() / se.value();
        double off = estimate.error();
        double relative = se.error() / se.value();
        Proven statistic = new Proven(
                z, (Math.abs(z) * relative + off / se.value()) / (1 - Math.min(relative, 0.5)) + Math.ulp(z));
        double half = quantile.value() * se.value();
        double end = off
                + quantile.value() * se.error()
                + quantile.error() * (se.value() + se.error())
                + ROUNDING * (Math.abs(estimate.value()) + half);
        return new Coefficient(
                name,
                estimate,
                se,
                statistic,
                p.apply(statistic),
                new Proven(estimate.value() - half, end),
                new Proven(estimate.value() + half, end));
    }

    /** The p-value of a statistic by the normal distribution, with what rounding may do to it. */
    static Proven normalTails(Proven statistic) {
        double size = Math.abs(statistic.value());
        return tails(statistic, Distributions.normalTails(size), Normal.density(Math.max(size - statistic.error(), 0)));
    }

    /** A p-value with its error; the argument of an exponential in it is of the size of z², and as far off. */
    static Proven tails(Proven statistic, double value, double density) {
        double size = Math.abs(statistic.value());
        double rounding = ROUNDING * value * Math.max(1, size * size / 64);
        return new Proven(value, 2 * statistic.error() * density + rounding);
    }

    /** The line of a feature that is left out because it depends on others. */
    static Coefficient leftOut(String name) {
        return new Coefficient(name, Proven.NONE, Proven.NONE, Proven.NONE, Proven.NONE, Proven.NONE, Proven.NONE);
    }

    /** The line with e to the estimate and to the ends of the interval, and the standard error by the delta method. */
    public Coefficient exponentiated() {
        if (!isEstimated()) {
            return this;
        }
        Proven ratio = estimate.exponential();
        double error = ratio.value() * se.value();
        Proven ofRatio = new Proven(error, error * (se.error() / se.value() + ratio.error() / ratio.value()));
        return new Coefficient(name, ratio, ofRatio, statistic, p, lower.exponential(), upper.exponential());
    }

    /** The line with another interval. */
    Coefficient within(Proven low, Proven high) {
        return new Coefficient(name, estimate, se, statistic, p, low, high);
    }

    /** The line with another name. */
    public Coefficient named(String other) {
        return new Coefficient(other, estimate, se, statistic, p, lower, upper);
    }

    /**
     * The lines with p adjusted by Holm's method: the k-th smallest of m times m − k + 1, and never less than those
     * before.
     */
    static List<Coefficient> byHolm(List<Coefficient> lines) {
        List<Coefficient> sorted = lines.stream()
                .sorted(Comparator.comparingDouble(line -> line.p.value()))
                .toList();
        Map<Coefficient, Proven> adjusted = new HashMap<>();
        Proven last = new Proven(0, 0);
        for (int k = 0; k < sorted.size(); k++) {
            Proven p = sorted.get(k).p;
            int times = sorted.size() - k;
            Proven own = new Proven(Math.min(1, times * p.value()), times * p.error() + Math.ulp(times * p.value()));
            last = own.value() > last.value() ? own : last;
            adjusted.put(sorted.get(k), last);
        }
        return lines.stream().map(line -> line.withP(adjusted.get(line))).toList();
    }

    private Coefficient withP(Proven other) {
        return new Coefficient(name, estimate, se, statistic, other, lower, upper);
    }

    /** Whether it is estimated. */
    public boolean isEstimated() {
        return estimate.exists();
    }
}
