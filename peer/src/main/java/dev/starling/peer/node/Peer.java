package dev.starling.peer.node;

import dev.starling.cores.Cores;
import dev.starling.data.InvalidInputException;
import dev.starling.job.RawWeights;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.cohort.RunCohort;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.keys.FreshCredentials;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.metrics.Monitor;
import dev.starling.peer.metrics.Observed;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.metrics.StatusPage;
import dev.starling.peer.transport.Edges;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Limits;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.transport.Surroundings;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One site of a run, from its rows to the model that all sites end with.
 *
 * <p>It waits until all sites have announced themselves, drives the job over its links, and writes checkpoints. When
 * restarted after a crash, it resumes from its newest intact checkpoint and asks its neighbours for the messages it has
 * missed. The result is, bit for bit, the one that {@code starling train --runtime simulator} gives for the same split,
 * settings and delay, whatever happened on the way.
 */
public final class Peer {

    /** Follows the run's name while sites measure, so that nobody takes them for sites that train. */
    private static final String MEASURING = " (measuring)";

    private final SiteConfig config;
    private final EventLog log;
    private final Function<SiteConfig, Site> loader;
    private final Surroundings surroundings;

    private final Status status = new Status();
    private final PeerEvents events;
    private volatile boolean leaving;

    /**
     * Creates a site that has not started yet.
     *
     * @param logger receives every event, as one line of keys and values
     */
    public Peer(SiteConfig config, System.Logger logger) {
        this(config, logger, Site::load, Surroundings.real());
    }

    /** Creates a site whose rows need not come from its file, in any surroundings. */
    Peer(SiteConfig config, System.Logger logger, Function<SiteConfig, Site> loader, Surroundings surroundings) {
        this.config = config;
        this.log = new EventLog(logger, config.site(), status);
        this.loader = loader;
        this.surroundings = surroundings;
        this.events = new PeerEvents(config, log, status, surroundings);
    }

    /** The people with whom a site takes part in the run of its file; reads its rows. */
    public static RunCohort cohort(SiteConfig config) {
        return Site.load(config, false).cohort(config);
    }

    /** Asks the site to save its state and leave; {@link #run} then throws. */
    public void leave() {
        leaving = true;
        events.wake();
    }

