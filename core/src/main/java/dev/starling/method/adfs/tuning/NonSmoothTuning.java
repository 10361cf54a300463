package dev.starling.method.adfs.tuning;

import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * The parameters of NS-ADFS, for losses with kinks: a pure function of the network, the facts of the nodes and the
 * delay.
 *
 * <p>After t steps the expected dual error is at most (2/t²)(S² r² + 2/p_min² · error at the start), where r is the
 * distance to the optimum in the coordinates of the edges, which are scaled by weights μ_ij that can be chosen freely,
 * and S² = max(Λ/p_comm², max_ij μ_ij²/(σ_i p_ij²)) with Λ = λ_max(Aᵀ diag(σ)⁻¹ A). A heavier virtual edge shortens r,
 * so every one is given the largest weight that does not increase S, μ_ij² = S² σ_i p_ij². The weights and S then
 * cancel out of the steps: η_t μ_ij²/p_ij = σ_i p_ij/a_t and η_t/p_comm = p_comm/(a_t Λ). Samples are drawn uniformly,
 * p_ij = p_comp/m_i, and p_comm = 1/(1 + √(γ m)) balances the two parts of r for data about which nothing is known,
 * where γ = λ_min⁺/λ_max of Aᵀ diag(σ)⁻¹ A.
 *
 * <p>The second term of the bound is slow to vanish: the start is forgotten only like 4/(t p_min)². So the method
 * restarts from the current point (with a_t set back to a_0 = p_min) after {@value #FIRST_PERIOD} epochs and then after
 * periods that double each time. A restart at least quarters that term, and because the last complete period is never
 * less than a quarter of the run, the bound of a run that never restarted still holds within a constant. The steps at
 * which it restarts do not depend on anything measured.
 *
 * @param delay τ
 * @param communicationProbability p_comm; 0 for a single node
 * @param largestEigenvalue Λ; 1 for a single node
 * @param smallestProbability p_min = a_0, the smallest probability of a sample in one step
 */
public record NonSmoothTuning(
        double delay, double communicationProbability, double largestEigenvalue, double smallestProbability)
        implements StepForecast {

    private static final double FIRST_PERIOD = 5;

    /** Returns the tuning for nodes with the given facts. */
    public static NonSmoothTuning of(Network network, List<Conditioning> facts, double delay) {
        double samples = facts.stream().mapToDouble(Conditioning::rootSum).max().orElse(1);
        if (facts.size() == 1) {
            return new NonSmoothTuning(delay, 0, 1, 1 / samples);
        }
        double[] sigmas = facts.stream().mapToDouble(Conditioning::sigma).toArray();
        double largest = Spectrum.largest(network, sigmas);
        double gap = Spectrum.smallest(network, sigmas) / largest;
        double communication = 1 / (1 + Math.sqrt(gap * samples));
        return new NonSmoothTuning(delay, communication, largest, (1 - communication) / samples);
    }

    /** Returns a_{t+1} for a given a_t: (√(a⁴ + 4a²) − a²)/2. */
    public static double nextMomentum(double momentum) {
        return momentum * (Math.sqrt(momentum * momentum + 4) - momentum) / 2;
    }

    /** Returns the number of steps until the next restart, after the given number of restarts. */
    public long stepsBetweenRestarts(int restarts) {
        return (long) Math.ceil(Math.min(FIRST_PERIOD * StrictMath.scalb(1.0, restarts) / smallestProbability, 0x1p62));
    }

    @Override
    public double stepsFor(double factor) {
        return 2 * Math.sqrt(factor) / smallestProbability;
    }

    /** Assumes that the gap falls like a power of the number of steps, at least like its square. */
    @Override
    public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        double power =
                stepsBefore == 0 ? 0 : StrictMath.log(before / now) / StrictMath.log((double) stepsNow / stepsBefore);
        return stepsNow * (StrictMath.pow(now / target, 1 / Math.max(2, Math.min(power, 8))) - 1);
    }

    /**
     * By theory the gap falls like the square of the number of steps, so half its pace means falling like that number.
     */
    @Override
    public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return before / now * stepsBefore >= stepsNow;
    }
}
