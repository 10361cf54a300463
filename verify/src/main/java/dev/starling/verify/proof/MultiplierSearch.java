package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import dev.starling.data.Values;
import dev.starling.verify.loss.CheckedLoss;
import java.util.Arrays;
import org.apache.commons.numbers.core.DD;

/**
 * A search by the method of multipliers, for problems with few features: every loss and l1 term is {@linkplain Softened
 * smoothed} around a slope of its own, semismooth Newton steps find the minimum, and the slopes there, a better dual
 * point, replace the previous ones. A free intercept is one more weight: at the minimum slopes add up to 0.
 */
final class MultiplierSearch implements DualSearch {

    /** With more features, factoring the Hessian takes too long. */
    private static final int MOST_FEATURES = 1000;

    /** The most products of two entries of a row that are affordable if losses are curved everywhere. */
    private static final double MOST_PRODUCTS = 1e9;

    private static final int MOST_STEPS = 40;
    private static final int MOST_TRIALS = 40;

    /** A line search ends where the slope along the line is at most this fraction of its initial value. */
    private static final double LEVEL = 0.1;

    /** A smoothed problem is solved once a step would gain at most this fraction of what smoothing may have changed. */
    private static final double SOLVED = 1e-3;

    /** Anything smaller than this, relative to the objective, is rounding. */
    private static final double NEGLIGIBLE = 1e-22;

    /** The factor by which bands narrow, and the narrowest: dividing by the band amplifies the rounding of margins. */
    private static final double NARROWER = 0.25;

    private static final double NARROWEST = 0x1p-16;

    /**
     * The first band is such that, times the fraction of rows that kinks hold in it, it is about this fraction of the
     * objective.
     */
    private static final double FIRST_DISTURBANCE = 1e-3;

    /** Bands are at most two to this power, and at least one divided by that. */
    private static final int LARGEST_EXPONENT = 200;

    /** The first band around a weight of 0, relative to the size of weights. */
    private static final double BAND_OF_WEIGHTS = 1e-2;

    /**
     * The curvature added for weights without a ridge, so that the Hessian is never singular, relative to that of all
     * rows.
     */
    private static final double FIRM = 1e-12;

    private final CheckedProblem problem;
    private final Dataset rows;
    private final Softened losses;
    private final Softened prices;
    private final double firstBand;
    private final double negligible;
    private final double firmness;
    private final double[] theta;
    private final double[] margins;
    private final double[] moves;
    private final double[] gradient;
    private final double[] direction;
    private final double[][] hessian;
    private long work;

    MultiplierSearch(CheckedProblem problem, DD[] start) {
        this.problem = problem;
        this.rows = problem.data();
        this.theta = Arrays.stream(start).mapToDouble(DD::hi).toArray();
        this.margins = new double[problem.rows()];
        this.moves = new double[problem.rows()];
        this.gradient = new double[theta.length];
        this.direction = new double[theta.length];
        this.hessian = new double[theta.length][];
        Arrays.setAll(hessian, c -> new double[c + 1]);
        double objective = problem.objective(start).hi();
        this.negligible = NEGLIGIBLE * problem.weight() * objective;
        this.losses = new Softened(problem.loss(), problem.labels(), problem.weights());
        this.prices = pricesOfWeights(problem);
        findMargins();
        firstBand = firstBand(objective);
        losses.setBand(firstBand);
        losses.moveTo(margins);
        losses.recentre();
        centrePrices();
        firmness = FIRM * squares() / firstBand / theta.length;
    }

    static boolean suits(CheckedProblem problem) {
        double features = problem.data().features();
        boolean affordable = problem.loss().roundness() == 0 || problem.rows() * features * features <= MOST_PRODUCTS;
        return features <= MOST_FEATURES && affordable;
    }

