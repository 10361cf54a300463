package dev.starling.cli;

import dev.starling.comparison.MethodResult;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The curves of a comparison over idealised time, in the form of the paper's plots: time linear, error logarithmic. */
final class ComparisonPicture {

    private ComparisonPicture() {}

    static void write(ComparisonReport report, Path target) {
        chart(report).write(target);
    }

    static LineChart chart(ComparisonReport report) {
        List<LineChart.Series> series = report.outcome().methods().stream()
                .map(ComparisonPicture::series)
                .toList();
        return LineChart.of(
                report.subject().title(),
                "idealised time (a proximal step is 1, a message "
                        + Json.text(report.subject().tau()) + ")",
                false,
                "relative suboptimality",
                true,
                series);
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
