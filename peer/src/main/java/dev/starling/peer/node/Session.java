package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.job.JobResult;
import dev.starling.job.JobRules;
import dev.starling.job.MeasuredDelay;
import dev.starling.job.PlanningPhase;
import dev.starling.job.RawWeights;
import dev.starling.job.TimeBudget;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.job.TrainingPlan;
import dev.starling.model.LinearModel;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Credentials;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One process's part of a run: the host of the job at this site. It keeps the state on disk, waits for neighbours that
 * are gone, takes measurements and reports progress; everything that can affect a bit of the result is in the job.
 */
final class Session implements Driver.Host, Driver.Idle, TrainingListener {

    private static final long NAP_NANOS = 50_000_000;
    private static final int YIELDS = 20;
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final SiteConfig config;
    private final EventLog log;
    private final Status status;
    private final Announcements announcements;
    private final PeerEvents events;
    private final Bulletin bulletin;
    private final Waiting waiting;
    private final CheckpointStore store;
    private final Endpoint endpoint;
    private final Site site;
    private final List<Link> links = new ArrayList<>();
    private final Checkpointer checkpointer;
    private final LinkChannel channel;
    private final SiteSums sums;
    private final PlanningPhase planning;
    private final TrainingJob trainingJob;
    private final CheckedJob job;
    private final Driver driver;

    private final SiteState state;
    private final CertifiedPoint certified;

    private TimeBudget budget;
    private boolean connected;
    private boolean training;
    private String lastPhase = "";
    private long waitingSince;
    private long lastCheckpoint = System.nanoTime();
    private long bytesAtCheckpoint;

    Session(
            SiteConfig config,
            EventLog log,
            Status status,
            PeerEvents events,
            Waiting waiting,
            CheckpointStore store,
            Endpoint endpoint,
            Credentials credentials,
            Site site,
            Optional<RawWeights> start)
            throws IOException {
        this.config = config;
        this.log = log;
        this.status = status;
        this.announcements = new Announcements(log, status);
        this.events = events;
        this.bulletin = events.bulletin();
        this.waiting = waiting;
        this.store = store;
        this.endpoint = endpoint;
        this.site = site;
        endpoint.links().forEach(links::add);
        events.watch(links);
        this.checkpointer = new Checkpointer(
                store,
                links,
                config.checkpoints().keep(),
                round -> announcements.durable(
                        round, links.stream().mapToLong(Link::keptBytes).sum()));
        this.channel = new LinkChannel(
                links, config.sites().size(), config.checkpoints().keptBytes());
        Settings settings = config.training();
        JobRules rules = Site.rules(config);
        this.sums =
                new SiteSums(config, site, credentials, this::problem, why -> log.warn("rules-refuse", "reason", why));
        status.ledger(sums::released);
        this.planning = new PlanningPhase(
                settings,
                rules,
                config.network(),
                Collectives.apart(
                        config.network().spanningTree(),
                        config.node(),
                        config.network().size(),
                        sums.guard()),
                site.divided().training());
        this.trainingJob = new TrainingJob(
                settings, rules, planning, this, start, site.divided().held());
        this.job = new CheckedJob(trainingJob, config.sites(), sums::record);
        this.driver =
                new Driver(job, config.node(), channel, new Delays(node -> 1, (from, to) -> trainingJob.delay()), this);
        this.certified =
                new CertifiedPoint(store.directory(), config.checkpoints().every(), log);
        this.state = new SiteState(bulletin, links, driver, sums, endpoint.traffic());
    }

    private LocalProblem problem(int index) {
        return planning.problem(index);
    }

