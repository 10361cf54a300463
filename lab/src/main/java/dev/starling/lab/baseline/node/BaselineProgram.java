package dev.starling.lab.baseline.node;

import dev.starling.internal.Vectors;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.RestorableUniformRandomProvider;

/**
 * A node program whose state is a step counter, a phase within the step, some vectors and some random streams, all
 * registered when it is built, so that saving and restoring are written once.
 */
public abstract class BaselineProgram implements EstimatingProgram {

    public final Exchange exchange = new Exchange();
    private final State.Owner owner;
    private final List<double[]> vectors = new ArrayList<>();
    private final List<RestorableUniformRandomProvider> streams = new ArrayList<>();
    private final List<Stateful> parts = new ArrayList<>();
    private final List<Runnable> derived = new ArrayList<>();
    private double[] answer = {};

    /** Steps completed. */
    public long steps;

    /** How far into the current step the program is; 0 between steps. */
    public long phase;

    public BaselineProgram(int node, LocalProblem problem) {
        this(new State.Owner(node, problem.features(), problem.samples()));
    }

    public BaselineProgram(State.Owner owner) {
        this.owner = owner;
    }

    /** Creates a vector that belongs to the state. */
    public final double[] vector(int length) {
        double[] vector = new double[length];
        vectors.add(vector);
        return vector;
    }

    /** Makes a vector the node's estimate. */
    public final double[] answer(double[] vector) {
        answer = vector;
        return vector;
    }

    @Override
    public void estimate(double[] theta) {
        Vectors.copy(answer, theta);
    }

    /** Makes a random stream part of the state. */
    public final RestorableUniformRandomProvider stream(RestorableUniformRandomProvider stream) {
        streams.add(stream);
        return stream;
    }

    /** Makes something that saves and restores itself part of the state. */
    public final <T extends Stateful> T part(T part) {
        parts.add(part);
        return part;
    }

    /** Registers an action that rebuilds something derived from the state whenever the state is restored. */
    public final void afterRestoring(Runnable rebuild) {
        derived.add(rebuild);
    }

    @Override
    public final void state(State s) throws IOException {
        owner.state(s);
        steps = s.number(steps);
        phase = s.number(phase);
        for (RestorableUniformRandomProvider stream : streams) {
            s.stream(stream);
        }
        for (double[] vector : vectors) {
            s.vector(vector);
        }
        for (Stateful part : parts) {
            part.state(s);
        }
        if (s.isRestoring()) {
            derived.forEach(Runnable::run);
        }
    }
}
