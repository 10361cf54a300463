package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.failing.FailingNetwork;
import dev.starling.lab.variant.Algorithm;
import dev.starling.method.adfs.EdgeSampling;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import java.util.List;
import java.util.Optional;

/**
 * How the network is that methods are compared on: what steps and messages cost, what goes wrong, which edges a round
 * has.
 *
 * @param timing what a step costs at every node, and a message on every edge
 * @param evenTuning whether all methods are tuned as if nodes were equally fast, and edges too
 * @param failing what goes wrong, by the seed of a run
 * @param varying the edges of every round, where they change; methods whose theory needs all of them are refused
 */
public record Conditions(Timing timing, boolean evenTuning, FailingNetwork failing, Optional<EdgeSampling> varying) {

    /** The paper's: a message costs τ, nothing goes wrong, every edge is always there. */
    public static Conditions usual(double delay) {
        return of(Timing.even(delay));
    }

    /** The same where nodes or edges differ in speed, to which methods are tuned that can be. */
    public static Conditions of(Timing timing) {
        return new Conditions(timing, false, FailingNetwork.NONE, Optional.empty());
    }

    /** The same with all methods tuned as if nodes were equally fast, and edges too. */
    public Conditions tunedEvenly() {
        return new Conditions(timing, true, failing, varying);
    }

    /** The same with things that go wrong. */
    public Conditions failing(FailingNetwork value) {
        return new Conditions(timing, evenTuning, value, varying);
    }

    /** The same with other edges in every round. */
    public Conditions varying(EdgeSampling rounds) {
        return new Conditions(timing, evenTuning, failing, Optional.of(rounds));
    }

    Delays delays(Network network, long seed) {
        return Delays.of(timing).disturbed(failing.on(network, seed));
    }

    List<? extends EstimatingProgram> programs(Algorithm method, Problem problem, Network network, long seed) {
        Timing known = evenTuning ? Timing.even(timing.delay()) : timing;
        if (varying.isEmpty()) {
            return method.programs(problem, network, known, seed);
        }
        if (!method.takesVaryingEdges()) {
            throw new InvalidInputException(method.name()
                    + " cannot take edges that change from round to round: it needs" + " all of them in every round; "
                    + String.join(", ", ComparedMethods.namesForVaryingEdges()) + " can");
        }
        return method.programs(problem, network, varying.get(), known, seed);
    }
}
