package dev.starling.lab.baseline.similarity;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.network.SpanningTree;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.Arrays;
import java.util.List;

/**
 * SPAG (Hendrikx, Xiao, Bubeck, Bach, Massoulié, "Statistically preconditioned accelerated gradient method for
 * distributed optimization", 2020): accelerated Bregman gradient steps on the mean f of the f_i, with the hub's own
 * function as their geometry: φ = f_hub + (δ/2)‖·‖². Then f is 1-smooth and σ = μ/(μ + 2δ)-strongly convex relative to
 * φ.
 *
 * <p>With A = 0, B = 1 at first: a²G = (A + a)(B + aσ), α = a/(A + a), β = aσ/(B + aσ), η = a/(B + aσ); y = ((1−α)x +
 * α(1−β)v)/(1 − αβ); all nodes: ∇f(y); v⁺ with ∇φ(v⁺) = (1−β)∇φ(v) + β∇φ(y) − η∇f(y); x⁺ = (1−α)x + αv⁺. G ≥ 1 is
 * doubled until D_φ(x⁺, y) ≤ α²G((1−β)D_φ(v⁺, v) + βD_φ(v⁺, y)), and halved after a step that was accepted at once. G
 * tends to 1, and the error then shrinks by a fraction √σ per step.
 *
 * <p>It differs from the paper in that the inner problem is solved to six digits by Newton's method, at the price of a
 * pass as for MSDA; δ is measured at x = 0, and a tuned step divides it by its factor.
 */
public final class Spag extends HubProgram {

    private static final double ACCURACY = 1e-6;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        Parameters parameters = parameters(on.problem(), on.step());
        SpanningTree tree = on.network().spanningTree();
        return on.nodes(setup -> new Spag(
                setup.node(),
                new HubProgram.Problems(setup.problem(), on.problem().size(), tree),
                parameters));
    }

    /**
     * The parameters.
     *
     * @param similarity δ
     * @param convexity σ, relative to φ
     */
    public record Parameters(double similarity, double convexity) {}

    public static Parameters parameters(Problem problem, double stepFactor) {
        double mu = problem.totalSigma() / problem.size();
        double similarity = Math.max(Similarity.atZero(problem).largest() / stepFactor, 1e-3 * mu);
        return new Parameters(similarity, mu / (mu + 2 * similarity));
    }

    private static final int A = 0;
    private static final int B = 1;
    private static final int G = 2;
    private static final int TRIES = 3;

    private final Parameters parameters;
    private final DualGradient solver;
    private final double[] x = vector(features);
    private final double[] v = vector(features);
    private final double[] y = vector(features);
    private final double[] ahead = vector(features);
    private final double[] counts = vector(4);

    /** An order is x followed by y. */
    private Spag(int node, Problems of, Parameters parameters) {
        super(node, of, 2 * of.problem().features(), of.problem().features());
        this.parameters = parameters;
        this.solver = new DualGradient(this, samples, problem.sigma() + parameters.similarity(), ACCURACY);
        counts[B] = 1;
        counts[G] = 1;
    }

    @Override
    public double reply(double[] into) {
        gradient(Arrays.copyOfRange(order, features, 2 * features), into);
        return samples.count();
    }

    /** The positive root of a²G = (A + a)(B + aσ). */
    private double length() {
        double sigma = parameters.convexity();
        double linear = counts[B] + counts[A] * sigma;
        double square = counts[G] - sigma;
        return (linear + Math.sqrt(linear * linear + 4 * counts[A] * counts[B] * square)) / (2 * square);
    }

    @Override
    public double decide(double[] sums) {
        double a = length();
        double alpha = a / (counts[A] + a);
        double grown = counts[B] + a * parameters.convexity();
        double beta = a * parameters.convexity() / grown;
        double[] mean = Arrays.copyOf(sums, features);
        Vectors.scale(mean, 1.0 / nodes);
        double[] atV = slope(v);
        double[] atY = slope(y);
        double[] target = new double[features];
        Vectors.add(target, 1 - beta, atV);
        Vectors.add(target, beta, atY);
        Vectors.add(target, -a / grown, mean);
        Vectors.copy(v, ahead);
        solver.solve(target, ahead);
        double[] next = new double[features];
        Vectors.add(next, 1 - alpha, x);
        Vectors.add(next, alpha, ahead);
        double moved = divergence(next, y, atY);
        double allowed =
                alpha * alpha * counts[G] * ((1 - beta) * divergence(ahead, v, atV) + beta * divergence(ahead, y, atY));
        boolean accepted = moved <= allowed * (1 + 1e-9) + rounding() || counts[TRIES] > 30;
        if (accepted) {
            counts[A] += a;
            counts[B] = grown;
            counts[G] = counts[TRIES] == 0 ? Math.max(1, counts[G] / 2) : counts[G];
            counts[TRIES] = 0;
            Vectors.copy(next, x);
            Vectors.copy(ahead, v);
            if (counts[B] > 0x1p100) {
                counts[A] *= 0x1p-100;
                counts[B] *= 0x1p-100;
            }
        } else {
            counts[G] *= 2;
            counts[TRIES]++;
        }
        aim();
        return samples.count();
    }

    /** Writes the next y into the order. */
    private void aim() {
        double a = length();
        double alpha = a / (counts[A] + a);
        double beta = a * parameters.convexity() / (counts[B] + a * parameters.convexity());
        for (int c = 0; c < features; c++) {
            y[c] = ((1 - alpha) * x[c] + alpha * (1 - beta) * v[c]) / (1 - alpha * beta);
        }
        System.arraycopy(x, 0, order, 0, features);
        System.arraycopy(y, 0, order, features, features);
    }

    /** ∇φ. */
    private double[] slope(double[] at) {
        double[] slope = new double[features];
        gradient(at, slope);
        Vectors.add(slope, parameters.similarity(), at);
        return slope;
    }

    private double value(double[] at) {
        return problem.lossSum(at) + (problem.sigma() + parameters.similarity()) / 2 * Vectors.dot(at, at);
    }

    /** What φ's values lose to rounding, so that a step at the optimum is not refused for ever. */
    private double rounding() {
        return 0x1p-48 * Math.abs(value(y));
    }

    /** D_φ(to, from), given ∇φ(from). */
    private double divergence(double[] to, double[] from, double[] slope) {
        return value(to) - value(from) - Vectors.dot(slope, to) + Vectors.dot(slope, from);
    }
}
