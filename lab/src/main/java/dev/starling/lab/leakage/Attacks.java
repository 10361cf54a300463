package dev.starling.lab.leakage;

import dev.starling.data.Dataset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * Published attacks on sums and tables: differences of two runs or tables, an adversary who knows all rows but one,
 * sums that are about one row alone, points chosen so that they are, linear reconstruction from two Hessians, and
 * whether somebody was among those by whom two or many runs differ. Each says what it rebuilt, and nothing where it
 * cannot tell a row from a mixture of several.
 *
 * <p>It is longer than most classes, because each published attack is here.
 */
public final class Attacks {

    /** Below this share of the largest, the other eigenvalues are taken for rounding. */
    private static final double ROUNDING = 1e-7;

    /** Nothing of the totals differs if it differs by less than this share. */
    private static final double SAME = 1e-12;

    /** Directions whose cosine is larger are the same. */
    private static final double ALIGNED = 1 - 1e-6;

    /** Differences of gradients that are less than this apart in direction are about one row. */
    private static final double PARALLEL = 1e-6;

    /** So many runs, and fewer, have no deviation to speak of. */
    private static final int FEWEST_RUNS = 3;

    private static final double HALF = 0.5;

    private Attacks() {}

    /**
     * Totals of two runs, subtracted: what is left is about those who were in one of them only, or changed in between.
     * Every run begins at 0, where slopes depend on labels alone.
     */
    public static List<Finding> differencesOfRuns(List<Pass> passes) {
        List<Finding> found = new ArrayList<>();
        List<Pass> firsts = passes.stream().filter(Pass::first).toList();
        for (int a = 0; a < firsts.size(); a++) {
            for (int b = a + 1; b < firsts.size(); b++) {
                difference(firsts.get(a), firsts.get(b)).ifPresent(found::add);
            }
        }
        return found;
    }

    private static Optional<Finding> difference(Pass one, Pass other) {
        // With a column more, the columns in common still tell.
        int count = Math.min(one.gradient().length, other.gradient().length);
        double[] gradient = new double[count];
        double largest = 0;
        double apart = 0;
        for (int k = 0; k < count; k++) {
            gradient[k] = one.gradient()[k] - other.gradient()[k];
            largest = Math.max(largest, Math.abs(one.gradient()[k]));
            apart = Math.max(apart, Math.abs(gradient[k]));
        }
        double people = Math.abs(one.weight() - other.weight());
        double scale = largest;
        if (apart <= SAME * scale) {
            return Optional.empty();
        }
        String from = one.run() + " and " + other.run();
        if (Math.abs(people - 1) < ROUNDING) {
            return Optional.of(new Finding("difference of runs", from, gradient, false));
        }
        if (one.hessian().isPresent() && other.hessian().isPresent()) {
            double[][] difference = new double[count][count];
            for (int r = 0; r < count; r++) {
                for (int c = 0; c < count; c++) {
                    difference[r][c] =
                            one.hessian().get()[r][c] - other.hessian().get()[r][c];
                }
            }
            return alone(difference)
                    .filter(row -> cosine(row, gradient) > ALIGNED)
                    .or(() -> corrected(difference, gradient, SAME * scale))
                    .map(row -> new Finding("difference of runs", from, row, false));
        }
        return Optional.empty();
    }

    /** One corrected cell: its column of the difference is a multiple of the row. */
    private static Optional<double[]> corrected(double[][] difference, double[] gradient, double rounding) {
        int cell = -1;
        for (int k = 0; k < gradient.length; k++) {
            if (Math.abs(gradient[k]) > rounding) {
                if (cell >= 0) {
                    return Optional.empty();
                }
                cell = k;
            }
        }
        if (cell < 0 || new Eigen(difference).rank() != 2) {
            return Optional.empty();
        }
        // Of the cell itself it is twice the middle of before and after.
        double[] row = difference[cell].clone();
        row[cell] /= 2;
        return Optional.of(row);
    }

