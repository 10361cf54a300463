package dev.starling.method.adfs;

import dev.starling.network.Timing;
import dev.starling.problem.Conditioning;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How the regulariser Σσ_i is split over nodes that have not the same to do, or not the same speed: only the sum counts
 * for the optimum, but a node with more of it takes fewer proximal steps, S_i = Σ_j √(1 + L_ij/σ_i) per factor e.
 *
 * <p>Where t_i is what a step costs at node i, max_i t_i S_i(σ_i) is smallest when all t_i S_i are equal: σ_i(T) = m_i
 * ΣL/((T/t_i)² − m_i²) with the T at which they add up, because S_i² ≤ m_i² + m_i ΣL/σ_i. That makes computing shortest
 * and communicating longer, as it grows with 1/σ; so what is taken is the point of least predicted time on the way from
 * the split there is to that one. If the prediction falls by less than {@value #LEAST_GAIN} of it, nothing is changed.
 */
final class SigmaSplit {

    private static final double LEAST_GAIN = 0.05;
    /** No node is left with less than this share of what it had. */
    private static final double LEAST_SHARE = 0.01;

    private static final int HALVINGS = 60;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
    private static final int TRIALS = 12;

    private SigmaSplit() {}

    /**
     * The facts of the nodes with the split that suits them.
     *
     * @param time predicted for nodes with given facts
     */
    static List<Conditioning> best(List<Conditioning> facts, Timing timing, ToDoubleFunction<List<Conditioning>> time) {
        List<Conditioning> balanced = balanced(facts, timing);
        if (slowest(balanced, timing) > (1 - LEAST_GAIN) * slowest(facts, timing)) {
            return facts;
        }
        List<Conditioning> best = between(facts, balanced, leastTime(facts, balanced, time));
        return time.applyAsDouble(best) <= (1 - LEAST_GAIN) * time.applyAsDouble(facts) ? best : facts;
    }

    /**
     * What a step takes that all nodes take together, where the slowest takes part in no more of them than it needs to:
     * max_i t_i S_i / max_i S_i.
     */
    static double stepTime(List<Conditioning> facts, Timing timing) {
        return slowest(facts, timing) / slowest(facts, Timing.even(0));
    }

    /** max_i t_i S_i. */
    private static double slowest(List<Conditioning> facts, Timing timing) {
        double slowest = 0;
        for (int i = 0; i < facts.size(); i++) {
            slowest = Math.max(slowest, timing.step(i) * facts.get(i).rootSum());
        }
        return slowest;
    }

    /** The split that makes all t_i S_i equal, by bisection on their common value. */
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

    /** The least σ_i with which every node needs no more than a given time. */
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

    private static double sum(double[] values) {
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

    /** Golden-section search for the share of the way at which the predicted time is least. */
    private static double leastTime(
            List<Conditioning> from, List<Conditioning> to, ToDoubleFunction<List<Conditioning>> time) {
        double low = 0;
        double high = 1;
        double inner = high - GOLDEN * (high - low);
        double outer = low + GOLDEN * (high - low);
        double innerTime = time.applyAsDouble(between(from, to, inner));
        double outerTime = time.applyAsDouble(between(from, to, outer));
        for (int k = 0; k < TRIALS; k++) {
            if (innerTime <= outerTime) {
                high = outer;
                outer = inner;
                outerTime = innerTime;
                inner = high - GOLDEN * (high - low);
                innerTime = time.applyAsDouble(between(from, to, inner));
            } else {
                low = inner;
                inner = outer;
                innerTime = outerTime;
                outer = low + GOLDEN * (high - low);
                outerTime = time.applyAsDouble(between(from, to, outer));
            }
        }
        return (low + high) / 2;
    }
}
