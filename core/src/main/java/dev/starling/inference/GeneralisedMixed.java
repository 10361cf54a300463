package dev.starling.inference;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.loss.Binomial;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Logistic;
import dev.starling.loss.NegativeBinomial;
import dev.starling.loss.Poisson;
import java.util.Arrays;
import java.util.List;

/**
 * Minus the log-likelihood of a generalised linear model with a random intercept τu, u normal, for every cluster: a sum
 * over clusters of −ln ∫ e^(−h(u)) du/√2π with h(u) = Σ w ℓ(xᵀβ + τu) + u²/2. Each integral is a sum over nodes û + σz,
 * with û the minimum of h and σ = h''(û)^(−½); a single node is Laplace's approximation. Derivatives are those of that
 * sum, not of the integral, so that its optimum is found exactly. The parameters are β, then τ.
 *
 * <p>It is longer than most classes, since value, slopes and curvature of a cluster come from the same nodes.
 */
public final class GeneralisedMixed {

    private static final int MOST_STEPS = 200;
    private static final double SHORTEST_STEP = 0x1p-20;
    private static final double SAME = 0x1p-46;

    private final List<Cluster> clusters;
    private final Likelihood family;
    private final GaussHermite rule;
    private final int p;

    /**
     * Creates the sum.
     *
     * @param columns how many columns rows have
     * @param nodes the number of nodes of each integral
     */
    public GeneralisedMixed(List<Cluster> clusters, int columns, Likelihood family, int nodes) {
        this.clusters = List.copyOf(clusters);
        this.family = family;
        this.rule = GaussHermite.of(nodes);
        this.p = columns;
    }

    /** Whether the third and fourth derivatives of a family are known. */
    public static boolean takes(Likelihood family) {
        return family.equals(new Binomial())
                || family.equals(new Poisson())
                || family instanceof Logistic
                || family instanceof NegativeBinomial;
    }

    /** The m-th derivative of a loss, 1 ≤ m ≤ 4. */
    private double derivative(int m, double margin, double label) {
        if (m == 1) {
            return family.derivative(margin, label);
        }
        double second = family.curvature(margin, label);
        if (m == 2 || family instanceof Poisson) {
            return second;
        }
        double from = family instanceof NegativeBinomial counts ? Elementary.log(counts.size()) : 0;
        double pi = Elementary.sigmoid(margin - from);
        return second * (m == 3 ? 1 - 2 * pi : 1 - 6 * pi * (1 - pi));
    }

    /** The sums of a cluster's m-th derivatives at an intercept: alone, times x, and, if asked for, times xxᵀ. */
    private record Sums(double a, double[] b, double[] c) {}

    private Sums sums(Cluster cluster, int m, double[] margins, double shift, boolean squares) {
        double a = 0;
        double[] b = new double[p];
        double[] c = new double[squares ? p * p : 0];
        for (int i = 0; i < margins.length; i++) {
            double part = cluster.weights()[i] * derivative(m, margins[i] + shift, cluster.labels()[i]);
            a += part;
            Vectors.add(b, part, cluster.x()[i]);
            for (int k = 0; squares && k < p; k++) {
                for (int l = 0; l < p; l++) {
                    c[k * p + l] = Math.fma(part * cluster.x()[i][k], cluster.x()[i][l], c[k * p + l]);
                }
            }
        }
        return new Sums(a, b, c);
    }

    private static double value(Likelihood family, Cluster cluster, double[] margins, double shift) {
        double sum = 0;
        for (int i = 0; i < margins.length; i++) {
            sum += cluster.weights()[i] * family.value(margins[i] + shift, cluster.labels()[i]);
        }
        return sum;
    }