    /**
     * A Hessian, or the difference of two of one run, that is the product of one row with itself: where points are far
     * out, or slopes have kinks, all others drop out.
     */
    public static List<Finding> singleRows(List<Pass> passes) {
        List<Finding> found = new ArrayList<>();
        List<Pass> curved =
                passes.stream().filter(pass -> pass.hessian().isPresent()).toList();
        for (int a = 0; a < curved.size(); a++) {
            Pass one = curved.get(a);
            alone(one.hessian().orElseThrow())
                    .ifPresent(row -> found.add(
                            new Finding("a sum about one row", one.run() + ", sum " + one.number(), row, false)));
            for (int b = a + 1; b < curved.size(); b++) {
                Pass other = curved.get(b);
                if (one.run().equals(other.run()) && one.gradient().length == other.gradient().length) {
                    alone(minus(one.hessian().orElseThrow(), other.hessian().orElseThrow()))
                            .ifPresent(row -> found.add(new Finding(
                                    "a sum about one row",
                                    one.run() + ", sums " + one.number() + " and " + other.number(),
                                    row,
                                    false)));
                }
            }
        }
        return found;
    }

    /**
     * Whoever steers a run to points at which all rows but one have no slope, or the same, gets gradients that differ
     * by multiples of that row. Chance does not make two differences parallel to so many digits.
     */
    public static List<Finding> steering(List<Pass> passes) {
        List<Finding> found = new ArrayList<>();
        for (int k = 2; k < passes.size(); k++) {
            Pass one = passes.get(k - 2);
            Pass two = passes.get(k - 1);
            Pass three = passes.get(k);
            int d = one.gradient().length;
            boolean together = one.run().equals(three.run())
                    && d > 1
                    && two.gradient().length == d
                    && three.gradient().length == d;
            if (together) {
                double[] before = minus(one.gradient(), two.gradient());
                double[] after = minus(two.gradient(), three.gradient());
                double rounding = SAME * norm(one.gradient());
                boolean told = norm(before) > rounding / PARALLEL && norm(after) > rounding / PARALLEL;
                if (told && across(before, after) < PARALLEL) {
                    found.add(new Finding(
                            "steering", one.run() + ", sums " + one.number() + " to " + three.number(), before, false));
                }
            }
        }
        return found;
    }

    /** How much of one vector is not along another, relative to it. */
    private static double across(double[] one, double[] other) {
        double common = 0;
        for (int k = 0; k < one.length; k++) {
            common += one[k] * other[k];
        }
        double factor = common / (norm(other) * norm(other));
        double[] rest = one.clone();
        for (int k = 0; k < rest.length; k++) {
            rest[k] -= factor * other[k];
        }
        return norm(rest) / norm(one);
    }

    private static double norm(double[] vector) {
        double squares = 0;
        for (double entry : vector) {
            squares += entry * entry;
        }
        return Math.sqrt(squares);
    }

    private static double[] minus(double[] one, double[] other) {
        double[] difference = one.clone();
        for (int k = 0; k < difference.length; k++) {
            difference[k] -= other[k];
        }
        return difference;
    }

    /**
     * Two Hessians of fewer rows than features: on the space of the rows, the generalized eigenvectors are dual to the
     * rows.
     */
    public static List<Finding> reconstruction(List<Pass> passes) {
        List<Pass> curved =
                passes.stream().filter(pass -> pass.hessian().isPresent()).toList();
        List<Finding> found = new ArrayList<>();
        for (int a = 0; a + 1 < curved.size(); a++) {
            Pass one = curved.get(a);
            Pass other = curved.get(a + 1);
            if (one.run().equals(other.run())) {
                for (double[] row :
                        rows(one.hessian().orElseThrow(), other.hessian().orElseThrow())) {
                    found.add(new Finding(
                            "linear reconstruction",
                            one.run() + ", sums " + one.number() + " and " + other.number(),
                            row,
                            false));
                }
            }
        }
        return found;
    }

