package dev.starling.peer.metrics;

import dev.starling.peer.bulletin.WaitingFor;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.sums.ReleasedSums;
import dev.starling.peer.transport.Link;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
        names(json, "names", config.sites());
        json.writeArrayPropertyStart("edges");
        for (int edge = 0; edge < config.network().edges(); edge++) {
            json.writeStartArray();
            json.writeNumber(config.network().tail(edge));
            json.writeNumber(config.network().head(edge));
            json.writeEndArray();
        }
        json.writeEndArray();
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
                names(
                        json,
                        "for",
                        waitingFor.sites().stream().map(config.sites()::get).toList());
                json.writeBooleanProperty("down", waitingFor.down());
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static void names(JsonGenerator json, String key, List<String> names) {
        json.writeArrayPropertyStart(key);
        names.forEach(json::writeString);
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
        json.writeArrayPropertyStart("history");
        for (GapHistory.Point point : status.history().points()) {
            json.writeStartArray();
            json.writeNumber(rounded(point.seconds()));
            json.writeNumber(point.gap());
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void links() {
        json.writeNumberProperty("sentBytes", observed.traffic().bytesSent());
        json.writeNumberProperty("receivedBytes", observed.traffic().bytesReceived());
        json.writeNumberProperty("refused", observed.traffic().refused());
        json.writeNumberProperty("malformed", observed.traffic().malformed());
        json.writeArrayPropertyStart("links");
        for (Link link : observed.links()) {
            String name = link.neighbour().name();
            json.writeStartObject();
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
            json.writeEndObject();
        }
        json.writeEndArray();
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
        json.writeArrayPropertyStart("told");
        for (ReleasedSums one : status.released()) {
            json.writeStartObject();
            json.writeStringProperty("kind", one.kind());
            json.writeNumberProperty("sums", one.sums());
            json.writeNumberProperty("numbers", one.numbers());
            json.writeNumberProperty("fewestRows", one.fewestRows());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void recovery() {
        json.writeNumberProperty("checkpoints", status.saved().written());
        json.writeNumberProperty("checkpointRound", status.saved().round());
        json.writeNumberProperty("recoveries", status.recoveries());
        time("certificateEnd", observed.certificateEnd().get());
    }

    private void occurrences() {
        json.writeArrayPropertyStart("events");
        for (Status.Occurrence occurrence : status.occurrences()) {
            json.writeStartObject();
            time("time", occurrence.time());
            json.writeBooleanProperty("warning", occurrence.warning());
            json.writeStringProperty("name", occurrence.name());
            json.writeStringProperty("text", occurrence.text());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void time(String key, Instant time) {
        json.writeStringProperty(key, time.truncatedTo(ChronoUnit.MILLIS).toString());
    }

    /** Writes a number, or null if it is not finite, since JSON has no infinity. */
    private void number(String key, double value) {
        if (Double.isFinite(value)) {
            json.writeNumberProperty(key, value);
        } else {
            json.writeNullProperty(key);
        }
    }

    private static double rounded(double seconds) {
        return Math.round(seconds * 1000) / 1000.0;
    }
}
