package dev.starling;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Logistic;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Classes that are told apart all at once, beside optima that were found in other ways. */
@Timeout(120)
class SoftmaxTest {

    /** Classes with the labels 3, 5, 7 and so on, which depend on the first features. */
    private static Dataset generated(int rows, int features, int classes, boolean dense, long seed) {
        Random random = new Random(seed);
        double[][] x = new double[rows][features];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            Arrays.setAll(x[i], c -> !dense && random.nextInt(3) > 0 ? 0 : (float) random.nextGaussian());
            int best = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int k = 0; k < classes; k++) {
                double score = 2 * x[i][k % features] + random.nextGaussian();
                best = score > most ? k : best;
                most = Math.max(most, score);
            }
            y[i] = 3 + 2 * best;
        }
        return Dataset.of(x, y).laidOut(dense);
    }

    private static Trainer trainer() {
        return Trainer.of(new Softmax());
    }

    /** Newton's method with Gaussian elimination on mean loss + (λ/2) Σ ‖θ_k‖², from the definition. */
    private static double[][] literal(Dataset data, int classes, double lambda) {
        int d = data.features();
        double[] theta = new double[classes * d];
        for (int step = 0; step < 30; step++) {
            double[][] system = new double[classes * d][classes * d + 1];
            for (int i = 0; i < data.rows(); i++) {
                double[] x = new double[d];
                data.addTo(i, 1, x);
                double[] p = probabilities(x, theta, classes);
                double share = data.weight(i) / total(data);
                for (int a = 0; a < classes * d; a++) {
                    int k = a / d;
                    double own = data.label(i) == 3 + 2 * k ? 1 : 0;
                    system[a][classes * d] += share * (p[k] - own) * x[a % d];
                    for (int b = 0; b < classes * d; b++) {
                        int l = b / d;
                        system[a][b] += share * p[k] * ((k == l ? 1 : 0) - p[l]) * x[a % d] * x[b % d];
                    }
                }
            }
            for (int a = 0; a < theta.length; a++) {
                system[a][a] += lambda;
                system[a][theta.length] += lambda * theta[a];
            }
            double[] change = solved(system);
            for (int a = 0; a < theta.length; a++) {
                theta[a] -= change[a];
            }
        }
        double[][] blocks = new double[classes][];
        Arrays.setAll(blocks, k -> Arrays.copyOfRange(theta, k * d, (k + 1) * d));
        return blocks;
    }

    private static double total(Dataset data) {
        return IntStream.range(0, data.rows()).mapToDouble(data::weight).sum();
    }

    private static double[] probabilities(double[] x, double[] theta, int classes) {
        double[] p = new double[classes];
        double sum = 0;
        for (int k = 0; k < classes; k++) {
            double score = 0;
            for (int c = 0; c < x.length; c++) {
                score += x[c] * theta[k * x.length + c];
            }
            p[k] = Math.exp(score);
            sum += p[k];
        }
        for (int k = 0; k < classes; k++) {
            p[k] /= sum;
        }
        return p;
    }

    private static double[] solved(double[][] system) {
        int n = system.length;
        for (int a = 0; a < n; a++) {
            for (int b = a + 1; b < n; b++) {
                double factor = system[b][a] / system[a][a];
                for (int c = a; c <= n; c++) {
                    system[b][c] -= factor * system[a][c];
                }
            }
        }
        double[] solution = new double[n];
        for (int a = n - 1; a >= 0; a--) {
            solution[a] = system[a][n];
            for (int c = a + 1; c < n; c++) {
                solution[a] -= system[a][c] * solution[c];
            }
            solution[a] /= system[a][a];
        }
        return solution;
    }

    private static double objective(Dataset data, double[][] blocks, double lambda) {
        double[] theta = Arrays.stream(blocks).flatMapToDouble(Arrays::stream).toArray();
        double sum = 0;
        for (int i = 0; i < data.rows(); i++) {
            double[] x = new double[data.features()];
            data.addTo(i, 1, x);
            double p = probabilities(x, theta, blocks.length)[(int) (data.label(i) - 3) / 2];
            sum -= data.weight(i) * Math.log(p);
        }
        double norm = Arrays.stream(theta).map(value -> value * value).sum();
        return sum / total(data) + lambda / 2 * norm;
    }

    @ParameterizedTest
    @CsvSource({"1,3,true,false", "4,3,false,true", "3,5,true,true", "2,10,true,false"})
    void endsAtTheOptimumOfALiteralNewtonMethod(int nodes, int classes, boolean dense, boolean weighted) {
        Dataset plain = generated(400, 4, classes, dense, 10 + classes);
        Dataset data =
                weighted ? plain.withWeights(new Random(1).doubles(400, 0.5, 2).toArray()) : plain;
        double lambda = 1e-2;
        Fit fit = trainer().lambda(lambda).nodes(nodes).gap(1e-12).fit(data);
        double[][] optimum = literal(data, classes, lambda);
        double least = objective(data, optimum, lambda);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(least, within(2e-12 * least));
        assertThat(fit.model().scores()).isEqualTo(classes);
        for (int k = 0; k < classes; k++) {
            assertThat(fit.model().weights(k)).containsExactly(optimum[k], within(1e-5));
        }
    }

    /** With more parameters than Hessians are computed for from the start, gradients do the work. */
    @Test
    void gradientsAloneReachTheSameOptimum() {
        Dataset data = generated(300, 300, 3, false, 3);
        double lambda = 1e-1;
        Fit fit = trainer().lambda(lambda).nodes(2).gap(1e-10).fit(data);
        double[][] blocks = new double[3][];
        Arrays.setAll(blocks, fit.model()::weights);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(objective(data, blocks, lambda), within(1e-12));
        for (int c = 0; c < 300; c++) {
            assertThat(blocks[0][c] + blocks[1][c] + blocks[2][c]).isCloseTo(0, within(1e-4));
        }
    }

    /** ‖θ₁‖² + ‖θ₀‖² is least at half the square of their difference. */
    @Test
    void twoClassesAreTheLogisticLossWithHalfTheLambda() {
        Dataset data = generated(500, 5, 2, true, 4);
        Fit one = trainer().lambda(1e-2).nodes(3).gap(1e-13).fit(data);
        Fit other = Trainer.of(new Logistic()).lambda(5e-3).nodes(3).gap(1e-13).fit(data);

        assertThat(one.isCertified()).isTrue();
        assertThat(one.objective()).isCloseTo(other.objective(), within(1e-13));
        assertThat(one.model().scores()).isOne();
        assertThat(one.model().weights(0)).containsExactly(other.model().weights(0), within(1e-5));
        assertThat(one.model().probabilities(data, 0))
                .containsExactly(other.model().probabilities(data, 0), within(1e-6));
    }

    @Test
    void aBiasAndStandardisingGiveAnIntercept() {
        Dataset data = generated(300, 4, 3, true, 5);
        Fit fit = trainer()
                .lambda(1e-3)
                .bias(1)
                .standardize(true)
                .nodes(2)
                .gap(1e-9)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().hasIntercept()).isTrue();
        assertThat(((ClassMeasures) Evaluation.of(fit.model(), data)).accuracy())
                .isGreaterThan(0.6);
    }

    @Test
    void probabilitiesAndLogLossAreThoseOfSoftmax(@TempDir Path folder) {
        Dataset data = generated(300, 4, 4, true, 6);
        trainer().lambda(1e-3).nodes(1).fit(data).model().save(folder.resolve("model.json"));
        LinearModel model = LinearModel.load(folder.resolve("model.json"));
        double losses = 0;
        for (int i = 0; i < data.rows(); i++) {
            double[] scores = model.scores(data, i);
            double sum = Arrays.stream(scores).map(Math::exp).sum();
            double[] expected =
                    Arrays.stream(scores).map(score -> Math.exp(score) / sum).toArray();
            assertThat(model.probabilities(data, i)).containsExactly(expected, within(1e-14));
            losses -= Math.log(expected[(int) (data.label(i) - 3) / 2]);
        }
        ClassMeasures measures = (ClassMeasures) Evaluation.of(model, data);

        assertThat(measures.logLoss()).isCloseTo(losses / data.rows(), within(1e-13));
        assertThat(measures.loss()).isEqualTo(measures.logLoss());
        assertThatRefused(() -> model.save(folder.resolve("model.txt")))
                .hasMessageContaining("LIBLINEAR's format has no softmax");
    }

    @Test
    void crossValidationChoosesALambdaOfAPath() {
        Dataset data = generated(400, 4, 3, true, 8);
        Fit fit = trainer()
                .lambdaPath(LambdaPath.of(6))
                .crossValidation(Folds.of(4))
                .nodes(2)
                .gap(1e-9)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().path()).hasSize(6);
        LinearModel chosen = fit.model();
        double[][] blocks = new double[3][];
        Arrays.setAll(blocks, chosen::weights);
        double lambda = Double.parseDouble(chosen.provenance().settings().get("lambda"));
        double least = objective(data, literal(data, 3, lambda), lambda);
        assertThat(objective(data, blocks, lambda)).isCloseTo(least, within(2e-9 * least));
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "ns-adfs", "multipliers"})
    void methodsForOneScoreSayWhichCanTakeSeveral(String method) {
        Dataset data = generated(60, 3, 3, true, 9);
        assertThatRefused(() -> trainer().lambda(1e-2).method(method).fit(data))
                .hasMessage(
                        "method " + method + " takes one score per row, and the loss softmax has one for each class;"
                                + " newton can take it");
    }

    @Test
    void offsetsAreRefusedWithARemedy() {
        Dataset data = generated(60, 3, 3, true, 9);
        assertThatThrownBy(() -> trainer()
                        .lambda(1e-2)
                        .fit(data.withOffsets(new Random(1).doubles(60).toArray())))
                .hasMessageStartingWith("the rows have offsets, which the loss softmax cannot take");
    }

    /** The same rows with a last feature that is 1. */
    private static Dataset withOnes(Dataset data) {
        double[][] x = new double[data.rows()][data.features() + 1];
        double[] labels = new double[data.rows()];
        double[] weights = new double[data.rows()];
        for (int i = 0; i < x.length; i++) {
            data.withFeatures(data.features() + 1).addTo(i, 1, x[i]);
            x[i][data.features()] = 1;
            labels[i] = data.label(i);
            weights[i] = data.weight(i);
        }
        return Dataset.of(x, labels).withWeights(weights);
    }

    /** Moves every feature, which changes nothing but the intercepts. */
    private static Dataset moved(Dataset data, double by) {
        double[][] x = new double[data.rows()][data.features()];
        double[] labels = new double[data.rows()];
        for (int i = 0; i < x.length; i++) {
            data.addTo(i, 1, x[i]);
            for (int c = 0; c < x[i].length; c++) {
                x[i][c] += by;
            }
            labels[i] = data.label(i);
        }
        return Dataset.of(x, labels);
    }

    private static double[][] blocksWithIntercepts(LinearModel model) {
        double[][] blocks = new double[model.scores()][];
        for (int k = 0; k < blocks.length; k++) {
            blocks[k] = Arrays.copyOf(model.weights(k), model.weights(k).length + 1);
            blocks[k][blocks[k].length - 1] = model.intercept(k);
        }
        return blocks;
    }

    /** Slopes of the mean loss at a point, from the definition. */
    private static double[][] slopes(Dataset data, double[][] blocks) {
        double[] theta = Arrays.stream(blocks).flatMapToDouble(Arrays::stream).toArray();
        double[][] slopes = new double[blocks.length][blocks[0].length];
        for (int i = 0; i < data.rows(); i++) {
            double[] x = new double[data.features()];
            data.addTo(i, 1, x);
            double[] p = probabilities(x, theta, blocks.length);
            for (int k = 0; k < blocks.length; k++) {
                double own = data.label(i) == 3 + 2 * k ? 1 : 0;
                for (int c = 0; c < x.length; c++) {
                    slopes[k][c] += data.weight(i) / total(data) * (p[k] - own) * x[c];
                }
            }
        }
        return slopes;
    }

    /** At the optimum of mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁ with free intercepts, every slope is what its price allows. */
    private static void assertOptimal(Dataset data, LinearModel model, double lambda, double l1, double within) {
        double[][] blocks = blocksWithIntercepts(model);
        double[][] slopes = slopes(withOnes(data), blocks);
        for (int k = 0; k < blocks.length; k++) {
            int last = blocks[k].length - 1;
            assertThat(slopes[k][last]).as("intercept %s", k).isCloseTo(0, within(within));
            for (int c = 0; c < last; c++) {
                double weight = blocks[k][c];
                double slope = slopes[k][c] + lambda * weight;
                if (weight == 0) {
                    assertThat(Math.abs(slope)).isLessThan(l1 + within);
                } else {
                    assertThat(slope).as("weight %s of %s", c, k).isCloseTo(-l1 * Math.signum(weight), within(within));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1,3,true", "4,3,false", "3,5,true"})
    void aFreeInterceptIsNotRegularised(int nodes, int classes, boolean dense) {
        Dataset data = generated(400, 4, classes, dense, 10 + classes)
                .withWeights(new Random(1).doubles(400, 0.5, 2).toArray());
        Fit fit = trainer().lambda(1e-2).intercept(true).nodes(nodes).gap(1e-12).fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertOptimal(data, fit.model(), 1e-2, 0, 1e-6);
        assertThat(Arrays.stream(blocksWithIntercepts(fit.model()))
                        .mapToDouble(block -> block[4])
                        .sum())
                .isCloseTo(0, within(1e-9));
    }

    /** Gradients alone do the same where there are many parameters. */
    @Test
    void aFreeInterceptGoesWithManyFeatures() {
        Dataset data = generated(300, 300, 3, false, 3);
        Fit fit = trainer().lambda(1e-1).intercept(true).nodes(2).gap(1e-8).fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertOptimal(data, fit.model(), 1e-1, 0, 1e-4);
    }

    @Test
    void movingFeaturesChangesNothingButFreeIntercepts() {
        Dataset data = generated(300, 3, 3, true, 7);
        Fit here = trainer().lambda(1e-2).intercept(true).nodes(2).gap(1e-11).fit(data);
        Fit there = trainer().lambda(1e-2).intercept(true).nodes(2).gap(1e-11).fit(moved(data, 50));

        assertThat(there.isCertified()).isTrue();
        assertThat(there.objective()).isCloseTo(here.objective(), within(1e-10));
        for (int k = 0; k < 3; k++) {
            assertThat(there.model().weights(k)).containsExactly(here.model().weights(k), within(1e-4));
        }
    }

    /** Some weights are exactly 0, and every other is where its slope balances the price. */
    @ParameterizedTest
    @CsvSource({"1,3,1e-3,1e-2,true", "3,4,0,2e-2,true", "2,3,1e-3,1e-2,false", "4,5,1e-2,5e-3,true"})
    void anL1TermLeavesWeightsOut(int nodes, int classes, double lambda, double l1, boolean intercept) {
        Dataset data = generated(500, 8, classes, true, 20 + classes);
        Fit fit = trainer()
                .lambda(lambda)
                .l1(l1)
                .intercept(intercept)
                .nodes(nodes)
                .gap(1e-11)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        if (intercept) {
            assertOptimal(data, fit.model(), lambda, l1, 1e-5);
        }
        long zeros = IntStream.range(0, classes)
                .mapToLong(k -> Arrays.stream(fit.model().weights(k))
                        .filter(weight -> weight == 0)
                        .count())
                .sum();
        assertThat(zeros).isGreaterThanOrEqualTo(classes);
    }

    /** With more parameters than Hessians are computed of, steps move a working set of them. */
    @ParameterizedTest
    @CsvSource({"1,true", "3,false"})
    void anL1TermGoesWithManyFeatures(int nodes, boolean dense) {
        Dataset data = generated(400, 250, 3, dense, 31);
        Fit fit = trainer()
                .lambda(1e-3)
                .l1(2e-2)
                .intercept(true)
                .nodes(nodes)
                .gap(1e-10)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        assertOptimal(data, fit.model(), 1e-3, 2e-2, 1e-5);
    }

    @Test
    void pathsStartWhereAllWeightsAreZero() {
        Dataset data = generated(400, 6, 3, true, 8);
        Fit fit = trainer()
                .lambdaPath(LambdaPath.of(8).l1Ratios(1))
                .intercept(true)
                .nodes(2)
                .gap(1e-8)
                .fit(data);

        assertThat(fit.isCertified()).isTrue();
        LinearModel first = fit.model().path().get(0);
        assertThat(IntStream.range(0, 3).boxed())
                .allMatch(k -> Arrays.stream(first.weights(k)).allMatch(weight -> weight == 0));
        LinearModel second = fit.model().path().get(1);
        assertThat(IntStream.range(0, 3).boxed())
                .anyMatch(k -> Arrays.stream(second.weights(k)).anyMatch(weight -> weight != 0));
    }
}
