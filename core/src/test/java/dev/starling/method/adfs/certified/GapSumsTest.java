package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.method.Facts;
import dev.starling.node.Exchange;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.SumWords;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import dev.starling.problem.VectorSumRounding;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems;
import dev.starling.support.NastyProblems.Nasty;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bound on the rounding of a duality gap holds against exact arithmetic, at any dual point. */
@Timeout(600)
class GapSumsTest {

    @Test
    void noGapIsTooSmall() {
        checkMany(320);
    }

    @Test
    @Tag("slow")
    void noGapIsTooSmallInManyProblems() {
        checkMany(8000);
    }

    /** A bound that says nothing would hold, too: seven of eight have to say much. */
    private static void checkMany(int problems) {
        assertThat(NastyProblems.of(problems).mapToInt(GapSumsTest::check).sum())
                .isGreaterThan(problems * 7 / 8);
    }

    /** Returns 1 if the bound is no more than 1e-11 of the numbers that were added up. */
    private static int check(Nasty nasty) {
        Loss loss = Losses.named(nasty.loss());
        int rows = nasty.data().rows();
        int features = nasty.data().features();
        double[] slopes = slopes(nasty, loss);
        List<LocalProblem> problems = IntStream.range(0, nasty.nodes())
                .mapToObj(node -> LocalProblem.of(nasty.data().dealt(node, nasty.nodes()), loss, nasty.lambda()))
                .toList();
        Facts totals = Facts.total(problems.stream()
                .map(problem -> Facts.of(problem, new double[0]))
                .toList());
        List<GapSums> nodes = new ArrayList<>();
        for (int node = 0; node < problems.size(); node++) {
            double[] own = Arrays.stream(Dataset.turns(rows, node, nasty.nodes()))
                    .mapToDouble(row -> slopes[row])
                    .toArray();
            nodes.add(new GapSums(new Fixed(problems.get(node), own), totals));
        }
        GapSums root = nodes.get(0);
        nodes.forEach(GapSums::sumDual);
        addUp(nodes.stream().map(GapSums::dual).toList());
        double[] theta = new double[features];
        for (int c = 0; c < features; c++) {
            theta[c] = -root.dual()[HEAD + c] / totals.sigma();
        }
        nodes.forEach(node -> node.sumLosses(theta, 0));
        if (!fit(nodes.stream().map(GapSums::losses).toList())) {
            return 0;
        }
        addUp(nodes.stream().map(GapSums::losses).toList());

        ExactObjective exact = new ExactObjective(nasty.data(), nasty.loss(), nasty.lambda());
        BigDecimal[] exactSlopes = new BigDecimal[rows];
        for (int row = 0; row < rows; row++) {
            exactSlopes[row] =
                    new BigDecimal(loss.clamp(slopes[row], nasty.data().label(row)));
        }
        BigDecimal primal = exact.primal(theta);
        BigDecimal dual = exact.dual(exactSlopes);
        BigDecimal found = new BigDecimal(root.objective(theta)).subtract(new BigDecimal(root.dualValue(theta)));
        double error = root.error(theta);
        assertThat(primal.subtract(dual).subtract(found).doubleValue())
                .as("%s: what rounding hides", nasty)
                .isLessThanOrEqualTo(error);
        return error <= 1e-11 * (primal.doubleValue() + Math.abs(dual.doubleValue())) ? 1 : 0;
    }

    private static final Facts TOTALS = new Facts(4, 5, 0.25, new double[0]);
    private static final int HEAD = HiddenSum.HEAD;
    private static final double UNIT = 16 * Rounding.UNIT;

    private static GapSums sums(Dataset data, double... slopes) {
        return new GapSums(new Fixed(LocalProblem.of(data, new Squared(), 0.1), slopes), TOTALS);
    }

    /** Two samples by hand, of weights 2 and ½: s = ¼ and −2. */
    @Test
    void theSumsAreThoseOfTheDerivation() {
        Dataset data = Dataset.dense(2, new float[] {1, 2, 3, -1}, new double[] {1, -2})
                .withWeights(new double[] {2, 0.5});
        GapSums sums = sums(data, 0.5, -1);
        VectorSumRounding rounding = new VectorSumRounding(LocalProblem.of(data, new Squared(), 0.1));
        rounding.added(0, 0.5, new double[] {0.5, 1}, 0);
        rounding.added(1, -1, new double[] {-2.5, 2}, 0);
        double spread = rounding.bound(new double[] {-2.5, 2}, 0);
        double[] theta = {0.5, 0.25};

        // A second time, because sums begin anew.
        for (int time = 0; time < 2; time++) {
            sums.sumDual();
            sums.sumLosses(theta, 7);
            assertThat(Arrays.copyOfRange(sums.dual(), HEAD, HEAD + 3)).containsExactly(-2.5, 2, 0.5625 + 3);
            // Words round, by 2⁻⁹⁷ in every entry, and these are rounded up.
            assertThat(sums.dual()[HEAD + 3])
                    .isBetween(UNIT * (0.5625 + 0.5 + 3 + 2) + 0x1p-97, UNIT * (0.5625 + 0.5 + 3 + 2) + 0x1p-95);
            assertThat(sums.dual()[HEAD + 4]).isBetween(spread + Math.sqrt(2) * 0x1p-97, spread + 0x1p-95);
            double first = Rounding.ofMargin(LocalProblem.of(data, new Squared(), 0), 0, theta);
            double second = Rounding.ofMargin(LocalProblem.of(data, new Squared(), 0), 1, theta);
            double steepFirst = 2 * Rounding.steepest(new Squared(), 1, first, 1) + 0.5;
            double steepSecond = 0.5 * Rounding.steepest(new Squared(), 1.25, second, -2) + 1;
            assertThat(sums.losses()[HEAD]).isEqualTo(2.640625);
            assertThat(sums.losses()[HEAD + 1])
                    .isCloseTo(
                            UNIT * (0.5 + 2.640625 + 1.25) + steepFirst * first + steepSecond * second,
                            withinPercentage(1e-9));
            assertThat(sums.losses()[HEAD + 2]).isEqualTo(-0.75);
            assertThat(sums.steps()).isEqualTo(7);
        }
    }

