package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import dev.starling.support.Fixtures;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Training with an elastic net, against a minimum found by accelerated proximal gradient steps on the whole sum. */
class ElasticNetTest {

    private static final double GAP = 1e-6;

    @ParameterizedTest
    @CsvSource({
        "adfs, census, logistic, 1e-3, 1e-3, 4", "adfs, census, squared-hinge, 1e-2, 1e-3, 1",
        "adfs, houses, squared, 1e-2, 1e-1, 4", "adfs, houses, huber, 1e-2, 1e-2, 1",
        "auto, census, logistic, 1e-3, 1e-3, 4", "auto, census, squared-hinge, 1e-2, 1e-3, 1",
        "auto, houses, squared, 1e-2, 1e-1, 4", "auto, houses, huber, 1e-2, 1e-2, 1"
    })
    void reachesTheMinimumThatProximalGradientStepsFind(
            String method, String name, String lossName, double lambda, double l1, int nodes) {
        Dataset data = read(name);
        Loss loss = Losses.named(lossName);
        Fit fit = trainer(loss, lambda, l1, nodes).method(method).fit(data);
        double[] weights = fit.model().weights(0);
        double found = objective(data, loss, lambda, l1, weights);
        double minimum = objective(data, loss, lambda, l1, minimiser(data, loss, lambda, l1));
        assertThat(fit.objective()).isCloseTo(found, within(1e-12 * found));
        assertThat(found - minimum).isBetween(-1e-9 * minimum, GAP * minimum);
        assertThat(fit.certificate().dual()).isLessThanOrEqualTo(minimum * (1 + 1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "census, logistic, 1e-3, 1e-3", "census, squared-hinge, 1e-2, 1e-3",
        "houses, squared, 1e-2, 1e-1", "houses, huber, 1e-2, 1e-2"
    })
    void newtonStepsReachItToEightDigits(String name, String lossName, double lambda, double l1) {
        Dataset data = read(name);
        Loss loss = Losses.named(lossName);
        Fit fit = trainer(loss, lambda, l1, 3).gap(1e-10).fit(data);
        double minimum = objective(data, loss, lambda, l1, minimiser(data, loss, lambda, l1));
        assertThat(fit.plan().method().name()).isEqualTo("proximal-newton");
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isCloseTo(minimum, within(1e-8 * minimum));
    }

    @Test
    void aLargeL1TermLeavesNoWeight() {
        Dataset data = read("census");
        Fit fit = trainer(Losses.named("logistic"), 1e-4, 10, 3).fit(data);
        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.model().weights(0)).containsOnly(0);
    }

    @Test
    void someWeightsAreZero() {
        Dataset data = read("census");
        double[] weights = trainer(Losses.named("logistic"), 1e-3, 1e-2, 2)
                .fit(data)
                .model()
                .weights(0);
        double[] minimiser = minimiser(data, Losses.named("logistic"), 1e-3, 1e-2);
        long zeros = Arrays.stream(weights).filter(weight -> weight == 0).count();
        assertThat(zeros).isBetween(80L, 122L);
        for (int c = 0; c < weights.length; c++) {
            assertThat(weights[c]).as("feature " + c).isCloseTo(minimiser[c], within(2e-2));
        }
    }

    /** Two runs on different graphs and seeds bound each other: no dual value is above any objective. */
    @Test
    void certifiesALossWithKinks() {
        Dataset data = read("census");
        Fit one = trainer(Losses.named("hinge"), 1e-3, 1e-3, 2).fit(data);
        Fit other = trainer(Losses.named("hinge"), 1e-3, 1e-3, 5).seed(9).fit(data);
        assertThat(one.isCertified()).isTrue();
        assertThat(other.isCertified()).isTrue();
        double found =
                objective(data, Losses.named("hinge"), 1e-3, 1e-3, one.model().weights(0));
        assertThat(one.objective()).isCloseTo(found, within(1e-12));
        assertThat(one.certificate().dual()).isLessThanOrEqualTo(other.objective());
        assertThat(other.certificate().dual()).isLessThanOrEqualTo(one.objective());
    }

