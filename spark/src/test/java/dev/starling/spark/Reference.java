package dev.starling.spark;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.MethodNode;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The simulator's answer for one dataset per node: what Spark must give bit for bit. */
final class Reference {

    private Reference() {}

    /** The parameter for nodes whose labels are those the loss sees. */
    static double[] parameter(
            String methodName,
            List<Dataset> nodes,
            Loss loss,
            double lambda,
            Network network,
            double delay,
            double gap,
            long seed) {
        List<LocalProblem> problems =
                nodes.stream().map(rows -> LocalProblem.of(rows, loss, lambda)).toList();
        Objective objective = new Objective(loss, new Regulariser.SquaredNorm());
        Shape shape = new Shape(
                nodes.get(0).features(),
                nodes.stream().mapToLong(Dataset::rows).sum(),
                nodes.stream().mapToLong(Dataset::storedValues).sum(),
                nodes.stream().mapToLong(Dataset::nonZeros).sum(),
                nodes.get(0).isDense());
        Method method = Methods.chosen(methodName, objective, shape);
        List<Facts> facts = problems.stream()
                .map(problem -> Facts.of(problem, method.facts(problem)))
                .toList();
        Tuned tuned = method.tune(network, objective, shape, facts, delay);
        SpanningTree tree = network.spanningTree();
        SharedWork shared = new SharedWork();
        List<MethodNode> programs = new ArrayList<>();
        for (LocalProblem problem : problems) {
            programs.add(tuned.node(
                    new Assignment(
                            problem,
                            Collectives.together(tree, programs.size(), problems.size(), shared),
                            new StoppingRule(gap, 1000),
                            seed,
                            CertificateListener.NONE),
                    Optional.empty()));
        }
        new Simulator().run(network, programs, Delays.uniform(delay), StopSignal.manual());
        return programs.get(0).result().parameter();
    }
}
