package dev.starling.cli.train;

import dev.starling.cli.page.LineChart;
import dev.starling.cli.page.LineChart.Series;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A chart of the cross-validated loss, with its standard error, for every λ that was tried. */
final class ValidationPicture {

    private ValidationPicture() {}

    static LineChart chart(CrossValidation validation) {
        Map<String, List<Line>> shares = new LinkedHashMap<>();
        for (Line line : validation.lines()) {
            // From left to right: paths go from the largest value down.
            shares.computeIfAbsent(share(line), any -> new ArrayList<>()).add(0, line);
        }
        List<Series> series = new ArrayList<>();
        shares.forEach((share, lines) -> series.add(new Series(
                shares.size() == 1 ? "mean ± s.e." : "l1 share " + share,
                numbers(lines, ValidationPicture::strength),
                numbers(lines, line -> line.loss().mean()),
                numbers(lines, line -> line.loss().mean() - line.loss().error()),
                numbers(lines, line -> line.loss().mean() + line.loss().error()))));
        double low = validation.lines().stream()
                .mapToDouble(line -> line.loss().mean() - line.loss().error())
                .min()
                .orElse(0);
        double high = validation.lines().stream()
                .mapToDouble(line -> line.loss().mean() + line.loss().error())
                .max()
                .orElse(1);
        double chosen = strength(validation.chosenLine());
        series.add(Series.of(
                String.format(Locale.ROOT, "chosen: %.3g", chosen),
                new double[] {chosen, chosen},
                new double[] {low, high}));
        boolean net = validation.lines().stream().anyMatch(line -> line.l1() > 0);
        return LineChart.between(
                validation.folds() + "-fold cross-validation",
                net ? "lambda + l1" : "lambda",
                "loss of held-out rows",
                low,
                high,
                series);
    }

    /** λ + λ₁, which makes penalties with different shares of l1 comparable. */
    private static double strength(Line line) {
        return line.lambda() + line.l1();
    }

    private static String share(Line line) {
        return String.format(Locale.ROOT, "%.3g", line.l1() / strength(line));
    }

    private static double[] numbers(List<Line> lines, ToDoubleFunction<Line> number) {
        return lines.stream().mapToDouble(number).toArray();
    }
}
