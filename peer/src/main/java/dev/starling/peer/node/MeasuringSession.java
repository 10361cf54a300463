package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.JobRules;
import dev.starling.job.MeasuredDelay;
import dev.starling.job.PlanningPhase;
import dev.starling.method.Tuned;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Phase;
import dev.starling.node.SumGuard;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.events.EventLog;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Edges;
import dev.starling.peer.transport.Link;
import dev.starling.peer.transport.LinkChannel;
import dev.starling.peer.transport.Surroundings;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Driver;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One process's part in a measurement of steps and links. Each site plans as if it were alone, so that it has a step to
 * measure without any sum over the rows of several; all that leaves it are its settings and two times.
 */
final class MeasuringSession {

    private static final String NOTHING_SAVED = "nothing is kept of a measurement";
    private static final Duration FAREWELL = Duration.ofSeconds(10);
    private static final double[][] NO_MESSAGES = {};

    private final SiteConfig config;
    private final Settings training;
    private final EventLog log;
    private final PeerEvents events;
    private final Waiting waiting;
    private final Edges edges;
    private final Surroundings surroundings;
    private final List<Link> links = new ArrayList<>();
    private final LinkChannel channel;
    private final AwaitedMessages awaited;

    private String method = "";
    private double stepMicros;
    private String objection = "";
    private int numbers;

    MeasuringSession(
            SiteConfig config,
            Settings training,
            EventLog log,
            Status status,
            PeerEvents events,
            Waiting waiting,
            Edges edges,
            Surroundings surroundings) {
        this.config = config;
        this.training = training;
        this.log = log;
        this.events = events;
        this.waiting = waiting;
        this.edges = edges;
        this.surroundings = surroundings;
        edges.links().forEach(links::add);
        events.watch(links);
        this.channel = new LinkChannel(links, config.sites().size());
        this.awaited = new AwaitedMessages(status, waiting, channel, surroundings, () -> NOTHING_SAVED);
    }

    Measurement run(Site site) throws IOException, InterruptedException {
        Session.connect(config, edges);
        try {
            // Nothing is said about the rows, not even a commitment to them.
            events.bulletin()
                    .publish(new Presence(training.toMap(), config.data().study(), ""));
            waiting.forAllSites();
            measureStep(site);
            Map<String, Double> linkMicros = linkMicros();
            double[] slowest = slowest(linkMicros);
            if (slowest[0] == 0) {
                // The reasons may name labels of rows, so they stay where they are.
                throw new InvalidInputException("no site could measure a step on its own rows; the log of each has its"
                        + " reason (event=step-not-measured)");
            }
            double tau = MeasuredDelay.of(slowest);
            links.forEach(Link::finish);
            waiting.forTheEndOfAll(links, FAREWELL, () -> {});
            return new Measurement(
                    config.site(), method, stepMicros, objection, numbers, linkMicros, slowest[0], slowest[1], tau);
        } catch (InvalidInputException e) {
            events.bulletin().giveUp(0, e.getMessage(), true, OptionalInt.empty());
            waiting.letOthersKnow();
            throw e;
        } catch (PeerStoppedException e) {
            events.bulletin().giveUp(0, e.getMessage(), false, e.gone());
            waiting.letOthersHear();
            throw e;
        }
    }

    /**
     * A site whose rows cannot be planned for on their own, such as those of a single class, measures its links only.
     */
    private void measureStep(Site site) {
        numbers = site.rows().features();
        JobRules rules =
                new JobRules(JobRules.LabelRule.FOUND, Optional.of(shape -> 1), false, false, config.maxFeatures());
        PlanningPhase planning = new PlanningPhase(
                training,
                rules,
                Network.of(1, new int[0][]),
                Collectives.alone(),
                site.divided().training());
        try {
            while (!planning.isDone()) {
                planning.advance();
                planning.absorb(NO_MESSAGES);
            }
            LocalProblem problem = planning.problems().problem(0);
            Tuned alone = planning.problems().tunedAlone(config.sites().size());
            stepMicros = Measuring.stepMicros(problem, alone, surroundings);
            method = alone.name();
            numbers = problem.features();
        } catch (InvalidInputException e) {
            objection = e.getMessage();
            log.warn("step-not-measured", "reason", objection);
        }
    }

    private Map<String, Double> linkMicros() {
        Map<String, Double> micros = new LinkedHashMap<>();
        for (Link link : links) {
            micros.put(link.neighbour().name(), awaited.linkMicros(link, numbers));
        }
        return micros;
    }

    /** The slowest step and the slowest link, which everyone waits for. */
    private double[] slowest(Map<String, Double> linkMicros) {
        double link = linkMicros.values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        Collectives sites = Collectives.apart(
                config.network().spanningTree(), config.node(), config.sites().size(), SumGuard.NONE);
        Phase<double[]> largest = sites.max(() -> new double[] {stepMicros, link}, 2);
        Delays none = new Delays(node -> 0, (from, to) -> 0);
        new Driver(largest, config.node(), channel, none, Driver.Host.NONE).run(awaited);
        return largest.result();
    }
}
