package dev.starling.spark;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.method.CertifiedNode;
import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.Solver.Agreement;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.List;

/** The simulator's answer for one dataset per node: what Spark must give bit for bit. */
final class Reference {

    private Reference() {}

    /** The parameter for nodes whose labels are those the loss sees. */
    static double[] parameter(
            Method method,
            List<Dataset> nodes,
            Loss loss,
            double lambda,
            Network network,
            double delay,
            double gap,
            long seed) {
        Problem problem = new Problem(
                nodes.stream().map(rows -> LocalProblem.of(rows, loss, lambda)).toList());
        double nonZeros = nodes.stream().mapToLong(Dataset::nonZeros).sum();
        Solver solver =
                Solver.of(method, loss, problem.regulariser(), nodes.get(0).features(), nonZeros / problem.samples());
        Agreement agreement = solver.agree(
                network, problem.nodes().stream().map(solver::facts).toList(), delay);
        List<CertifiedNode> programs = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++) {
            programs.add(agreement.program(
                    problem.nodes().get(node), node, new StoppingRule(gap, 1000), seed, CertificateListener.NONE));
        }
        new Simulator().run(network, programs, Delays.uniform(delay), StopSignal.manual());
        return programs.get(0).bestParameter();
    }
}
