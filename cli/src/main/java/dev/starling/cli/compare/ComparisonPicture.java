package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.page.LineChart;
import dev.starling.lab.bound.LowerBound;
import dev.starling.lab.comparison.MethodResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * The curves of a comparison over idealised time, drawn like the paper's plots: time is linear, the error logarithmic.
 */
final class ComparisonPicture {

    /** A curve that diverges is drawn to so many times where methods start, so that the others can be seen. */
    private static final double HIGHEST = 100;

    private ComparisonPicture() {}

    static LineChart chart(ComparisonReport report) {
        List<LineChart.Series> series = new ArrayList<>(report.outcome().methods().stream()
                .map(ComparisonPicture::series)
                .toList());
        rate(report).ifPresent(series::add);
        line(report, "Theorem 1, no constant", lowerBound(report)).ifPresent(series::add);
        return LineChart.of(
                report.subject().title(),
                "idealised time (a proximal step is 1, a message "
                        + Json.text(report.subject().timing().delay()) + ")",
                false,
                "relative suboptimality",
                true,
                series);
    }

    /** The decrease that theory predicts for S-ADFS from its starting point: a factor e every C_comp + τ C_comm. */
    private static Optional<LineChart.Series> rate(ComparisonReport report) {
        boolean shown = report.outcome().methods().stream()
                .anyMatch(result ->
                        result.method().equals("adfs-theory") || result.method().equals("adfs"));
        OptionalDouble timePerFactor = report.explanation().value("tuning", "timePerFactor");
        return shown ? line(report, "adfs, predicted", timePerFactor) : Optional.empty();
    }

    /** A decrease by a factor e every so often, from where methods start to the least that one of them reached. */
    private static Optional<LineChart.Series> line(ComparisonReport report, String name, OptionalDouble timePerFactor) {
        List<MethodResult> methods = report.outcome().methods();
        if (timePerFactor.isEmpty() || methods.isEmpty()) {
            return Optional.empty();
        }
        double start = methods.get(0).moments().get(0).median().suboptimality();
        double end = methods.stream()
                .mapToDouble(result -> result.last().suboptimality())
                .min()
                .orElseThrow();
        double time = Math.min(report.outcome().timeLimit(), timePerFactor.getAsDouble() * StrictMath.log(start / end));
        if (!(time > 0)) {
            return Optional.empty();
        }
        double reached = start * StrictMath.exp(-time / timePerFactor.getAsDouble());
        return Optional.of(LineChart.Series.of(name, new double[] {0, time}, new double[] {start, reached}));
    }

    /** The time per factor e of the paper's Theorem 1, without the constant that it leaves open. */
    static OptionalDouble lowerBound(ComparisonReport report) {
        OptionalDouble functions = largest(report, "data", "samplesPerNode");
        OptionalDouble stochastic = largest(report, "data", "stochasticConditioning");
        OptionalDouble local = largest(report, "data", "batchConditioning");
        OptionalDouble gamma = report.explanation().value("network", "gamma");
        return functions.isPresent() && stochastic.isPresent() && local.isPresent() && gamma.isPresent()
                ? OptionalDouble.of(LowerBound.time(
                        functions.getAsDouble(),
                        stochastic.getAsDouble(),
                        local.getAsDouble(),
                        gamma.getAsDouble(),
                        report.subject().network().size() == 1
                                ? 0
                                : report.subject().timing().delay(),
                        1 / Math.E))
                : OptionalDouble.empty();
    }

    /** A number that nodes may differ in. */
    private static OptionalDouble largest(ComparisonReport report, String section, String name) {
        OptionalDouble common = report.explanation().value(section, name);
        return common.isPresent() ? common : report.explanation().value(section, name + "Max");
    }

    private static LineChart.Series series(MethodResult result) {
        double highest = HIGHEST * result.moments().get(0).median().suboptimality();
        List<MethodResult.Moment> moments = result.moments().stream()
                .filter(moment -> moment.median().suboptimality() <= highest)
                .toList();
        return new LineChart.Series(
                result.method(),
                numbers(moments, moment -> moment.median().time()),
                numbers(moments, moment -> moment.median().suboptimality()),
                numbers(moments, MethodResult.Moment::low),
                numbers(moments, MethodResult.Moment::high));
    }

    private static double[] numbers(List<MethodResult.Moment> moments, ToDoubleFunction<MethodResult.Moment> number) {
        return moments.stream().mapToDouble(number).toArray();
    }
}
