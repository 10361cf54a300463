package dev.starling.cli.train;

import dev.starling.cli.page.LineChart;
import dev.starling.cli.page.LineChart.Series;
import dev.starling.cli.page.LineChart.Top;
import dev.starling.model.CrossValidation;
import dev.starling.model.CrossValidation.Line;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A chart of the cross-validated loss, with its standard error, for every λ that was tried except for flat ends: with
 * the chosen λ, the line of one standard error above the smallest loss, and the number of weights that are not 0.
 */
final class ValidationPicture {

    private ValidationPicture() {}

    /** @param model the model that was chosen, with its path */
    static LineChart chart(LinearModel model, CrossValidation validation) {
        BitSet between = FlatEnds.between(validation);
        List<Line> drawn = between.stream().mapToObj(validation.lines()::get).toList();
        Map<String, List<Line>> shares = new LinkedHashMap<>();
        for (Line line : drawn) {
            // From left to right: paths go from the largest value down.
            shares.computeIfAbsent(share(line), any -> new ArrayList<>()).add(0, line);
        }
        List<Series> series = new ArrayList<>();
        shares.forEach((share, lines) -> series.add(new Series(
                shares.size() == 1 ? "mean ± s.e." : "l1 share " + share,
                numbers(lines, FlatEnds::strength),
                numbers(lines, line -> line.loss().mean()),
                numbers(lines, line -> line.loss().mean() - line.loss().error()),
                numbers(lines, line -> line.loss().mean() + line.loss().error()))));
        double low = drawn.stream()
                .mapToDouble(line -> line.loss().mean() - line.loss().error())
                .min()
                .orElse(0);
        double high = drawn.stream()
                .mapToDouble(line -> line.loss().mean() + line.loss().error())
                .max()
                .orElse(1);
        double chosen = FlatEnds.strength(validation.chosenLine());
        series.add(Series.of(
                String.format(Locale.US, isEnd(validation) ? "chosen, at the end: %.3g" : "chosen: %.3g", chosen),
                new double[] {chosen, chosen},
                new double[] {low, high}));
        Line best = validation.lines().get(validation.best());
        double limit = best.loss().mean() + best.loss().error();
        series.add(Series.of(
                "smallest + 1 s.e.",
                new double[] {
                    drawn.stream().mapToDouble(FlatEnds::strength).min().orElse(0),
                    drawn.stream().mapToDouble(FlatEnds::strength).max().orElse(1)
                },
                new double[] {limit, limit}));
        boolean net = validation.lines().stream().anyMatch(line -> line.l1() > 0);
        return LineChart.between(
                        validation.folds() + "-fold cross-validation",
                        net ? "lambda + l1" : "lambda",
                        model.loss() + " loss of held-out rows",
                        low,
                        high,
                        series)
                .withTop(shares.size() == 1 ? weights(model, validation, between) : List.of());
    }

    /** Whether the chosen value is the largest or the smallest with its share of the l1 term. */
    private static boolean isEnd(CrossValidation validation) {
        List<Line> same = validation.lines().stream()
                .filter(line -> share(line).equals(share(validation.chosenLine())))
                .toList();
        return validation.chosenLine().equals(same.get(0))
                || validation.chosenLine().equals(same.get(same.size() - 1));
    }

    /** How many weights are not 0, for each λ. */
    private static List<Top> weights(LinearModel model, CrossValidation validation, BitSet between) {
        return between.stream()
                .mapToObj(k -> new Top(
                        FlatEnds.strength(validation.lines().get(k)),
                        Integer.toString(model.path().get(k).nonZeros())))
                .toList();
    }

    private static String share(Line line) {
        return String.format(Locale.US, "%.3g", line.l1() / FlatEnds.strength(line));
    }

    private static double[] numbers(List<Line> lines, ToDoubleFunction<Line> number) {
        return lines.stream().mapToDouble(number).toArray();
    }
}
