package dev.starling.cli.compare;

import dev.starling.cli.page.GraphLayout;
import dev.starling.cli.page.HtmlPage;
import dev.starling.internal.JsonObject;
import dev.starling.network.Network;
import java.util.List;

/** The HTML page of a comparison: its curves, its numbers and its graph. */
final class ComparisonPage {

    private static final int MOST_NODES = 600;

    private ComparisonPage() {}

    static String of(ComparisonReport report) {
        return HtmlPage.filled(ComparisonPage.class, "page.html", json -> {
            report.write(json);
            // JSON leaves it out, since it differs from run to run.
            json.with("winnerHere", report.fastestHere());
            json.object("constants", report.explanation()::write);
            graph(json, report.subject().network());
        });
    }

    private static void graph(JsonObject json, Network network) {
        boolean drawn = network.size() <= MOST_NODES;
        double[][] places = drawn ? GraphLayout.of(network) : new double[0][];
        json.object(
                "graph",
                graph -> graph.objects(
                                "nodes",
                                places.length,
                                (one, node) -> one.with("name", network.name(node))
                                        .with("x", rounded(places[node][0]))
                                        .with("y", rounded(places[node][1])))
                        .with("edges", drawn ? GraphLayout.edges(network) : List.of()));
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
