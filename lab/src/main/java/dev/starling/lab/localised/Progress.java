package dev.starling.lab.localised;

import dev.starling.certificate.Certificate;
import dev.starling.method.CertificateListener;
import dev.starling.method.Solution;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/** What the stages of a run have proven and done until the present one. */
final class Progress implements Stateful {

    private final CertificateListener listener;
    private Solution result;

    /** Whether the run goes on as one of plain ADFS. */
    boolean gaveWay;

    private long steps;
    long updates;
    double passes;

    Progress(CertificateListener listener, double... start) {
        this.listener = listener;
        this.result = new Solution(Certificate.NONE, start);
    }

    /** Adds what a stage has done. */
    void count(long moreSteps, long moreUpdates, double morePasses) {
        steps += moreSteps;
        updates += moreUpdates;
        passes += morePasses;
    }

    /** Takes the result of a stage. */
    void take(Solution solution) {
        result = result.then(solution.with(sinceTheStart(solution.certificate())));
    }

    Solution result() {
        return result;
    }

    /** Passes a certificate of the present stage on, as one of the whole run. */
    void report(Certificate certificate, long nextCheck) {
        listener.onCertificate(sinceTheStart(certificate), nextCheck == 0 ? 0 : steps + nextCheck);
    }

    private Certificate sinceTheStart(Certificate of) {
        return new Certificate(
                of.objective(),
                of.dual(),
                of.error(),
                of.scale(),
                of.bound(),
                steps + of.steps(),
                passes + of.epochs());
    }

    @Override
    public void state(State s) throws IOException {
        result = result.state(s);
        gaveWay = s.flag(gaveWay);
        steps = s.number(steps);
        updates = s.number(updates);
        passes = s.number(passes);
    }
}
