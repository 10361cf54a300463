package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.failing.FailingNetwork;
import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import java.util.List;
import java.util.Optional;

/**
 * The network conditions under which methods are compared: the times of steps and messages, what goes wrong, and which
 * edges a round has.
 *
 * @param timing the time of a step at every node, and of a message on every edge
 * @param evenTuning whether all methods are tuned as if all nodes and all edges were equally fast
 * @param failing what goes wrong, determined by the seed of a run
 * @param varying the edges of every round, if they change; methods whose theory needs all of them are rejected
 */
public record Conditions(Timing timing, boolean evenTuning, FailingNetwork failing, Optional<EdgeSampling> varying) {

    /** The paper's conditions: a message takes τ, nothing goes wrong, and every edge is always available. */
    public static Conditions usual(double delay) {
        return of(Timing.even(delay));
    }

    /** The same for nodes or edges that differ in speed; methods that can are tuned to that. */
    public static Conditions of(Timing timing) {
        return new Conditions(timing, false, FailingNetwork.NONE, Optional.empty());
    }

    /** The same with all methods tuned as if all nodes and all edges were equally fast. */
    public Conditions tunedEvenly() {
        return new Conditions(timing, true, failing, varying);
    }

    /** The same with things that go wrong. */
    public Conditions failing(FailingNetwork value) {
        return new Conditions(timing, evenTuning, value, varying);
    }

    /** The same with edges that change in every round. */
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
