package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import dev.starling.job.JobResult;
import dev.starling.job.Settings;
import dev.starling.job.TrainingPlan;
import dev.starling.node.ReleaseLimits;
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

    /** @param limits what the run might tell at the most */
    void solved(JobResult result, ReleaseLimits limits, long rounds, double seconds) {
        double gap = result.certificate().relativeGap();
        log.info("solved", "gap", gap, "rounds", rounds, "seconds", rounded(seconds, 1000));
        if (endedByRules(result)) {
            log.warn(
                    "not-certified",
                    "gap",
                    gap,
                    "asked",
                    result.settings().gap(),
                    "because",
                    "by the rules of all sites no more may be told: " + limits.numbers()
                            + " numbers at the most, by the site with the fewest values (policy: released-part), or too much"
                            + " of them about one row (policy: leverage)",
                    "remedy",
                    "ask for a larger gap or lambda, leave out columns, have small sites put their rows together; or the"
                            + " owner of the smallest raises its released-part");
        }
    }

    /** Nothing else ends a run early that has no limit on its time. */
    private static boolean endedByRules(JobResult result) {
        Settings settings = result.settings();
        boolean early = result.certificates().stream()
                .anyMatch(one -> !settings.rule().isMet(one) && one.epochs() < settings.maxEpochs());
        return early && !result.isStalled() && Double.isInfinite(settings.maxSeconds());
    }

    private static double rounded(double value, double parts) {
        return Math.round(value * parts) / parts;
    }
}
