package dev.starling.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.support.Stored;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lassos on columns as they are in files, of very different sizes, are proven by curvature as far as models are right.
 */
class LassoProofTest {

    /** Columns of sizes from 1 to a million, one of them of zeros. */
    private static Dataset rows(boolean classes, int count) {
        Random random = new Random(11);
        double[][] x = new double[count][6];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            double score = 0;
            for (int c = 0; c < 5; c++) {
                double value = Math.abs(random.nextGaussian());
                x[i][c] = Math.pow(10, 1.5 * c) * value;
                score += (c % 2 == 0 ? 1 : -1) * value;
            }
            double noise = random.nextGaussian();
            y[i] = classes ? (score + noise > 1 ? 1 : -1) : 20 * score + noise;
        }
        return Dataset.of(x, y);
    }

    private static Fit fit(Loss loss, double l1, boolean intercept, double gap, Dataset rows) {
        return Trainer.of(loss)
                .lambda(0)
                .l1(l1)
                .intercept(intercept)
                .gap(gap)
                .nodes(2)
                .fit(rows);
    }

    @ParameterizedTest
    @CsvSource({
        "squared, 1e-3, true",
        "squared, 1, true",
        "squared, 1, false",
        "squared, 1e-6, false",
        "logistic, 1e-3, true",
        "logistic, 1e-5, false",
        "logistic, 1e-7, true"
    })
    void columnsOfAllSizesAreProven(String name, double l1, boolean intercept) {
        Loss loss = Losses.named(name);
        Dataset rows = rows(loss.isClassification(), 400);
        for (double gap : new double[] {1e-6, 1e-12}) {
            Fit fit = fit(loss, l1, intercept, gap, rows);
            assertThat(fit.isCertified()).as(fit.toString()).isTrue();
            assertThat(fit.epochs()).isLessThan(100);
            Verification found = Verifier.verify(fit.model(), rows);
            assertThat(found.holds()).as(found.model().reason()).isTrue();
        }
    }

    /** Where columns depend on each other there is no such proof, and nothing is claimed that verifying cannot find. */
    @Test
    void dependentColumnsAreNotProvenByCurvature() {
        Dataset rows = rows(false, 400);
        double[][] x = new double[rows.rows()][];
        for (int i = 0; i < x.length; i++) {
            double[] own = Stored.values(rows, i);
            x[i] = new double[] {own[0], own[1], own[0] + own[1]};
        }
        Dataset dependent = Dataset.of(x, rows.labels());
        Fit fit = fit(Losses.named("squared"), 1, true, 1e-14, dependent);
        Verification found = Verifier.verify(fit.model(), dependent);
        assertThat(found.model().verdict().outcome()).isNotEqualTo(Verdict.Outcome.FALSE);
    }
}
