package dev.starling.lab.general;

import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.draws.RandomSchedule;
import dev.starling.method.adfs.draws.Sampling;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.Conditioning;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * S-ADFS at one node for general functions: any convex smooth f_ij with a proximal operator in R^d. The same method as
 * {@link Adfs}, with a d-vector instead of a scalar per function; a proximal step costs O(d) in addition to the prox
 * itself.
 *
 * <p>In a computation on function j, with η̃ = ρL/(c p_j) and b = 1/η̃ − 1/L, the prox of η̃ f̃*_j at z_j is ∇f_j(m), m
 * = prox_{b f_j}(z_j/η̃), where z_j/η̃ = w_j/η̃ + y/ω − y_j/L. A program does not end on its own: whoever drives it has
 * to stop it.
 */
public final class GeneralAdfs implements EstimatingProgram {

    /**
     * When f falls below this power of two, u is multiplied and f divided by it, which changes no bit of the results.
     */
    private static final double FOLD_BELOW = 0x1p-200;

    private final LocalFunctions local;
    private final int node;
    private final int[] neighbours;
    private final double[] edgeWeights;
    private final Tuning tuning;
    private final Schedule schedule;

    /** ρ/p_j. */
    private final double[] ratios;

    /* Row 0 is the node's own vector, row j + 1 that of function j. */
    private final double[][] u;
    private final double[][] z;

    /** f = φ^(t+1) of the last step, divided by the powers of two that u has been multiplied by. */
    private double factor = 1;

    private long steps;

    private final int[] drawn = new int[1];
    private final double[] message;
    private final double[] point;
    private final double[] proximal;
    private final double[] slope;
    private final Exchange exchange = new Exchange();

    /**
     * Creates a node at the start of its run.
     *
     * @param facts the node's own facts, as used in the tuning
     * @param seed the seed of the run, the same at every node
     */
    public GeneralAdfs(LocalFunctions local, Conditioning facts, Network network, int node, Tuning tuning, long seed) {
        this(
                local,
                facts,
                network,
                node,
                tuning,
                roots -> new RandomSchedule(
                        seed,
                        node,
                        tuning.communicationProbability(),
                        roots.length,
                        k -> roots[k],
                        Sampling.INDEPENDENT));
    }

    /**
     * Creates a node with another schedule, which is given weights that the probabilities of its functions are
     * proportional to.
     */
    GeneralAdfs(
            LocalFunctions local,
            Conditioning facts,
            Network network,
            int node,
            Tuning tuning,
            Function<double[], Schedule> schedule) {
        this.local = local;
        this.node = node;
        this.neighbours = network.neighbours(node);
        this.edgeWeights = network.edgeWeights(node);
        this.tuning = tuning;
        int count = local.functions().size();
        int dimension = local.dimension();
        this.u = new double[count + 1][dimension];
        this.z = new double[count + 1][dimension];
        this.message = new double[dimension];
        this.point = new double[dimension];
        this.proximal = new double[dimension];
        this.slope = new double[dimension];
        this.ratios = new double[count];
        double[] roots = new double[Math.max(1, count)];
        double sigma = local.sigma();
        for (int j = 0; j < count; j++) {
            roots[j] = Math.sqrt(1 + local.functions().get(j).smoothness() / sigma);
            ratios[j] = tuning.rate() / (tuning.computationProbability() * roots[j] / facts.rootSum());
        }
        this.schedule = schedule.apply(roots);
    }

    /** Creates the programs of all nodes, tuned to the problem, the network and the delay τ. */
    public static List<GeneralAdfs> programs(GeneralProblem problem, Network network, double delay, long seed) {
        List<Conditioning> facts = problem.facts();
        Tuning tuning = Tuning.of(network, facts, delay);
        return IntStream.range(0, network.size())
                .mapToObj(node ->
                        new GeneralAdfs(problem.nodes().get(node), facts.get(node), network, node, tuning, seed))
                .toList();
    }