    /** The minimum of h, which is convex with a curvature of at least 1. */
    private double mode(Cluster cluster, double[] margins, double tau) {
        double u = 0;
        double at = value(family, cluster, margins, 0);
        for (int k = 0; k < MOST_STEPS; k++) {
            double slope = u;
            double curvature = 1;
            for (int i = 0; i < margins.length; i++) {
                double margin = margins[i] + tau * u;
                slope += tau * cluster.weights()[i] * derivative(1, margin, cluster.labels()[i]);
                curvature += tau * tau * cluster.weights()[i] * derivative(2, margin, cluster.labels()[i]);
            }
            double step = slope / curvature;
            double next = u - step;
            double there = value(family, cluster, margins, tau * next) + next * next / 2;
            for (int half = 0; half < 60 && !(there <= at + 0x1p-44 * Math.abs(at)); half++) {
                step /= 2;
                next = u - step;
                there = value(family, cluster, margins, tau * next) + next * next / 2;
            }
            u = next;
            at = there;
            if (Math.abs(step) <= 0x1p-50 * Math.max(1, Math.abs(u))) {
                break;
            }
        }
        return u;
    }

    /** The number of sums at a point: the value, the gradient and the lower triangle of the Hessian. */
    int numbers() {
        return 1 + (p + 1) + (p + 1) * (p + 2) / 2;
    }

    /** The sums over all clusters at a point, as {@link #numbers} counts them. */
    public double[] at(double[] theta) {
        double[] totals = new double[numbers()];
        for (Cluster cluster : clusters) {
            new Integral(cluster, theta).addTo(totals);
        }
        return totals;
    }

    /** The most likely intercept τu of each cluster. */
    double[] modes(double[] theta) {
        return clusters.stream()
                .mapToDouble(cluster -> theta[p] * mode(cluster, margins(cluster, theta), theta[p]))
                .toArray();
    }

    private double[] margins(Cluster cluster, double[] theta) {
        double[] margins = new double[cluster.y().length];
        for (int i = 0; i < margins.length; i++) {
            margins[i] = cluster.offsets()[i] + Vectors.dot(cluster.x()[i], 0, theta, 0, p);
        }
        return margins;
    }

    /** One cluster's integral with its derivatives. */
    private final class Integral {

        private final int d = p + 1;
        private final double[] gradient = new double[d];
        private final double[] hessian = new double[d * d];
        private final double value;