    PeerReport run(Consumer<PeerReport> whenSolved) throws IOException, InterruptedException {
        try (checkpointer;
                sums) {
            log.info(
                    "started",
                    "run",
                    config.run(),
                    "node",
                    config.node(),
                    "rows",
                    site.rows().rows(),
                    "features",
                    site.rows().features());
            sums.introduce(bulletin);
            resume();
            connect();
            bulletin.publish(sums.presence());
            waiting.forAllSites();
            waiting.forSession(sums.session());
            sums.begin();
            boolean resumedAtEnd = job.isDone();
            if (!resumedAtEnd) {
                solve();
            }
            whenSolved.accept(report());
            sign();
            whenSolved.accept(report());
            sayFarewell(resumedAtEnd);
            return report();
        } catch (InvalidInputException e) {
            if (job.isRefused() && !training) {
                // All sites end in this way before anything was trained, so there is nothing to resume.
                store.discard();
            }
            bulletin.giveUp(state.spent().recoveries, e.getMessage(), true, OptionalInt.empty());
            if (connected) {
                waiting.letOthersKnow();
            }
            throw e;
        } catch (PeerStoppedException e) {
            certified.save();
            bulletin.giveUp(state.spent().recoveries, e.getMessage(), false, e.gone());
            waiting.letOthersHear();
            throw e;
        }
    }

    /** Signs the result, and waits a while for all sites to sign it. */
    private void sign() throws InterruptedException {
        sums.attest(model(job.result()), bulletin);
        waiting.forSignatures();
        checkpointer.complete(state.toBytes(), driver.rounds());
    }

    /** Restores the state that an earlier process of this site left, if there is one. */
    private void resume() throws IOException {
        Optional<byte[]> newest = store.newest();
        if (newest.isPresent()) {
            if (!state.restore(newest.get(), config.node(), sums.presence())) {
                throw new InvalidInputException(store.directory()
                        + " holds a run with different data or settings; change them back, or give the run another name"
                        + " at all sites");
            }
            checkpointer.restored(driver.rounds());
            announcements.resumed(driver.rounds(), state.spent().recoveries);
        }
    }

    private void connect() throws IOException {
        Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
        config.neighbours()
                .forEach((node, remote) -> remote.address().ifPresent(address -> addresses.put(node, address)));
        endpoint.connect(addresses);
        connected = true;
    }

    private void solve() {
        state.begin();
        events.drivenBy(Thread.currentThread());
        checkpointer.complete(state.toBytes(), driver.rounds());
        enterPhase();
        driver.run(this);
        certified.save();
        state.end();
        checkpointer.complete(state.toBytes(), driver.rounds());
        announcements.solved(job.result(), sums.guard().limits(), driver.rounds(), state.spent().seconds);
    }

    /** Stays until the neighbours have their results, and remembers which of them do. */
    private void sayFarewell(boolean resumedAtEnd) throws IOException, InterruptedException {
        checkpointer.releaseAll();
        links.forEach(Link::finish);
        // A site that is restarted after the end either soon finds neighbours that still need it, or nobody at all.
        Duration patience = resumedAtEnd && FAREWELL.compareTo(config.patience()) < 0 ? FAREWELL : config.patience();
        if (waiting.forTheEndOfAll(state.unfinished(), patience, this::saveFarewells)) {
            sums.forget();
        }
    }

    private void saveFarewells() {
        try {
            checkpointer.complete(state.toBytes(), driver.rounds());
        } catch (PeerStoppedException e) {
            // The result is on disk; all that is lost is a quicker end after a restart, should this process be killed
            // now.
            log.warn("last-words-not-saved", "reason", e.getMessage());
        }
    }

    private void enterPhase() {
        status.enter(training ? Status.Phase.TRAINING : Status.Phase.GATHERING, "");
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        if (!training) {
            training = true;
            budget = new TimeBudget(config.training().maxSeconds(), state.spent().seconds);
            announcements.agreed(plan, state.spent());
        }
        budget.started(index, count, plan, epochs);
        if (state.isDriven()) {
            enterPhase();
        }
    }

    @Override
    public void certified(Certificate certificate, double epochsLeft) {
        announcements.certified(certificate, epochsLeft, driver.rounds());
        certified.reached(trainingJob.reached());
    }

    @Override
    public void before(Exchange exchange) {
        String phase = trainingJob.phaseName().equals("agree") ? planning.phaseName() : trainingJob.phaseName();
        if (!phase.equals(lastPhase)) {
            lastPhase = phase;
            status.part(phase);
            log.info("phase", "name", phase);
        }
        status.sent(exchange.to().length, exchange.length());
    }

