package dev.starling.lab.baseline.dual;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.node.Streams;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * Point-SAGA (Defazio, "A simple practical accelerated method for finite sums", 2016) on one machine that holds the
 * samples of all nodes, as a reference for what a network achieves.
 *
 * <p>N functions w_kℓ(x_kᵀθ) + (μ/2)‖θ‖², μ = Σσ_i/N, L = max_k L_k + μ. For a uniform sample k, z = θ + g(s_k x_k −
 * mean of s_l x_l), θ' = prox of g times function k at z, s_k the slope there, with the step size g = √((N−1)² +
 * 4NL/μ)/(2LN) − (1−1/N)/(2L). The regulariser is kept out of the table s, which starts at zero, as in the author's own
 * code. The expected squared error shrinks by a fraction μg/(1+μg) per step; a step costs 1.
 *
 * <p>Node 0 is that machine. The programs of all other nodes end at once and report the machine's estimate.
 */
public final class PointSaga {

    private static final int MOST_STEPS_AT_A_TIME = 1000;

    private PointSaga() {}

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        Machine machine =
                new Machine(Samples.of(on.problem().nodes()), on.problem().totalSigma(), on.step(), on.seed());
        List<EstimatingProgram> programs = new ArrayList<>();
        programs.add(machine);
        for (int node = 1; node < on.problem().size(); node++) {
            programs.add(new Onlooker(node, machine));
        }
        return programs;
    }

    /**
     * The parameters of Point-SAGA.
     *
     * @param convexity μ
     * @param stepSize g
     * @param rate the fraction by which the expected squared error shrinks in a step
     */
    public record Parameters(double convexity, double stepSize, double rate) {

        public static Parameters of(long samples, double totalSigma, double largestSmoothness) {
            double n = (double) samples;
            double convexity = totalSigma / n;
            double smoothness = largestSmoothness + convexity;
            double root = Math.sqrt((n - 1) * (n - 1) + 4 * n * smoothness / convexity);
            double stepSize = root / (2 * smoothness * n) - (1 - 1 / n) / (2 * smoothness);
            return new Parameters(convexity, stepSize, convexity * stepSize / (1 + convexity * stepSize));
        }

        private Parameters withStep(double factor) {
            return new Parameters(convexity, factor * stepSize, rate);
        }
    }

    private static final class Machine extends BaselineProgram {

        private final Samples samples;
        private final Parameters parameters;
        private final RestorableUniformRandomProvider own;
        private final int stepsAtATime;
        private final double[] theta;
        private final double[] slopes;
        private final double[] mean;

        Machine(Samples samples, double totalSigma, double stepFactor, long seed) {
            super(new State.Owner(0, samples.features(), samples.count()));
            this.samples = samples;
            this.parameters = Parameters.of(samples.count(), totalSigma, samples.largestSmoothness())
                    .withStep(stepFactor);
            this.own = stream(Streams.own(seed, 0));
            this.stepsAtATime = Math.max(1, Math.min(MOST_STEPS_AT_A_TIME, samples.count() / 10));
            this.theta = vector(samples.features());
            this.slopes = vector(samples.count());
            this.mean = vector(samples.features());
        }

        @Override
        public Exchange advance() {
            for (int k = 0; k < stepsAtATime; k++) {
                step(WeightedDraw.uniform(own, samples.count()));
            }
            steps += stepsAtATime;
            return exchange.pause(stepsAtATime);
        }

        private void step(int sample) {
            double stepSize = parameters.stepSize();
            double shrink = 1 / (1 + stepSize * parameters.convexity());
            for (int c = 0; c < theta.length; c++) {
                theta[c] = shrink * (theta[c] - stepSize * mean[c]);
            }
            double scale = stepSize * shrink;
            samples.add(sample, scale * slopes[sample], theta);
            double weight = samples.weight(sample);
            double point = samples.dot(sample, theta);
            double step = scale * weight * samples.squaredNorm(sample);
            double slope = weight * samples.loss().proxSlope(point, step, samples.label(sample), point);
            samples.add(sample, -scale * slope, theta);
            samples.add(sample, (slope - slopes[sample]) / samples.count(), mean);
            slopes[sample] = slope;
        }

        @Override
        public void absorb(double[][] messages) {}

        @Override
        public void estimate(double[] into) {
            Vectors.copy(theta, into);
        }
    }

    /** A node that has given its samples to the machine and has nothing more to do. */
    private static final class Onlooker extends BaselineProgram {

        private final Machine machine;

        Onlooker(int node, Machine machine) {
            super(new State.Owner(node, machine.samples.features(), 0));
            this.machine = machine;
        }

        @Override
        public Exchange advance() {
            return exchange.end();
        }

        @Override
        public void absorb(double[][] messages) {}

        @Override
        public void estimate(double[] theta) {
            machine.estimate(theta);
        }
    }
}
