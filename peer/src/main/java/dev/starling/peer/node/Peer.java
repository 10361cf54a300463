package dev.starling.peer.node;

import dev.starling.internal.Version;
import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.method.CertifiedNode;
import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.Solver.Agreement;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.facts.FactBook;
import dev.starling.peer.facts.SiteMeasures;
import dev.starling.peer.facts.SiteShape;
import dev.starling.peer.metrics.Monitor;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Endpoint;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.Neighbour;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
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
import java.util.function.Consumer;

/**
 * One site of a run, from its rows to the model that all sites end with.
 *
 * <p>It waits for word of all sites, computes the same tuning as they do, drives its node over its links, writes
 * checkpoints, and when started again after a crash takes up its newest whole checkpoint and asks its neighbours for
 * what it has missed. The result is the one that {@code starling train --runtime simulator} gives on the same split,
 * seed and delay, bit for bit, whatever happened on the way.
 */
public final class Peer {

    private static final long FAREWELL_NANOS = 10_000_000_000L;
    private static final long FAREWELL_MILLIS = 1000;

    private final SiteConfig config;
    private final EventLog log;

    private final Status status = new Status();
    private final PeerEvents events;
    private final FactBook book;
    private final Progress progress = new Progress();
    private volatile boolean leaving;

    /** A site that has not started, and tells its events to the platform's logger of this class' package. */
    public Peer(SiteConfig config) {
        this(config, System.getLogger(Peer.class.getPackageName()));
    }

    /**
     * A site that has not started.
     *
     * @param logger told every event, as one line of keys and values
     */
    public Peer(SiteConfig config, System.Logger logger) {
        this.config = config;
        this.log = new EventLog(logger, config.site());
        this.book = new FactBook(config.node(), config.sites().size());
        this.events = new PeerEvents(book, log, status);
    }

    /** Where the site stands. */
    public Status status() {
        return status;
    }

    /** Asks the site to save its state and leave; {@link #run} then throws. */
    public void leave() {
        leaving = true;
        events.wake();
    }

    /**
     * Takes part in the run to its end.
     *
     * @param whenSolved given the result as soon as it is on disk; the site then stays until its neighbours have it too
     * @throws InvalidInputException if the site's file or data, or what the sites say, do not fit together
     * @throws PeerStoppedException if the run cannot go on; the site may be started again
     */
    public PeerReport run(Consumer<PeerReport> whenSolved) throws InterruptedException {
        try (CheckpointStore store = CheckpointStore.open(
                        config.state().resolve(config.run()),
                        config.checkpoints().keep(),
                        message -> log.warn("checkpoint-damaged", "message", message));
                Endpoint endpoint = open()) {
            Optional<Monitor> monitor = config.monitoring()
                    .map(address -> Monitor.start(address, config.site(), status, endpoint.traffic()));
            try {
                return new Session(store, endpoint).run(whenSolved);
            } finally {
                monitor.ifPresent(Monitor::close);
                status.enter(Status.Phase.STOPPED, "");
            }
        } catch (IOException e) {
            throw new PeerStoppedException("input or output failed: " + CheckpointStore.describe(e), e);
        }
    }

    private Endpoint open() {
        List<Neighbour> neighbours = new ArrayList<>();
        new TreeMap<>(config.neighbours())
                .forEach((node, remote) ->
                        neighbours.add(new Neighbour(node, config.sites().get(node), remote.certificateName())));
        InetSocketAddress listen = new InetSocketAddress(
                config.listen().getHostString(), config.listen().getPort());
        Identity identity =
                new Identity(config.node(), config.site(), Version.current(), config.run(), config.networkDigest());
        Limits limits = new Limits(
                config.training().longestVector(),
                FactBook.LONGEST_NOTE,
                FactBook.mostNotes(config.sites().size()));
        try {
            Endpoint endpoint =
                    Endpoint.open(identity, config.tls().load(), Optional.of(listen), neighbours, limits, events);
            book.spreadOver(endpoint.links());
            return endpoint;
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException("listen: cannot listen on " + listen + ": " + cause.getMessage(), e);
        }
    }

