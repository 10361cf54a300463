package dev.starling.peer.node;

import dev.starling.Fit;
import dev.starling.data.Dataset;
import dev.starling.job.JobResult;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Driver;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.settings.Settings;

/**
 * The outcome of a run, as seen by one site.
 *
 * @param site the site's name
 * @param fit the result: model, certificate and numbers of updates and rounds; updates are counted over all sites,
 *     rounds and idealised time at this one
 * @param tau the delay for which the method was tuned, in steps
 * @param tauMeasuredMicros the one-way delay of this site's slowest link, in microseconds, for a vector with one entry
 *     per feature; 0 if tau was given
 * @param stepMicros the measured time of a step at this site, in microseconds: of a proximal step, or with Newton's
 *     method of one sample in a pass
 * @param recoveries how often this site was restarted in the run
 * @param bytesSent bytes of frames sent, including those before restarts
 * @param bytesReceived bytes of frames received, including those before restarts
 * @param loadSeconds time taken to read the rows
 * @param rows the site's own training rows
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
        RunReport spent = new RunReport(
                true, driver.clock(), driver.rounds(), driver.latency(), driver.messagesSent(), driver.bytesSent());
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

    /**
     * Only the first site knows why training ended; the others infer that time ran out if neither the gap nor the epoch
     * limit was reached.
     */
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
