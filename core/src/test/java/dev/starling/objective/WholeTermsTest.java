package dev.starling.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Gradients and Hessians of likelihoods without a regulariser are the derivatives of their values. */
class WholeTermsTest {

    private static final int FEATURES = 3;

    /** Rows whose last value, that of an intercept, is 1. */
    private static Dataset rows(String loss, int classes, int seed) {
        Random random = new Random(seed);
        int count = 60;
        double[][] x = new double[count][FEATURES];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            x[i] = new double[] {
                random.nextGaussian(), random.nextInt(3), loss.startsWith("cox") ? random.nextGaussian() : 1
            };
            labels[i] = loss.startsWith("cox")
                    ? (1 + random.nextInt(9)) * (random.nextInt(4) == 0 ? -1 : 1)
                    : random.nextInt(classes);
        }
        Dataset data =
                Dataset.of(x, labels).withWeights(random.doubles(count, 0.3, 2).toArray());
        return loss.equals("softmax")
                ? data
                : data.withOffsets(random.doubles(count, -1, 1).toArray());
    }

    @ParameterizedTest
    @CsvSource({"softmax, 2, 1", "softmax, 4, 2", "ordinal, 3, 3", "ordinal, 5, 4", "cox, 2, 5", "cox(breslow), 2, 6"})
    void derivativesAreThoseOfTheValue(String name, int classes, int seed) {
        Loss loss = Losses.named(name).forClasses(classes);
        Dataset data = rows(name, classes, seed);
        Family family = Family.of(loss, false);
        PassLayout layout = family.layout(FEATURES, true);
        Term term = family.term(LocalProblem.of(data, loss, 0), layout, 1);
        int d = layout.parameters();
        Random random = new Random(seed);
        double[] theta = random.doubles(d, -0.2, 0.2).toArray();
        // Without a regulariser, the block of the first class stays 0.
        int from = name.equals("softmax") ? FEATURES : 0;
        Arrays.fill(theta, 0, from, 0);
        double[] sums = new double[layout.length(PassSums.HESSIAN)];
        term.sum(PassSums.HESSIAN, theta, 1, false, sums);
        double[] matrix = new double[d * d];
        layout.load(sums, 1, matrix);
        double step = 0x1p-17;
        double[] one = new double[layout.length(PassSums.GRADIENT)];
        double[] other = new double[layout.length(PassSums.GRADIENT)];
        for (int j = from; j < d; j++) {
            double[] after = theta.clone();
            double[] before = theta.clone();
            after[j] += step;
            before[j] -= step;
            term.sum(PassSums.GRADIENT, after, 1, false, one);
            term.sum(PassSums.GRADIENT, before, 1, false, other);
            double slope = (one[PassLayout.LOSS] - other[PassLayout.LOSS]) / (2 * step);
            assertThat(sums[PassLayout.GRADIENT + j]).as("gradient %s", j).isCloseTo(slope, within(1e-7));
            for (int i = j; i < d; i++) {
                double bend = (one[PassLayout.GRADIENT + i] - other[PassLayout.GRADIENT + i]) / (2 * step);
                assertThat(matrix[i * d + j]).as("entry %s %s", i, j).isCloseTo(bend, within(1e-6));
            }
        }
        for (int j = 0; j < from; j++) {
            assertThat(sums[PassLayout.GRADIENT + j]).as("the first class").isZero();
        }
    }
}
