package dev.starling.method;

import dev.starling.method.adfs.AdfsMethod;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One of two methods, whichever should take less idealised time: decided by all nodes from the same facts, once they
 * have told each other. It is for networks in which the messages of a pass take longer than the pass itself.
 *
 * @param usual the method to take unless the other one is cheaper; it needs no facts about nodes
 * @param other the method that it is weighed against, whose facts tell how hard the problem is
 */
record CheaperMethod(Method usual, AdfsMethod other) implements Method {

    /** The factor by which the gap shrinks in a usual run. */
    private static final double FACTOR = 1e6;

    /** A run of ADFS takes about this share of the time that theory promises. */
    private static final double SHARE = 1.0 / 3;

    /** ADFS has to be expected to take less than this part of the time of sums: what is expected is uncertain. */
    private static final double MARGIN = 0.72;

    /** Returns whether rounds of sums take longer than visits to a node's rows, so that it pays to look further. */
    static boolean pays(Network network, Shape shape, double delay) {
        return network.size() > 1
                && 2 * network.spanningTree().depth() * delay > (double) shape.rows() / network.size();
    }

    @Override
    public String name() {
        return usual.name();
    }

    @Override
    public String description() {
        return "the cheaper of " + usual.name() + " and " + other.name();
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        return Stream.of(usual, other)
                .flatMap(method -> method.objectionTo(objective).stream())
                .findFirst();
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return usual.suits(objective, shape);
    }

    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return Stream.of(usual, other)
                .flatMap(method -> method.trainingSums(objective, shape).stream())
                .distinct()
                .toList();
    }

    @Override
    public int factCount() {
        return other.factCount();
    }

    @Override
    public double[] facts(LocalProblem problem) {
        return other.facts(problem);
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        Tuned first = usual.tune(network, objective, shape, facts, delay);
        Tuned second = other.tune(network, objective, shape, facts, delay);
        double sums = timeOfSums(first.forecast(), facts);
        double steps = SHARE * second.forecast().idealisedTimeFor(FACTOR);
        return new Chosen(steps < MARGIN * sums ? second : first, List.of(cost(first, sums), cost(second, steps)));
    }

    /** Without Hessians, passes follow from the conditioning: about 2 + √κ_b ln(F)/10 in what was measured. */
    private static double timeOfSums(Forecast forecast, List<Facts> facts) {
        double conditioning = facts.stream()
                .mapToDouble(node -> AdfsMethod.conditioning(node).batchConditioning())
                .max()
                .orElseThrow();
        double passes = 2 + Math.sqrt(conditioning) * StrictMath.log(FACTOR) / 10;
        return forecast.idealisedTimeFor(FACTOR) * Math.min(1, passes / forecast.epochsFor(FACTOR));
    }

    private static Constant cost(Tuned tuned, double time) {
        return new Constant(
                tuned.name() + "Time", "", "expected time of " + tuned.name() + ", by which it was chosen", time);
    }

    /** The method that was chosen, with the costs by which it was. */
    private record Chosen(Tuned tuned, List<Constant> costs) implements Tuned {

        @Override
        public String name() {
            return tuned.name();
        }

        @Override
        public Forecast forecast() {
            return tuned.forecast();
        }

        @Override
        public List<Constant> dataConstants() {
            return tuned.dataConstants();
        }

        @Override
        public List<Constant> constants() {
            return Stream.concat(tuned.constants().stream(), costs.stream()).toList();
        }

        @Override
        public int longestMessage(Collectives nodes) {
            return tuned.longestMessage(nodes);
        }

        @Override
        public MethodNode node(Assignment assignment, Optional<double[]> start) {
            return tuned.node(assignment, start);
        }

        @Override
        public MethodNode nodeAfter(PriorKnowledge known, Assignment assignment) {
            return tuned.nodeAfter(known, assignment);
        }
    }
}
