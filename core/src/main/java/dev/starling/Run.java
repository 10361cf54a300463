package dev.starling;

import dev.starling.algorithm.Algorithms;
import dev.starling.algorithm.DualProgram;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.CertifiedProgram;
import dev.starling.certificate.StoppingRule;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.StopSignal;
import dev.starling.theory.Pace;
import java.util.List;
import java.util.stream.IntStream;

/** One problem on one network, from facts and tuning to programs, and from there to a certified parameter. */
final class Run {

    private final Network network;
    private final Pace tuning;
    private final List<CertifiedProgram> programs;

    private Run(Network network, Pace tuning, List<CertifiedProgram> programs) {
        this.network = network;
        this.tuning = tuning;
        this.programs = programs;
    }

    static List<NodeFacts> facts(Problem problem) {
        return problem.nodes().parallelStream().map(NodeFacts::of).toList();
    }

    static Run prepare(
            Problem problem, Preparation preparation, StoppingRule rule, long seed, CertificateListener listener) {
        Network network = preparation.network();
        Pace tuning = preparation.tuning();
        List<NodeFacts> facts = preparation.facts();
        SpanningTree tree = network.spanningTree();
        CertifiedProgram.Totals totals = CertifiedProgram.Totals.of(facts);
        List<CertifiedProgram> programs = IntStream.range(0, problem.size())
                .parallel()
                .mapToObj(node -> {
                    LocalProblem local = problem.nodes().get(node);
                    DualProgram adfs = Algorithms.program(local, facts.get(node), network, node, tuning, seed);
                    CertificateListener hears = node == 0 ? listener : CertificateListener.NONE;
                    return new CertifiedProgram(adfs, tree, node, totals, tuning, rule, problem.size(), hears);
                })
                .toList();
        return new Run(network, tuning, programs);
    }

    /** Drives the programs to their end; if the signal cuts them short, certifies where they stand. */
    RunReport run(Runner runner, StopSignal signal) {
        Delays delays = Delays.uniform(tuning.delay());
        RunReport report = runner.run(network, programs, delays, signal);
        if (report.completed()) {
            return report;
        }
        boolean interrupted = Thread.interrupted();
        programs.forEach(CertifiedProgram::certifyNow);
        runner.run(network, programs, delays, StopSignal.manual());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return report;
    }

    Certificate certificate() {
        return programs.get(0).bestCertificate();
    }

    double[] parameter() {
        return programs.get(0).bestParameter().clone();
    }

    long updates() {
        return programs.stream()
                .mapToLong(program -> program.algorithm().updates())
                .sum();
    }

    /** Epochs of the first node so far, for showing progress while another thread makes it. */
    double epochsOfFirstNode() {
        DualProgram first = programs.get(0).algorithm();
        return first.updates() / (double) first.problem().samples();
    }
}
