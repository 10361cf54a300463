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
 * Methods with a hub whose number of rounds depends on how similar the nodes' functions are, not on how well they are
 * conditioned. With f the mean of the f_i, μ its strong convexity, and A = 0, B = 1 at first, a step is
 *
 * <ul>
 *   <li>y = (Ax + av)/(A + a), all nodes: ∇f(y);
 *   <li>x = argmin f_i(x) − ⟨∇f_i(y) − ∇f(y), x⟩ + (q/2)‖x − y‖², by one node or by all, which take the mean;
 *   <li>v = (μax + Bv − ag)/(μa + B), A += a, B += μa.
 * </ul>
 *
 * {@code aeg} (Kovalev, Beznosikov, Borodich, Gasnikov, Scutari, "Optimal gradient sliding and its application to
 * distributed optimization under similarity", 2022): the hub alone solves, g = ∇f(x) is another sum, q = 2δ with the
 * largest similarity δ, and a² = (A + a)B/(2q): √(δ/μ) steps per factor e, of two sums each, which is optimal.
 *
 * <p>{@code acc-s-dane} (Jiang, Rodomanov, Stich, "Stabilized proximal-point methods for federated optimization",
 * 2024): all nodes solve, g is the mean of their gradients at their own solutions, q = 2δ with the average similarity,
 * and a² = (A + a)B/q. {@code s-dane}: the same without acceleration, y = v, a = 1/q, B = 1.
 *
 * <p>They differ from the authors' code (mlolab/S-DANE) in that inner problems are solved to four digits by Newton's
 * method, at the price of a pass as for MSDA, where that code stops gradient descent at a residual of a fixed part of
 * q‖x − y‖; and δ is measured at x = 0, where logistic losses are steepest, while theory needs it everywhere. A tuned
 * step divides q by its factor.
 */
public final class Sliding extends HubProgram {

    public enum Kind {
        /** With the hub's own function. */
        AEG,
        S_DANE,
        ACC_S_DANE
    }

    public static List<? extends EstimatingProgram> programs(Setting on, Kind kind) {
        on.require();
        Parameters parameters = parameters(kind, on.problem(), on.step());
        SpanningTree tree = on.network().spanningTree();
        return on.nodes(setup -> new Sliding(
                setup.node(),
                new HubProgram.Problems(setup.problem(), on.problem().size(), tree),
                kind,
                parameters));
    }

    /**
     * The parameters.
     *
     * @param proximity q
     * @param convexity μ
     * @param rate the fraction by which the error shrinks in a step, once A is large
     */
    public record Parameters(double proximity, double convexity, double rate) {}

    public static Parameters parameters(Kind kind, Problem problem, double stepFactor) {
        Similarity at = Similarity.atZero(problem);
        double similarity = kind == Kind.AEG ? at.largest() : at.average();
        double convexity = problem.totalSigma() / problem.size();
        // With one node, or equal ones, any q > 0 will do.
        double q = Math.max(2 * similarity / stepFactor, 1e-3 * convexity);
        double rate = switch (kind) {
            case AEG -> Math.min(0.5, Math.sqrt(convexity / (2 * q)));
            case ACC_S_DANE -> Math.min(0.5, Math.sqrt(convexity / q));
            case S_DANE -> convexity / (convexity + q);
        };
        return new Parameters(q, convexity, rate);
    }

    private final Kind kind;
    private final Parameters parameters;
    private final DualGradient solver;
    private final double[] x = vector(features);
    private final double[] ownGradient = vector(features);
    private final double[] target = new double[features];

    /* The hub's. */
    private final double[] v = vector(features);
    private final double[] y = vector(features);
    private final double[] counts = vector(3);

    /** An order is x, a point, the mean gradient at it, and 1 if that is known. */
    private Sliding(int node, Problems of, Kind kind, Parameters parameters) {
        super(node, of, 3 * of.problem().features() + 1, 2 * of.problem().features());
        this.kind = kind;
        this.parameters = parameters;
        this.solver = new DualGradient(this, samples, problem.sigma() + parameters.proximity(), DualGradient.ACCURACY);
        counts[1] = 1;
        counts[2] = length(0, 1);
    }

    /** a. */
    private double length(double all, double b) {
        double q = parameters.proximity();
        return switch (kind) {
            case AEG -> b / (4 * q) + Math.sqrt(b * b / (16 * q * q) + all * b / (2 * q));
            case ACC_S_DANE -> b / (2 * q) + Math.sqrt(b * b / (4 * q * q) + all * b / q);
            case S_DANE -> 1 / q;
        };
    }

    private boolean isKnown() {
        return order[3 * features] != 0;
    }

    @Override
    public double reply(double[] into) {
        double[] point = Arrays.copyOfRange(order, features, 2 * features);
        if (!isKnown() || kind == Kind.AEG) {
            gradient(point, ownGradient);
            Arrays.fill(into, 0);
            System.arraycopy(ownGradient, 0, into, 0, features);
            return samples.count();
        }
        solve(point, Arrays.copyOfRange(order, 2 * features, 3 * features));
        gradient(x, target);
        System.arraycopy(target, 0, into, 0, features);
        System.arraycopy(x, 0, into, features, features);
        return 2.0 * samples.count();
    }

    /** x = argmin f_i(x) − ⟨∇f_i(y) − g, x⟩ + (q/2)‖x − y‖². */
    private void solve(double[] point, double[] mean) {
        pulled(ownGradient, parameters.proximity(), point, target);
        Vectors.add(target, -1, mean);
        solver.solve(target, x);
    }

    @Override
    public double decide(double[] sums) {
        double[] mean = Arrays.copyOf(sums, features);
        Vectors.scale(mean, 1.0 / nodes);
        if (!isKnown()) {
            double work = 0;
            if (kind == Kind.AEG) {
                solve(y, mean);
                work = samples.count();
            }
            System.arraycopy(kind == Kind.AEG ? x : y, 0, order, features, features);
            System.arraycopy(mean, 0, order, 2 * features, features);
            order[3 * features] = 1;
            return work;
        }
        double[] next = kind == Kind.AEG ? x.clone() : Arrays.copyOfRange(sums, features, 2 * features);
        if (kind != Kind.AEG) {
            Vectors.scale(next, 1.0 / nodes);
        }
        double a = counts[2];
        double b = counts[1];
        double grown = parameters.convexity() * a + b;
        for (int c = 0; c < features; c++) {
            v[c] = (parameters.convexity() * a * next[c] + b * v[c] - a * mean[c]) / grown;
        }
        counts[0] += a;
        counts[1] = kind == Kind.S_DANE ? 1 : grown;
        counts[2] = length(counts[0], counts[1]);
        double share = kind == Kind.S_DANE ? 1 : counts[2] / (counts[0] + counts[2]);
        for (int c = 0; c < features; c++) {
            y[c] = (1 - share) * next[c] + share * v[c];
        }
        rescale();
        System.arraycopy(next, 0, order, 0, features);
        System.arraycopy(y, 0, order, features, features);
        order[3 * features] = 0;
        return 0;
    }

    /** Only the ratio of A and B counts; both grow without end. */
    private void rescale() {
        if (counts[1] > 0x1p100) {
            counts[0] *= 0x1p-100;
            counts[1] *= 0x1p-100;
            counts[2] *= 0x1p-100;
        }
    }
}
