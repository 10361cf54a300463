package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Factor;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.Bound;
import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.loss.Whole;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.DD;

/**
 * A problem with little or no regulariser, at a parameter: gradient and Hessian of mean loss + (λ/2)‖θ‖² + λ₁zᵀθ in
 * double-double arithmetic, and the bound on the optimum that follows from them if the third derivative of the loss is
 * at most a multiple of its second. Here z is the subgradient of ‖θ‖₁ that makes the gradient shortest; as ‖·‖₁ is no
 * less than its tangent, the bound holds for mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁.
 */
public final class CurvedProblem {

    /** A feature may be left out if the others explain all but this fraction of its sum of squares around its mean. */
    private static final double DEPENDENT = 0x1p-40;

    /** What double-doubles leave of a sum of squares that is 0. */
    private static final double NOTHING = 0x1p-90;

    /**
     * A feature whose mean is more than this many deviations from zero is moved to its mean, where there is a free
     * intercept to make up for it.
     */
    private static final double FAR = 1024;

    /** A Newton step that changes curvature by more than this part says too little about single coefficients. */
    private static final double MOST_DRIFT = 0.25;

    private final CheckedLoss.Curved loss;
    private final double lambda;

    /** Whether the last feature is that of an intercept that is not regularised. */
    private final boolean isFree;

    private final Dataset rows;
    private final double[] labels;
    private final double[] weights;
    private final int[] kept;
    private final DD[] theta;

    /** What is subtracted from the features. */
    private final double[] origins;

    private final DD[] gradient;
    private final DD[][] hessian;

    public CurvedProblem(
            CheckedLoss.Curved loss,
            Dataset rows,
            double[] labels,
            double[] weights,
            double lambda,
            double l1,
            int regularised,
            List<Integer> leftOut,
            DD[] theta) {
        this.loss = loss;
        this.lambda = lambda;
        this.rows = rows;
        this.labels = labels;
        this.weights = weights;
        this.theta = theta;
        this.kept = IntStream.range(0, rows.features())
                .filter(c -> !leftOut.contains(c) && !(l1 > 0 && isNothing(c)))
                .toArray();
        this.isFree = regularised < rows.features();
        this.origins = isFree ? origins() : new double[rows.features()];
        Whole.Sums sums = sums();
        this.gradient = sums.gradient();
        this.hessian = sums.hessian();
        for (int c = 0; c < regularised; c++) {
            gradient[c] = gradient[c].add(theta[c].multiply(lambda));
            hessian[c][c] = hessian[c][c].add(lambda);
            gradient[c] = shortened(gradient[c], theta[c].hi(), l1);
        }
    }

