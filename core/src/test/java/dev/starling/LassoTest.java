package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.data.Dataset;
import dev.starling.loss.Hinge;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import dev.starling.support.RScript;
import dev.starling.support.Stored;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An l1 term without a ridge: the optimum and the proof of it. */
@Timeout(120)
class LassoTest {

    private static final double L1 = 2e-2;

    /** The second column is the first again, the third the sum of the fourth and the fifth, the sixth constant. */
    private static Dataset rows(boolean classes, int count, int seed) {
        Random random = new Random(seed);
        double[][] x = new double[count][12];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> (float) (1 + random.nextGaussian()));
            x[i][1] = x[i][0];
            x[i][2] = (float) (x[i][3] + x[i][4]);
            x[i][5] = 1;
            double score = 2 * x[i][0] - x[i][3] + x[i][7] / 2 - 1.5 + random.nextGaussian();
            y[i] = classes ? (score > 0 ? 1 : -1) : score;
        }
        return Dataset.of(x, y);
    }

    private static Trainer trainer(String loss, double l1, boolean intercept) {
        return Trainer.of(Losses.named(loss))
                .l1(l1)
                .lambda(0)
                .intercept(intercept)
                .nodes(3)
                .gap(1e-9)
                .runner(new Simulator());
    }

    /** Levels of words, a column each, so that those of a word add up to the constant column; some are rare. */
    private static Dataset words(int count, int seed) {
        int words = 6;
        int levels = 8;
        Random random = new Random(seed);
        double[] weights = random.doubles((long) words * levels, -2, 2).toArray();
        double[][] x = new double[count][words * levels];
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            double score = random.nextGaussian();
            for (int word = 0; word < words; word++) {
                int column = word * levels + (int) (levels * Math.pow(random.nextDouble(), 3));
                x[i][column] = 1;
                score += weights[column];
            }
            y[i] = score > 0 ? 1 : -1;
        }
        return Dataset.of(x, y);
    }

    /** At the start this loss has no curvature, from which the first sample's ridge would be known. */
    @ParameterizedTest
    @CsvSource({"1, 1e-3", "2, 1e-3", "3, 1e-3", "1, 1e-4", "2, 1e-4", "3, 1e-4"})
    void samplesWithoutCurvatureAreCertified(int seed, double l1) {
        Fit fit =
                trainer("smoothed-hinge(0.5)", l1, true).gap(1e-5).maxEpochs(60).fit(words(17_000, seed));

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.CERTIFIED);
    }

    /** What makes a point the optimum: slopes of λ₁ along weights that are not 0, and none steeper than that. */
    @ParameterizedTest
    @MethodSource("dev.starling.FreeInterceptWithKinksTest#smoothLosses")
    void endsAtTheOptimum(String name) {
        Loss loss = Losses.named(name);
        for (boolean intercept : new boolean[] {false, true}) {
            // The second is enough to begin with a sample of the rows.
            for (int count : new int[] {200, 17_000}) {
                Dataset data = rows(loss.isClassification(), count, count);
                Fit fit = trainer(name, L1, intercept).fit(data);
                double[] weights = fit.model().weights(0);
                double[] gradient = new double[weights.length];
                for (int i = 0; i < count; i++) {
                    data.addTo(i, loss.derivative(fit.model().score(data, i, 0), data.label(i)) / count, gradient);
                }

                assertThat(fit.plan().method().name()).isEqualTo("proximal-newton");
                assertThat(fit.isCertified()).as(fit.toString()).isTrue();
                assertThat(fit.epochs()).isLessThan(60);
                assertThat(Arrays.stream(weights).filter(weight -> weight == 0).count())
                        .isBetween(1L, 11L);
                for (int c = 0; c < weights.length; c++) {
                    if (weights[c] == 0) {
                        assertThat(Math.abs(gradient[c])).isLessThanOrEqualTo(L1 + 1e-4);
                    } else {
                        assertThat(gradient[c]).isCloseTo(-L1 * Math.signum(weights[c]), within(1e-4));
                    }
                }
            }
        }
    }

    /** Every column nearly repeats others, so that each sweep over the columns gains little. */
    @Test
    void sparseColumnsThatDependOnEachOtherTakeFewSweeps() {
        int rows = 600;
        Random random = new Random(4);
        double[][] x = new double[rows][2_000];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            int topic = random.nextInt(40);
            for (int k = 0; k < 25; k++) {
                x[i][50 * topic + random.nextInt(50)] += 1 + random.nextInt(3);
            }
            y[i] = topic % 7 + x[i][50 * topic] / 2 + random.nextGaussian();
        }
        Fit fit = trainer("squared", 1e-2, false)
                .nodes(1)
                .gap(1e-6)
                .fit(Dataset.of(x, y).laidOut(false));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.epochs()).isLessThan(600);
    }

    /** Against plain cyclic coordinate descent, for squares. */
    @Test
    void theLassoOfSquaresEqualsThatOfCoordinateDescent() {
        Dataset data = rows(false, 150, 2);
        Fit fit = trainer("squared", 0.1, false).fit(data);
        double[] theta = coordinateDescent(data, 0.1);

        assertThat(fit.objective()).isCloseTo(objective(data, 0.1, theta), within(1e-8 * fit.objective()));
        assertThat(fit.objective()).isCloseTo(objective(data, 0.1, fit.model().weights(0)), within(1e-12));
    }

    private static double objective(Dataset data, double l1, double[] theta) {
        double sum = 0;
        for (int i = 0; i < data.rows(); i++) {
            sum += Math.pow(data.dot(i, theta) - data.label(i), 2) / 2 / data.rows();
        }
        return sum + l1 * Arrays.stream(theta).map(Math::abs).sum();
    }

    private static double[] coordinateDescent(Dataset data, double l1) {
        int features = data.features();
        double[] theta = new double[features];
        for (int sweep = 0; sweep < 5000; sweep++) {
            for (int c = 0; c < features; c++) {
                double slope = 0;
                double curvature = 0;
                for (int i = 0; i < data.rows(); i++) {
                    double x = Stored.value(data, i, c);
                    slope += x * (data.dot(i, theta) - data.label(i)) / data.rows();
                    curvature += x * x / data.rows();
                }
                double free = curvature * theta[c] - slope;
                theta[c] = Math.copySign(Math.max(0, Math.abs(free) - l1), free) / curvature;
            }
        }
        return theta;
    }

    /** Ten categories of four levels each, all with columns of their own: they add up to 1 in ten ways. */
    @ParameterizedTest
    @CsvSource({"logistic, 1e-5, 0", "logistic, 1e-4, 0", "squared, 1e-5, 0", "logistic, 1e-5, 1e-9"})
    void dependentIndicatorColumnsAreCertified(String loss, double l1, double lambda) {
        Random random = new Random(7);
        double[][] x = new double[600][40];
        double[] y = new double[600];
        for (int i = 0; i < 600; i++) {
            double score = random.nextGaussian();
            for (int group = 0; group < 10; group++) {
                int level = random.nextInt(4);
                x[i][4 * group + level] = 1;
                score += (level - 1.5) * (group % 3 - 1);
            }
            y[i] = loss.equals("logistic") ? (score > 0 ? 1 : -1) : score;
        }

        Fit fit = trainer(loss, l1, false).lambda(lambda).gap(1e-6).fit(Dataset.of(x, y));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.epochs()).as(fit.toString()).isLessThan(30);
    }

    /** At 0 every loss is a straight line: there is no curvature to begin with. */
    @Test
    void labelsFarFromZeroAreCertified() {
        Dataset data = rows(false, 200, 3);
        double[] far = Arrays.stream(data.labels()).map(label -> label + 50).toArray();

        Fit fit = trainer("huber(0.5)", L1, true).gap(1e-6).fit(data.withLabels(far));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
    }

    @Test
    void theOrderOfSettingsDoesNotMatter() {
        Dataset data = rows(true, 100, 2);
        Trainer squaredHinge = Trainer.of(Losses.named("squared-hinge"));

        assertThat(squaredHinge.lambda(0).l1(L1).fit(data).model().weights(0))
                .containsExactly(squaredHinge.l1(L1).lambda(0).fit(data).model().weights(0));
    }

    /** Scaling decides what a weight costs, so it is not left out as it is where weights cost nothing. */
    @Test
    void scalingIsApplied() {
        Dataset data = rows(false, 150, 4);
        Fit plain = trainer("squared", L1, true).fit(data);
        Fit scaled = trainer("squared", L1, true).scaling(Scaling.STANDARDIZE).fit(data);

        assertThat(scaled.isCertified()).isTrue();
        assertThat(scaled.model().weight(0, 0)).isNotCloseTo(plain.model().weight(0, 0), within(1e-4));
    }

    @Test
    void aLossWithKinksNeedsARidge() {
        assertThatThrownBy(() ->
                        Trainer.of(new Hinge()).l1(0.1).lambda(0).settings().checked())
                .hasMessage("lambda 0 needs a loss without kinks, not hinge; give lambda a positive value");
        assertThatThrownBy(() -> Trainer.logistic()
                        .method("adfs")
                        .l1(0.1)
                        .lambda(0)
                        .settings()
                        .checked())
                .hasMessage("method adfs cannot do without regularisation; give lambda a positive value");
    }

    /** In every build, {@link LassoPathTest} compares whole paths. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"logistic", "squared"})
    void coefficientsAreThoseOfGlmnet(String loss, @TempDir Path folder) throws IOException, InterruptedException {
        Dataset data = rows(loss.equals("logistic"), 300, 11);
        write(data, folder.resolve("rows.csv"));
        RScript.run(LassoTest.class, "lasso.R", folder);
        Path found = folder.resolve("coefficients");
        assumeTrue(Files.exists(found), "R's glmnet is not installed (apt-get install r-cran-glmnet)");
        List<String> lines = Files.readAllLines(found);
        double[] theirs = lines.stream().mapToDouble(Double::parseDouble).toArray();
        Fit fit = trainer(loss, L1, true).gap(1e-12).fit(data);

        Loss ours = Losses.named(loss);
        double theirObjective = 0;
        for (int i = 0; i < data.rows(); i++) {
            double margin = theirs[0] + data.dot(i, Arrays.copyOfRange(theirs, 1, theirs.length));
            theirObjective += ours.value(margin, data.label(i)) / data.rows();
        }
        for (int c = 1; c < theirs.length; c++) {
            theirObjective += L1 * Math.abs(theirs[c]);
        }
        assertThat(fit.objective()).isCloseTo(theirObjective, within(1e-8 * theirObjective));
        assertThat(fit.model().intercept(0)).isCloseTo(theirs[0], within(1e-4));
    }

    /** A line for each row, the label first. */
    static void write(Dataset data, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < data.rows(); i++) {
            StringBuilder line = new StringBuilder(String.valueOf(data.label(i)));
            for (int k = data.start(i); k < data.end(i); k++) {
                line.append(',').append(data.value(i, k));
            }
            lines.add(line.toString());
        }
        Files.write(file, lines);
    }
}
