package dev.starling.method;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Hinge;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.problem.Regulariser;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MethodsTest {

    private static final Regulariser SMOOTH = Regulariser.elasticNet(1e-4, 0);
    private static final Regulariser KINKED = Regulariser.elasticNet(1e-4, 1e-3);

    private static String chosen(Loss loss, Regulariser regulariser, int features, double valuesPerRow) {
        return tuned("auto", loss, regulariser, features, valuesPerRow).name();
    }

    /** More than there are features, anywhere here. */
    private static final int ROWS = 100_000;

    private static Tuned tuned(String method, Loss loss, Regulariser regulariser, int features, double valuesPerRow) {
        long values = Math.round(ROWS * valuesPerRow);
        Objective objective = new Objective(loss, regulariser);
        Shape shape = new Shape(features, ROWS, values, values, false);
        return Methods.chosen(method, objective, shape, 1)
                .tune(
                        Topology.named("line").build(1, 1),
                        objective,
                        shape,
                        List.of(new Facts(ROWS, ROWS, 1, new double[] {100, 1, 100, 100})),
                        1);
    }

    @ParameterizedTest
    @CsvSource({
        "logistic, newton",
        "squared, newton",
        "squared-hinge, newton",
        "smoothed-hinge, newton",
        "huber, newton",
        "squared-epsilon-insensitive, newton",
        "hinge, multipliers",
        "absolute, multipliers",
        "epsilon-insensitive, multipliers",
        "quantile, multipliers",
    })
    void lossesWithKinksAreTrainedByMultipliers(String loss, String expected) {
        assertThat(chosen(Losses.named(loss), SMOOTH, 50, 10)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "logistic, 50, proximal-newton",
        "logistic, 501, proximal-newton",
        "logistic, 1000000, proximal-newton",
        "hinge, 50, multipliers",
        "hinge, 501, dual"
    })
    void anL1TermIsTrainedByProximalNewtonOrMultipliersOrByDualSteps(String loss, int features, String expected) {
        assertThat(chosen(Losses.named(loss), KINKED, features, 10)).isEqualTo(expected);
    }

    @Test
    void proximalNewtonWithoutAnL1TermIsNewton() {
        assertThat(tuned("proximal-newton", new Logistic(), SMOOTH, 50, 10).name())
                .isEqualTo("newton");
    }

    @Test
    void proximalNewtonNeedsASmoothLoss() {
        assertThatThrownBy(() -> tuned("proximal-newton", new Hinge(), KINKED, 50, 10))
                .hasMessage("method proximal-newton cannot take the loss hinge, which has kinks;"
                        + " multipliers or adfs can");
    }

    @Test
    void lossesWithKinksAndManyFeaturesAreTrainedByDualStepsOnOneNode() {
        assertThat(chosen(new Hinge(), SMOOTH, 501, 10)).isEqualTo("dual");
        assertThat(chosen(Losses.named("quantile(0.9)"), SMOOTH, 100_000, 10)).isEqualTo("dual");
        Shape shape = new Shape(501, ROWS, ROWS, ROWS, false);
        assertThat(Methods.chosen("auto", new Objective(new Hinge(), SMOOTH), shape, 2)
                        .name())
                .isEqualTo("adfs");
    }

    @Test
    void smoothLossesOfAnySizeAreTrainedByNewton() {
        assertThat(chosen(new Logistic(), SMOOTH, 1_000_000, 10)).isEqualTo("newton");
        assertThat(chosen(Losses.named("squared-hinge"), SMOOTH, 900, 900)).isEqualTo("newton");
    }

    @Test
    void hessiansAreUsedOnlyWithFewFeatures() {
        assertThat(longestMessage(400, 10)).isGreaterThan(400 * 400 / 2);
        assertThat(longestMessage(1000, 1000)).isGreaterThan(1000 * 1000 / 2);
        assertThat(longestMessage(1001, 10)).isLessThan(3 * 1001);
        assertThat(longestMessage(40_000, 10)).isLessThan(3 * 40_000);
    }

    private static int longestMessage(int features, double valuesPerRow) {
        return tuned("auto", new Logistic(), SMOOTH, features, valuesPerRow).longestMessage(Collectives.alone());
    }

    /** Few where Hessians are summed up from the start. */
    private static double passes(int features, double valuesPerRow) {
        return tuned("auto", new Logistic(), SMOOTH, features, valuesPerRow)
                .forecast()
                .epochsFor(1e6);
    }

    @Test
    void storedZerosDoNotCountAsValues() {
        float[] values = new float[400 * 20];
        for (int k = 0; k < values.length; k += 40) {
            values[k] = 1;
        }
        double[] labels = new double[20];
        Arrays.setAll(labels, i -> i % 2 == 0 ? 1 : -1);
        Dataset mostlyZero = Dataset.dense(400, values, labels);
        Dataset full = Generator.classification(20, 400).generate();

        assertThat(passes(400, 10)).isLessThan(passes(400, 400));
        assertThat(passes(mostlyZero)).isEqualTo(passes(400, 10));
        assertThat(passes(full)).isEqualTo(passes(400, 400));
    }

    private static double passes(Dataset rows) {
        return Trainer.logistic().nodes(2).prepare(rows).method().forecast().epochsFor(1e6);
    }

    @Test
    void theChoiceIsTheSameFromRowsAndFromWhatIsKnownOfThem() {
        for (int features : new int[] {90, 101, 110}) {
            Dataset rows = Generator.classification(50, features).generate();
            assertThat(passes(rows)).isEqualTo(passes(features, rows.nonZeros() / 50.0));
        }
    }

    @Test
    void aRequestedMethodIsUsed() {
        assertThat(tuned("adfs", new Logistic(), SMOOTH, 5, 5).name()).isEqualTo("adfs");
        assertThat(tuned("adfs", new Hinge(), SMOOTH, 5, 5).name()).isEqualTo("ns-adfs");
        assertThat(tuned("newton", new Squared(), SMOOTH, 20_000, 20_000).name())
                .isEqualTo("newton");
    }

    @Test
    void theLongestMessageIsThatOfTheMethodChosen() {
        assertThat(tuned("newton", new Logistic(), SMOOTH, 7, 7).longestMessage(Collectives.alone()))
                .isGreaterThanOrEqualTo(7 + 7 * 8 / 2);
        assertThat(tuned("adfs", new Logistic(), SMOOTH, 7, 7).longestMessage(Collectives.alone()))
                .isGreaterThanOrEqualTo(7);
    }

    @Test
    void multipliersRefuseUnsupportedProblemsInOneLine() {
        assertThatRefused(() -> tuned("multipliers", new Logistic(), SMOOTH, 5, 5))
                .hasMessage(
                        "method multipliers cannot take the loss logistic, which is not piecewise linear; newton can");
        assertThatRefused(() -> tuned("multipliers", new Hinge(), KINKED, 501, 5))
                .hasMessage("method multipliers takes at most 500 features with an l1 term, and there are 501;"
                        + " adfs takes any number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "ns-adfs", "newton", "multipliers", "dual"})
    void aMethodIsFoundByItsName(String name) {
        assertThat(Methods.named(name).name()).isEqualTo(name);
        assertThat(Methods.names()).contains(name, "auto");
    }

    @Test
    void aMisspeltMethodIsAnsweredWithTheNearestName() {
        assertThatRefused(() -> Methods.named("newtn"))
                .hasMessageContaining("newtn")
                .hasMessageContaining("'newton'?");
        assertThatRefused(() -> Methods.named("NEWTON"));
    }

    @Test
    void newtonReportsReachingItsLimit() {
        Dataset data = Generator.classification(300, 6).noise(0.1).seed(3).generate();
        Trainer trainer = Trainer.logistic().method("newton").lambda(1e-6).nodes(3);
        Fit limited = trainer.gap(1e-14).maxEpochs(2).fit(data);

        assertThat(limited.outcome()).isEqualTo(Fit.Outcome.EPOCH_LIMIT);
        assertThat(limited.isCertified()).isFalse();
        assertThat(limited.epochs()).isEqualTo(2);
        assertThat(limited.gap()).isGreaterThan(1e-14).isFinite();
        assertThat(limited.plan().method().name()).isEqualTo("newton");
    }
}