        Integral(Cluster cluster, double[] theta) {
            double tau = theta[p];
            double[] margins = margins(cluster, theta);
            double u = mode(cluster, margins, tau);
            Sums first = sums(cluster, 1, margins, tau * u, false);
            Sums second = sums(cluster, 2, margins, tau * u, false);
            Sums third = sums(cluster, 3, margins, tau * u, true);
            Sums fourth = sums(cluster, 4, margins, tau * u, true);
            double s = 1 + tau * tau * second.a;
            double sigma = 1 / Math.sqrt(s);

            // Derivatives of û, of s = h''(û) and of σ; names such as uut stand for h_uuθ.
            double[] ut = vector(tau, second.b, u * tau * second.a + first.a);
            double[] uut = vector(tau * tau, third.b, 2 * tau * second.a + u * tau * tau * third.a);
            double[] uuut = vector(tau * tau * tau, fourth.b, 3 * tau * tau * third.a + u * tau * tau * tau * fourth.a);
            double uuu = tau * tau * tau * third.a;
            double[] mode = scaled(-1 / s, ut);
            double[] modes =
                    matrix(tau, third.c, 1, second.b, u * tau, third.b, 2 * u * second.a + u * u * tau * third.a);
            addSymmetric(modes, 1, uut, mode);
            addSquare(modes, uuu, mode);
            Vectors.scale(modes, -1 / s);
            double[] slope = uut.clone();
            Vectors.add(slope, uuu, mode);
            double[] bend = matrix(
                    tau * tau,
                    fourth.c,
                    2 * tau,
                    third.b,
                    u * tau * tau,
                    fourth.b,
                    2 * second.a + 4 * u * tau * third.a + u * u * tau * tau * fourth.a);
            addSymmetric(bend, 1, uuut, mode);
            addSquare(bend, tau * tau * tau * tau * fourth.a, mode);
            Vectors.add(bend, uuu, modes);
            double[] sigmas = scaled(-sigma / (2 * s), slope);
            double[] sigmaBend = scaled(-sigma / (2 * s), bend);
            addSquare(sigmaBend, 3 * sigma / (4 * s * s), slope);

            int nodes = rule.nodes().length;
            double[] exponents = new double[nodes];
            for (int k = 0; k < nodes; k++) {
                double z = rule.nodes()[k];
                double at = u + sigma * z;
                exponents[k] = Elementary.log(rule.weights()[k])
                        - value(family, cluster, margins, tau * at)
                        - at * at / 2
                        + z * z / 2;
            }
            double highest = Arrays.stream(exponents).max().orElse(0);
            double total = Arrays.stream(exponents)
                    .map(exponent -> Elementary.exp(exponent - highest))
                    .sum();
            this.value = Elementary.log(s) / 2 - highest - Elementary.log(total);

            double meanSlope = 0;
            double meanTurn = 0;
            for (int k = 0; k < nodes; k++) {
                double z = rule.nodes()[k];
                double share = Elementary.exp(exponents[k] - highest) / total;
                double at = u + sigma * z;
                Sums one = sums(cluster, 1, margins, tau * at, false);
                Sums two = sums(cluster, 2, margins, tau * at, true);
                double hu = tau * one.a + at;
                double[] place = mode.clone();
                Vectors.add(place, z, sigmas);
                double[] own = vector(1, one.b, at * one.a);
                Vectors.add(own, hu, place);
                Vectors.add(gradient, share, own);
                addSquare(hessian, -share, own);
                addSquare(hessian, share * (1 + tau * tau * two.a), place);
                addSymmetric(hessian, share, vector(tau, two.b, at * tau * two.a + one.a), place);
                Vectors.add(hessian, share, matrix(1, two.c, at, two.b, 0, two.b, at * at * two.a));
                meanSlope += share * hu;
                meanTurn += share * hu * z;
            }
            addSquare(hessian, 1, gradient);
            Vectors.add(hessian, meanSlope, modes);
            Vectors.add(hessian, meanTurn, sigmaBend);
            // −ln σ = ½ ln s
            Vectors.add(gradient, 1 / (2 * s), slope);
            Vectors.add(hessian, 1 / (2 * s), bend);
            addSquare(hessian, -1 / (2 * s * s), slope);
        }

        private double[] vector(double factor, double[] ofFeatures, double ofScale) {
            double[] result = Arrays.copyOf(ofFeatures, d);
            Vectors.scale(result, factor);
            result[p] = ofScale;
            return result;
        }

        /** A matrix from its blocks: factor·c for the features, g·b + h·e between these and τ, and a corner. */
        private double[] matrix(double factor, double[] c, double g, double[] b, double h, double[] e, double corner) {
            double[] result = new double[d * d];
            for (int k = 0; k < p; k++) {
                for (int l = 0; l < p; l++) {
                    result[k * d + l] = factor * c[k * p + l];
                }
                result[k * d + p] = g * b[k] + h * e[k];
                result[p * d + k] = result[k * d + p];
            }
            result[d * d - 1] = corner;
            return result;
        }

        private double[] scaled(double factor, double[] of) {
            double[] result = of.clone();
            Vectors.scale(result, factor);
            return result;
        }

        /** Adds factor (abᵀ + baᵀ). */
        private void addSymmetric(double[] target, double factor, double[] a, double[] b) {
            for (int k = 0; k < d; k++) {
                for (int l = 0; l < d; l++) {
                    target[k * d + l] += factor * (a[k] * b[l] + b[k] * a[l]);
                }
            }
        }

        private void addSquare(double[] target, double factor, double[] a) {
            addSymmetric(target, factor / 2, a, a);
        }

        void addTo(double[] totals) {
            totals[0] += value;
            int at = 1;
            for (double entry : gradient) {
                totals[at++] += entry;
            }
            for (int k = 0; k < d; k++) {
                for (int l = 0; l <= k; l++) {
                    totals[at++] += hessian[k * d + l];
                }
            }
        }
    }