    /** One process' part of a run. */
    private final class Session implements NodeLoop.Host {
        private final CheckpointStore store;
        private final Endpoint endpoint;
        private final List<Link> links = new ArrayList<>();
        private final Link[] byNode;
        private final Checkpointer checkpointer;
        private final Waiting waiting = new Waiting(config, log, status, events, book, this::isLeaving);
        private final Site site;

        private Optional<DataInputStream> saved = Optional.empty();
        private SiteRecord record;
        private boolean ended;
        private Site.Common common;
        private Solver solver;
        private Agreement agreement;
        private CertifiedNode program;
        private Certificate latest = Certificate.NONE;
        private NodeLoop loop;
        private long sentBefore;
        private long receivedBefore;
        private long lastCheckpoint = System.nanoTime();
        private double secondsBefore;
        private long solvingSince;

        Session(CheckpointStore store, Endpoint endpoint) {
            this.store = store;
            this.endpoint = endpoint;
            this.byNode = new Link[config.sites().size()];
            for (Link link : endpoint.links()) {
                links.add(link);
                byNode[link.neighbour().node()] = link;
            }
            events.watch(links);
            this.checkpointer =
                    new Checkpointer(store, links, config.checkpoints().keep(), round -> {
                        long kept = links.stream().mapToLong(Link::keptBytes).sum();
                        status.checkpoint(status.checkpoints() + 1, round, kept);
                        log.info("checkpoint", "round", round, "kept-bytes", kept);
                    });
            log.info("loading", "file", config.data().file());
            this.site = Site.load(config, Version.current());
        }

        PeerReport run(Consumer<PeerReport> whenSolved) throws IOException, InterruptedException {
            try (checkpointer) {
                log.info(
                        "started",
                        "run",
                        config.run(),
                        "node",
                        config.node(),
                        "rows",
                        site.shape().rows(),
                        "features",
                        site.shape().features());
                takeUp();
                connect();
                prepare();
                boolean resumedAtEnd = ended;
                if (!ended) {
                    solve();
                }
                PeerReport report = report();
                whenSolved.accept(report);
                farewell(resumedAtEnd);
                return report();
            } catch (InvalidInputException e) {
                // What is wrong may be news to others: let it reach them before the links close.
                Thread.sleep(FAREWELL_MILLIS);
                throw e;
            }
        }

        /** Reads what an earlier process of this site left. */
        private void takeUp() throws IOException {
            record = SiteRecord.takeUp(store, site.shape());
            Optional<byte[]> newest = store.newest();
            if (newest.isPresent()) {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(newest.get()));
                ended = in.readBoolean();
                book.restore(in);
                if (!book.shape(config.node()).equals(site.shape())) {
                    throw new InvalidInputException(store.directory()
                            + " holds a run of other data or settings; change them back, or give the run another name "
                            + "at all sites");
                }
                progress.restore(in);
                for (Link link : links) {
                    link.restore(in);
                }
                checkpointer.restored(progress.rounds);
                saved = Optional.of(in);
                log.info("resumed", "round", progress.rounds, "recoveries", record.recoveries());
            } else if (record.recoveries() > 0) {
                log.info("resumed", "round", 0, "recoveries", record.recoveries());
            }
            status.recoveries(record.recoveries());
            sentBefore = progress.bytesSent;
            receivedBefore = progress.bytesReceived;
            secondsBefore = progress.seconds;
        }

        private void connect() throws IOException {
            Map<Integer, InetSocketAddress> addresses = new TreeMap<>();
            config.neighbours().forEach((node, remote) -> addresses.put(node, remote.socketAddress()));
            endpoint.connect(addresses);
        }

