package dev.starling.method.adfs.tuning;

import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Splits the regulariser Σσ_i over nodes that differ in work or speed. Only the sum matters for the optimum, but a node
 * with a larger share takes fewer proximal steps, S_i = Σ_j √(1 + L_ij/σ_i) per factor e.
 *
 * <p>If t_i is the cost of a step at node i, max_i t_i S_i(σ_i) is smallest when all t_i S_i are equal: σ_i(T) = m_i
 * ΣL/((T/t_i)² − m_i²), with the T for which the σ_i add up to their sum, because S_i² ≤ m_i² + m_i ΣL/σ_i. That split
 * makes computation shortest but communication longer, since its cost grows with 1/σ. So the result is the point with
 * the smallest predicted time on the line from the given split to that one. If the prediction improves by less than
 * {@value #LEAST_GAIN}, the given split is kept.
 */
public final class SigmaSplit {

    private static final double LEAST_GAIN = 0.05;
    /** Every node keeps at least this share of its σ_i. */
    private static final double LEAST_SHARE = 0.01;

    private static final int HALVINGS = 60;
    private static final int TRIALS = 12;

    /** Beyond this size, where a prediction takes as long as many runs, only the middle of the line is tried. */
    private static final int MOST_SEARCHED = 1_000;

    private SigmaSplit() {}

    /**
     * Returns the facts of the nodes with the best split.
     *
     * @param time the predicted time for nodes with given facts
     */
    public static List<Conditioning> best(
            List<Conditioning> facts, Timing timing, ToDoubleFunction<List<Conditioning>> time) {
        List<Conditioning> balanced = balanced(facts, timing);
        if (slowest(balanced, timing) > (1 - LEAST_GAIN) * slowest(facts, timing)) {
            return facts;
        }
        double share = facts.size() > MOST_SEARCHED
                ? 0.5
                : GoldenSection.minimise(part -> time.applyAsDouble(between(facts, balanced, part)), 0, 1, TRIALS);
        List<Conditioning> best = between(facts, balanced, share);
        return time.applyAsDouble(best) <= (1 - LEAST_GAIN) * time.applyAsDouble(facts) ? best : facts;
    }

    /**
     * Returns the time of a common computation step, if the slowest node takes part in no more of them than it needs
     * to: max_i t_i S_i / max_i S_i.
     */
    public static double stepTime(List<Conditioning> facts, Timing timing) {
        return slowest(facts, timing) / slowest(facts, Timing.even(0));
    }

    /** Returns max_i t_i S_i. */
    private static double slowest(List<Conditioning> facts, Timing timing) {
        double slowest = 0;
        for (int i = 0; i < facts.size(); i++) {
            slowest = Math.max(slowest, timing.step(i) * facts.get(i).rootSum());
        }
        return slowest;
    }

    /** Finds the split that makes all t_i S_i equal, by bisection on their common value. */
    private static List<Conditioning> balanced(List<Conditioning> facts, Timing timing) {
        double total = 0;
        double low = 0;
        for (int i = 0; i < facts.size(); i++) {
            total += facts.get(i).sigma();
            low = Math.max(low, timing.step(i) * facts.get(i).samples());
        }
        double high = 2 * low;
        while (sum(sigmas(facts, timing, high)) > total) {
            high *= 2;
        }
        for (int k = 0; k < HALVINGS; k++) {
            double middle = (low + high) / 2;
            if (sum(sigmas(facts, timing, middle)) > total) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double[] sigmas = sigmas(facts, timing, high);
        double scale = total / sum(sigmas);
        List<Conditioning> balanced = new ArrayList<>();
        for (int i = 0; i < sigmas.length; i++) {
            balanced.add(facts.get(i).withSigma(scale * sigmas[i]));
        }
        return balanced;
    }

    /** Returns the smallest σ_i with which every node needs at most the given time. */
    private static double[] sigmas(List<Conditioning> facts, Timing timing, double common) {
        double[] sigmas = new double[facts.size()];
        for (int i = 0; i < sigmas.length; i++) {
            double samples = facts.get(i).samples();
            double roots = common / timing.step(i);
            double least = samples * facts.get(i).smoothnessSum() / (roots * roots - samples * samples);
            sigmas[i] = Math.max(LEAST_SHARE * facts.get(i).sigma(), least);
        }
        return sigmas;
    }

    /** Adds in a fixed order, so that every machine gets the same bits. */
    public static double sum(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum;
    }

    private static List<Conditioning> between(List<Conditioning> one, List<Conditioning> other, double share) {
        List<Conditioning> facts = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            double sigma =
                    (1 - share) * one.get(i).sigma() + share * other.get(i).sigma();
            facts.add(one.get(i).withSigma(sigma));
        }
        return facts;
    }
}
