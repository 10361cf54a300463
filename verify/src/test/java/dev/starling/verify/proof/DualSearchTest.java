package dev.starling.verify.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.verify.digits.Scales;
import dev.starling.verify.loss.CheckedLoss;
import java.util.Random;
import org.apache.commons.numbers.core.DD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three searches that share nothing but the problem find the same optimum, from above and from below. */
@Tag("thorough")
class DualSearchTest {

    private static CheckedProblem problem(String name, double l1, boolean intercept) {
        CheckedLoss loss = CheckedLoss.named(name);
        Random random = new Random(7);
        double[][] x = new double[80][5];
        double[] labels = new double[x.length];
        double[] weights = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            double score = 0.5 + random.nextGaussian();
            for (int c = 0; c < x[i].length; c++) {
                x[i][c] = random.nextGaussian();
                score += x[i][c] / (c + 1);
            }
            labels[i] = loss.isClassification() ? Math.signum(score) : score;
            weights[i] = 1 + i % 3;
        }
        Dataset rows = Dataset.of(x, labels);
        return new CheckedProblem(loss, intercept ? rows.withBias(1) : rows, labels, weights, 0.1, l1, 5);
    }

    private static void assertMeets(DualSearch search, CheckedProblem problem, double optimum, double part) {
        DD below = problem.dual(search.slopes());
        DD above = problem.objective(search.parameter());
        assertThat(above.subtract(below).hi()).isBetween(0.0, part * optimum);
        assertThat(optimum).isBetween(below.hi() - part * optimum, above.hi() + part * optimum);
    }

    @ParameterizedTest
    @CsvSource({
        "hinge, 0, false",
        "hinge, 0.05, true",
        "absolute, 0, true",
        "absolute, 0.05, false",
        "epsilon-insensitive(0.3), 0.05, true",
        "quantile(0.8), 0.05, true",
        "quantile(0.8), 0, false",
        "logistic, 0.05, true",
        "squared, 0, true",
        "huber(0.7), 0.05, false",
        "squared-epsilon-insensitive(0.2), 0, true",
        "smoothed-hinge(0.3), 0.05, true"
    })
    void allSearchesMeetAtTheOptimum(String loss, double l1, boolean intercept) {
        CheckedProblem problem = problem(loss, l1, intercept);
        DD[] zero = Scales.zeros(problem.data().features());
        DualSearch multipliers = new MultiplierSearch(problem, zero);
        for (int round = 0; round < 20; round++) {
            assertThat(multipliers.advance(1000)).isBetween(1, 1000);
        }
        double optimum = problem.objective(multipliers.parameter()).hi();
        assertMeets(multipliers, problem, optimum, 1e-10);
        if (InteriorSearch.suits(problem)) {
            DualSearch interior = new InteriorSearch(problem, zero);
            for (int round = 0; round < 8; round++) {
                interior.advance(1_000_000);
            }
            assertMeets(interior, problem, optimum, 1e-10);
            double left = problem.objective(interior.parameter())
                    .subtract(problem.dual(interior.slopes()))
                    .hi();
            assertThat(left).isBetween(0.0, 1e-16);
        }
        DualSearch ascent = new CoordinateAscent(problem, zero);
        for (int round = 0; round < 14; round++) {
            ascent.advance(1 << 13);
        }
        assertMeets(ascent, problem, optimum, 1e-4);
    }
}
