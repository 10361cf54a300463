package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.Assignment;
import dev.starling.method.CertificateListener;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.objective.PassLayout;
import dev.starling.objective.RandomRows;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Newton's method on a problem and a network, with every certificate its root has made and what it is about. */
final class NewtonRun {

    static final StoppingRule TIGHT = new StoppingRule(1e-10, 500);

    /** Whether Hessians are summed up. */
    enum Way {
        DIRECT,
        QUASI;

        /** The solver does without Hessians where rows have many values. */
        double valuesPerRow() {
            return this == DIRECT ? 1 : 1000;
        }
    }

    /** A certificate and the parameter that it is about. */
    record Proof(Certificate certificate, double[] theta) {}

    private final Problem problem;
    private final Network network;
    private final StoppingRule rule;
    private final Tuned tuned;
    private final SharedWork shared = new SharedWork();
    private final List<Proof> proofs = new ArrayList<>();
    private final List<MethodNode> programs;

    private NewtonRun(Way way, Problem problem, Network network, StoppingRule rule) {
        this.problem = problem;
        this.network = network;
        this.rule = rule;
        Loss loss = problem.nodes().get(0).loss();
        long values = (long) (problem.samples() * way.valuesPerRow());
        boolean intercept = problem.nodes().get(0).hasIntercept();
        Shape shape = new Shape(problem.features(), problem.samples(), values, values, false);
        List<Facts> facts = problem.nodes().stream()
                .map(node -> Facts.of(node, new double[0]))
                .toList();
        this.tuned = !problem.regulariser().isSmooth()
                ? TunedNewton.of(
                        "proximal-newton",
                        network,
                        new PassLayout(problem.features(), intercept),
                        new Objective(loss, problem.regulariser(), intercept),
                        way == Way.DIRECT,
                        facts,
                        1)
                : new NewtonMethod()
                        .tune(network, new Objective(loss, problem.regulariser(), intercept), shape, facts, 1);
        this.programs = IntStream.range(0, network.size()).mapToObj(this::node).toList();
    }

    static NewtonRun of(Way way, Problem problem, Network network, StoppingRule rule) {
        return new NewtonRun(way, problem, network, rule);
    }

    static NewtonRun of(Way way, Problem problem, String topology, StoppingRule rule) {
        return of(way, problem, Topology.named(topology).build(problem.size(), 1), rule);
    }

    /** The rows at one node, to a tight gap, to the end. */
    static NewtonRun alone(Way way, Dataset data, Loss loss, double lambda) {
        return of(way, Problem.deal(data, loss, lambda, 1), "line", TIGHT).run(new Simulator());
    }

    /** A fresh node of this problem; the root notes what it certifies. */
    MethodNode node(int node) {
        MethodNode[] self = new MethodNode[1];
        CertificateListener notes = (certificate, next) -> {
            double[] theta = new double[problem.features()];
            self[0].estimate(theta);
            proofs.add(new Proof(certificate, theta));
        };
        LocalProblem local = problem.nodes().get(node);
        Collectives place = Collectives.together(network.spanningTree(), node, network.size(), shared);
        self[0] = tuned.node(
                new Assignment(local, place, rule, 1, node == 0 ? notes : CertificateListener.NONE), Optional.empty());
        return self[0];
    }

    NewtonRun run(Runner runner) {
        drive(runner, StopSignal.manual());
        return this;
    }

    RunReport drive(Runner runner, StopSignal signal) {
        return runner.run(network, programs, Delays.uniform(1), signal);
    }

    Problem problem() {
        return problem;
    }

    Network network() {
        return network;
    }

    List<MethodNode> programs() {
        return programs;
    }

    List<Proof> proofs() {
        return proofs;
    }

    Certificate certificate() {
        return programs.get(0).result().certificate();
    }

    double[] parameter() {
        return programs.get(0).result().parameter();
    }

    boolean isCertified() {
        return rule.isMet(certificate());
    }

    /** Random rows with labels that the loss takes. */
    static Dataset rows(Loss loss, int rows, int features, boolean dense, boolean weighted, long seed) {
        return RandomRows.of(loss, rows, features, dense, weighted, seed);
    }

    /** Deals rows out in runs of uneven length: node i gets about i + 1 times as many as node 0. */
    static Problem unevenly(Dataset data, Loss loss, double lambda, int nodes) {
        List<LocalProblem> locals = new ArrayList<>();
        int shares = nodes * (nodes + 1) / 2;
        int from = 0;
        for (int node = 0; node < nodes; node++) {
            int given = (node + 1) * (node + 2) / 2;
            int to = node == nodes - 1 ? data.rows() : (int) ((long) data.rows() * given / shares);
            locals.add(LocalProblem.of(data.picked(IntStream.range(from, to).toArray()), loss, lambda));
            from = to;
        }
        return new Problem(locals);
    }

    /**
     * The dual value at the slopes s_j = ℓ'(x_jᵀθ), by its definition: −Σ_j w_j ℓ*(s_j)/W − ‖Σ_j w_j s_j x_j/W‖²/(2λ).
     */
    static double dual(Dataset data, Loss loss, double lambda, double[] theta) {
        double[] sum = new double[data.features()];
        double conjugates = 0;
        double weights = 0;
        for (int i = 0; i < data.rows(); i++) {
            double slope = loss.derivative(data.dot(i, theta), data.label(i));
            conjugates += data.weight(i) * loss.conjugate(slope, data.label(i));
            data.addTo(i, data.weight(i) * slope, sum);
            weights += data.weight(i);
        }
        double squares = Arrays.stream(sum).map(s -> s * s).sum();
        return -conjugates / weights - squares / (weights * weights) / (2 * lambda);
    }

    /** Both ways, with each of the losses that are smooth. */
    static Stream<Arguments> smoothLosses() {
        return Stream.of(
                        "logistic",
                        "squared",
                        "squared-hinge",
                        "huber",
                        "huber(0.3)",
                        "smoothed-hinge",
                        "smoothed-hinge(0.05)",
                        "squared-epsilon-insensitive(0.2)")
                .flatMap(loss -> Stream.of(Way.values()).map(way -> Arguments.of(way, loss)));
    }
}
