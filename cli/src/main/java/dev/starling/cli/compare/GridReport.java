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

    private static final List<String> HEADS = List.of("lambda", "network", "nodes", "tau", "deal");

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
        Measurements.print(
                out,
                Stream.concat(HEADS.stream(), methods.stream()).toList(),
                reports.stream().map(this::line));
    }

    /** Which combination it is. */
    private static Stream<Object> combination(ComparisonReport report) {
        ComparisonReport.Subject subject = report.subject();
        return Stream.of(
                Json.text(subject.lambda()),
                subject.network().description(),
                subject.network().size(),
                Json.text(subject.timing().delay()),
                subject.dealing());
    }

    private List<?> line(ComparisonReport report) {
        String fastest = fastest(report);
        return Stream.concat(
                        combination(report),
                        methods.stream()
                                .map(method -> NumberFormats.shortText(time(report, method))
                                        + (method.equals(fastest) ? "*" : " ")))
                .toList();
    }

    @Override
    public void csv(PrintWriter out) {
        Measurements.csv(
                out,
                Stream.concat(HEADS.stream(), Stream.of("algorithm", "time")).toList(),
                reports.stream()
                        .flatMap(report -> methods.stream()
                                .map(method -> Stream.concat(
                                                combination(report), Stream.of(method, time(report, method)))
                                        .toList())));
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
