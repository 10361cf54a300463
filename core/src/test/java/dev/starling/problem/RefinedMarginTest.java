package dev.starling.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RefinedMarginTest {

    /** Rows whose products cancel but for their last digits, and beyond. */
    @Test
    void isAsCloseToTheExactMarginAsItSays() {
        Random random = new Random(5);
        double worst = 0;
        for (int problem = 0; problem < 3000; problem++) {
            int n = 2 * (1 + random.nextInt(30));
            double[][] x = new double[1][n];
            double[] theta = new double[n];
            for (int c = 0; c < n; c += 2) {
                double size = Math.pow(10, 12 * random.nextDouble());
                x[0][c] = random.nextGaussian() * size;
                theta[c] = random.nextGaussian() / size * Math.pow(10, 8 * random.nextDouble());
                x[0][c + 1] = x[0][c] * (1 + random.nextInt(3) * 0x1p-52);
                theta[c + 1] = -theta[c] * (1 + Math.scalb(random.nextGaussian(), -20 - random.nextInt(40)));
            }
            double offset = random.nextBoolean() ? 0 : random.nextGaussian();
            Dataset data = Dataset.of(x, new double[] {1}).withOffsets(new double[] {offset});
            BigDecimal exact = new BigDecimal(offset);
            for (int c = 0; c < n; c++) {
                exact = exact.add(new BigDecimal(x[0][c]).multiply(new BigDecimal(theta[c])));
            }
            RefinedMargin margin = RefinedMargin.of(data, 0, theta);
            double off = exact.subtract(new BigDecimal(margin.value())).abs().doubleValue();
            worst = Math.max(worst, off / margin.distance());
            // Next to nothing of the products' size is left in the distance.
            assertThat(margin.distance())
                    .isLessThan(0x1p-51 * Math.abs(exact.doubleValue())
                            + 1e-9 * Rounding.ofMargin(LocalProblem.of(data, new Squared(), 0), 0, theta));
        }
        assertThat(worst).isBetween(0.1, 0.75);
    }
}