    /** Whether a feature and its weight are 0, so that only an l1 term knows of it. */
    private boolean isNothing(int feature) {
        for (int i = 0; i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                if (rows.column(i, k) == feature && rows.value(i, k) != 0) {
                    return false;
                }
            }
        }
        return theta[feature].hi() == 0;
    }

    /** Adds the subgradient of λ₁|θ| that leaves least of a slope. */
    private static DD shortened(DD slope, double weight, double l1) {
        if (weight != 0) {
            return slope.add(Math.copySign(l1, weight));
        }
        DD rest = slope.abs().add(-l1);
        return rest.hi() <= 0 ? DD.ZERO : slope.hi() > 0 ? rest : rest.negate();
    }

    /** The means of features that are far from zero; 0 for the others and the intercept's, the last. */
    private double[] origins() {
        double[] means = new double[rows.features()];
        double[] deviations = new double[rows.features()];
        Scales.measure(rows, means, deviations);
        for (int c = 0; c < means.length; c++) {
            boolean far = Math.abs(means[c]) > FAR * deviations[c];
            means[c] = far && c < means.length - 1 ? means[c] : 0;
        }
        return means;
    }

    private Whole.Sums sums() {
        Whole.Sums sums = Whole.Sums.of(rows.features());
        DD total = DD.ZERO;
        for (int i = 0; i < labels.length; i++) {
            DD margin = Scales.margin(rows, i, theta);
            DD[] x = row(i);
            total = total.add(weights[i]);
            sums.slope(x, loss.slope().apply(margin, labels[i]).multiply(weights[i]));
            sums.bend(x, loss.curvature().apply(margin, labels[i]).multiply(weights[i]));
        }
        return sums.mean(DD.ZERO, total);
    }

    /** A row's features minus their origins, exactly. */
    private DD[] row(int index) {
        DD[] x = new DD[rows.features()];
        Arrays.setAll(x, c -> DD.of(-origins[c]));
        for (int k = rows.start(index); k < rows.end(index); k++) {
            int c = rows.column(index, k);
            x[c] = DD.ofSum(rows.value(index, k), -origins[c]);
        }
        return x;
    }

    /** Returns the bound; empty if the Hessian is singular, so that the optimum is not unique. */
    public Optional<Bound> bound() {
        return factor().map(this::bound);
    }

    /** Returns Cholesky's factor of the Hessian of the features that are kept; empty if it is singular. */
    private Optional<Factor> factor() {
        return Factor.of(kept.length, (i, j) -> entry(kept[i], kept[j]));
    }

    private Bound bound(Factor factor) {
        DD[] forward = factor.forward(picked(gradient));
        double decrement = (1 + 0x1p-40) * Math.sqrt(Factor.squares(forward).hi());
        DD[] better = better(factor.backward(forward));
        if (loss.selfConcordance() == Double.POSITIVE_INFINITY) {
            return Bound.ofThird(decrement, third(factor, 2 * decrement), better)
                    .orByRidge(ridge());
        }
        double concordance = loss.selfConcordance() * longest(factor);
        return Bound.ofSelfConcordance(decrement, concordance, better)
                .within(ofCoefficients(factor, forward, decrement, concordance * decrement))
                .orByRidge(ridge());
    }

    /**
     * A bound on how far coefficients are from the optimum. One Newton step leads to within aν of it, if a is small;
     * how far it moves each coefficient is known. That is less than the length of the step where coefficients make up
     * for each other, as those of features far from zero and the intercept do.
     */
    private double ofCoefficients(Factor factor, DD[] forward, double decrement, double a) {
        if (!(a <= MOST_DRIFT)) {
            return Double.POSITIVE_INFINITY;
        }
        double most = 0;
        for (int k = 0; k < kept.length; k++) {
            DD[] unit = Scales.zeros(kept.length);
            unit[k] = DD.ONE;
            if (isFree && kept[k] == theta.length - 1) {
                for (int c = 0; c < k; c++) {
                    unit[c] = DD.of(-origins[kept[c]]);
                }
            }
            DD[] column = factor.forward(unit);
            double moved = Math.abs(Factor.product(column, forward).hi());
            most = Math.max(most, moved / Math.sqrt(Factor.squares(column).hi()));
        }
        return (1 + 0x1p-40) * most + (a + 0x1p-80) * decrement;
    }

    /** What a ridge of every weight proves of any convex loss: ‖∇P‖²/(2λ). */
    private double ridge() {
        return lambda > 0 && !isFree && loss.convex()
                ? (1 + 0x1p-40) * Factor.squares(gradient).hi() / (2 * lambda)
                : Double.POSITIVE_INFINITY;
    }

    private double longest(Factor factor) {
        double longest = 0;
        for (int i = 0; loss.selfConcordance() > 0 && i < labels.length; i++) {
            longest = Math.max(longest, factor.length(picked(row(i))));
        }
        return longest;
    }

    /** How much the Hessian changes at most, in its own norm, per distance within a radius. */
    private double third(Factor factor, double radius) {
        double sum = 0;
        double total = 0;
        for (int i = 0; i < labels.length; i++) {
            double length = (1 + 0x1p-40) * factor.length(picked(row(i)));
            total += weights[i];
            sum += weights[i]
                    * length
                    * length
                    * length
                    * loss.third().most(Scales.margin(rows, i, theta).hi(), labels[i], length * radius);
        }
        return (1 + 0x1p-30) * sum / total;
    }

    private DD[] picked(DD[] all) {
        DD[] result = new DD[kept.length];
        for (int k = 0; k < kept.length; k++) {
            result[k] = all[kept[k]];
        }
        return result;
    }

    private DD[] better(DD[] step) {
        DD[] result = theta.clone();
        int last = result.length - 1;
        for (int k = 0; k < kept.length; k++) {
            result[kept[k]] = result[kept[k]].subtract(step[k]);
            // What a feature's origin adds to all margins, the intercept takes back.
            result[last] = result[last].add(step[k].multiply(origins[kept[k]]));
        }
        return result;
    }

    /** The number of features that are kept. */
    public int kept() {
        return kept.length;
    }

    /**
     * Whether the features that are kept explain one that is left out. Rows count by their own weights only if this is
     * a problem with squared loss: a model with large weights can make the curvature of any row as small as it likes.
     */
    public boolean explains(int feature) {
        DD[] products = new DD[kept.length];
        Arrays.setAll(products, k -> entry(kept[k], feature));
        DD squares = entry(feature, feature);
        DD limit = squares.multiply(NOTHING).add(aroundTheMean(feature).multiply(DEPENDENT));
        return factor().map(factor -> squares.subtract(Factor.squares(factor.forward(products))))
                .filter(rest -> DoubleDoubles.isAtMost(rest, limit))
                .isPresent();
    }

    private DD aroundTheMean(int feature) {
        int last = theta.length - 1;
        return isFree
                ? entry(feature, feature)
                        .subtract(entry(feature, last).square().divide(entry(last, last)))
                        .abs()
                : entry(feature, feature);
    }

    private DD entry(int a, int b) {
        return hessian[Math.max(a, b)][Math.min(a, b)];
    }
}
