package dev.starling.lab.baseline.similarity;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.dual.DvrCatalyst;
import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.DualGradient;
import dev.starling.lab.baseline.node.FastMix;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import java.util.List;

/**
 * SONATA (Sun, Daneshmand, Scutari, "Distributed optimization based on gradient tracking revisited: enhancing
 * convergence rate via surrogation", 2022), also known as Network-DANE: gradient tracking in which every node minimises
 * its own function, corrected to have everybody's gradient.
 *
 * <p>x_i = argmin h_i(x) − ⟨∇h_i(y_i) − s_i, x⟩ + (q/2)‖x − y_i‖², (y', s) = FastMix(x, s), s' = s + ∇h(y') − ∇h(y),
 * with s = ∇h(0) at first, h = f, and q = δ, the largest difference between the Hessians of the f_i and their mean.
 *
 * <p>With exact means and quadratic functions the error is multiplied by I − mean((H_i + q)⁻¹)H. As H ≤ H_i + q ≤ H +
 * 2q, its norm in the metric of H is at most 1 − σ, σ = μ/(μ + 2q), whatever the conditioning. FastMix contracts to a
 * fraction ρ = σ(q+μ)/(8M), M = max_i(σ_i+M_i): a node's step magnifies an error of s by at most 1/(q+μ), and tracking
 * magnifies one of y by M, so that what goes round that loop is a fraction of σ. The theorem has ρ up to a constant.
 *
 * <p>AccSONATA (Tian, Scutari, Cao, Gasnikov, "Acceleration in distributed optimization under similarity", 2022) puts
 * Catalyst around it, as in {@link DvrCatalyst}: runs on h_i = f_i + (b/2)‖x − z_i‖² with b = q − μ, for which σ = 1/3,
 * then z' = y + ((1−α)/(1+α))(y − last y), α = √(μ/(μ+b)), of ln(4(1+M/b)/α)/(1−(1−σ)²) steps each. The error shrinks
 * by a fraction α/2 per run: √(δ/μ) runs for a factor e, up to logarithms.
 *
 * <p>They differ from the authors' code (liboyue/Network-Distributed-Algorithm has Network-DANE) as {@link Sliding}
 * does: inner problems are solved to four digits by Newton's method at the price of a pass, and δ is measured at x = 0.
 * A tuned step divides q by its factor. A step costs 2m_i + Kτ.
 */
public final class Sonata extends AveragingProgram {

    public static List<? extends EstimatingProgram> programs(Setting on, boolean accelerated) {
        return programs(on, accelerated, DualGradient.ACCURACY);
    }

    public static List<? extends EstimatingProgram> programs(Setting on, boolean accelerated, double accuracy) {
        Parameters parameters = Parameters.of(on, accelerated);
        return on.nodes(setup -> new Sonata(setup, parameters, accuracy));
    }

    /**
     * The parameters.
     *
     * @param proximity q
     * @param ridge b
     * @param momentum (1−α)/(1+α)
     * @param run number of steps of a run; practically infinite if there is only one run
     * @param rate the fraction by which the error shrinks in a step
     */
    public record Parameters(FastMix gossip, double proximity, double ridge, double momentum, long run, double rate) {

        public static Parameters of(Setting on, boolean accelerated) {
            BaselineFacts facts = on.facts();
            double convexity = facts.meanSigma();
            double largest = facts.largestBatchSmoothness();
            double similarity = Similarity.atZero(on.problem()).largest();
            // With one node, or equal ones, any q > 0 will do.
            double q = Math.max(similarity / on.step(), 1e-3 * convexity);
            double ridge = accelerated ? Math.max(0, q - convexity) : 0;
            double inner = convexity + ridge;
            double sigma = inner / (inner + 2 * q);
            FastMix gossip = FastMix.of(on.gossip(), sigma * (q + inner) / (8 * (largest + ridge)));
            double rate = sigma * (2 - sigma);
            if (ridge == 0) {
                return new Parameters(gossip, q, 0, 0, Long.MAX_VALUE, rate);
            }
            double alpha = Math.sqrt(convexity / inner);
            long run = (long) Math.ceil(StrictMath.log(4 * (1 + largest / ridge) / alpha) / rate);
            return new Parameters(gossip, q, ridge, (1 - alpha) / (1 + alpha), run, alpha / (2.0 * run));
        }
    }

    private final Parameters parameters;
    private final DualGradient solver;
    private final double[] x = vector(features);
    private final double[] y = answer(vector(features));
    private final double[] tracker = vector(features);
    private final double[] lastGradient = vector(features);
    private final double[] centre = vector(features);
    private final double[] lastRun = vector(features);
    private final double[] gradient = new double[features];
    private final double[] target = new double[features];
    private final double[] message = new double[2 * features];

    private Sonata(NodeSetup setup, Parameters parameters, double accuracy) {
        super(setup, parameters.gossip(), 2 * setup.problem().features());
        this.parameters = parameters;
        this.solver = new DualGradient(this, samples, sigma + parameters.ridge() + parameters.proximity(), accuracy);
    }

    @Override
    public Exchange work() {
        samples.gradient(y, sigma, gradient);
        for (int c = 0; c < features; c++) {
            gradient[c] += parameters.ridge() * (y[c] - centre[c]);
            tracker[c] += gradient[c] - lastGradient[c];
            lastGradient[c] = gradient[c];
            target[c] = gradient[c] - tracker[c] + parameters.proximity() * y[c] + parameters.ridge() * centre[c];
        }
        solver.solve(target, x);
        System.arraycopy(x, 0, message, 0, features);
        System.arraycopy(tracker, 0, message, features, features);
        return average(message, 2.0 * samples.count());
    }

    @Override
    public void averaged(double[] near) {
        System.arraycopy(near, 0, y, 0, features);
        System.arraycopy(near, features, tracker, 0, features);
        steps++;
        if (steps % parameters.run() == 0) {
            for (int c = 0; c < features; c++) {
                centre[c] = y[c] + parameters.momentum() * (y[c] - lastRun[c]);
            }
            Vectors.copy(y, lastRun);
        }
    }
}
