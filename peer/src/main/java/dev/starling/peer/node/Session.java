package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.JobResult;
import dev.starling.job.PlanningPhase;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingJob;
import dev.starling.model.LinearModel;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.checkpoint.AnswerLog;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.sums.LedgerException;
import dev.starling.peer.transport.Edges;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.Surroundings;
import dev.starling.peer.trust.Credentials;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One process's part of a run, from introductions to farewells. {@link JobHost} drives the job, in which everything is
 * that can affect a bit of the result.
 */
final class Session {

    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private final SiteConfig config;
    private final EventLog log;
    private final Announcements announcements;
    private final PeerEvents events;
    private final Waiting waiting;
    private final CheckpointStore store;
    private final Edges edges;
    private final Site site;
    private final Checkpointer checkpointer;
    private final SiteSums sums;
    private final PlanningPhase planning;
    private final CheckedJob job;
    private final Driver driver;
    private final JobHost host;
    private final JobProgress progress;
    private final SiteState state;
    private final CertifiedPoint certified;
    private final Attesting attesting;
    private final AnswerLog answers;

    private boolean connected;

    Session(
            SiteConfig config,
            EventLog log,
            Status status,
            PeerEvents events,
            Waiting waiting,
            CheckpointStore store,
            Edges edges,
            Credentials credentials,
            Site site,
            Optional<RawWeights> start,
            Surroundings surroundings)
            throws IOException {
        this.config = config;
        this.log = log;
        this.announcements = new Announcements(log, status);
        this.events = events;
        Bulletin bulletin = events.bulletin();
        this.waiting = waiting;
        this.store = store;
        this.edges = edges;
        this.site = site;
        List<Link> links = new ArrayList<>();
        edges.links().forEach(links::add);
        events.watch(links);
        this.checkpointer = new Checkpointer(
                store,
                links,
                config.checkpoints().keep(),
                round -> announcements.durable(
                        round, links.stream().mapToLong(Link::keptBytes).sum()),
                surroundings.worker("starling-checkpoint"));
        LinkChannel channel = new LinkChannel(
                links, config.sites().size(), config.checkpoints().keptBytes());
        this.sums =
                new SiteSums(config, site, credentials, this::problem, why -> log.warn("rules-refuse", "reason", why));
        status.ledger(sums::released);
        this.certified =
                new CertifiedPoint(store.directory(), config.checkpoints().every(), log, surroundings::nanos);
        this.progress = new JobProgress(
                config.training(),
                announcements,
                certified,
                new JobProgress.View(this::rounds, this::reached, this::spent, this::isDriven));
        TrainingJob trainingJob = site.job(config, true, Site.place(config, sums.guard()), progress, start);
        this.planning = trainingJob.planning();
        this.job = new CheckedJob(trainingJob, config.sites(), sums::record);
        this.answers = AnswerLog.open(store.directory().resolve("answers"));
        this.host = new JobHost(
                config.sites().size(),
                status,
                planning,
                trainingJob,
                progress,
                waiting,
                channel,
                links,
                checkpointer,
                new CheckpointSchedule(config.checkpoints(), surroundings::nanos, channel::bytesTaken),
                answers,
                surroundings);
        this.driver =
                new Driver(job, config.node(), channel, new Delays(node -> 1, (from, to) -> trainingJob.delay()), host);
        this.state = new SiteState(bulletin, links, driver, sums, answers, edges.traffic(), surroundings::nanos);
        this.attesting = new Attesting(sums.session(), sums::history, bulletin::attestations, config.sites());
    }

    private Bulletin bulletin() {
        return events.bulletin();
    }

    private long rounds() {
        return driver.rounds();
    }

    private RawWeights reached() {
        return job.reached();
    }

    private SiteExpenses spent() {
        return state.spent();
    }

    private boolean isDriven() {
        return state.isDriven();
    }

    private LocalProblem problem(int index) {
        return planning.problems().problem(index);
    }

    PeerReport run(Consumer<PeerReport> whenSolved) throws IOException, InterruptedException {
        try (checkpointer;
                sums;
                answers) {
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
            sums.introduce(bulletin());
            resume();
            connect(config, edges);
            connected = true;
            bulletin().publish(sums.presence());
            waiting.forAllSites();
            waiting.forSession(sums.session());
            sums.begin();
            boolean resumedAtEnd = job.isDone();
            if (!resumedAtEnd) {
                waiting.forCounts();
                solve();
            }
            sign();
            whenSolved.accept(report());
            sayFarewell(resumedAtEnd);
            return report();
        } catch (InvalidInputException e) {
            if (job.isRefused() && !progress.isTraining()) {
                // All sites end in this way before anything was trained, so there is nothing to resume.
                store.discard();
            }
            bulletin().giveUp(state.spent().recoveries, e.getMessage(), true, OptionalInt.empty());
            if (connected) {
                waiting.letOthersKnow();
            }
            throw e;
        } catch (LedgerException e) {
            throw stopped(new PeerStoppedException(e.getMessage() + "; make room and start again to resume", e));
        } catch (PeerStoppedException e) {
            throw stopped(e);
        }
    }

    private PeerStoppedException stopped(PeerStoppedException stop) {
        certified.save();
        // A site that names itself has stopped for good, so that nobody waits for it to come back. One that will come
        // back
        // does not, even if others are the ones who say that it is gone.
        boolean others = stop.gone().isPresent() && stop.gone().getAsInt() != config.node();
        OptionalInt gone = others ? stop.gone() : OptionalInt.empty();
        bulletin()
                .giveUp(
                        state.spent().recoveries,
                        stop.getMessage(),
                        false,
                        stop.isResumable() ? gone : OptionalInt.of(config.node()));
        if (stop.isResumable()) {
            waiting.letOthersHear();
            return stop;
        }
        sums.testify(bulletin());
        waiting.forTestimonies();
        return PeerStoppedException.fault(
                stop.getMessage() + sums.verdict(bulletin().testimonies()), stop);
    }

    /** Signs the result and the history of all sums, and waits for all sites to sign the same. */
    private void sign() throws InterruptedException {
        LinearModel model = model(job.result());
        bulletin().attest(attesting.sign(model));
        waiting.forSignatures(() -> attesting.requireAgreement(model));
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

    static void connect(SiteConfig config, Edges edges) throws IOException {
        Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
        config.neighbours().forEach((node, remote) -> addresses.put(node, remote.address()));
        edges.connect(addresses);
    }

    private void solve() {
        state.begin();
        checkpointer.complete(state.toBytes(), driver.rounds());
        host.drive(driver, state);
        certified.save();
        state.end();
        checkpointer.complete(state.toBytes(), driver.rounds());
        announcements.solved(job.result(), sums.guard().limits(), driver.rounds(), state.spent().seconds);
    }

    /** Stays until the neighbours have their results, and remembers which of them do. */
    private void sayFarewell(boolean resumedAtEnd) throws IOException, InterruptedException {
        checkpointer.releaseAll();
        edges.links().forEach(Link::finish);
        // A site that is restarted after the end either soon finds neighbours that still need it, or nobody at all.
        Duration patience = resumedAtEnd && FAREWELL.compareTo(config.patience().gone()) < 0
                ? FAREWELL
                : config.patience().gone();
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

    private PeerReport report() {
        JobResult result = job.result();
        return PeerReport.of(config.site(), site, result, attesting.signed(model(result)), state.totals(), driver);
    }

    private LinearModel model(JobResult result) {
        return site.complete(result.model(bulletin().fingerprint()));
    }
}
