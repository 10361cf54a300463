package dev.starling.peer.node;

import dev.starling.Fit;
import dev.starling.data.Dataset;
import dev.starling.job.JobResult;
import dev.starling.job.Settings;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Driver;
import dev.starling.runtime.Runner.RunReport;

/**
 * How a run went, as one site saw it.
 *
 * @param site the site's name
 * @param fit the result: model, certificate and numbers of updates and rounds; updates are those of all sites, rounds
 *     and idealised time those of this one
 * @param tau the delay all sites tuned for, in steps
 * @param tauMeasuredMicros the delay of this site's slowest link, one way, for a vector as long as there are features;
 *     0 if tau was given
 * @param stepMicros what a step took here when it was measured: a proximal step, or with Newton's method a sample of a
 *     pass
 * @param recoveries how often this site was restarted in the run
 * @param bytesSent bytes of frames sent, restarts included
 * @param bytesReceived bytes of frames received, restarts included
 * @param loadSeconds time taken to read the rows
 * @param rows the site's own rows
 */
public record PeerReport(
        String site,
        Fit fit,
        double tau,
        double tauMeasuredMicros,
        double stepMicros,
        int recoveries,
        long bytesSent,
        long bytesReceived,
        double loadSeconds,
        Dataset rows) {

    static PeerReport of(
            String name, Site site, JobResult result, LinearModel model, SiteExpenses totals, Driver driver) {
        RunReport spent =
                new RunReport(true, driver.clock(), driver.rounds(), driver.messagesSent(), driver.bytesSent());
        return new PeerReport(
                name,
                Fit.of(result, model, outcome(result), spent, totals.seconds),
                result.plan().method().forecast().delay(),
                totals.linkMicros,
                totals.stepMicros,
                totals.recoveries,
                totals.bytesSent,
                totals.bytesReceived,
                site.loadSeconds(),
                site.rows());
    }

    /** Sites but the first are not told why training ended: if not for the gap or the epochs, time was up. */
    private static Fit.Outcome outcome(JobResult result) {
        if (result.isCertified()) {
            return Fit.Outcome.CERTIFIED;
        }
        if (result.isStalled()) {
            return Fit.Outcome.STALLED;
        }
        Settings settings = result.settings();
        boolean cutShort = result.certificates().stream()
                .anyMatch(one -> !settings.rule().isMet(one) && one.epochs() < settings.maxEpochs());
        return cutShort && Double.isFinite(settings.maxSeconds()) ? Fit.Outcome.STOPPED : Fit.Outcome.EPOCH_LIMIT;
    }
}
