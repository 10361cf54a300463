package dev.starling.lab.comparison;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.variant.Algorithm;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
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

/** A method that training uses, as one of those that are compared: it runs on until the comparison has seen enough. */
record TrainingMethod(Method method) implements Algorithm {

    /** The smallest gap and the most epochs there are: the comparison ends the run. */
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
                        problem.nodes().get(node),
                        Collectives.together(tree, node, problem.size(), shared),
                        ENDLESS,
                        seed,
                        Optional.empty(),
                        CertificateListener.NONE))
                .toList();
    }

    private static Shape shape(Problem problem) {
        long rows = 0;
        long stored = 0;
        long nonZeros = 0;
        for (LocalProblem node : problem.nodes()) {
            rows += node.samples();
            for (int j = 0; j < node.samples(); j++) {
                int row = node.row(j);
                stored += node.data().end(row) - node.data().start(row);
                for (int k = node.data().start(row); k < node.data().end(row); k++) {
                    nonZeros += node.data().values()[k] != 0f ? 1 : 0;
                }
            }
        }
        return new Shape(
                problem.features(),
                rows,
                stored,
                nonZeros,
                problem.nodes().get(0).data().isDense());
    }
}
