package dev.starling.method.adfs.tuning;

import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The parameters of S-ADFS according to theory: a pure function of the network, a few facts per node and the delay τ.
 * Every node that knows the same facts computes the same tuning, bit for bit.
 *
 * <p>The balance constant c trades computation against communication: a computation step is worth 1/C_comp, where
 * C_comp = max(S/√c, max_ij S_i/(c √(1 + L_ij/σ_i))), and a round 1/C_comm, where C_comm = √(λ_max(Aᵀ diag(σ)⁻¹
 * A)/σ_A(c)) and σ_A(c) = λ_min⁺(Aᵀ D(c)⁻¹ A), D_i(c) = σ_i + M_i/(1−c). The error shrinks by a factor e every C_comp +
 * τ C_comm units of time; c minimises that. (The second term of C_comp keeps ρ ≤ c·p_ij, without which a proximal step
 * is not defined.)
 *
 * @param delay τ, the cost of a communication round when a proximal step costs 1
 * @param balance c
 * @param strongConvexity σ_A, the strong convexity of the dual on the range of the graph; 1 for a single node
 * @param computationConstant C_comp
 * @param communicationConstant C_comm; 0 for a single node
 * @param communicationProbability p_comm
 * @param rate ρ, the part of the expected error that a step removes
 * @param stepSize η = ρ/σ_A
 */