    private static List<double[]> rows(double[][] one, double[][] other) {
        int d = one.length;
        Eigen first = new Eigen(plus(one, other));
        int rank = first.rank();
        if (rank == 0 || rank == d || new Eigen(one).rank() < rank || isMultiple(one, other)) {
            return List.of();
        }
        DMatrixRMaj basis = first.top(rank);
        DMatrixRMaj a = within(basis, one);
        DMatrixRMaj ratio = new DMatrixRMaj(rank, rank);
        if (!CommonOps_DDRM.solve(a, within(basis, other), ratio)) {
            return List.of();
        }
        EigenDecomposition_F64<DMatrixRMaj> pencil = DecompositionFactory_DDRM.eig(rank, true, false);
        if (!pencil.decompose(ratio)) {
            return List.of();
        }
        DMatrixRMaj duals = new DMatrixRMaj(rank, rank);
        for (int k = 0; k < rank; k++) {
            DMatrixRMaj vector = pencil.getEigenVector(k);
            if (vector == null) {
                return List.of();
            }
            for (int r = 0; r < rank; r++) {
                duals.set(r, k, vector.get(r));
            }
        }
        DMatrixRMaj inverse = new DMatrixRMaj(rank, rank);
        if (!CommonOps_DDRM.invert(duals, inverse)) {
            return List.of();
        }
        List<double[]> rows = new ArrayList<>();
        for (int k = 0; k < rank; k++) {
            double[] row = new double[d];
            for (int c = 0; c < d; c++) {
                for (int r = 0; r < rank; r++) {
                    row[c] += basis.get(c, r) * inverse.get(k, r);
                }
            }
            rows.add(row);
        }
        return rows;
    }

