package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.LoneNode;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.ProximalNewtonMethod;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.support.ForgetfulProgram;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lassos and elastic nets on sparse rows with many columns, such as texts, where one node has all rows. */
@Timeout(120)
class ColumnStepsTest {

    private static final int ROWS = 400;
    private static final int COLUMNS = 3_000;
    private static final int WORDS = 30;

    /** A few words are frequent, most are rare, and every hundredth matters. */
    private static Dataset texts(boolean classes) {
        Random random = new Random(7);
        double[] effects = new double[COLUMNS];
        for (int c = 0; c < COLUMNS; c += 100) {
            effects[c] = 3 * random.nextGaussian();
        }
        int[] starts = new int[ROWS + 1];
        int[] columns = new int[ROWS * WORDS];
        double[] values = new double[ROWS * WORDS];
        double[] labels = new double[ROWS];
        int at = 0;
        for (int i = 0; i < ROWS; i++) {
            int[] words = random.doubles()
                    .mapToInt(u -> (int) (COLUMNS * u * u * u))
                    .distinct()
                    .limit(WORDS)
                    .sorted()
                    .toArray();
            double score = 0.3 * random.nextGaussian();
            for (int word : words) {
                columns[at] = word;
                values[at++] = 0.5 + random.nextDouble();
                score += effects[word];
            }
            starts[i + 1] = at;
            labels[i] = classes ? (score > 0 ? 1 : -1) : score;
        }
        return Dataset.sparse(COLUMNS, starts, columns, values, labels);
    }

    private static Trainer trainer(String loss, double lambda, double l1, boolean intercept) {
        return Trainer.of(Losses.named(loss))
                .lambda(lambda)
                .l1(l1)
                .intercept(intercept)
                .gap(1e-8)
                .nodes(1)
                .runner(new Simulator());
    }

    /** At the optimum, slopes are λ₁ along weights that are not 0, and nowhere steeper. */
    @ParameterizedTest
    @CsvSource({
        "logistic, 0, 3e-3, false",
        "logistic, 0, 3e-3, true",
        "logistic, 1e-3, 1e-3, true",
        "squared, 0, 1e-2, true",
        "huber(1), 1e-3, 1e-2, false",
        "squared-hinge, 0, 3e-3, true",
        "smoothed-hinge(1), 1e-4, 3e-3, false"
    })
    void runsEndAtTheOptimumThatSeveralNodesFind(String name, double lambda, double l1, boolean intercept) {
        Loss loss = Losses.named(name);
        Dataset data = texts(loss.isClassification());

        Fit one = trainer(name, lambda, l1, intercept).fit(data);
        Fit two = trainer(name, lambda, l1, intercept).nodes(2).fit(data);

        assertThat(one.isCertified()).as(one.toString()).isTrue();
        assertThat(one.objective()).isCloseTo(two.objective(), Offset.offset(2e-8 * two.objective()));
        double[] weights = one.model().weights(0);
        double[] slopes = new double[weights.length];
        for (int i = 0; i < data.rows(); i++) {
            double slope = loss.derivative(one.model().score(data, i, 0), data.label(i));
            data.addTo(i, slope / data.rows(), slopes);
        }
        for (int c = 0; c < COLUMNS; c++) {
            double slope = slopes[c] + lambda * weights[c];
            if (weights[c] != 0) {
                assertThat(slope).isCloseTo(-Math.signum(weights[c]) * l1, Offset.offset(1e-2 * l1));
            } else {
                assertThat(Math.abs(slope)).isLessThan(l1 * (1 + 1e-2));
            }
        }
        assertThat(Arrays.stream(weights).filter(w -> w != 0).count()).isBetween(3L, 400L);
    }

    /** Steps on columns are for one margin per row; several classes at once are left to Hessians of a working set. */
    @Test
    void severalClassesAtOnceAreStillTrained() {
        Dataset two = texts(true);
        double[] labels = new double[ROWS];
        Arrays.setAll(labels, row -> row % 5 == 0 ? 2 : two.label(row) > 0 ? 1 : 0);

        Fit fit = trainer("softmax", 1e-2, 1e-2, false).gap(1e-4).fit(two.withLabels(labels));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
    }

    /** Most values of a path take one pass, which proves what the steps on the columns before it have found. */
    @Test
    void pathsTakeLittleWorkAndAreProvenAtEveryValue() {
        Fit path = Trainer.of(new Logistic())
                .lambdaPath(LambdaPath.of(20).l1Ratios(0.5))
                .gap(1e-6)
                .nodes(1)
                .fit(texts(true));

        assertThat(path.isCertified()).isTrue();
        assertThat(path.epochs()).isLessThan(20 * 15.0);
    }

    /** A fold's rows are left out of the steps as they are left out of the passes. */
    @Test
    void foldsOfACrossValidationAreLeftOut() {
        Fit one = validated(1);
        Fit two = validated(2);

        assertThat(one.isCertified()).isTrue();
        assertThat(one.objective()).isCloseTo(two.objective(), Offset.offset(1e-6 * two.objective()));
    }

    private static Fit validated(int nodes) {
        return Trainer.of(new Logistic())
                .lambdaPath(LambdaPath.of(5).l1Ratios(0.5))
                .crossValidation(Folds.of(3))
                .gap(1e-7)
                .nodes(nodes)
                .fit(texts(true));
    }

    private static MethodNode node() {
        return LoneNode.ofOneOwner()
                .node(
                        new ProximalNewtonMethod(),
                        Problem.deal(texts(true), new Logistic(), 1e-4, 1)
                                .withRegulariser(Regulariser.elasticNet(1e-4, 1e-3)),
                        new StoppingRule(1e-8, 500));
    }

    @Test
    void aRestoredNodeEndsWithTheSameBits() {
        MethodNode whole = node();
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(ColumnStepsTest::node);

        LoneNode.run(whole);
        LoneNode.run(forgetful);

        assertThat(whole.result().certificate().relativeGap()).isLessThan(1e-8);
        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes());
    }
}
