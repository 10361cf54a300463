package dev.starling.verify.proof;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.digits.Factor;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss.Quadratic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.numbers.core.DD;

/**
 * A search from the inside of the dual's domain, for small problems whose losses are parabolas and lines: a primal-dual
 * interior-point method in double-double arithmetic, which no kink, unit or nearly dependent column stops before the
 * gap is far below what doubles can state.
 *
 * <p>A loss is max over s of s(u − k) − c s²/2 with s from a to b, or the sum of two such pieces if it is insensitive
 * around its label; an l1 term is one more piece for every weight. With multipliers α, β ≥ 0 of the two ends, a point
 * is optimal if σθ + Σ w s x = 0, u − k − cs = α − β, and α(b − s) and β(s − a) are 0. Newton's method solves this with
 * a small positive number in place of the 0, which every step makes smaller.
 */
final class InteriorSearch implements DualSearch {

    /** The most multiplications that a step may take. */
    private static final double MOST_WORK = 3e6;

    /** How many steps are made between two looks at what they found. */
    private static final int STEPS = 4;

    private static final int MOST_STEPS = 150;

    /** The part of the way to the nearest end of a domain that a step may go. */
    private static final double INSIDE = 0.95;

    /** What is left of the products α(b − s) after a step of full length. */
    private static final double SMALLER = 0.05;

    /** The same after a step that an end of a domain cut short. */
    private static final double BARELY_SMALLER = 0.5;

    private static final double LONG = 0.5;

    /** A pivot of less than this fraction of its diagonal entry ends the search. */
    private static final double LEAST_PIVOT = 0x1p-102;

    /** One piece of a loss, with its slope and the multipliers of the ends of its domain. */
    private static final class Piece {
        private final int row;
        private final DD[] x;
        private final double weight;
        private final DD kink;
        private final double curve;
        private final double least;
        private final double largest;
        private DD slope;
        private DD upper = DD.ZERO;
        private DD lower = DD.ZERO;
        private DD slopeStep = DD.ZERO;
        private DD upperStep = DD.ZERO;
        private DD lowerStep = DD.ZERO;

        Piece(int row, DD[] x, double weight, DD kink, double curve, double least, double largest) {
            this.row = row;
            this.x = x;
            this.weight = weight;
            this.kink = kink;
            this.curve = curve;
            this.least = least;
            this.largest = largest;
            boolean bounded = isBelow() && isAbove();
            this.slope = bounded
                    ? DD.of(least / 2 + largest / 2)
                    : isBelow() ? DD.of(least + 1) : isAbove() ? DD.of(largest - 1) : DD.ZERO;
        }

        private boolean isBelow() {
            return least > Double.NEGATIVE_INFINITY;
        }

        private boolean isAbove() {
            return largest < Double.POSITIVE_INFINITY;
        }

        private DD excess(DD[] theta) {
            return Factor.product(x, theta).subtract(kink).subtract(slope.multiply(curve));
        }

        private DD above() {
            return DD.of(largest).subtract(slope);
        }

        private DD below() {
            return slope.add(-least);
        }
    }

    private final CheckedProblem problem;
    private final List<Piece> pieces = new ArrayList<>();
    private final double[] origins;
    private final DD[] theta;
    private DD target;
    private int steps;
    private boolean ended;

    InteriorSearch(CheckedProblem problem, DD[] start) {
        this.problem = problem;
        this.origins = origins(problem);
        this.theta = start.clone();
        int last = theta.length - 1;
        for (int c = 0; c < last; c++) {
            theta[last] = theta[last].add(theta[c].multiply(origins[c]));
        }
        for (int i = 0; i < problem.rows(); i++) {
            addPieces(i);
        }
        for (int c = 0; problem.lasso() > 0 && c < problem.regularised(); c++) {
            DD[] unit = Scales.zeros(theta.length);
            unit[c] = DD.ONE;
            pieces.add(new Piece(-1, unit, problem.lasso(), DD.ZERO, 0, -1, 1));
        }
        begin();
    }

