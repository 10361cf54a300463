package dev.starling;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.CertifiedNode;
import dev.starling.method.Method;
import dev.starling.method.Solver.Agreement;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.StopSignal;
import java.util.List;
import java.util.stream.IntStream;

/** One problem on one network, from facts and tuning to programs, and from there to a certified parameter. */
final class Run {

    private final Agreement agreement;
    private final List<CertifiedNode> programs;

    private Run(Agreement agreement, List<CertifiedNode> programs) {
        this.agreement = agreement;
        this.programs = programs;
    }

    static Run prepare(
            Problem problem, Agreement agreement, StoppingRule rule, long seed, CertificateListener listener) {
        // Before its first step adfs goes over all rows.
        IntStream nodes = IntStream.range(0, problem.size());
        List<CertifiedNode> programs = (agreement.method() == Method.ADFS ? nodes.parallel() : nodes)
                .mapToObj(node -> {
                    CertificateListener hears = node == 0 ? listener : CertificateListener.NONE;
                    return agreement.program(problem.nodes().get(node), node, rule, seed, hears);
                })
                .toList();
        return new Run(agreement, programs);
    }

    /** Drives the programs to their end; if the signal cuts them short, certifies where they stand. */
    RunReport run(Runner runner, StopSignal signal) {
        Delays delays = Delays.uniform(agreement.pace().delay());
        RunReport report = runner.run(agreement.network(), programs, delays, signal);
        // Once the root has decided to end, its certificate stands, even if others have yet to hear of it.
        if (report.completed() || programs.get(0).isDone()) {
            return report;
        }
        boolean interrupted = Thread.interrupted();
        programs.forEach(CertifiedNode::certifyNow);
        runner.run(agreement.network(), programs, delays, StopSignal.manual());
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
        return programs.stream().mapToLong(CertifiedNode::updates).sum();
    }

    /** Epochs of the first node so far, for showing progress while another thread makes it. */
    double epochsOfFirstNode() {
        return programs.get(0).updates() / (double) agreement.facts().get(0).samples();
    }
}
