package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.page.LineChart;
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

    private ComparisonPicture() {}

    static LineChart chart(ComparisonReport report) {
        List<LineChart.Series> series = new ArrayList<>(report.outcome().methods().stream()
                .map(ComparisonPicture::series)
                .toList());
        rate(report).ifPresent(series::add);
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
        OptionalDouble timePerFactor = report.explanation().value("tuning", "timePerFactor");
        Optional<MethodResult> adfs = report.outcome().methods().stream()
                .filter(result -> result.method().equals("adfs-theory") || result.method().equals("adfs"))
                .findFirst();
        if (timePerFactor.isEmpty() || adfs.isEmpty()) {
            return Optional.empty();
        }
        List<MethodResult.Moment> moments = adfs.get().moments();
        double start = moments.get(0).median().suboptimality();
        double end = moments.get(moments.size() - 1).median().suboptimality();
        double time = Math.min(report.outcome().timeLimit(), timePerFactor.getAsDouble() * StrictMath.log(start / end));
        if (!(time > 0)) {
            return Optional.empty();
        }
        double reached = start * StrictMath.exp(-time / timePerFactor.getAsDouble());
        return Optional.of(
                LineChart.Series.of("adfs, predicted", new double[] {0, time}, new double[] {start, reached}));
    }

    private static LineChart.Series series(MethodResult result) {
        List<MethodResult.Moment> moments = result.moments();
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
