package dev.starling.cli.compare;

import dev.starling.cli.page.GraphLayout;
import dev.starling.cli.page.HtmlPage;
import dev.starling.internal.JsonTree;
import dev.starling.network.Network;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The HTML page of a comparison: its curves, its numbers and its graph. */
final class ComparisonPage {

    private static final int MOST_NODES = 600;

    private ComparisonPage() {}

    static String of(ComparisonReport report) {
        return HtmlPage.filled(ComparisonPage.class, "page.html", json -> {
            report.write(json);
            JsonTree.object(json, "constants", () -> report.explanation().write(json));
            graph(json, report.subject().network());
        });
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
        JsonTree.value(json, "edges", drawn ? GraphLayout.edges(network) : List.of());
        json.writeEndObject();
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
