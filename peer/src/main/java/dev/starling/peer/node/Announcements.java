package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import dev.starling.job.TrainingPlan;
import dev.starling.peer.metrics.Status;

/** How a run goes, for those who read the log or ask for the status. */
record Announcements(EventLog log, Status status) {

    void resumed(long round, int recoveries) {
        status.recoveries(recoveries);
        log.info("resumed", "round", round, "recoveries", recoveries);
    }

    void agreed(TrainingPlan plan, SiteExpenses totals) {
        double tau = plan.method().forecast().delay();
        status.delay(tau, totals.linkMicros);
        status.begin(plan.method().name());
        log.info(
                "agreed",
                "method",
                plan.method().name(),
                "tau",
                tau,
                "link-micros",
                rounded(totals.linkMicros, 10),
                "step-micros",
                rounded(totals.stepMicros, 1000));
    }

    void certified(Certificate certificate, double epochsLeft, long rounds) {
        status.certificate(certificate, epochsLeft);
        log.info(
                "certificate",
                "gap",
                certificate.relativeGap(),
                "objective",
                certificate.objective(),
                "epochs",
                rounded(certificate.epochs(), 100),
                "rounds",
                rounds);
    }

    void durable(long round, long keptBytes) {
        status.checkpoint(status.checkpoints() + 1, round, keptBytes);
        log.info("checkpoint", "round", round, "kept-bytes", keptBytes);
    }

    void solved(Certificate certificate, long rounds, double seconds) {
        log.info("solved", "gap", certificate.relativeGap(), "rounds", rounds, "seconds", rounded(seconds, 1000));
    }

    private static double rounded(double value, double parts) {
        return Math.round(value * parts) / parts;
    }
}
