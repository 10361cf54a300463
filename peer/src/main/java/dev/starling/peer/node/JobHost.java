package dev.starling.peer.node;

import dev.starling.job.MeasuredDelay;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TrainingJob;
import dev.starling.method.StoppingRule;
import dev.starling.node.Exchange;
import dev.starling.peer.checkpoint.AnswerLog;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.Surroundings;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Driver;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Drives the job of a site over its links: saves the state when it is due, answers the job's questions, and waits for
 * neighbours that are slow or gone.
 */
final class JobHost implements Driver.Host {

    private final int sites;
    private final Status status;
    private final PlanningPhase planning;
    private final TrainingJob job;
    private final JobProgress progress;
    private final Waiting waiting;
    private final List<Link> links;
    private final AwaitedMessages awaited;
    private final Checkpointer checkpointer;
    private final CheckpointSchedule schedule;
    private final AnswerLog answers;
    private final Surroundings surroundings;
    private SiteState state;
    private Driver driver;

    JobHost(
            int sites,
            Status status,
            PlanningPhase planning,
            TrainingJob job,
            JobProgress progress,
            Waiting waiting,
            LinkChannel channel,
            List<Link> links,
            Checkpointer checkpointer,
            CheckpointSchedule schedule,
            AnswerLog answers,
            Surroundings surroundings) {
        this.sites = sites;
        this.status = status;
        this.planning = planning;
        this.job = job;
        this.progress = progress;
        this.waiting = waiting;
        this.links = links;
        this.awaited = new AwaitedMessages(status, waiting, channel, surroundings, this::saved);
        this.checkpointer = checkpointer;
        this.schedule = schedule;
        this.answers = answers;
        this.surroundings = surroundings;
    }

    /** Runs the job to its end. */
    void drive(Driver jobDriver, SiteState siteState) {
        driver = jobDriver;
        state = siteState;
        progress.enterPhase();
        driver.run(awaited);
    }

    @Override
    public void before(Exchange exchange) {
        progress.enterPart(job.phaseName().equals("agree") ? planning.phaseName() : job.phaseName());
        status.sent(exchange.to().length, exchange.length());
    }

    @Override
    public void after(Exchange exchange, Driver ignored) {
        status.rounds(driver.rounds());
        waiting.forNobody();
        if (status.phase() == Status.Phase.WAITING) {
            progress.enterPhase();
        }
        if (waiting.isLeaving()) {
            checkpointer.complete(nextState(), driver.rounds());
            throw new PeerStoppedException(
                    "stopped at round " + driver.rounds() + " with its state saved; start again to resume");
        } else if (schedule.isDue() && !checkpointer.isBusy()) {
            checkpointer.requireSuccess(driver.rounds());
            checkpointer.begin(nextState(), driver.rounds());
        }
    }

    private byte[] nextState() {
        schedule.taken();
        return state.toBytes();
    }

    @Override
    public double[] answer(String question) {
        try {
            return answered(question);
        } catch (UncheckedIOException e) {
            throw new PeerStoppedException(
                    "an answer cannot be written: " + e.getCause().getMessage()
                            + "; make room and start again to resume",
                    e);
        }
    }

    private double[] answered(String question) {
        return switch (question) {
            case MeasuredDelay.QUESTION -> {
                double[] micros = answers.next(this::measured);
                state.spent().stepMicros = micros[0];
                state.spent().linkMicros = micros[1];
                yield micros;
            }
            case StoppingRule.TIME_IS_UP -> answers.next(() -> new double[] {progress.isTimeUp() ? 1 : 0});
            default -> Driver.Host.super.answer(question);
        };
    }

    private double[] measured() {
        LocalProblem problem = planning.problems().problem(0);
        return new double[] {
            Measuring.stepMicros(problem, planning.problems().tunedAlone(sites), surroundings),
            links.stream()
                    .mapToDouble(link -> awaited.linkMicros(link, problem.features()))
                    .max()
                    .orElse(0)
        };
    }

    /** What can be resumed, in words. */
    private String saved() {
        checkpointer.requireSuccess(driver.rounds());
        return "the state of round " + checkpointer.durableRound() + " is saved";
    }
}