        /** From shapes to the tuning that all sites compute alike. */
        private void prepare() throws IOException, InterruptedException {
            status.enter(Status.Phase.GATHERING, "");
            book.publish(site.shape());
            gather(true);
            common = site.common(config.sites(), book.shapes());
            solver = config.training().solver(common.rows().features(), common.valuesPerRow());
            int longest = solver.longestMessage(common.rows().features());
            links.forEach(link -> link.limitVectors(longest));
            if (record.measures().isEmpty()) {
                record.keep(measure());
            }
            SiteMeasures own = record.measures().orElseThrow();
            book.publish(own);
            gather(false);
            List<SiteMeasures> all = book.measures();
            double tau = config.training().tau().orElseGet(() -> SiteMeasures.agreedTau(all));
            agreement = solver.agree(
                    config.network(), all.stream().map(SiteMeasures::facts).toList(), tau);
            status.delay(tau, own.linkMicros());
            log.info(
                    "agreed",
                    "method",
                    solver.name(),
                    "tau",
                    tau,
                    "link-micros",
                    Math.round(own.linkMicros() * 10) / 10.0,
                    "step-micros",
                    Math.round(own.stepMicros() * 1000) / 1000.0);
        }

        private void gather(boolean onlyShapes) throws InterruptedException {
            long start = System.nanoTime();
            while (true) {
                waiting.requireNoObjection();
                requireAgreementSoFar();
                List<Integer> missing = book.missing(onlyShapes);
                if (missing.isEmpty()) {
                    return;
                }
                waiting.forSites(missing, System.nanoTime() - start);
                book.await(100);
            }
        }

        private void requireAgreementSoFar() {
            List<Integer> known = book.knownShapes();
            List<SiteShape> shapes = known.stream().map(book::shape).toList();
            SiteShape.requireAgreement(known.stream().map(config.sites()::get).toList(), shapes);
        }

        private SiteMeasures measure() throws InterruptedException {
            LocalProblem problem = common.problem(
                    0, config.training().loss(), config.training().lambda());
            NodeFacts own = solver.facts(problem);
            double step = Measuring.stepMicros(problem, solver, own);
            double slowest = 0;
            events.drivenBy(Thread.currentThread());
            if (config.training().tau().isEmpty()) {
                for (Link link : links) {
                    slowest = Math.max(slowest, measure(link));
                }
            }
            return new SiteMeasures(own, step, slowest);
        }

        private double measure(Link link) throws InterruptedException {
            while (true) {
                whileWaiting(link, 0);
                double micros = link.isUp()
                        ? Measuring.linkMicros(
                                link, Double.BYTES * common.rows().features())
                        : 0;
                if (micros > 0) {
                    return micros;
                }
                waiting.toMeasure(link);
                book.await(50);
            }
        }

        private void solve() throws IOException, InterruptedException {
            solvingSince = System.nanoTime();
            SiteConfig.Training training = config.training();
            boolean resumed = saved.isPresent();
            while (progress.solved.size() < common.problems()) {
                LocalProblem problem = common.problem(progress.solved.size(), training.loss(), training.lambda());
                program = program(problem);
                if (resumed) {
                    program.restore(saved.orElseThrow());
                    resumed = false;
                }
                status.enter(Status.Phase.TRAINING, "");
                loop = new NodeLoop(program, byNode, agreement.pace().delay(), !isNewton(), progress, this);
                events.drivenBy(Thread.currentThread());
                if (!loop.run()) {
                    checkpoint();
                    checkpointer.complete();
                    throw new PeerStoppedException(
                            "stopped at round " + progress.rounds + " with its state saved; start again to resume");
                }
                progress.solved.add(new Solved(
                        program.bestCertificate(), program.bestParameter().clone(), updatesOfAll()));
            }
            ended = true;
            checkpointer.begin(state(), progress.rounds);
            checkpointer.complete();
            log.info(
                    "solved",
                    "gap",
                    progress.certificate().relativeGap(),
                    "rounds",
                    progress.rounds,
                    "seconds",
                    Math.round(progress.seconds * 1000) / 1000.0);
        }

