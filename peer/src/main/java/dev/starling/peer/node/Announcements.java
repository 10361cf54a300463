package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import dev.starling.job.JobResult;
import dev.starling.job.TrainingPlan;
import dev.starling.node.ReleaseLimits;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.metrics.Status;
import dev.starling.settings.Settings;

/** Reports the progress of a run to the log and the status. */
record Announcements(EventLog log, Status status) {

    void resumed(long round, int recoveries) {
        status.recoveries(recoveries);
        log.info("resumed", "round", round, "recoveries", recoveries);
    }

    void agreed(TrainingPlan plan, SiteExpenses totals) {
        double tau = plan.method().forecast().delay();
        status.delay(new Status.Delay(tau, totals.linkMicros));
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
        status.saved(round, keptBytes);
        log.info("checkpoint", "round", round, "kept-bytes", keptBytes);
    }

    /** @param limits the most that the run was allowed to disclose */
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
                    "the rules of the sites allow no more sums: either all " + limits.numbers()
                            + " numbers that the site with the fewest values may release (policy: released-part) have"
                            + " been used, or more would reveal too much about a single row (policy: leverage)",
                    "remedy",
                    "ask for a larger gap or lambda, leave out columns, or let small sites pool their rows; or let the"
                            + " owner of the smallest site raise its released-part");
        }
    }

    /** Whether the rules ended the run: without a time limit, nothing else ends a run early that has not stalled. */
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
