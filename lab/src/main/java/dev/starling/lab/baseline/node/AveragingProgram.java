package dev.starling.lab.baseline.node;

import dev.starling.internal.Vectors;
import dev.starling.node.Exchange;

/** A program each of whose communications consists of several rounds of gossip, with no other work between them. */
public abstract class AveragingProgram extends GossipProgram {

    private final Averaging averaging;
    private final double[] current;
    private final double[] previous;
    private final double[] laplacian;

    /**
     * Creates a program that averages vectors of a fixed length.
     *
     * @param averaging the gossip rounds of a communication
     */
    public AveragingProgram(NodeSetup setup, Averaging averaging, int length) {
        super(setup);
        this.averaging = averaging;
        this.current = vector(length);
        this.previous = vector(length);
        this.laplacian = new double[length];
    }

    /** Works until there is something to {@link #average}, or until a pause. */
    public abstract Exchange work();

    /** Receives the averaged vector. */
    public abstract void averaged(double[] vector);

    /** Starts averaging a vector, after some work. */
    public final Exchange average(double[] vector, double work) {
        phase = 1;
        Vectors.copy(vector, current);
        Vectors.copy(vector, previous);
        return around.round(exchange, current, work);
    }

    @Override
    public final Exchange advance() {
        return phase > 0 ? around.round(exchange, current, 0) : work();
    }

    @Override
    public final void absorb(double[][] messages) {
        if (phase == 0) {
            return;
        }
        around.laplacian(current, messages, laplacian);
        averaging.step((int) phase - 1, current, previous, laplacian);
        phase++;
        if (phase > averaging.rounds()) {
            phase = 0;
            averaged(current);
        }
    }
}
