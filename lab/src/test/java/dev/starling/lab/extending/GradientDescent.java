package dev.starling.lab.extending;

import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.Method;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumKind;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/** Gradient descent on sums over the spanning tree, with the step 1/(β Σ‖x‖² + λ). */
public final class GradientDescent implements Method {

    @Override
    public String name() {
        return "gradient-descent";
    }

    @Override
    public String description() {
        return "gradient descent on sums over a spanning tree";
    }

    @Override
    public Optional<String> objectionTo(Objective objective) {
        return objective.isSmooth()
                ? Optional.empty()
                : Optional.of("method gradient-descent cannot take " + objective.kinks() + "; adfs can");
    }

    @Override
    public boolean suits(Objective objective, Shape shape) {
        return false;
    }

    /** Between sites, a sum that is not announced here is refused. */
    @Override
    public List<TrainingSum> trainingSums(Objective objective, Shape shape) {
        return List.of(new TrainingSum(SumKind.GRADIENT, SumKind.GRADIENT.text(), shape.features() + 1));
    }

    @Override
    public int factCount() {
        return 1;
    }

    /** What a node must tell the others: the curvature of its part is at most β Σ‖x‖². */
    @Override
    public double[] facts(LocalProblem problem) {
        double sum = 0;
        for (int j = 0; j < problem.samples(); j++) {
            sum += problem.weight(j) * problem.data().squaredNorm(problem.row(j));
        }
        return new double[] {problem.loss().smoothness() * sum};
    }

    @Override
    public Tuned tune(Network network, Objective objective, Shape shape, List<Facts> facts, double delay) {
        Facts all = Facts.total(facts);
        double curvature = facts.stream().mapToDouble(node -> node.own()[0]).sum();
        return new TunedDescent(network.spanningTree(), network.size(), shape.features(), all, curvature, delay);
    }

    record TunedDescent(SpanningTree tree, int size, int features, Facts all, double curvature, double delay)
            implements Tuned, Forecast {

        @Override
        public String name() {
            return "gradient-descent";
        }

        @Override
        public Forecast forecast() {
            return this;
        }

        @Override
        public double epochsFor(double factor) {
            return (1 + curvature / all.sigma()) * StrictMath.log(factor);
        }

        @Override
        public double roundsFor(double factor) {
            return 2.0 * tree.depth() * epochsFor(factor);
        }

        @Override
        public double idealisedTimeFor(double factor) {
            return epochsFor(factor) * all.samples() / size + delay * roundsFor(factor);
        }

        @Override
        public List<Constant> details(double gap) {
            return List.of(new Constant("predictedEpochs", "", "passes until then", epochsFor(1 / gap)));
        }

        @Override
        public List<Constant> dataConstants() {
            return List.of();
        }

        @Override
        public List<Constant> constants() {
            return List.of(new Constant("curvature", "L", "curvature of all nodes' losses, at most", curvature));
        }

        @Override
        public int longestMessage(Collectives nodes) {
            return HiddenSum.longestMessage(nodes, features + 1);
        }

        @Override
        public MethodNode node(Assignment assignment, Optional<double[]> start) {
            return new GradientDescentNode(this, assignment, start);
        }
    }
}
