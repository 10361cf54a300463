package dev.starling.peer.metrics;

import dev.starling.internal.JsonTree;
import dev.starling.network.Network;
import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Everything about a site that monitoring shows, as one JSON object: the content of the page and the answer of
 * {@code /status}.
 */
public final class SiteReport {

    private static final JsonFactory FACTORY = new JsonFactory();

    private final Observed observed;
    private final SiteConfig config;
    private final Status status;
    private final JsonGenerator json;

    private SiteReport(Observed observed, JsonGenerator json) {
        this.observed = observed;
        this.config = observed.config();
        this.status = observed.status();
        this.json = json;
    }

    static String json(Observed observed) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            new SiteReport(observed, json).write();
        }
        return text.toString();
    }

    private void write() {
        json.writeStartObject();
        network();
        progress();
        links();
        sent();
        released();
        recovery();
        occurrences();
        json.writeEndObject();
    }

    /** Writes the sites and edges of the network, as given in a site's file. */
    public static void writeNetwork(JsonGenerator json, SiteConfig config) {
        JsonTree.value(json, "names", config.sites());
        Network network = config.network();
        JsonTree.value(
                json,
                "edges",
                IntStream.range(0, network.edges())
                        .mapToObj(edge -> new int[] {network.tail(edge), network.head(edge)})
                        .toList());
    }

    private void network() {
        json.writeStringProperty("site", config.site());
        json.writeStringProperty("run", config.run());
        writeNetwork(json, config);
        json.writeArrayPropertyStart("waits");
        for (int site = 0; site < config.sites().size(); site++) {
            WaitingFor waitingFor = observed.bulletin().waitOf(site);
            if (!waitingFor.sites().isEmpty()) {
                json.writeStartObject();
                json.writeStringProperty("site", config.sites().get(site));
                JsonTree.value(
                        json,
                        "for",
                        waitingFor.sites().stream().map(config.sites()::get).toList());
                json.writeBooleanProperty("down", waitingFor.down());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void progress() {
        time("time", Instant.now());
        time("started", status.started());
        number("seconds", status.seconds());
        json.writeStringProperty("phase", status.phase().lowerCase());
        json.writeStringProperty("waitingFor", status.waitingFor());
        number("phaseSeconds", status.phaseSeconds());
        json.writeBooleanProperty("well", observed.isWell());
        json.writeStringProperty("part", status.part());
        json.writeStringProperty("outcome", status.outcome());
        json.writeStringProperty("method", status.method());
        json.writeStringProperty("loss", config.training().loss().name());
        number("lambda", config.training().lambda());
        number("targetGap", config.training().gap());
        number("gap", status.certificate().relativeGap());
        number("objective", status.certificate().objective());
        number("epochs", status.certificate().epochs());
        json.writeNumberProperty("rounds", status.rounds());
        number("secondsLeft", status.secondsLeft());
        JsonTree.value(
                json,
                "history",
                status.history().points().stream()
                        .map(point -> new double[] {rounded(point.seconds()), point.gap()})
                        .toList());
    }

    private void links() {
        json.writeNumberProperty("sentBytes", observed.traffic().bytesSent());
        json.writeNumberProperty("receivedBytes", observed.traffic().bytesReceived());
        json.writeNumberProperty("refused", observed.traffic().refused());
        json.writeNumberProperty("malformed", observed.traffic().malformed());
        JsonTree.objects(json, "links", observed.links(), link -> {
            String name = link.neighbour().name();
            json.writeStringProperty("name", name);
            json.writeBooleanProperty("up", link.isUp());
            number("downSeconds", link.downNanos() * 1e-9);
            json.writeBooleanProperty("finished", link.isNeighbourFinished());
            json.writeNumberProperty("sentBytes", link.traffic().bytesSent());
            json.writeNumberProperty("receivedBytes", link.traffic().bytesReceived());
            json.writeNumberProperty("sentVectors", link.sent());
            json.writeNumberProperty("takenVectors", link.taken());
            json.writeNumberProperty("keptBytes", link.keptBytes());
            json.writeNumberProperty("connections", link.traffic().connections());
            number("waitedSeconds", status.waitedSeconds(name));
            json.writeStringProperty(
                    "lastWord",
                    observed.bulletin().reasonOf(link.neighbour().node()).orElse(""));
        });
    }

    /** Writes how much was sent, by part of the job. */
    private void sent() {
        json.writeArrayPropertyStart("sent");
        status.sent().forEach((part, sent) -> {
            if (sent.vectors() > 0) {
                json.writeStartObject();
                json.writeStringProperty("part", part);
                json.writeNumberProperty("vectors", sent.vectors());
                json.writeNumberProperty("numbers", sent.numbers());
                json.writeEndObject();
            }
        });
        json.writeEndArray();
    }

    /** Writes what this site has disclosed about its rows, according to its ledger. */
    private void released() {
        JsonTree.objects(json, "told", status.released(), one -> {
            json.writeStringProperty("kind", one.kind());
            json.writeNumberProperty("sums", one.sums());
            json.writeNumberProperty("numbers", one.numbers());
            json.writeNumberProperty("fewestRows", one.fewestRows());
        });
    }

    private void recovery() {
        json.writeNumberProperty("checkpoints", status.saved().written());
        json.writeNumberProperty("checkpointRound", status.saved().round());
        json.writeNumberProperty("recoveries", status.recoveries());
        time("certificateEnd", observed.certificateEnd().get());
    }

    private void occurrences() {
        JsonTree.objects(json, "events", status.occurrences(), occurrence -> {
            time("time", occurrence.time());
            json.writeBooleanProperty("warning", occurrence.warning());
            json.writeStringProperty("name", occurrence.name());
            json.writeStringProperty("text", occurrence.text());
        });
    }

    private void time(String key, Instant time) {
        json.writeStringProperty(key, time.truncatedTo(ChronoUnit.MILLIS).toString());
    }

    private void number(String key, double value) {
        JsonTree.value(json, key, value);
    }

    private static double rounded(double seconds) {
        return Math.round(seconds * 1000) / 1000.0;
    }
}
