package dev.starling.lab.comparison;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.variant.Algorithm;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.network.Timing;
import dev.starling.node.Collectives;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.SharedWork;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A method that training uses, as one of the compared methods: it runs until the comparison stops it. */
record TrainingMethod(Method method) implements Algorithm {

    /** The smallest gap and the most epochs possible: the comparison ends the run. */
    private static final StoppingRule ENDLESS = new StoppingRule(1e-14, 1e9);

    @Override
    public String name() {
        return method.name();
    }

    @Override
    public String description() {
        return method.description();
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, double delay, long seed) {
        return programs(problem, network, Timing.even(delay), seed);
    }

    @Override
    public List<? extends EstimatingProgram> programs(Problem problem, Network network, Timing timing, long seed) {
        Objective objective = new Objective(problem.nodes().get(0).loss(), problem.regulariser());
        method.objectionTo(objective).ifPresent(objection -> {
            throw new InvalidInputException(objection);
        });
        List<Facts> facts = problem.nodes().parallelStream()
                .map(node -> Facts.of(node, method.facts(node)))
                .toList();
        Tuned tuned = method.tune(network, objective, shape(problem), facts, timing);
        SpanningTree tree = network.spanningTree();
        SharedWork shared = new SharedWork();
        return IntStream.range(0, problem.size())
                .mapToObj(node -> tuned.node(
                        new Assignment(
                                problem.nodes().get(node),
                                Collectives.together(tree, node, problem.size(), shared),
                                ENDLESS,
                                seed,
                                CertificateListener.NONE),
                        Optional.empty()))
                .toList();
    }

    /** The shape of the rows that the nodes share, or of all their separate rows together. */
    private static Shape shape(Problem problem) {
        List<Dataset> rows =
                problem.nodes().stream().map(LocalProblem::data).distinct().toList();
        return new Shape(
                problem.features(),
                problem.samples(),
                rows.stream().mapToLong(Dataset::storedValues).sum(),
                rows.stream().mapToLong(Dataset::nonZeros).sum(),
                rows.get(0).isDense());
    }
}
