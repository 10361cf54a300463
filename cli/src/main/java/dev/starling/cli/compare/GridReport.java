package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.HtmlPage;
import dev.starling.internal.JsonObject;
import dev.starling.lab.comparison.MethodResult;
import dev.starling.lab.comparison.Point;
import java.io.PrintWriter;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Comparisons on a grid of λ, graphs and τ: how long every method took on each combination.
 *
 * @param title what they have in common
 * @param gap the suboptimality whose times are shown, unless the methods stopped at a gradient
 * @param methods the names of the methods
 * @param reports one for each combination
 * @param complete false if the run was stopped early
 */
record GridReport(String title, double gap, List<String> methods, List<ComparisonReport> reports, boolean complete)
        implements Measurements {

    private OptionalDouble time(ComparisonReport report, String method) {
        return report.outcome().methods().stream()
                .filter(result -> result.method().equals(method))
                .findFirst()
                .map(result -> time(report, result))
                .orElseGet(OptionalDouble::empty);
    }

    private OptionalDouble time(ComparisonReport report, MethodResult result) {
        OptionalDouble gradient = report.subject().gradient();
        return gradient.isPresent() ? result.spentToGradient(gradient.getAsDouble(), Point::time) : result.timeTo(gap);
    }

    private String fastest(ComparisonReport report) {
        return methods.stream()
                .filter(method -> time(report, method).isPresent())
                .min((one, other) -> Double.compare(
                        time(report, one).getAsDouble(), time(report, other).getAsDouble()))
                .orElse("");
    }

    private String goal() {
        OptionalDouble gradient = reports.isEmpty()
                ? OptionalDouble.empty()
                : reports.get(0).subject().gradient();
        return gradient.isPresent()
                ? "gradient's norm is " + Json.text(gradient.getAsDouble())
                : "relative suboptimality is " + Json.text(gap);
    }

    @Override
    public void print(PrintWriter out) {
        out.println(title);
        out.println("idealised time until the " + goal() + "; * the fastest");
        out.println();
        List<List<String>> lines = Stream.concat(
                        Stream.of(
                                Stream.concat(Stream.of("lambda", "network", "nodes", "tau", "deal"), methods.stream())
                                        .toList()),
                        reports.stream().map(this::line))
                .toList();
        int[] widths = IntStream.range(0, lines.get(0).size())
                .map(k -> lines.stream()
                        .mapToInt(line -> line.get(k).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (List<String> line : lines) {
            out.println(IntStream.range(0, widths.length)
                    .mapToObj(k -> String.format("%" + (k == 1 ? "-" : "") + widths[k] + "s", line.get(k)))
                    .collect(Collectors.joining("  ")));
        }
        out.flush();
    }

    private List<String> line(ComparisonReport report) {
        ComparisonReport.Subject subject = report.subject();
        String fastest = fastest(report);
        Stream<String> times = methods.stream()
                .map(method -> NumberFormats.shortText(time(report, method).orElse(Double.NaN))
                        + (method.equals(fastest) ? "*" : " "));
        return Stream.concat(
                        Stream.of(
                                Json.text(subject.lambda()),
                                subject.network().description(),
                                Integer.toString(subject.network().size()),
                                Json.text(subject.timing().delay()),
                                subject.dealing().toString()),
                        times)
                .toList();
    }

    @Override
    public void csv(PrintWriter out) {
        out.println("lambda,network,nodes,tau,deal,algorithm,time");
        for (ComparisonReport report : reports) {
            ComparisonReport.Subject subject = report.subject();
            for (String method : methods) {
                OptionalDouble time = time(report, method);
                out.println(
                        Json.text(subject.lambda()) + "," + subject.network().description() + ","
                                + subject.network().size() + ","
                                + Json.text(subject.timing().delay()) + "," + subject.dealing() + "," + method + ","
                                + (time.isPresent() ? Json.text(time.getAsDouble()) : ""));
            }
        }
        out.flush();
    }

    @Override
    public void write(JsonObject json) {
        json.with("title", title);
        json.with("goal", goal());
        json.objects("cases", reports, (one, report) -> {
            one.object(
                    "time",
                    times -> methods.forEach(
                            method -> times.with(method, time(report, method).orElse(Double.NaN))));
            report.write(one.with("fastest", fastest(report)));
        });
        Measurements.writeOrigin(json, complete);
    }

    @Override
    public String page() {
        return HtmlPage.filled(GridReport.class, "grid.html", this::write);
    }
}
