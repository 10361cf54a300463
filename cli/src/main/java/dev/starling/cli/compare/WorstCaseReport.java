package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonObject;
import dev.starling.lab.paper.WorstCaseTable;
import dev.starling.lab.paper.WorstCaseTable.Case;
import dev.starling.lab.paper.WorstCaseTable.Line;
import dev.starling.lab.paper.WorstCaseTrial;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;

/** A {@link WorstCaseTable} in all output formats. */
record WorstCaseReport(WorstCaseTable table) implements Measurements {

    private static final Case SHOWN = WorstCaseTable.SHOWN;

    /** A line about one case. */
    static String text(Line line) {
        Case of = line.of();
        return "n = " + of.nodes() + ", m = " + of.functions() + ", kappa = " + Json.text(of.conditioning())
                + ", tau = " + Json.text(of.delay()) + ": "
                + Measurements.times(line.measured())
                + ", least " + NumberFormats.shortText(line.least());
    }

    private static LineChart.Series series(WorstCaseTable.Curve curve) {
        return LineChart.Series.of(
                curve.name(),
                curve.moments().stream()
                        .mapToDouble(WorstCaseTrial.Moment::time)
                        .toArray(),
                curve.moments().stream()
                        .mapToDouble(WorstCaseTrial.Moment::error)
                        .toArray());
    }

    @Override
    public void print(PrintWriter out) {
        out.println("worst-case: the functions of Theorem 1 on a line of n nodes, m of them at either end");
        out.printf("idealised time until every node's relative error is %s%n%n", Json.text(table.precision()));
        Measurements.print(out, heads(), rows());
        out.println();
        out.println(
                "least: the least time that any method needs on these functions; expression: (m + sqrt(m kappa_s) + tau"
                        + " sqrt(kappa_l/gamma)) log 1/eps");
        if (table.methods().stream().anyMatch(method -> !method.equals(WorstCaseTable.OWN))) {
            out.println(WorstCaseTable.OWN
                    + " runs on the functions themselves; other methods take only linear models, in which every"
                    + " function is represented by as many rows as it has couplings");
        }
        table.lines().stream()
                .flatMap(line -> line.below().stream())
                .distinct()
                .forEach(method -> out.println(method
                        + " was below the bound, which is about methods that exchange gradients and proximal points"
                        + " with their neighbours"));
    }

    private List<String> heads() {
        return Stream.of(
                        Stream.of("nodes", "functions", "kappa", "tau"),
                        table.methods().stream(),
                        Stream.of("least", "expression"))
                .flatMap(some -> some)
                .toList();
    }

    private Stream<List<?>> rows() {
        return table.lines().stream()
                .map(line -> Stream.of(
                                Stream.of(
                                        line.of().nodes(),
                                        line.of().functions(),
                                        line.of().conditioning(),
                                        line.of().delay()),
                                line.measured().values().stream(),
                                Stream.of(line.least(), line.expression()))
                        .flatMap(some -> some)
                        .toList());
    }

    @Override
    public void csv(PrintWriter out) {
        Measurements.csv(out, heads(), rows());
    }

    @Override
    public void write(JsonObject json) {
        json.with("precision", table.precision());
        json.with("seeds", table.seeds());
        json.objects("cases", table.lines(), (one, line) -> {
            one.with("nodes", line.of().nodes());
            one.with("functions", line.of().functions());
            one.with("kappa", line.of().conditioning());
            one.with("tau", line.of().delay());
            Measurements.writeTimes(one, line.measured());
            one.with("least", line.least());
            one.with("expression", line.expression());
            one.with("belowTheBound", line.below());
        });
        Measurements.writeOrigin(json, table.complete());
    }

    @Override
    public LineChart chart() {
        return LineChart.of(
                "worst case: n = " + SHOWN.nodes() + ", m = " + SHOWN.functions() + ", kappa = "
                        + Json.text(SHOWN.conditioning()) + ", tau = " + Json.text(SHOWN.delay()),
                "idealised time (a proximal step is 1, a message " + Json.text(SHOWN.delay()) + ")",
                false,
                "largest relative error of any node",
                true,
                table.curves().stream().map(WorstCaseReport::series).toList());
    }
}