    /**
     * The bound of docs/correctness.md from sums in round numbers: Σ s x, conjugates, error, spread; losses, error, Σ a
     * m.
     */
    @Test
    void theBoundIsThatOfTheDerivation() {
        GapSums sums = sums(Dataset.dense(3, new float[3], new double[] {1}), 0);
        System.arraycopy(new double[] {0, 0, 0, -7, 0.25, 2}, 0, sums.dual(), HEAD, 6);
        System.arraycopy(new double[] {11, 0.125, -3}, 0, sums.losses(), HEAD, 3);
        // ½‖θ‖² = 2, twice, and σ = ¼: θ̂ᵀ(Σ s x + σθ̂) = −3 + 1.
        double[] theta = {2, 0, 0};

        assertThat(sums.objective(theta)).isEqualTo((11 + 0.5) / 5);
        assertThat(sums.dualValue(theta)).isEqualTo((7 - 0.5) / 5);
        double expected = (0.125 + 0.25 + 2 + 4 / (2 * 0.25) + UNIT * (11 + 7 + 2 * 1)) / 5;
        assertThat(sums.error(theta)).isCloseTo(expected, within(Math.ulp(expected)));
        sums.losses()[HEAD + 2] = -1;
        assertThat(sums.error(theta)).isCloseTo(expected - 2 / 5.0, within(Math.ulp(expected)));
    }

    /** Of ½(1e16 + 1 + 1) an ordinary sum loses 1, in the norm and in its conjugate. */
    @Test
    void theBoundIncludesTheRoundingOfTheNorm() {
        GapSums sums = sums(Dataset.dense(3, new float[3], new double[] {1}), 0);
        double norm = 0.25 * (1e16 + 2);

        assertThat(sums.error(new double[] {1e8, 1, 1})).isCloseTo((0.25 * 2 + UNIT * 2 * norm) / 5, within(1e-12));
    }

    /** Anywhere in the domain, or at an end of it. */
    private static double[] slopes(Nasty nasty, Loss loss) {
        Random random = new Random(nasty.seed());
        double[] slopes = new double[nasty.data().rows()];
        for (int row = 0; row < slopes.length; row++) {
            double size = random.nextInt(4) == 0 ? 1e-9 : 2;
            slopes[row] = loss.clamp(size * random.nextGaussian(), nasty.data().label(row));
        }
        return slopes;
    }

    /** Whether all numbers have words; a sum would otherwise say that they have not, and prove nothing. */
    private static boolean fit(List<double[]> vectors) {
        return vectors.stream()
                .flatMapToDouble(Arrays::stream)
                .allMatch(number -> Math.abs(number) < SumWords.TOO_LARGE);
    }

    /** Puts the sum of all vectors, as words add up, in the place of the first. */
    private static void addUp(List<double[]> vectors) {
        double[] first = vectors.get(0);
        for (int k = HEAD; k < first.length; k++) {
            double[] sum = new double[SumWords.LIMBS];
            for (double[] vector : vectors) {
                double[] word = new double[SumWords.LIMBS];
                SumWords.encode(vector[k], word, 0);
                SumWords.add(sum, word, 0, SumWords.LIMBS);
            }
            first[k] = SumWords.decode(sum, 0);
        }
    }

    /** A program that stands still at a dual point. */
    private record Fixed(LocalProblem problem, double[] slopes) implements DualProgram {

        @Override
        public double slope(int sample) {
            return slopes[problem.row(sample)];
        }

        @Override
        public long steps() {
            return 0;
        }

        @Override
        public long updates() {
            return 0;
        }

        @Override
        public long rounds() {
            return 0;
        }

        @Override
        public void estimate(double[] theta) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Exchange advance() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void absorb(double[][] messages) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void state(State s) {
            throw new UnsupportedOperationException();
        }
    }
}
