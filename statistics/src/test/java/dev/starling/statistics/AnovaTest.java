package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Setting;
import dev.starling.support.Stored;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AnovaTest {

    private static LinearModel fitted(Dataset rows, String loss) {
        return Trainer.of(Losses.named(loss))
                .lambda(0)
                .gap(1e-12)
                .intercept(true)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(rows)
                .model();
    }

    /** The rows without some features. */
    private static Dataset without(Dataset rows, String prefix) {
        int[] kept = IntStream.range(0, rows.features())
                .filter(c -> !rows.names().get(c).startsWith(prefix))
                .toArray();
        double[] values = IntStream.range(0, rows.rows())
                .boxed()
                .flatMapToDouble(row -> IntStream.of(kept).mapToDouble(c -> Stored.value(rows, row, c)))
                .toArray();
        return Dataset.dense(kept.length, values, rows.labels())
                .withNames(IntStream.of(kept).mapToObj(rows.names()::get).toList());
    }

    @Test
    void theLikelihoodRatioIsThatOfFiftyDigits() {
        Dataset rows = Golden.read("infert-logit").rows();
        LinearModel large = fitted(rows, "binomial");
        LinearModel small = fitted(without(rows, "education"), "binomial");
        Anova anova = Anova.of(List.of(new Anova.Named("large", large), new Anova.Named("small", small)));
        Anova.Line line = anova.lines().get(1);
        assertThat(line.name()).isEqualTo("large");
        assertThat(line.df()).isEqualTo(2);
        assertThat(line.statistic().value())
                .isCloseTo(3.1456772815893962111, within(line.statistic().error()));
        assertThat(line.statistic().error()).isLessThan(1e-10);
        assertThat(line.p().value())
                .isCloseTo(0.20745545422440550188, within(line.p().error()));
    }

    /** For least squares, F is the square of t. */
    @Test
    void theTestOfOneCoefficientByFIsItsTestByT() {
        Dataset rows = Golden.read("mtcars-gaussian").rows();
        LinearModel large = fitted(rows, "gaussian");
        String last = rows.names().get(rows.features() - 1);
        LinearModel small = fitted(without(rows, last), "gaussian");
        Coefficient tested = GlmTable.of(large, 0.95).coefficients().get(rows.features());
        Anova.Line line = Anova.of(List.of(new Anova.Named("small", small), new Anova.Named("large", large)))
                .lines()
                .get(1);
        assertThat(line.p().value())
                .isCloseTo(tested.p().value(), within(1e-10 * tested.p().value()));
    }

    @Test
    void modelsOfOtherRowsOrFamiliesAreNotCompared() {
        Dataset rows = Golden.read("warpbreaks-poisson").rows();
        Anova.Named a = new Anova.Named("a", fitted(without(rows, "wool"), "poisson"));
        Anova.Named b = new Anova.Named("b", fitted(rows, "quasi-poisson"));
        assertThatRefused(() -> Anova.of(List.of(a, b))).hasMessageContaining("compare models of one family");
        double[] labels = rows.labels().clone();
        labels[0]++;
        Anova.Named c = new Anova.Named("c", fitted(rows.withLabels(labels), "poisson"));
        assertThatThrownBy(() -> Anova.of(List.of(a, c))).hasMessageContaining("were not fitted to the same rows");
    }

    @Test
    void intervalsOfPredictionsFollowFromTheCovariance() {
        Dataset rows = Golden.read("infert-logit").rows();
        LinearModel model = fitted(rows, "binomial");
        PredictionIntervals intervals = new PredictionIntervals(model, 0.95);
        int[] at = {0, 49, 199};
        double[] scores = {0.29079863909037106798, 0.55865233592696054297, -1.4780594354005651083};
        double[] errors = {0.84281806769145396447, 0.4499302069491011449, 0.36188936090867241142};
        for (int k = 0; k < at.length; k++) {
            assertThat(model.score(rows, at[k], 0)).isCloseTo(scores[k], within(1e-10));
            assertThat(intervals.standardError(rows, at[k])).isCloseTo(errors[k], within(1e-10));
            double low = scores[k] - 1.9599639845400542355 * errors[k];
            assertThat(intervals.mean(rows, at[k]).lower()).isCloseTo(1 / (1 + Math.exp(-low)), within(1e-10));
        }
        assertThat(intervals.haveLabels()).isFalse();
    }

    @Test
    void holmMultipliesTheSmallestByTheirNumberAndTheOthersByLess() {
        Proven none = new Proven(0, 0);
        List<Coefficient> lines = IntStream.range(0, 4)
                .mapToObj(k -> new Coefficient(
                        "c" + k, none, none, none, new Proven(new double[] {0.04, 0.01, 0.03, 0.6}[k], 0), none, none))
                .toList();
        assertThat(Coefficient.byHolm(lines).stream()
                        .mapToDouble(line -> line.p().value()))
                .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-15 ? 0 : 1)
                .containsExactly(0.09, 0.04, 0.09, 0.6);
    }

    /** The difference of two levels is the coefficient of one if the other is the reference. */
    @Test
    void differencesBetweenLevelsDoNotDependOnTheReference() {
        double[] labels = {3, 5, 2, 6, 9, 8, 4, 1, 7};
        Dataset byA = levels(labels, "g=b", 1, "g=c", 2);
        Dataset byB = levels(labels, "g=a", 0, "g=c", 2);
        List<Coefficient> ofA = GlmTable.contrasts(fitted(byA, "poisson"), "g", "a", 0.95);
        Coefficient direct =
                GlmTable.of(fitted(byB, "poisson"), 0.95).coefficients().get(2);
        Coefficient found = ofA.get(2);
        assertThat(found.name()).isEqualTo("c - b");
        assertThat(found.estimate().value()).isCloseTo(direct.estimate().value(), within(1e-10));
        assertThat(found.se().value()).isCloseTo(direct.se().value(), within(1e-10));
        assertThatThrownBy(() -> GlmTable.contrasts(fitted(byA, "poisson"), "h", "a", 0.95))
                .hasMessageContaining("has no levels to compare");
    }

    private static Dataset levels(double[] labels, String one, int first, String other, int second) {
        double[] values = new double[2 * labels.length];
        for (int row = 0; row < labels.length; row++) {
            values[2 * row] = row % 3 == first ? 1 : 0;
            values[2 * row + 1] = row % 3 == second ? 1 : 0;
        }
        return Dataset.dense(2, values, labels).withNames(List.of(one, other));
    }
}
