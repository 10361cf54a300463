package dev.starling.lab.leakage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.junit.jupiter.api.Test;

/** The attacks rebuild rows where nothing protects them, and none from sums that are about many. */
class AttacksTest {

    private static final int FEATURES = 5;
    private static final Dataset ROWS =
            Generator.classification(400, FEATURES).noise(0.2).seed(8).generate();

    /** The totals of a pass of logistic regression. */
    private static Pass pass(String run, long number, Dataset rows, double... point) {
        int d = rows.features();
        double[] gradient = new double[d];
        double[][] hessian = new double[d][d];
        for (int i = 0; i < rows.rows(); i++) {
            double[] x = Attacks.features(rows, i);
            double margin = 0;
            for (int c = 0; c < d; c++) {
                margin += c < point.length ? x[c] * point[c] : 0;
            }
            double y = rows.label(i) > 0 ? 1 : -1;
            double p = 1 / (1 + StrictMath.exp(y * margin));
            for (int r = 0; r < d; r++) {
                gradient[r] -= y * p * x[r];
                for (int c = 0; c < d; c++) {
                    hessian[r][c] += p * (1 - p) * x[r] * x[c];
                }
            }
        }
        return new Pass(run, number, point.length == 0, rows.rows(), gradient, Optional.of(hessian));
    }

    private static Dataset without(int row) {
        return ROWS.picked(
                IntStream.range(0, ROWS.rows()).filter(one -> one != row).toArray());
    }