    @Test
    void anL1TermOfZeroChangesNothing() {
        Dataset data = read("houses");
        Trainer plain = Trainer.of(Losses.named("squared"))
                .lambda(1e-2)
                .nodes(3)
                .gap(GAP)
                .runner(new Simulator());
        assertThat(plain.l1(0).fit(data).model().weights(0))
                .containsExactly(plain.fit(data).model().weights(0));
    }

    @ParameterizedTest
    @CsvSource({"-1e-4", "NaN", "Infinity"})
    void refusesAnInvalidL1Term(double l1) {
        assertThatExceptionOfType(InvalidInputException.class)
                .isThrownBy(() -> Trainer.logistic().l1(l1))
                .withMessageContaining("l1 " + l1 + " must be 0 or from 1e-60 to 1e45");
    }

    @Test
    void itsConjugateIsTheLargestDifference() {
        Regulariser net = Regulariser.elasticNet(0.5, 0.2);
        for (double scaled : new double[] {-3, -0.4, -0.1, 0, 0.39, 0.41, 2}) {
            double largest = Double.NEGATIVE_INFINITY;
            for (double theta = -4; theta <= 4; theta += 1e-4) {
                largest = Math.max(largest, scaled * theta - net.value(theta));
            }
            double parameter = net.parameter(scaled);
            assertThat(net.conjugateAt(parameter)).isCloseTo(largest, within(1e-8));
            assertThat(scaled * parameter - net.value(parameter)).isCloseTo(largest, within(1e-8));
        }
    }

    private static Trainer trainer(Loss loss, double lambda, double l1, int nodes) {
        return Trainer.of(loss)
                .lambda(lambda)
                .l1(l1)
                .nodes(nodes)
                .topology("ring")
                .gap(GAP)
                .runner(new Simulator());
    }

    private static Dataset read(String name) {
        Dataset rows = Fixtures.read(name);
        return name.equals("houses")
                ? Standardizer.centred(Moments.of(rows)).withTarget().apply(rows)
                : rows;
    }

    private static double objective(Dataset data, Loss loss, double lambda, double l1, double[] theta) {
        double sum = 0;
        for (int row = 0; row < data.rows(); row++) {
            sum += loss.value(data.dot(row, theta), data.label(row));
        }
        double value = sum / data.rows();
        for (double entry : theta) {
            value += lambda / 2 * entry * entry + l1 * Math.abs(entry);
        }
        return value;
    }

    /** Accelerated proximal gradient with the momentum that strong convexity allows. */
    private static double[] minimiser(Dataset data, Loss loss, double lambda, double l1) {
        double smoothness = loss.smoothness() * largestEigenvalue(data) * 1.01 + lambda;
        double root = Math.sqrt(lambda / smoothness);
        double momentum = (1 - root) / (1 + root);
        double[] theta = new double[data.features()];
        double[] ahead = new double[data.features()];
        int steps = (int) (20 / root);
        for (int t = 0; t < steps; t++) {
            double[] gradient = new double[theta.length];
            for (int row = 0; row < data.rows(); row++) {
                data.addTo(row, loss.derivative(data.dot(row, ahead), data.label(row)) / data.rows(), gradient);
            }
            for (int c = 0; c < theta.length; c++) {
                double point = ahead[c] - (gradient[c] + lambda * ahead[c]) / smoothness;
                double next = Math.signum(point) * Math.max(0, Math.abs(point) - l1 / smoothness);
                ahead[c] = next + momentum * (next - theta[c]);
                theta[c] = next;
            }
        }
        return theta;
    }

    /** Of the mean of x xᵀ, by power iteration. */
    private static double largestEigenvalue(Dataset data) {
        double[] direction = new double[data.features()];
        Arrays.fill(direction, 1);
        double norm = 0;
        for (int t = 0; t < 30; t++) {
            double[] next = new double[direction.length];
            for (int row = 0; row < data.rows(); row++) {
                data.addTo(row, data.dot(row, direction) / data.rows(), next);
            }
            norm = Math.sqrt(Arrays.stream(next).map(entry -> entry * entry).sum());
            for (int c = 0; c < next.length; c++) {
                direction[c] = next[c] / norm;
            }
        }
        return norm;
    }
}
