package dev.starling.method.adfs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Facts;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems;
import dev.starling.support.NastyProblems.Nasty;
import java.io.DataInput;
import java.io.DataOutput;
import java.math.BigDecimal;
import java.util.ArrayList;
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
        int tight = NastyProblems.of(320).mapToInt(GapSumsTest::check).sum();

        // A bound that says nothing would pass, too.
        assertThat(tight).isGreaterThan(280);
    }

    @Test
    @Tag("slow")
    void noGapIsTooSmallInManyProblems() {
        assertThat(NastyProblems.of(8000).mapToInt(GapSumsTest::check).sum()).isGreaterThan(7500);
    }

    /** Returns 1 if the bound is no more than 1e-11 of the numbers that were added up. */
    private static int check(Nasty nasty) {
        Loss loss = Losses.named(nasty.loss());
        int rows = nasty.data().rows();
        int features = nasty.data().features();
        double[] slopes = slopes(nasty, loss);
        List<LocalProblem> problems = IntStream.range(0, nasty.nodes())
                .mapToObj(node -> LocalProblem.dealt(nasty.data(), node, nasty.nodes(), loss, nasty.lambda()))
                .toList();
        Facts totals = Facts.total(problems.stream()
                .map(problem -> Facts.of(problem, new double[0]))
                .toList());
        List<GapSums> nodes = new ArrayList<>();
        problems.forEach(problem -> nodes.add(new GapSums(new Fixed(problem, slopes), totals, nasty.nodes())));
        GapSums root = nodes.get(0);
        nodes.forEach(GapSums::sumDual);
        nodes.stream().skip(1).forEach(node -> add(node.dual(), root.dual()));
        double[] theta = new double[features];
        for (int c = 0; c < features; c++) {
            theta[c] = -root.dual()[c] / totals.sigma();
        }
        nodes.forEach(node -> node.sumLosses(theta));
        nodes.stream().skip(1).forEach(node -> add(node.losses(), root.losses()));

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

    private static void add(double[] from, double[] to) {
        for (int k = 0; k < to.length; k++) {
            to[k] += from[k];
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
        public void save(DataOutput out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void restore(DataInput in) {
            throw new UnsupportedOperationException();
        }
    }
}
