package dev.starling.method.adfs;

import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import java.util.List;

/**
 * The parameters of S-ADFS as theory gives them: a pure function of the network, a few facts per node and the delay τ.
 * Every node that knows the same facts computes the same tuning, bit for bit.
 *
 * <p>The balance constant c trades computation against communication: a computation step is worth 1/C_comp, where
 * C_comp = max(S/√c, max_ij S_i/(c √(1 + L_ij/σ_i))), and a round 1/C_comm, where C_comm = √(λ_max(Aᵀ diag(σ)⁻¹
 * A)/σ_A(c)) and σ_A(c) = λ_min⁺(Aᵀ D(c)⁻¹ A), D_i(c) = σ_i + M_i/(1−c). The error shrinks by a factor e every C_comp +
 * τ C_comm units of time; c minimises that. (The second term of C_comp keeps ρ ≤ c·p_ij, without which a proximal step
 * is not defined.)
 *
 * @param delay τ, what a communication round costs when a proximal step costs 1
 * @param balance c
 * @param strongConvexity σ_A, the strong convexity of the dual on the range of the graph; 1 for a single node
 * @param computationConstant C_comp
 * @param communicationConstant C_comm; 0 for a single node
 * @param communicationProbability p_comm
 * @param rate ρ, by which a step shrinks the expected error
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

    /** c is looked for no nearer to 1 than this: beyond it the gain is less than one step in a thousand. */
    private static final double LARGEST_BALANCE = 0.9995;

    private static final double SMALLEST_BALANCE = 0.05;

    /** The tuning with the c that makes the predicted time smallest. */
    public static Tuning of(Network network, List<Conditioning> facts, double delay) {
        if (facts.size() == 1) {
            return singleNode(facts.get(0), delay);
        }
        return withSmoothness(network, facts, delay, Spectrum.largest(network, sigmas(facts)));
    }

    /**
     * The tuning of more than one node whose rounds are another use of the edges than all at once.
     *
     * @param largest what stands for λ_max(Aᵀ diag(σ)⁻¹ A), so that C_comm = √(largest/σ_A)
     */
    static Tuning withSmoothness(Network network, List<Conditioning> facts, double delay, double largest) {
        // σ_A(c) costs an eigenvalue problem. Around a c where it is known it is bounded below by
        // σ_A(c₀)·min_i D_i(c₀)/D_i(c), exactly so when nodes are alike: search with the bound, then move c₀.
        double balance = 0.5;
        for (int refinement = 0; refinement < 3; refinement++) {
            double anchor = balance;
            double[] anchorDiagonal = diagonal(facts, anchor);
            double anchorConvexity = Spectrum.smallest(network, anchorDiagonal);
            balance = minimise(c -> predictedTime(facts, delay, c, largest, anchorDiagonal, anchorConvexity));
        }
        return withBalance(network, facts, delay, balance, largest);
    }

    /** The tuning for a given c, as for the paper's c = 1/2. */
    public static Tuning of(Network network, List<Conditioning> facts, double delay, double balance) {
        if (facts.size() == 1) {
            return singleNode(facts.get(0), delay);
        }
        return withBalance(network, facts, delay, balance, Spectrum.largest(network, sigmas(facts)));
    }

    /** n = 1: nothing to communicate and c = 1; this is accelerated proximal coordinate gradient. */
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

    /** Golden-section search on the logit of c, in which the predicted time has one valley. */
    private static double minimise(java.util.function.DoubleUnaryOperator time) {
        double golden = (Math.sqrt(5) - 1) / 2;
        double low = StrictMath.log(SMALLEST_BALANCE / (1 - SMALLEST_BALANCE));
        double high = StrictMath.log(LARGEST_BALANCE / (1 - LARGEST_BALANCE));
        double inner = high - golden * (high - low);
        double outer = low + golden * (high - low);
        double innerTime = time.applyAsDouble(logistic(inner));
        double outerTime = time.applyAsDouble(logistic(outer));
        for (int k = 0; k < 40; k++) {
            if (innerTime <= outerTime) {
                high = outer;
                outer = inner;
                outerTime = innerTime;
                inner = high - golden * (high - low);
                innerTime = time.applyAsDouble(logistic(inner));
            } else {
                low = inner;
                inner = outer;
                innerTime = outerTime;
                outer = low + golden * (high - low);
                outerTime = time.applyAsDouble(logistic(outer));
            }
        }
        return logistic((low + high) / 2);
    }

    private static double logistic(double x) {
        return 1 / (1 + StrictMath.exp(-x));
    }

    private static double[] sigmas(List<Conditioning> facts) {
        return facts.stream().mapToDouble(Conditioning::sigma).toArray();
    }

    private static double[] diagonal(List<Conditioning> facts, double balance) {
        return facts.stream()
                .mapToDouble(node -> node.sigma() + node.curvature() / (1 - balance))
                .toArray();
    }

    /**
     * In which part of the steps that compute a node must do so at least: what its own C_comp is of that of all nodes.
     */
    double leastShare(Conditioning node) {
        return computationConstant(List.of(node), balance) / computationConstant;
    }

    /** The same parameters where a round costs something else. */
    Tuning withDelay(double newDelay) {
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

    /** φ = (1−ρ)/(1+ρ), the factor by which the momentum fades at every step. */
    public double momentumDecay() {
        return (1 - rate) / (1 + rate);
    }

    /** Idealised time in which the error shrinks by a factor e: C_comp + τ C_comm. */
    public double timePerFactor() {
        return computationConstant + delay * communicationConstant;
    }

    /** Steps after which the expected error has shrunk by the given factor, were the constant in front of it one. */
    @Override
    public double stepsFor(double factor) {
        return StrictMath.log(factor) / -StrictMath.log1p(-rate);
    }

    /** Takes the gap to fall by the same factor at every step, a quarter of theory's at least. */
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