    @Override
    public Exchange advance() {
        if (neighbours.length == 0) {
            int count = Math.max(1, ratios.length);
            compute(count);
            return exchange.pause(count);
        }
        long count = schedule.stepsBeforeNextRound();
        compute(count);
        nextFactor();
        for (int c = 0; c < message.length; c++) {
            message[c] = (factor * u[0][c] + z[0][c]) / local.omega(c);
        }
        // A node without functions only forwards what it receives.
        double work = ratios.length == 0 ? 0 : (double) count;
        return exchange.set(Exchange.Kind.ROUND, neighbours, message, message.length, neighbours, work);
    }

    @Override
    public void absorb(double[][] messages) {
        if (neighbours.length == 0) {
            return;
        }
        double ratio = tuning.rate() / tuning.communicationProbability();
        double step = -tuning.stepSize() / tuning.communicationProbability();
        for (int c = 0; c < message.length; c++) {
            double disagreement = 0;
            for (int k = 0; k < messages.length; k++) {
                disagreement += edgeWeights[k] * (message[c] - messages[k][c]);
            }
            move(0, c, step * disagreement, ratio);
        }
    }

    private void compute(long count) {
        for (long k = 0; k < count; k++) {
            nextFactor();
            if (ratios.length > 0) {
                schedule.draw(drawn, 1);
                proximalStep(drawn[0]);
            }
        }
    }

    private void proximalStep(int j) {
        ProximalFunction function = local.functions().get(j);
        double[] own = u[j + 1];
        double[] ownZ = z[j + 1];
        double inverseRatio = tuning.balance() / ratios[j];
        double inverse = 1 / function.smoothness();
        for (int c = 0; c < point.length; c++) {
            double fu = factor * own[c];
            double atNode = (factor * u[0][c] + z[0][c]) / local.omega(c);
            point[c] = ((ownZ[c] - fu) * inverseRatio - (fu + ownZ[c])) * inverse + atNode;
        }
        double step = (inverseRatio - 1) * inverse;
        if (step > 0) {
            function.prox(point, step, proximal);
            function.gradient(proximal, slope);
        } else {
            function.gradient(point, slope);
        }
        for (int c = 0; c < point.length; c++) {
            double change = slope[c] - (ownZ[c] - factor * own[c]);
            move(j + 1, c, change, ratios[j]);
            move(0, c, -change, ratios[j]);
        }
    }

    /** u −= (1−r) h/(2f) and z += (1+r) h/2. */
    private void move(int row, int c, double change, double ratio) {
        u[row][c] -= (1 - ratio) / (2 * factor) * change;
        z[row][c] += (1 + ratio) / 2 * change;
    }

    private void nextFactor() {
        steps++;
        factor *= tuning.momentumDecay();
        if (factor < FOLD_BELOW) {
            factor /= FOLD_BELOW;
            for (double[] row : u) {
                for (int c = 0; c < row.length; c++) {
                    row[c] *= FOLD_BELOW;
                }
            }
        }
    }

    /** y/ω, the estimate that the next step would start from. */
    @Override
    public void estimate(double[] theta) {
        double ahead = factor * tuning.momentumDecay();
        for (int c = 0; c < theta.length; c++) {
            theta[c] = (ahead * u[0][c] + z[0][c]) / local.omega(c);
        }
    }

    /** Writes the dual vector of a function, which tends to ∇f_j(θ*). */
    public void slope(int function, double[] into) {
        for (int c = 0; c < into.length; c++) {
            into[c] = factor * u[function + 1][c] + z[function + 1][c];
        }
    }

    /** Steps taken so far; the same number at every node once all have absorbed the same round. */
    public long steps() {
        return steps;
    }

    private State.Owner owner() {
        return new State.Owner(node, local.dimension(), local.functions().size());
    }

    @Override
    public void state(State s) throws IOException {
        owner().state(s);
        steps = s.number(steps);
        factor = s.number(factor);
        schedule.state(s);
        for (int row = 0; row < u.length; row++) {
            s.vector(u[row]);
            s.vector(z[row]);
        }
    }
}
