package dev.starling.lab.comparison;

import dev.starling.data.InvalidInputException;
import dev.starling.lab.conversation.EdgeSampling;
import dev.starling.lab.variant.Algorithm;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.node.EstimatingProgram;
import dev.starling.problem.Problem;
import java.util.List;

/** A method whose step size is its theory's times a factor, which is part of its name, such as {@code extra@2}. */
record TunedStep(String name, Algorithm method, String factor) implements Algorithm {

    /** Separates the name of a method from the factor of its step size. */
    static final char MARK = '@';

    /**
     * The method with a name such as {@code extra@2}.
     *
     * @param methods all methods
     */
    static Algorithm named(String name, List<Algorithm> methods) {
        int mark = name.indexOf(MARK);
        Algorithm method = Algorithm.named(name.substring(0, mark), methods);
        String factor = name.substring(mark + 1);
        Algorithm tuned = method.withStep(positive(name, factor))
                .orElseThrow(() -> new InvalidInputException("algorithm '" + name + "': " + method.name()
                        + " has no step size to tune; those that have one are: "
                        + String.join(", ", stepped(methods))));
        return new TunedStep(name, tuned, factor);
    }

    private static List<String> stepped(List<Algorithm> methods) {
        return methods.stream()
                .filter(method -> method.withStep(1).isPresent())
                .map(Algorithm::name)
                .toList();
    }

    private static double positive(String name, String factor) {
        return InvalidInputException.parsed(
                () -> Double.parseDouble(factor),
                value -> value > 0 && value < Double.POSITIVE_INFINITY,
                () -> "algorithm '" + name + "': the factor of the step size, '" + factor
                        + "', must be a positive number, as in extra@2");
    }

    @Override
    public String description() {
        return method.description() + "; step size tuned, " + factor + " times its theory's";
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        return method.programs(problem, network, delay, seed);
    }

    @Override
    public boolean takesVaryingEdges() {
        return method.takesVaryingEdges();
    }

    @Override
    public List<? extends EstimatingProgram> programs(
            Problem problem, Network network, EdgeSampling rounds, Timing timing, long seed) {
        return method.programs(problem, network, rounds, timing, seed);
    }
}