    @Override
    public void after(Exchange exchange, Driver ignored) {
        status.rounds(driver.rounds());
        waiting.forNobody();
        if (status.phase() == Status.Phase.WAITING) {
            enterPhase();
        }
        if (exchange.kind() == Exchange.Kind.ASK) {
            // After a restart, the job must be given the same answer again.
            checkpointer.complete(nextState(), driver.rounds());
        } else if (waiting.isLeaving()) {
            checkpointer.complete(nextState(), driver.rounds());
            throw new PeerStoppedException(
                    "stopped at round " + driver.rounds() + " with its state saved; start again to resume");
        } else if (isCheckpointDue() && !checkpointer.isBusy()) {
            checkpointer.requireSuccess(driver.rounds());
            checkpointer.begin(nextState(), driver.rounds());
        }
    }

    private boolean isCheckpointDue() {
        return System.nanoTime() - lastCheckpoint > config.checkpoints().every().toNanos()
                || channel.bytesTaken() - bytesAtCheckpoint
                        > config.checkpoints().bytes();
    }

    private byte[] nextState() {
        lastCheckpoint = System.nanoTime();
        bytesAtCheckpoint = channel.bytesTaken();
        return state.toBytes();
    }

    @Override
    public double[] answer(String question) {
        return switch (question) {
            case MeasuredDelay.QUESTION -> measured();
            case StoppingRule.TIME_IS_UP -> new double[] {budget.isSpent() ? 1 : 0};
            default -> Driver.Host.super.answer(question);
        };
    }

    private double[] measured() {
        LocalProblem problem = planning.problem(0);
        SiteExpenses spent = state.spent();
        spent.stepMicros = Measuring.stepMicros(problem, planning.tunedAlone());
        spent.linkMicros = 0;
        for (Link link : links) {
            spent.linkMicros = Math.max(spent.linkMicros, measured(link, Double.BYTES * problem.features()));
        }
        return new double[] {spent.stepMicros, spent.linkMicros};
    }

    private double measured(Link link, int bytes) {
        while (true) {
            whileWaiting(link, 0);
            double micros = link.isUp() ? Measuring.linkMicros(link, bytes) : 0;
            if (micros > 0) {
                return micros;
            }
            waiting.toMeasure(link);
            LockSupport.parkNanos(this, NAP_NANOS);
        }
    }

    @Override
    public void rest(int times, int from) {
        if (times <= YIELDS) {
            waitingSince = System.nanoTime();
            Thread.yield();
            return;
        }
        int awaited = channel.full().orElse(from);
        if (awaited < 0) {
            // What was missing a moment ago has arrived.
            return;
        }
        long start = System.nanoTime();
        LockSupport.parkNanos(this, NAP_NANOS);
        long now = System.nanoTime();
        status.waited(config.sites().get(awaited), now - start);
        long waited = now - waitingSince;
        if (waited > NAP_NANOS) {
            whileWaiting(channel.link(awaited), waited);
        }
    }

    private void whileWaiting(Link link, long waitedNanos) {
        if (Thread.currentThread().isInterrupted()) {
            throw new PeerStoppedException("interrupted; start again to resume");
        }
        waiting.requireNoObjection();
        checkpointer.requireSuccess(driver.rounds());
        if (channel.full().isPresent()) {
            waiting.forRoom(link, waitedNanos, checkpointer.durableRound());
        } else {
            waiting.forMessage(link, waitedNanos, checkpointer.durableRound());
        }
    }

    private PeerReport report() {
        JobResult result = job.result();
        return PeerReport.of(config.site(), site, result, signed(result), state.totals(), driver);
    }

    private LinearModel model(JobResult result) {
        return site.complete(result.model(bulletin.fingerprint()));
    }

    private LinearModel signed(JobResult result) {
        return sums.signed(
                model(result),
                bulletin,
                config.sites(),
                node -> log.warn("signed-otherwise", "other", config.sites().get(node)));
    }
}
