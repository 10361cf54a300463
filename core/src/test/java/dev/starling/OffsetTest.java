package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Simulator;
import dev.starling.support.Stored;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows whose scores have something added to them, with no coefficient to learn. */
class OffsetTest {

    private static final double LAMBDA = 1e-2;
    private static final int ROWS = 500;
    private static final int FEATURES = 4;

    private static Dataset rows(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] rows = new double[ROWS][FEATURES];
        double[] labels = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            Arrays.setAll(rows[i], c -> (float) (2 * random.nextDouble() - 1));
            labels[i] = random.nextDouble() + rows[i][0] > 0.5 ? 1 : 0;
        }
        return Dataset.of(rows, labels);
    }

    private static double[] offsets(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.doubles(ROWS, -2, 2).toArray();
    }

    private static Trainer trainer(String loss) {
        return Trainer.of(Losses.named(loss))
                .lambda(LAMBDA)
                .gap(1e-12)
                .runner(new Simulator())
                .nodes(3);
    }

    /** The slope of the objective is 0, as computed here from its definition. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theGradientOfTheObjectiveVanishes(boolean intercept) {
        Dataset rows = rows(1).withOffsets(offsets(2));
        Fit fit = trainer("logistic").intercept(intercept).fit(rows);
        assertThat(fit.isCertified()).isTrue();
        LinearModel model = fit.model();
        double[] slope = new double[FEATURES];
        double sum = 0;
        double losses = 0;
        for (int i = 0; i < ROWS; i++) {
            double score = model.intercept(0) + offsets(2)[i];
            for (int c = 0; c < FEATURES; c++) {
                score += model.weights(0)[c] * Stored.value(rows, i, c);
            }
            assertThat(model.score(rows, i, 0)).isCloseTo(score, within(1e-12));
            double sign = rows.label(i) == 1 ? 1 : -1;
            losses += Math.log1p(Math.exp(-sign * score));
            double each = -sign / (1 + Math.exp(sign * score));
            sum += each;
            for (int c = 0; c < FEATURES; c++) {
                slope[c] += each * Stored.value(rows, i, c);
            }
        }
        double squares = 0;
        for (int c = 0; c < FEATURES; c++) {
            assertThat(slope[c] / ROWS + LAMBDA * model.weights(0)[c]).isCloseTo(0, within(1e-6));
            squares += model.weights(0)[c] * model.weights(0)[c];
        }
        assertThat(fit.objective()).isCloseTo(losses / ROWS + LAMBDA / 2 * squares, within(1e-12));
        if (intercept) {
            assertThat(sum / ROWS).isCloseTo(0, within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "squared", "huber(0.5)"})
    void aConstantOffsetIsTakenFromTheIntercept(String loss) {
        double[] constant = new double[ROWS];
        Arrays.fill(constant, 0.75);
        LinearModel plain = trainer(loss).intercept(true).fit(rows(1)).model();
        LinearModel shifted =
                trainer(loss).intercept(true).fit(rows(1).withOffsets(constant)).model();
        assertThat(shifted.intercept(0)).isCloseTo(plain.intercept(0) - 0.75, within(1e-5));
        assertThat(shifted.weights(0)).containsExactly(plain.weights(0), within(1e-5));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void inRegressionAnOffsetIsSubtractedFromTheLabel(boolean standardize) {
        double[] offsets = offsets(3);
        Dataset rows = rows(1);
        double[] rest = new double[ROWS];
        Arrays.setAll(rest, i -> rows.label(i) - offsets[i]);
        // With hardly any penalty it does not matter that the targets are scaled by other deviations.
        Trainer trainer = trainer("squared").lambda(1e-9).intercept(true).standardize(standardize);
        LinearModel ofRest = trainer.fit(rows.withLabels(rest)).model();
        LinearModel shifted = trainer.fit(rows.withOffsets(offsets)).model();
        assertThat(shifted.weights(0)).containsExactly(ofRest.weights(0), within(1e-5));
        assertThat(shifted.intercept(0)).isCloseTo(ofRest.intercept(0), within(1e-5));
    }

    @Test
    void everyNodeCountGivesTheSameCertifiedOptimum() {
        Dataset rows = rows(1).withOffsets(offsets(2));
        LinearModel one = trainer("logistic").nodes(1).fit(rows).model();
        LinearModel five = trainer("logistic").nodes(5).fit(rows).model();
        assertThat(five.weights(0)).containsExactly(one.weights(0), within(1e-5));
    }

    @Test
    void anElasticNetUsesOffsets() {
        Dataset rows = rows(1).withOffsets(offsets(2));
        Fit net = trainer("logistic").l1(1e-7).fit(rows);
        assertThat(net.isCertified()).isTrue();
        assertThat(net.model().provenance().method()).isEqualTo("proximal-newton");
        assertThat(net.model().weights(0))
                .containsExactly(trainer("logistic").fit(rows).model().weights(0), within(1e-4));
    }

    @Test
    void methodsWithoutOffsetsRefuseThem() {
        Dataset rows = rows(1).withOffsets(offsets(2));
        assertThatThrownBy(() -> trainer("logistic").method("adfs").fit(rows))
                .hasMessage("the rows have offsets, which method adfs cannot take; those that can, with a loss without"
                        + " kinks: newton, proximal-newton");
        assertThatThrownBy(() -> trainer("hinge").fit(rows)).hasMessageContaining("which method multipliers cannot");
    }

    @Test
    void pickedRowsKeepTheirOffsets() {
        Dataset rows = rows(1).withOffsets(offsets(2)).picked(new int[] {7, 3});
        assertThat(rows.offset(0)).isEqualTo(offsets(2)[7]);
        assertThat(rows.withBias(1).laidOut(false).withFeatures(9).narrowed(5).offset(1))
                .isEqualTo(offsets(2)[3]);
    }
}
