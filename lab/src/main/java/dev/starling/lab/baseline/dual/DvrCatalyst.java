package dev.starling.lab.baseline.dual;

import dev.starling.lab.baseline.node.BaselineFacts;
import dev.starling.lab.baseline.node.Gossip;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;

/**
 * {@link Dvr} with Chebyshev gossip, accelerated by Catalyst (Hendrikx, Bach, Massoulié, "Dual-free stochastic
 * decentralized optimization with variance reduction", 2020, Section 4; Lin, Mairal, Harchaoui, "Catalyst acceleration
 * for first-order convex optimization: from theory to practice", 2018): runs of DVR, each on a better conditioned
 * problem around a point that moves with momentum.
 *
 * <p>A run brings θ close to the minimiser of Σ_i f_i + (β_i/2)‖θ − y_i‖²; then x' = θ, y' = x' + ((1−√q)/(1+√q))(x' −
 * x), β_i = bσ_i, q = 1/(1+b). The next run continues from the dual point of the last: θ_i += (1−q)(y'_i − y_i), where
 * DVR uses σ_i + β_i in place of σ_i. 1 + b = max_i Σ_jL_ij/(m_iσ_i), the paper's κ_s/m, so that a run takes about as
 * long as its passes over the samples; if that is below 1, there is nothing to gain, and this is plain DVR.
 *
 * <p>The paper gives the length of a run only up to logarithms. Here a run has ln(4(1 + max_i (σ_i+M_i)/β_i)/√q)/ρ
 * steps, after which DVR, which shrinks the error by a fraction ρ per step, meets Catalyst's second criterion, a gap of
 * at most (β/2)(√q/(2−√q))‖θ − y‖², if its initial error is that of y; Catalyst's error then shrinks by a fraction √q/2
 * per run. Steps cost the same as in DVR.
 */
public final class DvrCatalyst extends DvrProgram {

    public static List<? extends EstimatingProgram> programs(Setting on) {
        Parameters parameters = Parameters.of(on.method(), on.problem(), on.network(), on.step());
        return NodeSetup.all(
                parameters.around(on.problem()), on.network(), setup -> new DvrCatalyst(setup, parameters, on.seed()));
    }

    /**
     * The parameters of DVR with Catalyst.
     *
     * @param inner those of DVR on the problem of a run
     * @param quotient q
     * @param run number of steps of a run; practically infinite if there is only one run
     */
    public record Parameters(Dvr.Parameters inner, double quotient, long run) {

        public static Parameters of(String method, Problem problem, Network network, double stepFactor) {
            BaselineFacts facts = BaselineFacts.of(method, problem, network);
            double ridge = facts.largest(node -> node.smoothnessSum() / ((double) node.samples() * node.sigma()));
            double quotient = Math.min(1, 1 / ridge);
            BaselineFacts inside = BaselineFacts.of(method, around(problem, quotient), network);
            Dvr.Parameters inner = Dvr.Parameters.chebyshev(network, Gossip.of(network), inside)
                    .withStep(stepFactor);
            return new Parameters(inner, quotient, run(facts, quotient, inner.rate()));
        }

        private static long run(BaselineFacts facts, double quotient, double rate) {
            if (quotient == 1) {
                return Long.MAX_VALUE;
            }
            double extra = 1 / quotient - 1;
            double conditioning = facts.largest(node -> node.batchConditioning() / extra);
            return (long) Math.ceil(StrictMath.log(4 * (1 + conditioning) / Math.sqrt(quotient)) / rate);
        }

        /** The problem of a run with y = 0. */
        public Problem around(Problem problem) {
            return around(problem, quotient);
        }

        private static Problem around(Problem problem, double quotient) {
            return new Problem(problem.nodes().stream()
                    .map((LocalProblem node) -> node.withSigma(node.sigma() / quotient))
                    .toList());
        }

        /** The fraction by which the error shrinks, per step of a run. */
        public double rate() {
            return quotient == 1 ? inner.rate() : Math.sqrt(quotient) / (2.0 * run);
        }
    }

    private final Parameters parameters;
    private final double momentum;
    private final double[] x = vector(features);
    private final double[] y = vector(features);

    private DvrCatalyst(NodeSetup setup, Parameters parameters, long seed) {
        super(setup, parameters.inner(), seed);
        double root = Math.sqrt(parameters.quotient());
        this.parameters = parameters;
        this.momentum = (1 - root) / (1 + root);
    }

    @Override
    public void stepped() {
        super.stepped();
        if (steps % parameters.run() == 0) {
            nextRun();
        }
    }

    private void nextRun() {
        for (int c = 0; c < features; c++) {
            double ahead = theta[c] + momentum * (theta[c] - x[c]);
            x[c] = theta[c];
            theta[c] += (1 - parameters.quotient()) * (ahead - y[c]);
            y[c] = ahead;
        }
    }
}