    /**
     * Takes part in the run to its end.
     *
     * @param whenSolved receives the result as soon as it is on disk, and again once it is signed; the site then stays
     *     until its neighbours have their results too
     * @throws InvalidInputException if the site's file is invalid, or the sites' settings or data do not fit together
     * @throws PeerStoppedException if the run cannot continue; the site may be started again
     */
    public PeerReport run(Consumer<PeerReport> whenSolved) throws InterruptedException {
        FreshCredentials credentials = credentials();
        Optional<RawWeights> start = Membership.start(config, credentials.get());
        try (CheckpointStore store = CheckpointStore.open(
                        config.state().resolve(config.run()),
                        config.checkpoints().keep(),
                        message -> log.warn("checkpoint-damaged", "message", message));
                Edges edges = open(credentials, config.run())) {
            List<Link> links = new ArrayList<>();
            edges.links().forEach(links::add);
            Observed observed = new Observed(
                    config,
                    status,
                    events.bulletin(),
                    links,
                    edges.traffic(),
                    () -> credentials.get().certificate().getNotAfter().toInstant());
            Optional<Monitor> monitor = config.monitoring().map(address -> watch(address, observed));
            Runnable endOfHelp = new Cores(config.threads()).lend();
            try {
                log.info("loading", "file", config.data().file());
                Site site = loader.apply(config);
                Waiting waiting = new Waiting(config, log, status, events, () -> leaving);
                PeerReport report = new Session(
                                config,
                                log,
                                status,
                                events,
                                waiting,
                                store,
                                edges,
                                credentials.get(),
                                site,
                                start,
                                surroundings)
                        .run(whenSolved);
                status.outcome("done: " + report.fit().outcome().name().toLowerCase(Locale.ROOT));
                return report;
            } catch (PeerStoppedException | InvalidInputException e) {
                status.outcome(e.getMessage());
                throw e;
            } finally {
                endOfHelp.run();
                status.enter(Status.Phase.STOPPED, "");
                if (monitor.isPresent()) {
                    monitor.get().close();
                    save(observed, store.directory().resolve("page.html"));
                }
            }
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    /**
     * Measures a step and the links together with the other sites, which must do the same, and trains nothing: no sum
     * over rows is made, and nothing is written.
     *
     * @param training the settings whose method is measured, the same at all sites
     * @throws InvalidInputException if the site's file is invalid, or the sites' settings do not fit together
     * @throws PeerStoppedException if a site is missing for too long
     */
    public Measurement measure(Settings training) throws InterruptedException {
        try (Edges edges = open(credentials(), config.run() + MEASURING)) {
            Runnable endOfHelp = new Cores(config.threads()).lend();
            try {
                log.info("loading", "file", config.data().file());
                Waiting waiting = new Waiting(config, log, status, events, () -> leaving);
                return new MeasuringSession(config, training, log, status, events, waiting, edges, surroundings)
                        .run(loader.apply(config));
            } finally {
                endOfHelp.run();
            }
        } catch (IOException e) {
            throw stopped(e);
        }
    }

    private static PeerStoppedException stopped(IOException e) {
        String what = e instanceof FileSystemException failure && failure.getFile() != null
                ? failure.getFile() + " "
                : "input or output failed: ";
        return new PeerStoppedException(
                what + CheckpointStore.describe(e) + "; mend that and start again to resume", e);
    }

    private Monitor watch(InetSocketAddress address, Observed observed) {
        Monitor monitor = Monitor.start(address, observed);
        log.info("page", "url", "http://" + address.getHostString() + ":" + monitor.port() + "/");
        return monitor;
    }

    /** Saves the page as it last looked. Failing to write it must not change how the run ends. */
    private void save(Observed observed, Path file) {
        try {
            OwnerOnly.replace(file, StatusPage.saved(observed).getBytes(StandardCharsets.UTF_8));
            log.info("page-saved", "file", file);
        } catch (IOException e) {
            log.warn("page-not-saved", "file", file, "reason", CheckpointStore.describe(e));
        }
    }

    private Edges open(FreshCredentials credentials, String run) {
        List<Neighbour> neighbours = new ArrayList<>();
        new TreeMap<>(config.neighbours())
                .forEach((node, remote) -> neighbours.add(
                        new Neighbour(node, config.sites().get(node), remote.certificateName(), config.pin(node))));
        InetSocketAddress listen = new InetSocketAddress(
                config.listen().getHostString(), config.listen().getPort());
        Identity identity = new Identity(config.node(), config.site(), run, config.networkText());
        Limits limits = new Limits(
                LinkChannel.SMALL,
                Bulletin.LONGEST_NOTE,
                Bulletin.mostNotes(config.sites().size()));
        try {
            Edges edges = surroundings.open(identity, credentials, listen, neighbours, limits, events, config.proxy());
            events.bulletin().spreadOver(edges.links());
            return edges;
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException(
                    "listen: cannot listen on " + listen + ": " + cause.getMessage()
                            + "; is another program using that port?",
                    e);
        }
    }

    /** The site's credentials; refuses a certificate that its neighbours would refuse. */
    private FreshCredentials credentials() {
        if (config.pins().isEmpty()) {
            log.warn(
                    "keys-not-pinned", "remedy", "list the public keys of all sites under 'keys' in every site's file");
        }
        FreshCredentials credentials = new FreshCredentials(
                config.tls(),
                renewed -> log.info(
                        "credentials-renewed",
                        "until",
                        renewed.certificate().getNotAfter().toInstant()),
                message -> log.warn("credentials-not-renewed", "reason", message));
        config.requireOwnKey(credentials.get());
        return credentials;
    }
}
