package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.adfs.NonSmoothAdfs;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Simulator;
import dev.starling.support.Fixtures;
import dev.starling.support.SharedData;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Training with losses that have kinks, against optima from plain cyclic coordinate descent on the dual. */
@Timeout(180)
class KinkedTrainingTest {

    private static final double LAMBDA = 1e-2;

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "heart_scale,hinge,1e-2,1,line",
        "heart_scale,hinge,1e-2,4,ring",
        "splice,hinge,1,9,grid",
        "abalone,absolute,1e-2,4,ring",
        "abalone,epsilon-insensitive(0.2),1e-2,4,star",
        "space_ga,quantile(0.8),1e-2,4,ring"
    })
    void findsTheOptimumOfRealData(String dataset, String lossName, double lambda, int nodes, String topology) {
        Dataset rows = SharedData.read(dataset + ".gz");
        Loss loss = Losses.named(lossName);
        Fit fit = Trainer.of(loss)
                .lambda(lambda)
                .nodes(nodes)
                .topology(topology)
                .standardize(!loss.isClassification())
                .gap(1e-5)
                .maxEpochs(5000)
                .runner(new Simulator())
                .fit(rows);
        double best = new CoordinateDescent(asTrained(rows, loss), loss, lambda).solve(1e-7);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.objective()).isBetween(best * (1 - 2e-7), best * (1 + 2e-5));
    }

    /**
     * Corollary 2 for one node and the weights of NonSmoothTuning, where S² r² = Σ s*²‖x‖²/(σ p²); a mean over ten
     * seeds.
     */
    @ParameterizedTest
    @CsvSource({"census,hinge", "houses,absolute"})
    void theDualErrorStaysBelowTheBoundBeforeTheFirstRestart(String dataset, String lossName) {
        Loss loss = Losses.named(lossName);
        Dataset data = asTrained(Fixtures.read(dataset), loss);
        LocalProblem problem = LocalProblem.of(data, loss, LAMBDA);
        CoordinateDescent reference = new CoordinateDescent(data, loss, LAMBDA);
        reference.solve(1e-7);
        double best = reference.dual();
        Conditioning facts = Conditioning.of(problem);
        var network = Topology.named("line").build(1, 1);
        NonSmoothTuning tuning = NonSmoothTuning.of(network, List.of(facts), 0);
        double probability = tuning.smallestProbability();
        double distance = 0;
        for (int j = 0; j < data.rows(); j++) {
            distance += Math.pow(reference.slopes[j], 2) * data.squaredNorm(j) / problem.sigma();
        }
        double start = best * data.rows() - dualOfZero(data, loss);
        for (int epochs = 1; epochs < 5; epochs++) {
            double error = 0;
            for (int seed = 0; seed < 10; seed++) {
                NonSmoothAdfs program = new NonSmoothAdfs(problem, facts, network, 0, tuning, seed);
                program.drawIndependently();
                while (program.steps() < epochs * (long) data.rows()) {
                    program.advance();
                    program.absorb(new double[0][]);
                }
                double[] slopes = new double[data.rows()];
                for (int j = 0; j < slopes.length; j++) {
                    slopes[j] = program.slope(j);
                }
                double steps = program.steps() * probability;
                double bound = 2 / (steps * steps) * (distance + 2 * start);
                error += (best - CoordinateDescent.dual(data, loss, problem.sigma(), slopes)) * data.rows() / bound;
            }
            assertThat(error / 10).as("after " + epochs + " epochs").isBetween(0.0, 1.0);
        }
    }

    private static double dualOfZero(Dataset data, Loss loss) {
        double sum = 0;
        for (int j = 0; j < data.rows(); j++) {
            sum -= loss.conjugate(0, data.label(j));
        }
        return sum;
    }

    private static Dataset asTrained(Dataset rows, Loss loss) {
        return loss.isClassification()
                ? Labels.classification(rows).binary(rows)
                : Standardizer.centred(Moments.of(rows)).withTarget().apply(rows);
    }

    /**
     * The slow other way: cyclic exact minimisation over one dual coordinate after another, with its own duality gap.
     */
    private static final class CoordinateDescent {

        private final Dataset data;
        private final Loss loss;
        private final double sigma;
        private final double[] slopes;
        private final double[] parameter;

        CoordinateDescent(Dataset data, Loss loss, double lambda) {
            this.data = data;
            this.loss = loss;
            this.sigma = lambda * data.rows();
            this.slopes = new double[data.rows()];
            this.parameter = new double[data.features()];
        }

        /** The objective once its relative gap is below the tolerance. */
        double solve(double tolerance) {
            for (int pass = 0; pass < 200_000; pass++) {
                for (int j = 0; j < slopes.length; j++) {
                    descend(j);
                }
                if (pass % 50 == 0 && (objective() - dual()) <= tolerance * objective()) {
                    return objective();
                }
            }
            throw new AssertionError("the reference did not converge: " + (objective() - dual()) / objective());
        }

        private void descend(int j) {
            double curvature = data.squaredNorm(j) / sigma;
            double slope = curvature == 0
                    ? loss.derivative(0, data.label(j))
                    : loss.proxSlope(data.dot(j, parameter) + curvature * slopes[j], curvature, data.label(j), 0);
            data.addTo(j, -(slope - slopes[j]) / sigma, parameter);
            slopes[j] = slope;
        }

        double objective() {
            double sum = 0;
            for (int j = 0; j < slopes.length; j++) {
                sum += loss.value(data.dot(j, parameter), data.label(j));
            }
            return (sum + sigma / 2 * squared(parameter)) / slopes.length;
        }

        double dual() {
            return dual(data, loss, sigma, slopes);
        }

        static double dual(Dataset data, Loss loss, double sigma, double[] slopes) {
            double[] sum = new double[data.features()];
            double conjugates = 0;
            for (int j = 0; j < slopes.length; j++) {
                double slope = loss.clamp(slopes[j], data.label(j));
                conjugates += loss.conjugate(slope, data.label(j));
                data.addTo(j, slope, sum);
            }
            return (-conjugates - squared(sum) / (2 * sigma)) / slopes.length;
        }

        private static double squared(double[] vector) {
            double sum = 0;
            for (double value : vector) {
                sum += value * value;
            }
            return sum;
        }
    }
}
