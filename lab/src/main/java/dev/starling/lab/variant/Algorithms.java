package dev.starling.lab.variant;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.conversation.LocalAdfs;
import dev.starling.lab.conversation.LocalTuning;
import dev.starling.lab.conversation.PartialAdfs;
import dev.starling.lab.conversation.PartialTuning;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.NonSmoothAdfs;
import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.draws.AliasTable;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Conditioning;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Methods of the ADFS family that training does not use, by name: the paper's own S-ADFS and NS-ADFS, which draw every
 * sample independently, and variants whose rounds use only some of the edges.
 */
public final class Algorithms {

    private static final String SYNCHRONOUS = "adfs-theory";

    private static final List<Algorithm> ALL = List.of(
            new Member(
                    SYNCHRONOUS,
                    "S-ADFS with the constants of the paper alone, all edges in every round",
                    true,
                    Algorithms::synchronous),
            new Member("ns-adfs", "NS-ADFS, for losses with kinks", false, Algorithms::nonSmooth),
            new Member(
                    "adfs-conference",
                    "locally synchronous ADFS with the constants of its authors' program",
                    true,
                    Algorithms::conference),
            new Member("adfs-pairs", "ADFS on one random edge in every round", true, partial(EdgeSampling::pairs)),
            new Member(
                    "adfs-half",
                    "ADFS on half of the edges in every round",
                    true,
                    partial(EdgeSampling.named("random:0.5"))));

    private Algorithms() {}

    /** All methods of the family. */
    public static List<Algorithm> all() {
        return ALL;
    }

    /** Returns the method with the given name. */
    public static Algorithm named(String name) {
        return Algorithm.named(name, ALL);
    }

    /** Creates the program of one node, given what all nodes have in common. */
    private interface NodeMaker {
        DualProgram at(int node);
    }

    /** Computes what all nodes have in common. */
    private interface Maker {
        NodeMaker make(Problem problem, Network network, Timing timing, long seed);
    }

    private record Member(String name, String description, boolean needsSmoothness, Maker maker) implements Algorithm {

        /** The other methods choose the edges of a round themselves, or have no theory for fewer than all edges. */
        @Override
        public boolean takesVaryingEdges() {
            return name.equals(SYNCHRONOUS);
        }

        @Override
        public List<? extends EstimatingProgram> programs(
                Problem problem, Network network, EdgeSampling rounds, Timing timing, long seed) {
            return takesVaryingEdges()
                    ? new Member(name, description, needsSmoothness, partial(any -> rounds))
                            .programs(problem, network, timing, seed)
                    : Algorithm.super.programs(problem, network, rounds, timing, seed);
        }

        @Override
        public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
            return programs(problem, network, Timing.even(delay), seed);
        }

        @Override
        public List<? extends EstimatingProgram> programs(Problem problem, Network network, Timing timing, long seed) {
            Loss loss = problem.nodes().get(0).loss();
            if (loss.isDifferentiable() && !loss.hasBoundedCurvature()) {
                throw new InvalidInputException(name + " needs a bound on the curvature of the loss, and that of "
                        + loss.name() + " has none; train it with newton");
            }
            if (needsSmoothness && !loss.isDifferentiable()) {
                throw new InvalidInputException(
                        name + " cannot take the loss " + loss.name() + ", which has kinks; ns-adfs can");
            }
            if (needsSmoothness && !problem.regulariser().isSmooth()) {
                throw new InvalidInputException(name + " cannot take an l1 term, which has kinks; ns-adfs can");
            }
            NodeMaker nodes = maker.make(problem, network, timing, seed);
            return IntStream.range(0, problem.size())
                    .parallel()
                    .mapToObj(nodes::at)
                    .toList();
        }
    }

    private static List<Conditioning> facts(Problem problem) {
        return problem.nodes().parallelStream().map(Conditioning::of).toList();
    }

    /** As in the paper; if nodes or edges differ in speed, tuned to that. */
    private static NodeMaker synchronous(Problem problem, Network network, Timing timing, long seed) {
        if (!timing.isEven()) {
            return partial(EdgeSampling::all).make(problem, network, timing, seed);
        }
        List<Conditioning> facts = facts(problem);
        Tuning tuning = Tuning.of(network, facts, timing.delay());
        return node -> {
            Adfs adfs = new Adfs(problem.nodes().get(node), facts.get(node), network, node, belief -> tuning, seed);
            adfs.drawIndependently();
            return adfs;
        };
    }

    private static NodeMaker nonSmooth(Problem problem, Network network, Timing timing, long seed) {
        List<Conditioning> facts =
                problem.nodes().parallelStream().map(Conditioning::uniform).toList();
        NonSmoothTuning tuning = NonSmoothTuning.of(network, facts, timing.delay());
        return node -> new NonSmoothAdfs(problem.nodes().get(node), facts.get(node), network, node, tuning, seed);
    }

    private static NodeMaker conference(Problem problem, Network network, Timing timing, long seed) {
        if (network.size() == 1) {
            throw new InvalidInputException("adfs-conference needs at least two nodes; adfs-theory can do with one");
        }
        LocalTuning tuning = LocalTuning.ofConference(network, facts(problem), timing.delay());
        AliasTable choosing = tuning.choosing();
        return node -> new LocalAdfs(problem.nodes().get(node), network, node, tuning, choosing, seed);
    }

    private static Maker partial(Function<Network, EdgeSampling> sampled) {
        return (problem, network, timing, seed) -> {
            List<Conditioning> facts = facts(problem);
            PartialTuning tuning = sampled.apply(network).tune(network, facts, timing);
            return node -> new PartialAdfs(problem.nodes().get(node), network, node, tuning, seed);
        };
    }
}