    /** The l1 term as losses: λ₁|θ| is a loss with a kink at 0. */
    private static Softened pricesOfWeights(CheckedProblem problem) {
        int priced = problem.lasso() == 0 ? 0 : problem.regularised();
        double[] prices = new double[priced];
        Arrays.fill(prices, problem.lasso());
        return new Softened(CheckedLoss.named("absolute"), new double[priced], prices);
    }

    /**
     * The first band: wide enough for kinks to hold rows, but not so wide that it distorts the objective; narrow if
     * losses are curved.
     */
    private double firstBand(double objective) {
        double roundness = problem.loss().roundness();
        if (roundness > 0) {
            return roundness / 1024;
        }
        double enough = FIRST_DISTURBANCE * objective * problem.rows();
        int least = -LARGEST_EXPONENT;
        int largest = LARGEST_EXPONENT;
        while (least < largest) {
            int middle = Math.floorDiv(least + largest, 2);
            double band = Math.scalb(1.0, middle);
            if (band * losses.held(margins, band) >= enough) {
                largest = middle;
            } else {
                least = middle + 1;
            }
        }
        return Math.scalb(1.0, least);
    }

    /** Centres the l1 term at slopes that cancel those of the losses wherever a weight is 0. */
    private void centrePrices() {
        double[] sum = problem.slopeSum(losses.slopes());
        double size = 0;
        int others = 0;
        double[] centres = prices.centres();
        for (int c = 0; c < centres.length; c++) {
            size += Math.abs(theta[c]);
            others += theta[c] == 0 ? 0 : 1;
            centres[c] = theta[c] == 0 ? Math.max(-1, Math.min(1, -sum[c] / problem.lasso())) : Math.signum(theta[c]);
        }
        prices.setBand(others == 0 ? BAND_OF_WEIGHTS : BAND_OF_WEIGHTS * size / others);
    }