    static boolean suits(CheckedProblem problem) {
        double features = problem.data().features();
        return problem.loss() instanceof Quadratic
                && (problem.rows() + features / 6) * features * features <= MOST_WORK;
    }

    /** Where there is a free intercept, features are measured from their means. */
    private static double[] origins(CheckedProblem problem) {
        Dataset rows = problem.data();
        double[] origins = new double[rows.features()];
        for (int i = 0; problem.hasIntercept() && i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                origins[problem.column(i, k)] += rows.value(i, k) / rows.rows();
            }
        }
        origins[origins.length - 1] = problem.hasIntercept() ? 0 : origins[origins.length - 1];
        return origins;
    }

    private void addPieces(int row) {
        double weight = problem.weights()[row];
        if (weight == 0) {
            return;
        }
        Dataset rows = problem.data();
        DD[] x = new DD[theta.length];
        for (int c = 0; c < x.length; c++) {
            x[c] = DD.of(-origins[c]);
        }
        for (int k = rows.start(row); k < rows.end(row); k++) {
            int c = problem.column(row, k);
            x[c] = DD.ofSum(rows.value(row, k), -origins[c]);
        }
        Quadratic loss = (Quadratic) problem.loss();
        double label = problem.labels()[row];
        DD kink = DD.ofSum(label, -rows.offset(row));
        double least = loss.isClassification() && label > 0 ? -loss.largest() : loss.least();
        double largest = loss.isClassification() && label > 0 ? -loss.least() : loss.largest();
        double roundness = loss.roundness();
        if (loss.tolerance() == 0) {
            pieces.add(new Piece(row, x, weight, kink, roundness, least, largest));
        } else {
            pieces.add(new Piece(row, x, weight, kink.add(loss.tolerance()), roundness, 0, largest));
            pieces.add(new Piece(row, x, weight, kink.add(-loss.tolerance()), roundness, least, 0));
        }
    }

    private void begin() {
        double sum = Double.MIN_NORMAL;
        for (Piece piece : pieces) {
            double width = piece.isBelow() && piece.isAbove() ? piece.largest - piece.least : 1;
            sum += piece.weight * width * Math.abs(piece.excess(theta).hi());
        }
        target = DD.of(sum / pieces.size());
        for (Piece piece : pieces) {
            DD excess = piece.excess(theta);
            DD each = target.divide(piece.weight);
            DD positive = DoubleDoubles.isNegative(excess) ? DD.ZERO : excess;
            piece.upper = piece.isAbove() ? positive.add(each.divide(piece.above())) : DD.ZERO;
            piece.lower = piece.isBelow() ? positive.subtract(excess).add(each.divide(piece.below())) : DD.ZERO;
        }
    }

    @Override
    public int advance(int mostPasses) {
        double work = (double) problem.rows() * theta.length * theta.length;
        int passes = (int) Math.max(1, work / DualSearch.workOfAPass(problem.data()));
        int made = 0;
        while (!ended && made < STEPS && made * passes < mostPasses) {
            ended = !step() || ++steps >= MOST_STEPS;
            made++;
        }
        return Math.min(mostPasses, made * passes);
    }

    /** Makes a step; returns whether that was possible. */
    private boolean step() {
        int d = theta.length;
        DD[] right = Scales.zeros(d);
        DD[][] matrix = new DD[d][];
        for (int c = 0; c < d; c++) {
            matrix[c] = Scales.zeros(c + 1);
            if (c < problem.regularised()) {
                matrix[c][c] = DD.of(problem.ridge());
                right[c] = theta[c].multiply(-problem.ridge());
            }
        }
        DD[] stiffness = new DD[pieces.size()];
        DD[] rest = new DD[pieces.size()];
        for (int j = 0; j < rest.length; j++) {
            Piece piece = pieces.get(j);
            DD each = target.divide(piece.weight);
            stiffness[j] = DD.of(piece.curve);
            rest[j] = piece.excess(theta);
            if (piece.isAbove()) {
                stiffness[j] = stiffness[j].add(piece.upper.divide(piece.above()));
                rest[j] = rest[j].subtract(each.divide(piece.above()));
            }
            if (piece.isBelow()) {
                stiffness[j] = stiffness[j].add(piece.lower.divide(piece.below()));
                rest[j] = rest[j].add(each.divide(piece.below()));
            }
            DD scale = DD.of(piece.weight).divide(stiffness[j]);
            DD pull = piece.slope.multiply(piece.weight).add(rest[j].multiply(scale));
            for (int a = 0; a < d; a++) {
                if (piece.x[a].hi() != 0) {
                    right[a] = right[a].subtract(pull.multiply(piece.x[a]));
                    DD scaled = scale.multiply(piece.x[a]);
                    for (int b = 0; b <= a; b++) {
                        matrix[a][b] = matrix[a][b].add(scaled.multiply(piece.x[b]));
                    }
                }
            }
        }
        Optional<Factor> factor = Factor.of(d, LEAST_PIVOT, (i, j) -> matrix[i][j]);
        if (factor.isEmpty()) {
            return false;
        }
        DD[] move = factor.get().backward(factor.get().forward(right));
        double length = 1;
        for (int j = 0; j < rest.length; j++) {
            length = Math.min(length, direct(pieces.get(j), move, rest[j], stiffness[j]));
        }
        if (!(length > 0x1p-40)) {
            return false;
        }
        move(move, length);
        target = target.multiply(length > LONG ? SMALLER : BARELY_SMALLER);
        return target.hi() > 0x1p-600;
    }

    /** Computes the steps of a piece; returns how far they may go. */
    private double direct(Piece piece, DD[] move, DD rest, DD stiffness) {
        DD each = target.divide(piece.weight);
        piece.slopeStep = Factor.product(piece.x, move).add(rest).divide(stiffness);
        double length = 1;
        if (piece.isAbove()) {
            piece.upperStep = each.add(piece.upper.multiply(piece.slopeStep))
                    .divide(piece.above())
                    .subtract(piece.upper);
            length = Math.min(length, most(piece.above(), piece.slopeStep.negate()));
            length = Math.min(length, most(piece.upper, piece.upperStep));
        }
        if (piece.isBelow()) {
            piece.lowerStep = each.subtract(piece.lower.multiply(piece.slopeStep))
                    .divide(piece.below())
                    .subtract(piece.lower);
            length = Math.min(length, most(piece.below(), piece.slopeStep));
            length = Math.min(length, most(piece.lower, piece.lowerStep));
        }
        return length;
    }

    /** How far a positive number may go. */
    private static double most(DD number, DD step) {
        return step.hi() < 0 ? -INSIDE * number.hi() / step.hi() : 1;
    }

    private void move(DD[] move, double length) {
        for (int c = 0; c < theta.length; c++) {
            theta[c] = theta[c].add(move[c].multiply(length));
        }
        for (Piece piece : pieces) {
            piece.slope = piece.slope.add(piece.slopeStep.multiply(length));
            piece.upper = piece.upper.add(piece.upperStep.multiply(length));
            piece.lower = piece.lower.add(piece.lowerStep.multiply(length));
        }
    }

    @Override
    public double[] slopes() {
        DD[] sums = Scales.zeros(problem.rows());
        for (Piece piece : pieces) {
            if (piece.row >= 0) {
                sums[piece.row] = sums[piece.row].add(piece.slope);
            }
        }
        double[] slopes = new double[sums.length];
        for (Piece piece : pieces) {
            if (piece.row >= 0) {
                slopes[piece.row] = sums[piece.row].hi();
            }
        }
        return slopes;
    }

    @Override
    public DD[] parameter() {
        DD[] result = theta.clone();
        int last = result.length - 1;
        for (int c = 0; c < last; c++) {
            result[last] = result[last].subtract(theta[c].multiply(origins[c]));
        }
        return result;
    }
}
