package dev.starling.method;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The place of a node without others: notes what it is asked to add up, and says how much its owner allows. */
public final class LoneNode implements SumGuard {

    private static final Network ALONE = Topology.named("line").build(1, 1);

    private final boolean betweenOwners;
    private final ReleaseLimits limits;
    private final List<String> kinds = new ArrayList<>();

    private LoneNode(boolean betweenOwners, ReleaseLimits limits) {
        this.betweenOwners = betweenOwners;
        this.limits = limits;
    }

    /** Where all nodes would have one owner. */
    public static LoneNode ofOneOwner() {
        return new LoneNode(false, ReleaseLimits.NONE);
    }

    /** Where every node would have its own owner, with these limits. */
    public static LoneNode between(ReleaseLimits limits) {
        return new LoneNode(true, limits);
    }

    /** The same, with limits on sums of second derivatives above all. */
    public static LoneNode allowing(int curvatures) {
        return between(new ReleaseLimits(Long.MAX_VALUE, curvatures, 500, 500, 0));
    }

    /** The kinds of the sums so far. */
    public List<String> kinds() {
        return kinds;
    }

    @Override
    public boolean isBetweenOwners() {
        return betweenOwners;
    }

    @Override
    public ReleaseLimits limits() {
        return limits;
    }

    @Override
    public void opened(SumRequest request, double[] totals) {
        kinds.add(request.name());
    }

    /** The node that solves a problem of one node. */
    public MethodNode node(Method method, Problem problem, StoppingRule rule) {
        LocalProblem own = problem.nodes().get(0);
        return method.tune(
                        ALONE,
                        new Objective(own.loss(), problem.regulariser()),
                        Shape.of(own.data()),
                        List.of(Facts.of(own, new double[0])),
                        1)
                .node(
                        new Assignment(
                                own,
                                Collectives.apart(ALONE.spanningTree(), 0, 1, this),
                                rule,
                                1,
                                CertificateListener.NONE),
                        Optional.empty());
    }

    /** Runs such a node to its end. */
    public static void run(NodeProgram node) {
        new Simulator().run(ALONE, List.of(node), Delays.uniform(1), StopSignal.manual());
    }
}
