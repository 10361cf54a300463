package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
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
        assertThatThrownBy(() -> model.save(folder.resolve("model.txt")))
                .isInstanceOf(InvalidInputException.class)
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
    @ValueSource(strings = {"adfs", "ns-adfs", "multipliers", "proximal-newton"})
    void methodsForOneScoreSayWhichCanTakeSeveral(String method) {
        Dataset data = generated(60, 3, 3, true, 9);
        assertThatThrownBy(() -> trainer().lambda(1e-2).method(method).fit(data))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "method " + method + " takes one score per row, and the loss softmax has one for each class;"
                                + " newton can take it");
    }

    @Test
    void whatCannotBeProvenIsRefusedWithARemedy() {
        Dataset data = generated(60, 3, 3, true, 9);
        assertThatThrownBy(() -> trainer().lambda(1e-2).l1(1e-2).fit(data))
                .hasMessageStartingWith("the loss softmax cannot take an l1 term; leave it out");
        assertThatThrownBy(() -> trainer().lambda(1e-2).intercept(true).fit(data))
                .hasMessage("the loss softmax cannot leave an intercept alone unregularised; give a bias instead, or"
                        + " lambda 0");
        assertThatThrownBy(() -> trainer()
                        .lambda(1e-2)
                        .fit(data.withOffsets(new Random(1).doubles(60).toArray())))
                .hasMessageStartingWith("the rows have offsets, which the loss softmax cannot take");
    }
}
