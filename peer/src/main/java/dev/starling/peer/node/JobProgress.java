package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import dev.starling.job.RawWeights;
import dev.starling.job.TimeBudget;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.peer.metrics.Status;
import dev.starling.settings.Settings;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * How far a site's job has come: whether it trains yet, how much of its time is left, and what of that the log, the
 * status and the file of the last certified point say.
 */
final class JobProgress implements TrainingListener {

    /**
     * What a job looks like from outside.
     *
     * @param rounds returns the number of rounds so far
     * @param reached returns the last certified point
     * @param spent returns what the site has spent so far
     * @param isDriven returns whether the job is driven already; before that, a restored job reports where it was
     */
    record View(
            LongSupplier rounds,
            Supplier<RawWeights> reached,
            Supplier<SiteExpenses> spent,
            BooleanSupplier isDriven) {}

    private final Settings settings;
    private final Announcements announcements;
    private final CertifiedPoint certified;
    private final View job;
    private TimeBudget budget;
    private String part = "";

    JobProgress(Settings settings, Announcements announcements, CertifiedPoint certified, View job) {
        this.settings = settings;
        this.announcements = announcements;
        this.certified = certified;
        this.job = job;
    }

    boolean isTraining() {
        return budget != null;
    }

    boolean isTimeUp() {
        return budget.isSpent();
    }

    /** Shows that nobody is waited for. */
    void enterPhase() {
        announcements.status().enter(isTraining() ? Status.Phase.TRAINING : Status.Phase.GATHERING, "");
    }

    /** Called before every exchange with the name of the part of the job that it belongs to. */
    void enterPart(String name) {
        if (!name.equals(part)) {
            part = name;
            announcements.status().part(name);
            announcements.log().info("phase", "name", name);
        }
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        if (!isTraining()) {
            SiteExpenses spent = job.spent().get();
            budget = new TimeBudget(settings, spent.seconds);
            announcements.agreed(plan, spent);
        }
        budget.started(index, count, plan, epochs);
        if (job.isDriven().getAsBoolean()) {
            enterPhase();
        }
    }

    @Override
    public void certified(Certificate certificate, double epochsLeft) {
        announcements.certified(certificate, epochsLeft, job.rounds().getAsLong());
        certified.reached(job.reached().get());
    }
}
