package dev.starling.method.adfs;

import dev.starling.cores.NewCode;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.draws.Schedule;
import dev.starling.network.Network;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;

/**
 * A node of ADFS with common rounds: every step either computes on all nodes or communicates along all edges, as
 * decided by a random stream that all nodes share. A node without neighbours only computes.
 */
public abstract class SynchronousAdfs extends AdfsNode {

    /** Samples are drawn in bursts of this many. */
    private static final int BURST = 512;

    /** A single node returns to its driver after at most this many steps. */
    private static final int MOST_STEPS_AT_ONCE = 1 << 16;

    private static final NewCode STEPS = new NewCode();
    private static final NewCode ROUNDS = new NewCode();

    final Loss loss;
    final double inverseSigma;
    private final int[] neighbours;
    private final double[] edgeWeights;
    private final int[] drawn = new int[BURST];

    protected SynchronousAdfs(LocalProblem problem, Network network, int node) {
        super(problem, node);
        this.loss = problem.loss();
        this.inverseSigma = 1 / problem.sigma();
        this.neighbours = network.neighbours(node);
        this.edgeWeights = network.edgeWeights(node);
    }

    /** Returns the schedule of the steps. */
    protected abstract Schedule schedule();

    /** Returns whether there is nothing to compute because all rows are zero. */
    protected abstract boolean allRowsAreZero();

    /** Advances everything that changes with every step, and counts the step. */
    protected abstract void nextStep();

    /** Takes proximal steps on the first {@code count} samples of an array, and counts them as steps. */
    protected abstract void compute(int[] samples, int count);

    /** Writes g, which is sent to the neighbours in the communication step that comes next. */
    protected abstract void writeMessage(double[] into);

    /** Takes that communication step, along all edges to the neighbours. */
    protected abstract void communicate(double[] mine, double[][] theirs, double[] weights);

    @Override
    public final Exchange advance() {
        if (neighbours.length == 0) {
            int computations = Math.min(problem.samples(), MOST_STEPS_AT_ONCE);
            compute(computations);
            return exchange.pause(computations).atRest();
        }
        long computations = schedule().stepsBeforeNextRound();
        compute(computations);
        writeMessage(message);
        return exchange.set(Exchange.Kind.ROUND, neighbours, message, message.length, neighbours, (double) computations)
                .atRest();
    }

    private void compute(long count) {
        if (allRowsAreZero()) {
            for (long k = 0; k < count; k++) {
                nextStep();
            }
            return;
        }
        for (long left = count; left > 0; ) {
            int burst = (int) Math.min(left, BURST);
            STEPS.inTurn(() -> computeBurst(burst));
            left -= burst;
        }
        updates += count;
    }

    private void computeBurst(int count) {
        schedule().draw(drawn, count);
        compute(drawn, count);
    }

    @Override
    public final void absorb(double[][] messages) {
        if (neighbours.length > 0) {
            ROUNDS.inTurn(() -> communicate(message, messages, edgeWeights));
            rounds++;
        }
    }

    @Override
    public final void drawIndependently() {
        schedule().drawIndependently();
    }
}
