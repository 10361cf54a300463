package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.page.GraphLayout;
import dev.starling.data.AtomicFiles;
import dev.starling.network.Network;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.core.JsonGenerator;

/**
 * A comparison as one page that needs nothing else: the page itself is a resource, the library that draws its curves
 * (uPlot) is put into it, and so is all it shows, as one JSON object.
 */
public final class Page {

    private static final int MOST_NODES = 600;

    private Page() {}

    public static void write(ComparisonReport report, Path target) {
        String page = html(report);
        AtomicFiles.write(target, out -> out.write(page.getBytes(StandardCharsets.UTF_8)));
    }

    static String html(ComparisonReport report) {
        StringWriter data = new StringWriter();
        Json.print(new PrintWriter(data), json -> {
            report.write(json);
            json.writeObjectPropertyStart("constants");
            report.explanation().write(json);
            json.writeEndObject();
            graph(json, report.subject().network());
        });
        // Nothing in the data may end the element that holds it.
        return resource("page.html")
                .replace("@UPLOT_CSS@", resource("uplot/uPlot.min.css"))
                .replace("@UPLOT_JS@", resource("uplot/uPlot.iife.min.js"))
                .replace("@DATA@", data.toString().strip().replace("<", "\\u003c"));
    }

    private static void graph(JsonGenerator json, Network network) {
        boolean drawn = network.size() <= MOST_NODES;
        json.writeObjectPropertyStart("graph");
        json.writeArrayPropertyStart("nodes");
        if (drawn) {
            double[][] places = GraphLayout.of(network);
            for (int node = 0; node < places.length; node++) {
                json.writeStartObject();
                json.writeStringProperty("name", network.name(node));
                json.writeNumberProperty("x", rounded(places[node][0]));
                json.writeNumberProperty("y", rounded(places[node][1]));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("edges");
        for (int edge = 0; drawn && edge < network.edges(); edge++) {
            json.writeStartArray();
            json.writeNumber(network.tail(edge));
            json.writeNumber(network.head(edge));
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