public record Tuning(
        double delay,
        double balance,
        double strongConvexity,
        double computationConstant,
        double communicationConstant,
        double communicationProbability,
        double rate,
        double stepSize)
        implements StepForecast {

    /** The search for c ends here: closer to 1 the gain is less than one step in a thousand. */
    private static final double LARGEST_BALANCE = 0.9995;

    private static final double SMALLEST_BALANCE = 0.05;
    private static final int TRIALS = 40;

    /** How far rounding may take ρ/p_ij beyond c. */
    private static final double ROUNDING = 0x1p-30;

    /** Whether a proximal step goes forwards, ρ/p_ij ≤ c but for rounding; backwards, it may have no end. */
    public static boolean stepsForwards(double ratio, double balance) {
        return ratio <= balance * (1 + ROUNDING);
    }

    /** Returns the tuning with the c that minimises the predicted time. */
    public static Tuning of(Network network, List<Conditioning> facts, double delay) {
        if (facts.size() == 1) {
            return singleNode(facts.get(0), delay);
        }
        return withSmoothness(network, facts, delay, Spectrum.largest(network, sigmas(facts)));
    }

    /**
     * Returns the tuning of more than one node for rounds that do not use all edges at once.
     *
     * @param largest what takes the place of λ_max(Aᵀ diag(σ)⁻¹ A), so that C_comm = √(largest/σ_A)
     */
    public static Tuning withSmoothness(Network network, List<Conditioning> facts, double delay, double largest) {
        // σ_A(c) costs an eigenvalue problem. Around a c₀ where it is known, it is bounded from below by
        // σ_A(c₀)·min_i D_i(c₀)/D_i(c), which is exact if all nodes are alike: search with the bound, then move c₀.
        double balance = 0.5;
        for (int refinement = 0; refinement < 3; refinement++) {
            double anchor = balance;
            double[] anchorDiagonal = diagonal(facts, anchor);
            double anchorConvexity = Spectrum.smallest(network, anchorDiagonal);
            balance = bestBalance(c -> predictedTime(facts, delay, c, largest, anchorDiagonal, anchorConvexity));
        }
        return withBalance(network, facts, delay, balance, largest);
    }

    /** Returns the tuning for a given c, such as the paper's c = 1/2. */
    public static Tuning of(Network network, List<Conditioning> facts, double delay, double balance) {
        if (facts.size() == 1) {
            return singleNode(facts.get(0), delay);
        }
        return withBalance(network, facts, delay, balance, Spectrum.largest(network, sigmas(facts)));
    }

    /** For n = 1 there is nothing to communicate and c = 1; this is accelerated proximal coordinate gradient. */
    private static Tuning singleNode(Conditioning facts, double delay) {
        double computation = Math.max(facts.rootSum(), facts.rootSum() / facts.smallestRoot());
        double rate = 1 / computation;
        return new Tuning(delay, 1, 1, computation, 0, 0, rate, rate);
    }

    private static Tuning withBalance(
            Network network, List<Conditioning> facts, double delay, double balance, double largest) {
        double convexity = Spectrum.smallest(network, diagonal(facts, balance));
        double communication = Math.sqrt(largest / convexity);
        double computation = computationConstant(facts, balance);
        double probability = communication / (communication + computation);
        double rate = 1 / (communication + computation);
        return new Tuning(delay, balance, convexity, computation, communication, probability, rate, rate / convexity);
    }

    private static double computationConstant(List<Conditioning> facts, double balance) {
        double rootSum = 0;
        double smallestProbability = 0;
        for (Conditioning node : facts) {
            rootSum = Math.max(rootSum, node.rootSum());
            smallestProbability = Math.max(smallestProbability, node.rootSum() / node.smallestRoot());
        }
        return Math.max(rootSum / Math.sqrt(balance), smallestProbability / balance);
    }

    private static double predictedTime(
            List<Conditioning> facts,
            double delay,
            double balance,
            double largest,
            double[] anchorDiagonal,
            double anchorConvexity) {
        double[] diagonal = diagonal(facts, balance);
        double shrink = Double.POSITIVE_INFINITY;
        for (int i = 0; i < diagonal.length; i++) {
            shrink = Math.min(shrink, anchorDiagonal[i] / diagonal[i]);
        }
        return computationConstant(facts, balance) + delay * Math.sqrt(largest / (anchorConvexity * shrink));
    }

    /** Returns the c with the smallest predicted time, by a search on its logit, in which that has one valley. */
    public static double bestBalance(DoubleUnaryOperator time) {
        double low = StrictMath.log(SMALLEST_BALANCE / (1 - SMALLEST_BALANCE));
        double high = StrictMath.log(LARGEST_BALANCE / (1 - LARGEST_BALANCE));
        return logistic(GoldenSection.minimise(x -> time.applyAsDouble(logistic(x)), low, high, TRIALS));
    }

    private static double logistic(double x) {
        return 1 / (1 + StrictMath.exp(-x));
    }

    private static double[] sigmas(List<Conditioning> facts) {
        return facts.stream().mapToDouble(Conditioning::sigma).toArray();
    }

    /** Returns D_i(c) of every node. */
    public static double[] diagonal(List<Conditioning> facts, double balance) {
        return facts.stream()
                .mapToDouble(node -> node.sigma() + node.curvature() / (1 - balance))
                .toArray();
    }

    /**
     * Returns the smallest share of the computation steps in which a node has to compute: its own C_comp divided by
     * that of all nodes.
     */
    public double leastShare(Conditioning node) {
        return computationConstant(List.of(node), balance) / computationConstant;
    }

    /** Returns a copy for rounds of a different cost. */
    public Tuning withDelay(double newDelay) {
        return new Tuning(
                newDelay,
                balance,
                strongConvexity,
                computationConstant,
                communicationConstant,
                communicationProbability,
                rate,
                stepSize);
    }

    /** Returns φ = (1−ρ)/(1+ρ), the factor by which the momentum decays at every step. */
    public double momentumDecay() {
        return (1 - rate) / (1 + rate);
    }

    /** Returns the idealised time in which the error shrinks by a factor e: C_comp + τ C_comm. */
    public double timePerFactor() {
        return computationConstant + delay * communicationConstant;
    }

    /**
     * Returns the number of steps after which the expected error has shrunk by the given factor, if the constant in
     * front of it were 1.
     */
    @Override
    public double stepsFor(double factor) {
        return StrictMath.log(factor) / -StrictMath.log1p(-rate);
    }

    /**
     * Assumes that the gap falls by the same factor at every step, at the observed rate or, if that is below a quarter
     * of theory's, at theory's.
     */
    @Override
    public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        double seen = StrictMath.log(before / now) / (stepsNow - stepsBefore);
        double decrease = Double.isFinite(seen) && seen > rate / 4 ? seen : rate;
        return StrictMath.log(now / target) / decrease;
    }

    @Override
    public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return StrictMath.log(before / now) >= 0.5 * rate * (stepsNow - stepsBefore);
    }
}
