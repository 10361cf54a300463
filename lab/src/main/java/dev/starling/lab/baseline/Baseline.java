package dev.starling.lab.baseline;

import dev.starling.lab.baseline.node.Setting;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A method that ADFS is compared with.
 *
 * @param isStepped whether it has a step size that may be tuned
 * @param takesVaryingEdges whether its theory covers edges that change from round to round
 * @param step the factor of its theory's step size
 * @param programs creates the programs of all nodes
 */
record Baseline(
        String name,
        String description,
        boolean isStepped,
        boolean takesVaryingEdges,
        double step,
        Function<Setting, List<? extends EstimatingProgram>> programs)
        implements Algorithm {

    /** A method with the step size of its theory. */
    static Baseline stepped(
            String name, String description, Function<Setting, List<? extends EstimatingProgram>> programs) {
        return new Baseline(name, description, true, false, 1, programs);
    }

    /** A method that has no step size. */
    static Baseline plain(
            String name, String description, Function<Setting, List<? extends EstimatingProgram>> programs) {
        return new Baseline(name, description, false, false, 1, programs);
    }

    /** The same method, whose theory covers edges that change from round to round. */
    Baseline onVaryingEdges() {
        return new Baseline(name, description, isStepped, true, step, programs);
    }

    @Override
    public Optional<Algorithm> withStep(double factor) {
        return isStepped
                ? Optional.of(new Baseline(name, description, true, takesVaryingEdges, factor, programs))
                : Optional.empty();
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        return programs.apply(new Setting(name, step, problem, network, EdgeSampling.all(network), delay, seed));
    }

    @Override
    public List<? extends EstimatingProgram> programs(
            Problem problem, Network network, EdgeSampling rounds, Timing timing, long seed) {
        return takesVaryingEdges
                ? programs.apply(new Setting(name, step, problem, network, rounds, timing.delay(), seed))
                : Algorithm.super.programs(problem, network, rounds, timing, seed);
    }
}
