package dev.starling.peer.node;

import dev.starling.Fit;
import dev.starling.TimeBudget;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Agreement;
import dev.starling.job.JobResult;
import dev.starling.job.JobRules;
import dev.starling.job.MeasuredDelay;
import dev.starling.job.NodeRows;
import dev.starling.job.Settings;
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
import dev.starling.runtime.Runner.RunReport;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * One process' part of a run: the host of the job at this site. It has the state on disk, waits for neighbours that are
 * gone, measures, and says how it goes; everything that decides a bit is the job's.
 */
final class Session implements Driver.Host, Driver.Idle, TrainingListener {

    private static final long NAP_NANOS = 50_000_000;
    private static final int YIELDS = 20;

    private final SiteConfig config;
    private final EventLog log;
    private final Status status;
    private final Announcements announce;
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
    private final Agreement agreement;
    private final TrainingJob whole;
    private final CheckedJob job;
    private final Driver driver;

    /** What earlier processes of this site spent, and what was measured. */
    private SiteExpenses before = new SiteExpenses();

    private TimeBudget budget;
    private boolean connected;
    private boolean training;
    private String lastPhase = "";
    private long drivenSince;
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
            Site site)
            throws IOException {
        this.config = config;
        this.log = log;
        this.status = status;
        this.announce = new Announcements(log, status);
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
                round -> announce.durable(
                        round, links.stream().mapToLong(Link::keptBytes).sum()));
        this.channel = new LinkChannel(
                links, config.sites().size(), config.checkpoints().keptBytes());
        Settings settings = config.training();
        JobRules rules = new JobRules(
                JobRules.LabelRule.KNOWN_TO_ONE,
                Optional.empty(),
                false,
                Double.isFinite(settings.maxSeconds()),
                config.maxFeatures());
        this.sums =
                SiteSums.open(config, site, credentials, this::problem, why -> log.warn("rules-refuse", "reason", why));
        this.agreement = new Agreement(
                settings,
                rules,
                config.network(),
                Collectives.apart(
                        config.network().spanningTree(),
                        config.node(),
                        config.network().size(),
                        sums.guard()),
                NodeRows.all(site.rows()));
        this.whole = new TrainingJob(settings, rules, agreement, this);
        this.job = new CheckedJob(whole, config.sites());
        this.driver = new Driver(job, config.node(), channel, new Delays(node -> 1, (from, to) -> whole.delay()), this);
    }

    private LocalProblem problem(int index) {
        return agreement.problem(index);
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
            takeUp();
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
            checkpointer.releaseAll();
            links.forEach(Link::finish);
            if (waiting.forTheEndOfAll(links, resumedAtEnd)) {
                sums.forget();
            }
            return report();
        } catch (InvalidInputException e) {
            if (job.isRefused()) {
                // All sites end with this, before anything was trained: there is nothing to resume.
                store.discard();
            }
            bulletin.giveUp(before.recoveries, e.getMessage(), true);
            if (connected) {
                waiting.letOthersKnow();
            }
            throw e;
        } catch (PeerStoppedException e) {
            bulletin.giveUp(before.recoveries, e.getMessage(), false);
            throw e;
        }
    }

    /** Signs the result, and stays until all have, or for a while. */
    private void sign() throws InterruptedException {
        sums.attest(job.result().model(bulletin.fingerprint()), bulletin);
        waiting.forSignatures();
        checkpointer.complete(state(), driver.rounds());
    }

    /** Reads what an earlier process of this site left. */
    private void takeUp() throws IOException {
        Optional<byte[]> newest = store.newest();
        if (newest.isEmpty()) {
            return;
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(newest.get()));
        before = SiteExpenses.restore(in);
        before.recoveries++;
        bulletin.restore(in);
        if (!bulletin.presence(config.node()).equals(sums.presence())) {
            throw new InvalidInputException(store.directory()
                    + " holds a run of other data or settings; change them back, or give the run another name "
                    + "at all sites");
        }
        for (Link link : links) {
            link.restore(in);
        }
        driver.restore(in);
        sums.restore(in);
        checkpointer.restored(driver.rounds());
        announce.resumed(driver.rounds(), before.recoveries);
    }

    private byte[] state() {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
            DataOutputStream out = new DataOutputStream(bytes);
            totals().save(out);
            bulletin.save(out);
            for (Link link : links) {
                link.save(out);
            }
            driver.save(out);
            sums.save(out);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new PeerStoppedException("the state cannot be put into bytes: " + e.getMessage(), e);
        }
    }

    /** What all processes of this site have spent so far. */
    private SiteExpenses totals() {
        SiteExpenses totals = new SiteExpenses();
        totals.recoveries = before.recoveries;
        totals.seconds = before.seconds + (drivenSince == 0 ? 0 : (System.nanoTime() - drivenSince) * 1e-9);
        totals.bytesSent = before.bytesSent + endpoint.traffic().bytesSent();
        totals.bytesReceived = before.bytesReceived + endpoint.traffic().bytesReceived();
        totals.stepMicros = before.stepMicros;
        totals.linkMicros = before.linkMicros;
        return totals;
    }

    private void connect() throws IOException {
        Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
        config.neighbours()
                .forEach((node, remote) -> remote.address().ifPresent(address -> addresses.put(node, address)));
        endpoint.connect(addresses);
        connected = true;
    }

    private void solve() {
        drivenSince = System.nanoTime();
        events.drivenBy(Thread.currentThread());
        checkpointer.complete(state(), driver.rounds());
        enterPhase();
        driver.run(this);
        before.seconds = totals().seconds;
        drivenSince = 0;
        checkpointer.complete(state(), driver.rounds());
        announce.solved(job.result().certificate(), driver.rounds(), before.seconds);
    }

    private void enterPhase() {
        status.enter(training ? Status.Phase.TRAINING : Status.Phase.GATHERING, "");
    }

    @Override
    public void started(int index, int count, TrainingPlan plan, DoubleSupplier epochs) {
        if (!training) {
            training = true;
            budget = new TimeBudget(config.training().maxSeconds(), before.seconds);
            announce.agreed(plan, before);
        }
        budget.started(index, count, plan, epochs);
        if (drivenSince != 0) {
            enterPhase();
        }
    }

    @Override
    public void certified(Certificate certificate, double epochsLeft) {
        announce.certified(certificate, driver.rounds());
    }

    @Override
    public void before(Exchange exchange) {
        String phase = whole.phaseName().equals("agree") ? agreement.phaseName() : whole.phaseName();
        if (!phase.equals(lastPhase)) {
            lastPhase = phase;
            log.info("phase", "name", phase);
        }
    }

    @Override
    public void after(Exchange exchange, Driver same) {
        status.rounds(driver.rounds());
        if (status.phase() == Status.Phase.WAITING) {
            enterPhase();
        }
        if (exchange.kind() == Exchange.Kind.ASK) {
            // Whoever replays must hear the same answer.
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
        return state();
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
        LocalProblem problem = agreement.firstProblem();
        before.stepMicros = Measuring.stepMicros(problem, agreement.tunedAlone());
        before.linkMicros = 0;
        for (Link link : links) {
            before.linkMicros = Math.max(before.linkMicros, measured(link, Double.BYTES * problem.features()));
        }
        return new double[] {before.stepMicros, before.linkMicros};
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
        LockSupport.parkNanos(this, NAP_NANOS);
        long waited = System.nanoTime() - waitingSince;
        if (waited > NAP_NANOS) {
            whileWaiting(channel.link(channel.full().orElse(from)), waited);
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
        SiteExpenses totals = totals();
        RunReport spent =
                new RunReport(true, driver.clock(), driver.rounds(), driver.messagesSent(), driver.bytesSent());
        return new PeerReport(
                config.site(),
                Fit.of(result, signed(result), outcome(result), spent, totals.seconds),
                result.plan().method().forecast().delay(),
                totals.linkMicros,
                totals.stepMicros,
                totals.recoveries,
                totals.bytesSent,
                totals.bytesReceived,
                site.loadSeconds(),
                site.rows());
    }

    private LinearModel signed(JobResult result) {
        return sums.signed(
                result.model(bulletin.fingerprint()),
                bulletin,
                config.sites(),
                node -> log.warn("signed-otherwise", "other", config.sites().get(node)));
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
