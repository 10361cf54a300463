package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Elementary;
import dev.starling.loss.Normal;
import dev.starling.model.StandardErrors;
import dev.starling.problem.Rounding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Minimises minus a log-likelihood of few parameters by Newton's method, and proves the result by the theorem of Newton
 * and Kantorovich. Let H be the Hessian at the estimate, ν the length of the gradient in the norm of H⁻¹, and K a bound
 * on the third derivative in that norm. The optimum is within t = 2ν/(1 − δ + √((1 − δ)² − 2Kν)) of the estimate in the
 * norm of H if the root exists and K holds that far; δ bounds what rounding did to H.
 */
final class ProvenNewton {

    private static final int MOST_STEPS = 100;

    /** Steps are taken until the gradient is this small, then for as long as it gets smaller. */
    private static final double NEAR = 1e-6;

    private static final int POLISHING_STEPS = 4;

    /** A parameter of which less than this part is left, given those before it, depends on them. */
    private static final double DEPENDENT = 1e-11;

    /** Where an estimate lies more than this many standard deviations from the start, there may be none. */
    private static final double FAR = 25;

    /** A convex function of a flat parameter. */
    interface Objective {

        int parameters();

        /** The name of a parameter, for messages. */
        String name(int parameter);

        /** Where to begin. */
        double[] start();

        /** The weight of what is summed up, which makes second derivatives at the start comparable. */
        double weight();

        Sums at(double[] theta);

        /**
         * How fast derivatives change near a point.
         *
         * @param length returns the length of a vector of parameters in the norm of the inverse Hessian there
         */
        Change change(double[] theta, ToDoubleFunction<double[]> length);

        /** What makes the likelihood grow without end, if that is known. */
        default Optional<String> separating() {
            return Optional.empty();
        }
    }

    /**
     * The sums at a point.
     *
     * @param value minus the log-likelihood; infinite where it is not defined
     * @param hessian its second derivatives, row by row
     */
    record Sums(double value, double[] gradient, double[] hessian) {}

    /**
     * How fast derivatives change, in the norm of the inverse Hessian.
     *
     * @param third K, a bound on the third derivative
     * @param radius how far that bound holds
     * @param squares the sum of the squared lengths of all rows, times bounds on their curvatures
     * @param lengths the sum of the lengths of all rows, times bounds on their slopes
     * @param relative a bound on the relative rounding error of a row's slope and curvature, and of adding them up
     */
    record Change(double third, double radius, double squares, double lengths, double relative) {}

    /**
     * What was found.
     *
     * @param theta the estimate; 0 for parameters that are left out
     * @param kept the parameters that do not depend on others
     * @param covariance of these, row by row
     * @param value minus the log-likelihood
     * @param hessian of the parameters that are kept
     * @param distance a bound on the distance from the optimum, in the norm of the Hessian
     * @param change a bound on the relative change of the Hessian on the way there
     * @param error a bound on the error of the value
     * @param score the squared length of the gradient at the start
     */
    record Found(
            double[] theta,
            int[] kept,
            double[] covariance,
            double value,
            double[][] hessian,
            double distance,
            double change,
            double error,
            double score) {

        /** A bound on the relative error of standard errors. */
        private double factor() {
            return change < 1 ? 1 / Math.sqrt(1 - change) - 1 : Double.POSITIVE_INFINITY;
        }

        /** The lines of the table, one for each parameter. */
        List<Coefficient> lines(List<String> names, double level) {
            Proven quantile = new Proven(Distributions.normalQuantile(1 - level), 0);
            List<Coefficient> lines = new ArrayList<>();
            int at = 0;
            for (int c = 0; c < theta.length; c++) {
                if (at == kept.length || kept[at] != c) {
                    lines.add(Coefficient.leftOut(names.get(c)));
                    continue;
                }
                double se = Math.sqrt(covariance[at * kept.length + at]);
                lines.add(Coefficient.of(
                        names.get(c),
                        new Proven(theta[c], distance * se * (1 + factor()) + Math.ulp(theta[c])),
                        new Proven(se, se * (factor() + Coefficient.ROUNDING)),
                        quantile,
                        ProvenNewton::normalTails));
                at++;
            }
            return lines;
        }

        /**
         * The table.
         *
         * @param rows the number of rows
         * @param observations that counts for BIC and degrees of freedom
         */
        GlmTable table(
                String family,
                String link,
                long rows,
                double observations,
                List<Coefficient> lines,
                Proven nullDeviance,
                double level) {
            Proven logLik = new Proven(-value, error);
            return new GlmTable(
                    family,
                    link,
                    rows,
                    lines,
                    false,
                    new Proven(1, 0),
                    new Proven(2 * value, 2 * error),
                    nullDeviance,
                    observations - kept.length,
                    observations,
                    logLik,
                    criterion(2.0 * kept.length),
                    criterion(kept.length * Elementary.log(observations)),
                    Map.of(),
                    distance * (1 + factor()),
                    StandardErrors.MODEL,
                    level,
                    true,
                    GlmTable.ESTIMATE);
        }

        private Proven criterion(double penalty) {
            double criterion = 2 * value + penalty;
            return new Proven(criterion, 2 * error + Coefficient.ROUNDING * Math.abs(criterion));
        }
    }

    static Proven normalTails(Proven statistic) {
        double size = Math.abs(statistic.value());
        double value = Distributions.normalTails(size);
        double density = Normal.density(Math.max(size - statistic.error(), 0));
        double rounding = Coefficient.ROUNDING * value * Math.max(1, size * size / 64);
        return new Proven(value, 2 * statistic.error() * density + rounding);
    }

    private final Objective objective;
    private final double[] start;
    private final double[] hessianAtStart;
    private final int[] kept;