    /** Σ w x² over all rows and features. */
    private double squares() {
        double sum = 0;
        for (int i = 0; i < margins.length; i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                sum += problem.weights()[i] * rows.value(i, k) * rows.value(i, k);
            }
        }
        return sum;
    }

    @Override
    public double[] slopes() {
        return losses.slopes();
    }

    @Override
    public DD[] parameter() {
        return Arrays.stream(theta).mapToObj(DD::of).toArray(DD[]::new);
    }

    /** Solves one smoothed problem. */
    @Override
    public int advance(int mostPasses) {
        long pass = workOfAPass();
        work = 0;
        findMargins();
        boolean solved = false;
        for (int step = 0; !solved && step < MOST_STEPS && work < mostPasses * pass; step++) {
            findGradient();
            findDirection();
            double slope = dot(gradient, direction, theta.length);
            double moved = losses.disturbance() + prices.disturbance();
            solved = !(-slope > Math.max(SOLVED * moved, negligible));
            if (!solved) {
                step(slope);
            }
        }
        if (solved) {
            narrow();
        } else {
            losses.moveTo(margins);
        }
        return (int) Math.min(mostPasses, 1 + work / pass);
    }

    private void narrow() {
        losses.recentre();
        prices.recentre();
        if (losses.band() > NARROWEST * firstBand) {
            losses.setBand(NARROWER * losses.band());
            prices.setBand(NARROWER * prices.band());
        }
    }

    private long workOfAPass() {
        return DualSearch.workOfAPass(rows);
    }

    private void findMargins() {
        for (int i = 0; i < margins.length; i++) {
            margins[i] = problem.product(i, theta) + rows.offset(i);
        }
        work += rows.storedValues();
    }

    private void findGradient() {
        losses.moveTo(margins);
        prices.moveTo(theta);
        System.arraycopy(problem.slopeSum(losses.slopes()), 0, gradient, 0, gradient.length);
        for (int c = 0; c < problem.regularised(); c++) {
            gradient[c] += problem.ridge() * theta[c];
        }
        for (int c = 0; c < prices.slopes().length; c++) {
            gradient[c] += prices.weighted(c);
        }
        work += workOfAPass();
    }

    private void findHessian() {
        for (double[] line : hessian) {
            Arrays.fill(line, 0);
        }
        for (int i = 0; i < margins.length; i++) {
            double curvature = losses.curvature(i);
            if (curvature > 0) {
                addSquare(i, curvature);
            }
        }
        for (int c = 0; c < theta.length; c++) {
            boolean ridged = c < problem.regularised() && problem.ridge() > 0;
            hessian[c][c] += ridged ? problem.ridge() : firmness;
        }
        for (int c = 0; c < prices.slopes().length; c++) {
            hessian[c][c] += prices.curvature(c);
        }
    }

    private void addSquare(int row, double multiple) {
        int start = rows.start(row);
        int end = rows.end(row);
        Values values = rows.values(row);
        for (int k = start; k < end; k++) {
            double[] line = hessian[problem.column(row, k)];
            double scaled = multiple * values.at(k);
            // Columns ascend.
            for (int l = start; scaled != 0 && l <= k; l++) {
                line[problem.column(row, l)] += scaled * values.at(l);
            }
        }
        work += (long) (end - start) * (end - start + 1) / 2;
    }

    /** Computes −H⁻¹g; the Cholesky factor overwrites the Hessian. */
    private void findDirection() {
        findHessian();
        int d = theta.length;
        for (int i = 0; i < d; i++) {
            double[] line = hessian[i];
            double diagonal = line[i];
            double sum = -gradient[i];
            for (int j = 0; j < i; j++) {
                line[j] = (line[j] - dot(line, hessian[j], j)) / hessian[j][j];
                sum -= line[j] * direction[j];
            }
            double pivot = diagonal - dot(line, line, i);
            // A smaller pivot is rounding: the feature depends on others, and its weight stays.
            line[i] = pivot > 0x1p-50 * diagonal ? Math.sqrt(pivot) : Double.POSITIVE_INFINITY;
            direction[i] = sum / line[i];
        }
        for (int i = d - 1; i >= 0; i--) {
            direction[i] /= hessian[i][i];
            for (int j = 0; j < i; j++) {
                direction[j] -= hessian[i][j] * direction[i];
            }
        }
        work += (long) d * d * d / 6;
    }

    private static double dot(double[] a, double[] b, int length) {
        double sum = 0;
        for (int k = 0; k < length; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    }

    /** Moves along the direction to where the slope, which increases from a negative value, is close to zero. */
    private void step(double slope) {
        for (int i = 0; i < moves.length; i++) {
            moves[i] = problem.product(i, direction);
        }
        work += workOfAPass();
        double low = 0;
        double lowSlope = slope;
        double high = 1;
        double highSlope = slopeAlong(high);
        int trial = 1;
        while (highSlope < LEVEL * slope && trial < MOST_TRIALS) {
            low = high;
            lowSlope = highSlope;
            high *= 2;
            highSlope = slopeAlong(high);
            trial++;
        }
        double step = high;
        // Regula falsi; the slope at the end that stays is halved (the Illinois variant).
        double found = highSlope;
        while (Math.abs(found) > -LEVEL * slope && trial < MOST_TRIALS) {
            step = low + (high - low) * lowSlope / (lowSlope - highSlope);
            found = slopeAlong(step);
            if (found < 0) {
                low = step;
                lowSlope = found;
                highSlope /= 2;
            } else {
                high = step;
                highSlope = found;
                lowSlope /= 2;
            }
            trial++;
        }
        for (int c = 0; c < theta.length; c++) {
            theta[c] += step * direction[c];
        }
        for (int i = 0; i < margins.length; i++) {
            margins[i] += step * moves[i];
        }
    }

    private double slopeAlong(double step) {
        double sum = losses.slopeAlong(margins, moves, step) + prices.slopeAlong(theta, direction, step);
        for (int c = 0; c < problem.regularised(); c++) {
            sum += problem.ridge() * (theta[c] + step * direction[c]) * direction[c];
        }
        work += 2L * margins.length;
        return sum;
    }
}