    /**
     * Where steps ended.
     *
     * @param theta β and τ
     * @param value minus the log-likelihood, without the part that no parameter changes
     * @param inverse of the Hessian
     * @param decrement the length of the last step in standard errors
     */
    public record End(double[] theta, double value, double[] inverse, double decrement) {}

    /** The best of the ends that Newton's method reaches from several τ; τ = 0 is the model without intercepts. */
    public End best(double... starts) {
        End none = newton(new double[p + 1], p);
        End best = none;
        for (double tau : starts) {
            double[] theta = none.theta.clone();
            theta[p] = tau;
            End end = newton(theta, p + 1);
            best = end.value < best.value - 0x1p-40 * Math.abs(best.value) ? end : best;
        }
        best.theta[p] = Math.abs(best.theta[p]);
        return best;
    }

    /**
     * Newton's method in the first of the parameters, between two evaluations.
     *
     * @param free how many parameters may change
     * @param theta the best point so far
     * @param sums the sums there
     * @param step the step from there
     * @param length the part of the step that is tried next
     * @param ended whether no further step makes a difference
     */
    record Search(int free, double[] theta, double[] sums, double[] step, double length, boolean ended) {

        /** The point to evaluate next. */
        double[] next() {
            double[] next = theta.clone();
            for (int c = 0; c < free; c++) {
                next[c] -= length * step[c];
            }
            return next;
        }
    }

    /** The search from a point where the sums are known. */
    Search search(double[] theta, double[] sums, int free) {
        return new Search(free, theta, sums, step(sums, free), 1, false);
    }

    /** The search once the sums at its next point are known: a step that leads up is halved. */
    Search after(Search before, double[] there) {
        int free = before.free;
        if (!(there[0] <= before.sums[0] + SAME * Math.abs(before.sums[0]))) {
            double half = before.length / 2;
            return new Search(free, before.theta, before.sums, before.step, half, half <= SHORTEST_STEP);
        }
        double decrement = end(before).decrement;
        Search reached = search(before.next(), there, free);
        boolean stands = decrement < 1e-7 && !(end(reached).decrement < decrement / 2);
        return stands ? new Search(free, before.theta, before.sums, before.step, 0, true) : reached;
    }

    End end(Search search) {
        return end(search.theta, search.sums, search.free);
    }

    private End newton(double[] from, int free) {
        Search search = search(from, at(from), free);
        for (int k = 0; k < MOST_STEPS && !search.ended; k++) {
            search = after(search, at(search.next()));
        }
        return end(search);
    }

    /** The step H⁻¹g, with as much added to the diagonal of H as makes it positive definite. */
    private double[] step(double[] sums, int free) {
        double[] step = new double[free];
        for (double more = 0; ; more = Math.max(1e-3, 4 * more)) {
            double[] factor = Cholesky.symmetric(sums, 2 + p, free);
            for (int k = 0; k < free; k++) {
                factor[k * free + k] += more * (1 + Math.abs(factor[k * free + k]));
            }
            if (Cholesky.factorise(factor, free) && Vectors.sum(factor) < Double.POSITIVE_INFINITY) {
                Cholesky.solve(factor, free, Arrays.copyOfRange(sums, 1, 1 + free), step);
                return step;
            }
            if (more > 1e12) {
                return step;
            }
        }
    }

    private End end(double[] theta, double[] sums, int free) {
        double[] factor = Cholesky.symmetric(sums, 2 + p, free);
        boolean definite = Cholesky.factorise(factor, free);
        double[] step = new double[free];
        double[] gradient = Arrays.copyOfRange(sums, 1, 1 + free);
        Cholesky.solve(factor, free, gradient, step);
        double decrement = definite ? Math.sqrt(Math.max(0, Vectors.dot(step, gradient))) : Double.POSITIVE_INFINITY;
        return new End(theta, sums[0], Cholesky.inverseOfProduct(factor, free), decrement);
    }
}
