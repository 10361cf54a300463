package dev.starling.spark;

import dev.starling.algorithm.Algorithms;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.CertifiedProgram;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.theory.Pace;
import java.util.ArrayList;
import java.util.List;

/** The simulator's answer for one dataset per node: what Spark must give bit for bit. */
final class Reference {

    private Reference() {}

    /** The parameter for nodes whose labels are those the loss sees. */
    static double[] parameter(
            List<Dataset> nodes, Loss loss, double lambda, Network network, double delay, double gap, long seed) {
        Problem problem = new Problem(
                nodes.stream().map(rows -> LocalProblem.of(rows, loss, lambda)).toList());
        List<NodeFacts> facts = problem.nodes().stream().map(NodeFacts::of).toList();
        Pace tuning = Algorithms.tune(loss, network, facts, delay);
        CertifiedProgram.Totals totals =
                new CertifiedProgram.Totals(problem.totalSigma(), problem.totalWeight(), problem.samples());
        List<CertifiedProgram> programs = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            programs.add(new CertifiedProgram(
                    Algorithms.program(problem.nodes().get(node), facts.get(node), network, node, tuning, seed),
                    network.spanningTree(),
                    node,
                    totals,
                    tuning,
                    new StoppingRule(gap, 1000),
                    nodes.size(),
                    CertificateListener.NONE));
        }
        new Simulator().run(network, programs, Delays.uniform(delay), StopSignal.manual());
        return programs.get(0).bestParameter();
    }
}
