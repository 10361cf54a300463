package dev.starling.lab.baseline.curvature;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.InverseHessian;
import dev.starling.lab.baseline.node.LaplacianRow;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * Network-GIANT (Maritan, Sharma, Schenato, Dey, "Network-GIANT: fully distributed Newton-type optimization via
 * harmonic Hessian consensus", 2023): gradient tracking in which every node steps along its own Newton direction, so
 * that together they use the harmonic mean of their Hessians without ever sending one.
 *
 * <p>x⁺ = W(x − εp), p_i = ∇²f_i(x_i)⁻¹s_i, s⁺ = Ws + ∇f(x⁺) − ∇f(x), s = ∇f(x) at the start, with W = I − L/λ_max.
 *
 * <p>The paper proves exponential convergence for every sufficiently small ε, and tunes it. This class uses ε = (1 −
 * √λ₂)/ζ, where λ₂ = 1 − γ is the second eigenvalue of W, and ζ ≥ 1, the largest eigenvalue of (mean of H_i⁻¹)(mean of
 * H_i) for the Hessians H_i at x = 0, measures how much the nodes differ. If all nodes have the same quadratic
 * function, ζ = 1, then an iteration multiplies the mean's error by 1 − ε and, for an eigenvalue λ of W, the
 * differences between nodes by the larger root of r² − λ(2−ε)r + λ(λ−ε): both are √λ₂ for this ε, and no other ε makes
 * the larger of them smaller. If nodes differ, an eigenvalue e between 1 and ζ acts like a step of εe, which never
 * exceeds 1 − √λ₂. So near the optimum the squared error shrinks by a fraction 1 − (1−ε)² per iteration, whatever the
 * conditioning. An iteration costs m_i(1 + v/4) + τ for rows of v values.
 */
public final class NetworkGiant extends BaselineProgram {

    private static final int POWER_STEPS = 30;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        List<Curved> nodes =
                on.problem().nodes().parallelStream().map(Curved::atZero).toList();
        Parameters parameters = Parameters.of(on.gossip(), heterogeneity(nodes), on.step());
        return IntStream.range(0, on.problem().size())
                .mapToObj(i -> new NetworkGiant(i, nodes.get(i), LaplacianRow.of(on.network(), i), parameters))
                .toList();
    }

    /** ζ, approached from below by power iteration: the step size leaves a margin of a factor of two. */
    public static double heterogeneity(List<Curved> nodes) {
        int d = nodes.get(0).problem.features();
        RestorableUniformRandomProvider random = Streams.shared(0);
        double[] v = new double[d];
        Arrays.setAll(v, c -> random.nextDouble() - 0.5);
        double[] image = new double[d];
        double[] part = new double[d];
        double largest = 1;
        for (int k = 0; k < POWER_STEPS; k++) {
            Arrays.fill(image, 0);
            for (Curved node : nodes) {
                node.multiply(v, part);
                Vectors.add(image, 1.0 / nodes.size(), part);
            }
            double before = Vectors.dot(v, image);
            double[] product = image.clone();
            Arrays.fill(v, 0);
            for (Curved node : nodes) {
                node.inverse.apply(product, part);
                Vectors.add(v, 1.0 / nodes.size(), part);
            }
            largest = Math.max(largest, Vectors.dot(v, product) / before);
            double norm = Vectors.norm(v);
            for (int c = 0; c < d; c++) {
                v[c] /= norm;
            }
        }
        return largest;
    }

    /** A node's function and its Hessian. */
    public static final class Curved {

        private final LocalProblem problem;
        private final Samples samples;
        private final InverseHessian inverse;

        private Curved(LocalProblem problem) {
            this.problem = problem;
            this.samples = Samples.of(problem);
            this.inverse = InverseHessian.of(samples, problem.sigma());
        }

        public static Curved atZero(LocalProblem problem) {
            Curved node = new Curved(problem);
            node.inverse.refresh(new double[problem.features()]);
            return node;
        }

        /** Writes the Hessian at zero times v. */
        private void multiply(double[] v, double[] result) {
            for (int c = 0; c < v.length; c++) {
                result[c] = problem.sigma() * v[c];
            }
            for (int j = 0; j < samples.count(); j++) {
                samples.add(j, samples.curvature(j, 0) * samples.dot(j, v), result);
            }
        }
    }

    /**
     * The parameters of Network-GIANT.
     *
     * @param stepSize ε
     * @param mixing 1/λ_max, so that W = I − mixing·L
     * @param rate the fraction by which the squared error shrinks in an iteration near the optimum
     */
    public record Parameters(double stepSize, double mixing, double rate) {

        public static Parameters of(Gossip gossip, double heterogeneity, double stepFactor) {
            double stepSize = stepFactor * (1 - Math.sqrt(1 - gossip.gap())) / heterogeneity;
            return new Parameters(stepSize, 1 / gossip.largest(), stepSize * (2 - stepSize));
        }
    }

    private final Curved node;
    private final LaplacianRow around;
    private final Parameters parameters;
    private final double work;
    private final double[] x;
    private final double[] tracker;
    private final double[] lastGradient;
    private final double[] gradient;
    private final double[] direction;

    /** x − εp, followed by s. */
    private final double[] message;

    private final double[] laplacian;

    private NetworkGiant(int number, Curved node, LaplacianRow around, Parameters parameters) {
        super(number, node.problem);
        int d = node.problem.features();
        this.node = node;
        this.around = around;
        this.parameters = parameters;
        this.work = HessianWork.of(node.problem);
        this.x = vector(d);
        this.tracker = vector(d);
        this.lastGradient = vector(d);
        this.gradient = new double[d];
        this.direction = new double[d];
        this.message = new double[2 * d];
        this.laplacian = new double[2 * d];
    }

    /** At the start the last gradient is zero, so that s becomes the gradient. */
    @Override
    public Exchange advance() {
        node.samples.gradient(x, node.problem.sigma(), gradient);
        for (int c = 0; c < x.length; c++) {
            tracker[c] += gradient[c] - lastGradient[c];
        }
        Vectors.copy(gradient, lastGradient);
        node.inverse.refresh(x);
        node.inverse.apply(tracker, direction);
        for (int c = 0; c < x.length; c++) {
            message[c] = x[c] - parameters.stepSize() * direction[c];
            message[x.length + c] = tracker[c];
        }
        return around.round(exchange, message, work);
    }

    @Override
    public void absorb(double[][] messages) {
        around.laplacian(message, messages, laplacian);
        for (int c = 0; c < x.length; c++) {
            x[c] = message[c] - parameters.mixing() * laplacian[c];
            tracker[c] = message[x.length + c] - parameters.mixing() * laplacian[x.length + c];
        }
        steps++;
    }

    @Override
    public void estimate(double[] theta) {
        Vectors.copy(x, theta);
    }
}
