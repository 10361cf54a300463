package dev.starling.lab.baseline.dual;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.AveragingProgram;
import dev.starling.lab.baseline.node.NodeSetup;
import dev.starling.lab.baseline.node.WeightedDraw;
import dev.starling.node.Exchange;
import dev.starling.node.Streams;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/** The program of a node in {@link Dvr}, or in several runs of it in sequence. */
public class DvrProgram extends AveragingProgram {

    private static final double NOT_DRAWN = -1;

    private final Dvr.Parameters parameters;
    private final RestorableUniformRandomProvider shared;
    private final RestorableUniformRandomProvider own;
    private final WeightedDraw draw;
    private final double logOfComputing;
    private final double[] ratios = new double[samples.count()];
    private final double[] margins = vector(samples.count());
    private final double[] slopes = vector(samples.count());
    private final double[] computationsLeft = vector(1);

    /** The node's iterate θ_i. */
    final double[] theta = vector(features);

    DvrProgram(NodeSetup setup, Dvr.Parameters parameters, long seed) {
        super(setup, parameters.gossip(), setup.problem().features());
        this.parameters = parameters;
        this.shared = stream(Streams.shared(seed));
        this.own = stream(Streams.own(seed, setup.node()));
        this.logOfComputing = StrictMath.log1p(-parameters.communicationProbability());
        this.draw = new WeightedDraw(prepare());
        computationsLeft[0] = NOT_DRAWN;
    }

    /** Sets the start and r_j = αη/p_ij = C_i/(C(1+L_ij/σ_i)); returns weights that p_ij is proportional to. */
    private double[] prepare() {
        double[] weights = new double[samples.count()];
        double sum = 0;
        for (int j = 0; j < weights.length; j++) {
            weights[j] = 1 + samples.smoothness(j) / sigma;
            sum += weights[j];
            margins[j] = (samples.loss().isClassification() ? 2 : 1) * samples.label(j);
            slopes[j] = samples.slope(j, margins[j]);
            samples.add(j, -slopes[j] / sigma, theta);
        }
        for (int j = 0; j < weights.length; j++) {
            ratios[j] = Math.min(1, sum / (parameters.computationConstant() * weights[j]));
        }
        return weights;
    }

    @Override
    public final Exchange work() {
        double work = steps == 0 ? samples.count() : 0;
        if (computationsLeft[0] == NOT_DRAWN) {
            computationsLeft[0] = computationsBeforeNextRound();
        }
        // A node that rarely communicates still pauses after every pass over its samples, so that it can be observed.
        int now = (int) Math.min(computationsLeft[0], samples.count());
        for (int k = 0; k < now; k++) {
            compute(draw.draw(own));
        }
        computationsLeft[0] -= now;
        if (computationsLeft[0] > 0) {
            return exchange.pause(work + now);
        }
        computationsLeft[0] = NOT_DRAWN;
        return average(theta, work + now);
    }

    /** Drawn from a geometric distribution, by inversion; the same number at every node. */
    private double computationsBeforeNextRound() {
        double uniform = (1 + (shared.nextLong() >>> 11)) * 0x1p-53;
        return Math.floor(Math.min(0x1p52, StrictMath.log(uniform) / logOfComputing));
    }

    private void compute(int sample) {
        double ratio = ratios[sample];
        margins[sample] = (1 - ratio) * margins[sample] + ratio * samples.dot(sample, theta);
        double slope = samples.slope(sample, margins[sample]);
        samples.add(sample, (slopes[sample] - slope) / sigma, theta);
        slopes[sample] = slope;
        stepped();
    }

    @Override
    public final void averaged(double[] near) {
        for (int c = 0; c < theta.length; c++) {
            theta[c] -= parameters.communicationStep() / sigma * (theta[c] - near[c]);
        }
        stepped();
    }

    /** Counts a step, which is a computation or a communication; all nodes make them in the same order. */
    void stepped() {
        steps++;
    }

    @Override
    public final void estimate(double[] into) {
        Vectors.copy(theta, into);
    }
}
