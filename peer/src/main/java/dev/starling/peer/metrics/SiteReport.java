package dev.starling.peer.metrics;

import dev.starling.internal.JsonObject;
import dev.starling.internal.JsonTree;
import dev.starling.network.Network;
import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Everything about a site that monitoring shows, as one JSON object: the content of the page and the answer of
 * {@code /status}.
 */
public final class SiteReport {

    private final Observed observed;
    private final SiteConfig config;
    private final Status status;
    private final JsonObject json;

    private SiteReport(Observed observed, JsonObject json) {
        this.observed = observed;
        this.config = observed.config();
        this.status = observed.status();
        this.json = json;
    }

    static String json(Observed observed) {
        return JsonTree.text(JsonObject.of(json -> new SiteReport(observed, json).write()));
    }

    private void write() {
        network();
        progress();
        links();
        sent();
        json.objects(
                "told",
                status.released(),
                (one, told) -> one.with("kind", told.kind())
                        .with("sums", told.sums())
                        .with("numbers", told.numbers())
                        .with("fewestRows", told.fewestRows()));
        recovery();
        json.objects(
                "events",
                status.occurrences(),
                (one, event) -> one.with("time", text(event.time()))
                        .with("warning", event.warning())
                        .with("name", event.name())
                        .with("text", event.text()));
    }

    /** Writes the sites and edges of the network, as given in a site's file. */
    public static void writeNetwork(JsonObject json, SiteConfig config) {
        json.with("names", config.sites());
        Network network = config.network();
        json.with(
                "edges",
                IntStream.range(0, network.edges())
                        .mapToObj(edge -> new int[] {network.tail(edge), network.head(edge)})
                        .toList());
    }

    private void network() {
        json.with("site", config.site());
        json.with("run", config.run());
        writeNetwork(json, config);
        List<Integer> waiting = IntStream.range(0, config.sites().size())
                .filter(site -> !observed.bulletin().waitOf(site).sites().isEmpty())
                .boxed()
                .toList();
        json.objects("waits", waiting, (one, site) -> {
            WaitingFor waitingFor = observed.bulletin().waitOf(site);
            one.with("site", config.sites().get(site));
            one.with("for", waitingFor.sites().stream().map(config.sites()::get).toList());
            one.with("down", waitingFor.down());
        });
    }

    private void progress() {
        json.with("time", text(Instant.now()));
        json.with("started", text(status.started()));
        json.with("seconds", status.seconds());
        json.with("phase", status.phase().lowerCase());
        json.with("waitingFor", status.waitingFor());
        json.with("phaseSeconds", status.phaseSeconds());
        json.with("well", observed.isWell());
        json.with("part", status.part());
        json.with("outcome", status.outcome());
        json.with("method", status.method());
        json.with("loss", config.training().loss().name());
        json.with("lambda", config.training().lambda());
        json.with("targetGap", config.training().gap());
        json.with("gap", status.certificate().relativeGap());
        json.with("objective", status.certificate().objective());
        json.with("epochs", status.certificate().epochs());
        json.with("rounds", status.rounds());
        json.with("secondsLeft", status.secondsLeft());
        json.with(
                "history",
                status.history().points().stream()
                        .map(point -> new double[] {rounded(point.seconds()), point.gap()})
                        .toList());
    }

    private void links() {
        json.with("sentBytes", observed.traffic().bytesSent());
        json.with("receivedBytes", observed.traffic().bytesReceived());
        json.with("refused", observed.traffic().refused());
        json.with("malformed", observed.traffic().malformed());
        json.objects("links", observed.links(), (one, link) -> {
            String name = link.neighbour().name();
            one.with("name", name);
            one.with("up", link.isUp());
            one.with("downSeconds", link.downNanos() * 1e-9);
            one.with("finished", link.isNeighbourFinished());
            one.with("sentBytes", link.traffic().bytesSent());
            one.with("receivedBytes", link.traffic().bytesReceived());
            one.with("sentVectors", link.sent());
            one.with("takenVectors", link.taken());
            one.with("keptBytes", link.keptBytes());
            one.with("connections", link.traffic().connections());
            one.with("waitedSeconds", status.waitedSeconds(name));
            one.with(
                    "lastWord",
                    observed.bulletin().reasonOf(link.neighbour().node()).orElse(""));
        });
    }

    /** Writes how much was sent, by part of the job. */
    private void sent() {
        List<Map.Entry<String, Status.Sent>> parts = status.sent().entrySet().stream()
                .filter(part -> part.getValue().vectors() > 0)
                .toList();
        json.objects(
                "sent",
                parts,
                (one, part) -> one.with("part", part.getKey())
                        .with("vectors", part.getValue().vectors())
                        .with("numbers", part.getValue().numbers()));
    }

    private void recovery() {
        json.with("checkpoints", status.saved().written());
        json.with("checkpointRound", status.saved().round());
        json.with("recoveries", status.recoveries());
        json.with("certificateEnd", text(observed.certificateEnd().get()));
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static double rounded(double seconds) {
        return Math.round(seconds * 1000) / 1000.0;
    }
}