    private ProvenNewton(Objective objective) {
        this.objective = objective;
        this.start = objective.start();
        this.hessianAtStart = objective.at(start).hessian();
        this.kept = independent();
        if (kept.length == 0) {
            throw new InvalidInputException("no feature differs among the rows, so there is nothing to estimate");
        }
    }

    static Found minimum(Objective objective) {
        return new ProvenNewton(objective).found();
    }

    /** Refuses a level of intervals that is none. */
    static void requireLevel(double level) {
        if (!(level > 0 && level < 1)) {
            throw new InvalidInputException("a level of " + level + "; it must be between 0 and 1, for example 0.95");
        }
    }

    /** Finds the parameters that those before them do not determine, by eliminating these from the Hessian. */
    private int[] independent() {
        int size = objective.parameters();
        double[] left = hessianAtStart.clone();
        List<Integer> chosen = new ArrayList<>();
        for (int c = 0; c < size; c++) {
            double pivot = left[c * size + c];
            if (!(pivot > DEPENDENT * hessianAtStart[c * size + c])) {
                continue;
            }
            chosen.add(c);
            for (int a = c + 1; a < size; a++) {
                double factor = left[a * size + c] / pivot;
                for (int b = c + 1; b < size; b++) {
                    left[a * size + b] -= factor * left[c * size + b];
                }
            }
        }
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    /** A point with the sums there, restricted to the parameters that are kept. */
    private record Point(double[] theta, double value, double[][] hessian, double[] step, double nu) {}

    private double[] restricted(double[] whole) {
        return Arrays.stream(kept).mapToDouble(c -> whole[c]).toArray();
    }

    private Point at(double[] theta) {
        Sums sums = objective.at(theta);
        double[] gradient = restricted(sums.gradient());
        double[][] hessian = new double[kept.length][];
        for (int a = 0; a < kept.length; a++) {
            int from = kept[a] * objective.parameters();
            hessian[a] = restricted(Arrays.copyOfRange(sums.hessian(), from, from + objective.parameters()));
        }
        double[] step = Symmetric.solve(hessian, gradient);
        double squares = IntStream.range(0, kept.length)
                .mapToDouble(k -> gradient[k] * step[k])
                .sum();
        return new Point(theta, sums.value(), hessian, step, Math.sqrt(squares));
    }

    private Found found() {
        Point here = at(start);
        double score = here.nu * here.nu;
        int polished = 0;
        for (int k = 0; k < MOST_STEPS; k++) {
            requireNear(here);
            Point next = step(here);
            // Without an estimate the gradient vanishes, too, but so does the curvature, and nothing is proven.
            boolean near = here.nu < NEAR && Double.isFinite(proven(here, score).distance);
            if (near && (!(next.nu < here.nu) || ++polished == POLISHING_STEPS)) {
                return proven(next.nu < here.nu ? next : here, score);
            }
            here = next;
        }
        throw new InvalidInputException("no estimate was found in " + MOST_STEPS
                + " steps; there may be none because of " + farthest(here) + "; leave it out, or merge rare levels");
    }

    /** A Newton step, shortened until it does not lead up. */
    private Point step(Point from) {
        for (double length = 1; length > 0x1p-40; length /= 2) {
            double[] theta = from.theta.clone();
            for (int k = 0; k < kept.length; k++) {
                theta[kept[k]] -= length * from.step[k];
            }
            Point next = at(theta);
            if (next.value <= from.value + 0x1p-44 * Math.abs(from.value)) {
                return next;
            }
        }
        return from;
    }

    private void requireNear(Point here) {
        for (int c : kept) {
            if (!(size(here, c) < FAR * Math.sqrt(objective.weight()))) {
                throw new InvalidInputException("no estimate exists: the likelihood grows without end with "
                        + farthest(here) + "; leave it out, or merge rare levels");
            }
        }
    }

    private String farthest(Point here) {
        return objective.separating().orElseGet(() -> {
            int far = kept[0];
            for (int c : kept) {
                far = size(here, c) > size(here, far) ? c : far;
            }
            return "'" + objective.name(far) + "'";
        });
    }

    private double size(Point here, int c) {
        return Math.abs(here.theta[c] - start[c]) * Math.sqrt(hessianAtStart[c * objective.parameters() + c]);
    }

    private Found proven(Point here, double score) {
        double[][] factor = Symmetric.factor(here.hessian);
        Change change = objective.change(here.theta, vector -> length(factor, vector));
        double misfit = change.relative * change.squares;
        double nu = here.nu * (1 + 0x1p-20) + change.relative * change.lengths;
        double least = 1 - misfit;
        double root = least * least - 2 * change.third * nu;
        double t = least > 0 && root >= 0 ? (1 + 0x1p-40) * 2 * nu / (least + Math.sqrt(root)) : Double.NaN;
        double distance = t <= change.radius ? t : Double.POSITIVE_INFINITY;
        double error = nu * distance
                + change.third * distance * distance * distance / 6
                + change.relative * Math.abs(here.value);
        return new Found(
                here.theta,
                kept,
                Arrays.stream(Symmetric.inverse(here.hessian))
                        .flatMapToDouble(Arrays::stream)
                        .toArray(),
                here.value,
                here.hessian,
                distance,
                misfit + change.third * distance,
                error,
                score);
    }

    private double length(double[][] factor, double[] vector) {
        double[] x = restricted(vector);
        double[] solved = Symmetric.solved(factor, x);
        double sum = 0;
        for (int k = 0; k < x.length; k++) {
            sum += x[k] * solved[k];
        }
        return Math.sqrt(Math.max(0, sum)) * (1 + Rounding.UNIT * 0x1p20);
    }
}