    /** Two tables about nearly the same people: what moved the estimates is a multiple of whoever came or went. */
    public static List<Finding> differencesOfTables(List<Table> tables) {
        List<Finding> found = new ArrayList<>();
        for (int a = 0; a < tables.size(); a++) {
            for (int b = a + 1; b < tables.size(); b++) {
                Table one = tables.get(a);
                Table other = tables.get(b);
                if (one.terms().equals(other.terms()) && other.covariance().isPresent()) {
                    removed(one, other).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    /** The information of one fit times how far the other's estimates are is the score of the row between them. */
    private static Optional<Finding> removed(Table one, Table other) {
        int d = one.estimates().length;
        DMatrixRMaj moved = new DMatrixRMaj(d, 1);
        for (int k = 0; k < d; k++) {
            moved.set(k, 0, one.estimates()[k] - other.estimates()[k]);
        }
        DMatrixRMaj score = new DMatrixRMaj(d, 1);
        boolean solved = CommonOps_DDRM.solve(new DMatrixRMaj(other.covariance().orElseThrow()), moved, score);
        if (!solved || CommonOps_DDRM.elementMaxAbs(moved) == 0) {
            return Optional.empty();
        }
        return Optional.of(
                row("difference of tables", one.name() + " and " + other.name(), score.getData(), one.intercept()));
    }

    /** The intercept of every row is 1, which gives the size away. */
    private static Finding row(String attack, String from, double[] score, int intercept) {
        double[] row = score.clone();
        boolean scaled = intercept >= 0 && score[intercept] != 0;
        for (int k = 0; scaled && k < row.length; k++) {
            row[k] = score[k] / score[intercept];
        }
        return new Finding(attack, from, row, scaled);
    }

    /** Somebody who knows all rows but one subtracts them from the first totals. */
    public static List<Finding> informed(List<Pass> passes, Dataset known) {
        List<Finding> found = new ArrayList<>();
        for (Pass pass : passes) {
            boolean oneMissing = Math.abs(pass.weight() - known.rows() - 1) < HALF;
            if (pass.first() && oneMissing && pass.gradient().length >= known.features()) {
                double[] rest = pass.gradient().clone();
                for (int row = 0; row < known.rows(); row++) {
                    double slope = known.label(row) > 0 ? -HALF : HALF;
                    double[] features = features(known, row);
                    for (int c = 0; c < features.length; c++) {
                        rest[c] -= slope * features[c];
                    }
                }
                for (int c = 0; c < rest.length; c++) {
                    rest[c] *= 2;
                }
                found.add(new Finding("informed adversary", pass.run() + " and all rows but one", rest, true));
            }
        }
        return found;
    }

    /** The features of a row. */
    public static double[] features(Dataset rows, int row) {
        double[] features = new double[rows.features()];
        for (int k = rows.start(row); k < rows.end(row); k++) {
            features[rows.column(row, k)] = rows.value(row, k);
        }
        return features;
    }

    /**
     * How many deviations the difference of two runs is from what it would be if somebody were in neither or in both;
     * the largest over all pairs of runs.
     *
     * @param target the features of whoever is looked for
     */
    public static double membership(List<Pass> passes, double[] target) {
        double largest = 0;
        List<Pass> firsts = passes.stream()
                .filter(pass -> pass.first() && pass.hessian().isPresent() && pass.gradient().length == target.length)
                .toList();
        for (int a = 0; a < firsts.size(); a++) {
            for (int b = a + 1; b < firsts.size(); b++) {
                largest = Math.max(largest, membership(firsts.get(a), firsts.get(b), target));
            }
        }
        return largest;
    }

    /**
     * Who is held out follows from what is written about somebody and from the seed. So whoever guesses a row compares
     * the first totals of the runs that would have held it out with those of the others.
     *
     * @param held for each run, whether the row would be held out
     * @return how many deviations the means are apart; 0 if there are too few runs of either kind
     */
    public static double membershipOverSeeds(List<Pass> runs, boolean[] held, double[] target) {
        double[][] moments = new double[2][3];
        for (int r = 0; r < held.length; r++) {
            Pass pass = runs.get(r);
            DMatrixRMaj all = new DMatrixRMaj(pass.hessian().orElseThrow());
            CommonOps_DDRM.scale(1 / pass.weight(), all);
            DMatrixRMaj dual = new DMatrixRMaj(target.length, 1);
            if (!CommonOps_DDRM.solve(all, new DMatrixRMaj(target.length, 1, true, target.clone()), dual)) {
                return 0;
            }
            double statistic = 0;
            for (int k = 0; k < target.length; k++) {
                statistic += dual.get(k) * pass.gradient()[k];
            }
            double[] group = moments[held[r] ? 1 : 0];
            group[0]++;
            group[1] += statistic;
            group[2] += statistic * statistic;
        }
        double variance = 0;
        for (double[] group : moments) {
            if (group[0] <= FEWEST_RUNS) {
                return 0;
            }
            variance += (group[2] / group[0] - group[1] / group[0] * group[1] / group[0]) / (group[0] - 1);
        }
        return Math.abs(moments[0][1] / moments[0][0] - moments[1][1] / moments[1][0]) / Math.sqrt(variance);
    }

    private static double membership(Pass one, Pass other, double[] target) {
        int d = target.length;
        double[][] spread = minus(one.hessian().orElseThrow(), other.hessian().orElseThrow());
        double people = Math.abs(one.weight() - other.weight());
        DMatrixRMaj all = new DMatrixRMaj(one.hessian().orElseThrow());
        CommonOps_DDRM.scale(1 / one.weight(), all);
        DMatrixRMaj x = new DMatrixRMaj(d, 1, true, target.clone());
        DMatrixRMaj dual = new DMatrixRMaj(d, 1);
        if (new Eigen(spread).rank() == 0 || !CommonOps_DDRM.solve(all, x, dual)) {
            return 0;
        }
        double statistic = 0;
        for (int k = 0; k < d; k++) {
            statistic += dual.get(k) * (one.gradient()[k] - other.gradient()[k]);
        }
        // The slopes of rows at 0 are 1/2 in size, and the mean Hessian is a quarter of the mean product of features.
        double deviation = Math.sqrt(Math.max(1, people) * CommonOps_DDRM.dot(x, dual));
        return Math.abs(statistic) / deviation;
    }

    private static double cosine(double[] one, double[] other) {
        double common = 0;
        double own = 0;
        double theirs = 0;
        for (int k = 0; k < one.length; k++) {
            common += one[k] * other[k];
            own += one[k] * one[k];
            theirs += other[k] * other[k];
        }
        return Math.abs(common) / Math.sqrt(own * theirs);
    }

    private static double[][] combined(double[][] one, double[][] other, double factor) {
        double[][] result = new double[one.length][one.length];
        for (int r = 0; r < one.length; r++) {
            for (int c = 0; c < one.length; c++) {
                result[r][c] = one[r][c] + factor * other[r][c];
            }
        }
        return result;
    }

    private static double[][] plus(double[][] one, double[][] other) {
        return combined(one, other, 1);
    }

    private static double[][] minus(double[][] one, double[][] other) {
        return combined(one, other, -1);
    }

    private static boolean isMultiple(double[][] one, double[][] other) {
        double trace = 0;
        double others = 0;
        for (int k = 0; k < one.length; k++) {
            trace += one[k][k];
            others += other[k][k];
        }
        double[][] rest = combined(one, other, -trace / others);
        double largest = 0;
        for (double[] row : rest) {
            for (double entry : row) {
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        return largest <= ROUNDING * Math.abs(trace);
    }

    private static DMatrixRMaj within(DMatrixRMaj basis, double[][] matrix) {
        DMatrixRMaj half = new DMatrixRMaj(matrix.length, basis.numCols);
        CommonOps_DDRM.mult(new DMatrixRMaj(matrix), basis, half);
        DMatrixRMaj result = new DMatrixRMaj(basis.numCols, basis.numCols);
        CommonOps_DDRM.multTransA(basis, half, result);
        return result;
    }

    /** The row whose product with itself a matrix is, up to sign and factor; empty if it is that of several. */
    private static Optional<double[]> alone(double[][] matrix) {
        Eigen eigen = new Eigen(matrix);
        return eigen.rank() == 1 && matrix.length > 1 ? Optional.of(eigen.top(1).getData()) : Optional.empty();
    }

    /** The eigenvalues and eigenvectors of a symmetric matrix, the largest in size first. */
    private static final class Eigen {

        private final List<Integer> order = new ArrayList<>();
        private final double[] values;
        private final DMatrixRMaj vectors;

        Eigen(double[][] matrix) {
            int d = matrix.length;
            EigenDecomposition_F64<DMatrixRMaj> eigen = DecompositionFactory_DDRM.eig(d, true, true);
            eigen.decompose(new DMatrixRMaj(matrix));
            this.values = new double[d];
            this.vectors = new DMatrixRMaj(d, d);
            for (int k = 0; k < d; k++) {
                values[k] = eigen.getEigenvalue(k).getReal();
                order.add(k);
                DMatrixRMaj vector = eigen.getEigenVector(k);
                for (int r = 0; r < d; r++) {
                    vectors.set(r, k, vector.get(r));
                }
            }
            order.sort((one, other) -> Double.compare(Math.abs(values[other]), Math.abs(values[one])));
        }

        int rank() {
            double largest = Math.abs(values[order.get(0)]);
            return (int) order.stream()
                    .filter(k -> Math.abs(values[k]) > ROUNDING * largest)
                    .count();
        }

        DMatrixRMaj top(int count) {
            DMatrixRMaj result = new DMatrixRMaj(values.length, count);
            for (int k = 0; k < count; k++) {
                for (int r = 0; r < values.length; r++) {
                    result.set(r, k, vectors.get(r, order.get(k)));
                }
            }
            return result;
        }
    }
}
