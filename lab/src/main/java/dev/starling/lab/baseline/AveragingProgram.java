package dev.starling.lab.baseline;

import dev.starling.node.Exchange;

/** A program whose communications are several rounds of gossip each, between which it does nothing else. */
abstract class AveragingProgram extends GossipProgram {

    private final Averaging averaging;
    private final double[] present;
    private final double[] previous;
    private final double[] laplacian;

    /**
     * A program that averages vectors of a given length, all of the same.
     *
     * @param averaging the rounds of a communication
     */
    AveragingProgram(NodeSetup seat, Averaging averaging, int length) {
        super(seat);
        this.averaging = averaging;
        this.present = vector(length);
        this.previous = vector(length);
        this.laplacian = new double[length];
    }

    /** Works until there is something to {@link #average}, or to a pause. */
    abstract Exchange work();

    /** Takes in what has become of the vector that was averaged. */
    abstract void averaged(double[] vector);

    /** Begins to average a vector, after some work. */
    final Exchange average(double[] vector, double work) {
        phase = 1;
        VectorSums.copy(vector, present);
        VectorSums.copy(vector, previous);
        return around.round(exchange, present, work);
    }

    @Override
    public final Exchange advance() {
        return phase > 0 ? around.round(exchange, present, 0) : work();
    }

    @Override
    public final void absorb(double[][] messages) {
        if (phase == 0) {
            return;
        }
        around.laplacian(present, messages, laplacian);
        averaging.step((int) phase - 1, present, previous, laplacian);
        phase++;
        if (phase > averaging.rounds()) {
            phase = 0;
            averaged(present);
        }
    }
}