        private CertifiedNode program(LocalProblem problem) {
            SiteConfig.Training training = config.training();
            return agreement.program(problem, config.node(), training.rule(), training.seed(), (certificate, next) -> {
                latest = certificate;
                status.certificate(certificate);
                log.info(
                        "certificate",
                        "gap",
                        certificate.relativeGap(),
                        "objective",
                        certificate.objective(),
                        "epochs",
                        Math.round(certificate.epochs() * 100) / 100.0,
                        "rounds",
                        progress.rounds);
            });
        }

        /**
         * Updates of all sites in the problem that was just solved. With ADFS all take the same number of steps, which
         * comes from the stream they share. With Newton's method all make the same passes, over all of their own rows
         * or over every k-th, and the last certificate says how many epochs these are together; what k leaves over at
         * each site is rounded.
         */
        private long updatesOfAll() {
            return isNewton()
                    ? Math.round(latest.epochs() * agreement.totals().samples())
                    : program.updates() * config.sites().size();
        }

        private boolean isNewton() {
            return agreement.method() == Method.NEWTON;
        }

        @Override
        public void afterRound() {
            status.rounds(progress.rounds);
            if (status.phase() == Status.Phase.WAITING) {
                status.enter(Status.Phase.TRAINING, "");
            }
            boolean due = System.nanoTime() - lastCheckpoint
                            > config.checkpoints().every().toNanos()
                    || loop.bytesTaken() > config.checkpoints().bytes();
            if (due && !checkpointer.isBusy()) {
                checkpointer.requireSuccess(progress.rounds);
                checkpoint();
            }
        }

        private void checkpoint() {
            try {
                checkpointer.begin(state(), progress.rounds);
            } catch (IOException e) {
                throw new PeerStoppedException("the state cannot be put into bytes: " + e.getMessage(), e);
            }
            lastCheckpoint = System.nanoTime();
            loop.takeBytes();
        }

        private byte[] state() throws IOException {
            progress.seconds = secondsBefore + (System.nanoTime() - solvingSince) * 1e-9;
            progress.bytesSent = sentBefore + endpoint.traffic().bytesSent();
            progress.bytesReceived = receivedBefore + endpoint.traffic().bytesReceived();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 20);
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeBoolean(ended);
            book.save(out);
            progress.save(out);
            for (Link link : links) {
                link.save(out);
            }
            program.save(out);
            return bytes.toByteArray();
        }

        @Override
        public void whileWaiting(Link link, long waitedNanos) {
            waiting.requireNoObjection();
            checkpointer.requireSuccess(progress.rounds);
            waiting.forMessage(link, waitedNanos, checkpointer.durableRound());
        }

        @Override
        public boolean isLeaving() {
            return leaving;
        }

        /** Stays until the neighbours need nothing more from this site. */
        private void farewell(boolean resumedAtEnd) throws InterruptedException {
            checkpointer.releaseAll();
            links.forEach(Link::finish);
            status.enter(Status.Phase.FINISHED, "");
            long start = System.nanoTime();
            // One that comes back after the end finds either neighbours that still need it, soon, or nobody.
            long patience = resumedAtEnd
                    ? Math.min(FAREWELL_NANOS, config.patience().toNanos())
                    : config.patience().toNanos();
            for (Link link : links) {
                while (!link.isNeighbourFinished() && !leaving) {
                    if (link.downNanos() > 0 && System.nanoTime() - start > patience) {
                        log.warn("left-early", "neighbour", link.neighbour().name());
                        break;
                    }
                    waiting.forTheEndOf(link);
                    book.await(20);
                }
            }
        }

        private PeerReport report() {
            SiteMeasures own = record.measures().orElseThrow();
            return new PeerReport(
                    config.site(),
                    new Result(config, book.shapes(), common, agreement, progress).fit(),
                    agreement.pace().delay(),
                    own.linkMicros(),
                    own.stepMicros(),
                    record.recoveries(),
                    sentBefore + endpoint.traffic().bytesSent(),
                    receivedBefore + endpoint.traffic().bytesReceived(),
                    site.loadSeconds(),
                    site.rows());
        }
    }
}
