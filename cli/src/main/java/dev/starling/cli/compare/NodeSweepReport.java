package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.lab.paper.NodeSweep;
import dev.starling.lab.paper.NodeSweep.Size;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A {@link NodeSweep} in all output formats. */
record NodeSweepReport(NodeSweep sweep) implements Measurements {

    /** Parses the sizes, in increasing order. */
    static List<Integer> sizes(String given) {
        String text = given == null ? "1,4,9,16,36,64,100,196,400" : given;
        return InvalidInputException.parsed(
                () -> ComparisonOptions.words(text).stream()
                        .map(Integer::valueOf)
                        .sorted()
                        .distinct()
                        .toList(),
                sizes -> sizes.get(0) >= 1,
                () -> "--nodes-list '" + text + "' must be numbers of nodes with commas, such as 1,4,16,64");
    }

    /** A line about one size. */
    static String text(Size size) {
        return "n = " + size.network().size() + ": " + Measurements.times(size.measured()) + ", predicted "
                + NumberFormats.shortText(size.predicted());
    }

    @Override
    public void print(PrintWriter out) {
        out.println(sweep.settings().title());
        out.printf(
                "idealised time to a relative suboptimality of %s%n%n",
                Json.text(sweep.settings().gap()));
        Measurements.print(out, heads(), rows());
        out.println();
        out.println("critical n " + sweep.critical()
                + ": with more nodes, in theory, communication takes more time than computation");
        sweep.methods()
                .forEach(method -> sweep.criticalInRuns(method)
                        .ifPresent(nodes -> out.println("critical n of the runs of " + method + " "
                                + NumberFormats.shortText(nodes)
                                + ": there the part of their time that grows with the network is half of it")));
    }

    private List<String> heads() {
        return Stream.concat(Stream.of("nodes", "gamma", "predicted"), sweep.methods().stream())
                .toList();
    }

    private Stream<List<?>> rows() {
        return sweep.sizes().stream()
                .map(size -> Stream.concat(
                                Stream.of(size.network().size(), size.gamma(), size.predicted()),
                                size.measured().values().stream())
                        .toList());
    }

    @Override
    public void csv(PrintWriter out) {
        Measurements.csv(out, heads(), rows());
    }

    @Override
    public void write(JsonObject json) {
        json.with("title", sweep.settings().title());
        json.with("data", sweep.settings().source());
        json.with("samplesPerNode", sweep.settings().samplesPerNode());
        json.with("lambda", sweep.settings().lambda());
        json.with("tau", sweep.settings().tau());
        json.with("gap", sweep.settings().gap());
        json.with("seeds", sweep.settings().seeds());
        json.with("criticalNodes", sweep.critical());
        json.object(
                "criticalNodesOfTheRuns",
                one -> sweep.methods()
                        .forEach(method ->
                                one.with(method, sweep.criticalInRuns(method).orElse(Double.NaN))));
        json.objects("sizes", sweep.sizes(), (one, size) -> {
            one.with("nodes", size.network().size());
            one.with("network", size.network().description());
            one.with("gamma", size.gamma());
            one.with("predictedTime", size.predicted());
            Measurements.writeTimes(one, size.measured());
        });
        Measurements.writeOrigin(json, sweep.complete());
    }

    /** The time axis starts at zero, so that flat curves look flat. */
    @Override
    public LineChart chart() {
        double[] nodes = sweep.sizes().stream()
                .mapToDouble(size -> size.network().size())
                .toArray();
        List<LineChart.Series> series = new ArrayList<>();
        for (String method : sweep.methods()) {
            series.add(LineChart.Series.of(
                    method,
                    nodes,
                    sweep.sizes().stream()
                            .mapToDouble(size -> size.measured().get(method).orElse(Double.NaN))
                            .toArray()));
        }
        series.add(LineChart.Series.of(
                "adfs, predicted",
                nodes,
                sweep.sizes().stream().mapToDouble(Size::predicted).toArray()));
        double highest =
                sweep.sizes().stream().mapToDouble(Size::predicted).max().orElse(1);
        double last = nodes.length > 0 ? nodes[nodes.length - 1] : 0;
        if (sweep.critical() <= last) {
            series.add(vertical("critical n = " + sweep.critical(), sweep.critical(), highest));
        }
        for (String method : sweep.methods()) {
            sweep.criticalInRuns(method).stream()
                    .filter(n -> n <= last)
                    .forEach(n -> series.add(vertical(
                            "critical n of the runs of " + method + " = " + NumberFormats.shortText(n), n, highest)));
        }
        return LineChart.of(
                sweep.settings().title(),
                "nodes n",
                true,
                "idealised time to " + Json.text(sweep.settings().gap()),
                false,
                series);
    }

    private static LineChart.Series vertical(String name, double nodes, double highest) {
        return LineChart.Series.of(name, new double[] {nodes, nodes}, new double[] {0, highest});
    }
}