    @Test
    void aPersonWhoLeftIsRebuiltFromTwoRuns() {
        List<Finding> found = Attacks.differencesOfRuns(List.of(pass("one", 4, ROWS), pass("two", 4, without(17))));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).distance(Attacks.features(ROWS, 17))).isLessThan(1e-9);
        assertThat(found.get(0).distance(Attacks.features(ROWS, 18))).isGreaterThan(0.1);
    }

    @Test
    void aCorrectedCellGivesTheRowAway() {
        double[][] values = new double[ROWS.rows()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = Attacks.features(ROWS, i);
        }
        values[9][2] += 0.5;
        Dataset corrected = Dataset.of(values, ROWS.labels());
        List<Finding> found = Attacks.differencesOfRuns(List.of(pass("one", 4, ROWS), pass("two", 4, corrected)));
        assertThat(found).hasSize(1);
        double[] middle = Attacks.features(ROWS, 9);
        middle[2] += 0.25;
        assertThat(found.get(0).distance(middle)).isLessThan(1e-9);
    }

    @Test
    void fiftyWhoLeftTogetherAreNotTakenApart() {
        Dataset fewer = ROWS.picked(IntStream.range(50, ROWS.rows()).toArray());
        List<Pass> passes = List.of(pass("one", 4, ROWS), pass("two", 4, fewer), pass("two", 5, fewer, 0.1, 0.2));
        assertThat(Attacks.differencesOfRuns(passes)).isEmpty();
        assertThat(Attacks.singleRows(passes)).isEmpty();
        assertThat(Attacks.reconstruction(passes)).isEmpty();
        // Of most of them it cannot even be told that they left.
        long known = IntStream.range(0, 50)
                .filter(row -> Attacks.membership(passes, Attacks.features(ROWS, row)) > 5)
                .count();
        assertThat(known).isLessThan(5);
    }

    @Test
    void oneWhoLeftIsKnownToHaveLeft() {
        List<Pass> passes = List.of(pass("one", 4, ROWS), pass("two", 4, without(17)));
        double own = Attacks.membership(passes, Attacks.features(ROWS, 17));
        long larger = IntStream.range(0, ROWS.rows())
                .filter(row -> row != 17 && Attacks.membership(passes, Attacks.features(ROWS, row)) >= own)
                .count();
        assertThat(larger).isLessThan(ROWS.rows() / 20);
    }

    @Test
    void whoeverKnowsAllButOneRebuildsIt() {
        List<Finding> found = Attacks.informed(List.of(pass("one", 4, ROWS)), without(3));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).distance(Attacks.features(ROWS, 3))).isLessThan(1e-9);
        assertThat(Attacks.informed(
                        List.of(pass("one", 4, ROWS)),
                        ROWS.picked(IntStream.range(2, ROWS.rows()).toArray())))
                .isEmpty();
    }

    @Test
    void fewerRowsThanFeaturesAreRebuiltFromTwoHessians() {
        Dataset few = Generator.classification(8, 20).noise(0.1).seed(4).generate();
        double[] point = new Random(2).doubles(20).map(value -> value - 0.5).toArray();
        List<Finding> found = Attacks.reconstruction(List.of(pass("one", 4, few), pass("one", 5, few, point)));
        assertThat(found).hasSize(8);
        for (int row = 0; row < 8; row++) {
            double[] truth = Attacks.features(few, row);
            assertThat(found).anyMatch(one -> one.distance(truth) < 1e-5);
        }
    }

    @Test
    void aHessianFarOutIsOneRow() {
        // Far out only the row with the smallest margin still has curvature.
        double[] far = {3000, -2000, 1000, 500, 700};
        List<Finding> found = Attacks.singleRows(List.of(pass("one", 4, ROWS, far)));
        assertThat(found).hasSize(1);
        assertThat(IntStream.range(0, ROWS.rows())
                        .mapToDouble(row -> found.get(0).distance(Attacks.features(ROWS, row)))
                        .min()
                        .orElse(1))
                .isLessThan(1e-3);
    }

    /** Far out on a line only one row is near its kink: gradients alone, without curvatures, give it away. */
    @Test
    void whoeverChoosesThePointsGetsARowFromGradients() {
        List<Pass> steered = IntStream.range(0, 4)
                .mapToObj(k -> {
                    double far = 1 + 0.01 * k;
                    Pass pass = pass("one", 4 + k, ROWS, 3000 * far, -2000 * far, 1000 * far, 500 * far, 700 * far);
                    return new Pass("one", 4 + k, false, pass.weight(), pass.gradient(), Optional.empty());
                })
                .toList();
        List<Finding> found = Attacks.steering(steered);
        assertThat(found).isNotEmpty();
        assertThat(IntStream.range(0, ROWS.rows())
                        .mapToDouble(row -> found.get(0).distance(Attacks.features(ROWS, row)))
                        .min()
                        .orElse(1))
                .isLessThan(1e-3);
    }

    @Test
    void pointsThatNobodyChoseGiveNoRow() {
        Random random = new Random(5);
        List<Pass> passes = IntStream.range(0, 40)
                .mapToObj(k -> pass(
                        "one",
                        4 + k,
                        ROWS,
                        random.doubles(FEATURES).map(value -> value - 0.5).toArray()))
                .toList();
        assertThat(Attacks.steering(passes)).isEmpty();
    }

    /** Every seed holds out others, as the content of a row and the seed have it; an attacker computes the same. */
    @Test
    void manySeedsTellWhoIsAmongTheRowsAndTwoDoNot() {
        int strangers = 20;
        Dataset all = Generator.classification(ROWS.rows() + strangers, FEATURES)
                .noise(0.2)
                .seed(8)
                .generate();
        Dataset inside = all.picked(IntStream.range(0, ROWS.rows()).toArray());
        boolean[][] held = new boolean[2000][all.rows()];
        Random random = new Random(3);
        List<Pass> runs = IntStream.range(0, held.length)
                .mapToObj(run -> {
                    for (int row = 0; row < all.rows(); row++) {
                        held[run][row] = random.nextBoolean();
                    }
                    return pass("run " + run, 4, inside.picked(IntStream.range(0, inside.rows())
                            .filter(row -> !held[run][row])
                            .toArray()));
                })
                .toList();
        assertThat(told(runs, held, all, 0, strangers, 2000)).isGreaterThan(strangers / 2);
        assertThat(told(runs, held, all, ROWS.rows(), strangers, 2000)).isLessThan(2);
        assertThat(told(runs, held, all, 0, strangers, 2)).isZero();
    }

    /** Of how many consecutive rows some runs tell that they are among them. */
    private static long told(List<Pass> runs, boolean[][] held, Dataset all, int from, int count, int of) {
        return IntStream.range(from, from + count)
                .filter(row -> {
                    boolean[] own = new boolean[of];
                    for (int run = 0; run < of; run++) {
                        own[run] = held[run][row];
                    }
                    return Attacks.membershipOverSeeds(runs, own, Attacks.features(all, row)) > 3;
                })
                .count();
    }

    /** Least squares, with and without one row: six printed digits do not protect it. */
    @Test
    void tablesRoundedToSixDigitsGiveARowAway() {
        Table before = leastSquares("before", ROWS);
        Table after = leastSquares("after", without(30));
        List<Finding> found = Attacks.differencesOfTables(List.of(before, after));
        assertThat(found).hasSize(1);
        double[] truth = new double[FEATURES + 1];
        truth[0] = 1;
        System.arraycopy(Attacks.features(ROWS, 30), 0, truth, 1, FEATURES);
        assertThat(found.get(0).scaled()).isTrue();
        assertThat(found.get(0).distance(truth)).isLessThan(0.02);
        assertThat(IntStream.range(0, ROWS.rows())
                        .filter(row -> {
                            double[] other = truth.clone();
                            System.arraycopy(Attacks.features(ROWS, row), 0, other, 1, FEATURES);
                            return found.get(0).distance(other) < 0.05;
                        })
                        .count())
                .isEqualTo(1);
    }

    private static Table leastSquares(String name, Dataset rows) {
        int d = rows.features() + 1;
        DMatrixRMaj gram = new DMatrixRMaj(d, d);
        DMatrixRMaj right = new DMatrixRMaj(d, 1);
        for (int i = 0; i < rows.rows(); i++) {
            double[] x = new double[d];
            x[0] = 1;
            System.arraycopy(Attacks.features(rows, i), 0, x, 1, d - 1);
            for (int r = 0; r < d; r++) {
                right.add(r, 0, x[r] * rows.label(i));
                for (int c = 0; c < d; c++) {
                    gram.add(r, c, x[r] * x[c]);
                }
            }
        }
        DMatrixRMaj estimates = new DMatrixRMaj(d, 1);
        CommonOps_DDRM.solve(gram, right, estimates);
        CommonOps_DDRM.invert(gram);
        double[][] covariance = new double[d][d];
        for (int r = 0; r < d; r++) {
            for (int c = 0; c < d; c++) {
                covariance[r][c] = printed(gram.get(r, c));
            }
        }
        return new Table(
                name,
                List.of("(Intercept)", "x1", "x2", "x3", "x4", "x5"),
                Arrays.stream(estimates.getData()).map(AttacksTest::printed).toArray(),
                Optional.of(covariance));
    }

    private static double printed(double value) {
        return new BigDecimal(value).round(new MathContext(6)).doubleValue();
    }
}
