package dev.starling.cli.statistics;

import dev.starling.cli.Main;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.options.MissingOptions;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.settings.Curves;
import dev.starling.statistics.IntervalCurves;
import dev.starling.statistics.SurvivalCurves;
import dev.starling.statistics.SurvivalFormula;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Estimates survival curves and compares groups. */
@Command(
        name = "survival",
        description = {
            "Estimates survival curves and compares groups.",
            "Curves are Kaplan and Meier's, of how many rows of a group go on without an event; groups are compared by"
                    + " the log-rank test.",
        },
        footer = {
            "",
            "Examples:",
            "  starling survival lung.csv 'Surv(time, status) ~ sex'",
            "  starling survival lung.csv 'Surv(time, status) ~ sex + strata(site)' --curves curves.csv",
            "  starling survival heart.csv 'Surv(start, stop, event) ~ 1' --json",
            "  starling survival lung.csv 'Surv(time, status) ~ sex' --intervals 90,180,365",
            "  starling survival model.json",
            "",
            "Exit codes: 0 done, 2 bad input."
        })
public final class SurvivalCommand extends StatisticsCommand {

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FORMULA",
            description = "Times and groups, as in 'Surv(time, status) ~ sex'; 1 for one group of all rows. Without a"
                    + " formula, FILE is a model with curves, as sites train it.")
    private String formula;

    @Under(Section.EVALUATION)
    @Option(
            names = "--intervals",
            paramLabel = "T,...",
            description = "Count times as the ends of intervals that end at these times, as sites do.")
    private String intervals;

    @Under(Section.EVALUATION)
    @Option(
            names = "--level",
            paramLabel = "L",
            defaultValue = "0.95",
            description = "Level of the intervals (default: ${DEFAULT-VALUE}).")
    private double level;

    @Mixin
    private MissingOptions missing;

    @Mixin
    private Remarks remarks;

    @Under(Section.OUTPUT)
    @Option(names = "--curves", paramLabel = OUTPUT, description = "Also write the curves, as CSV.")
    private Path curves;

    @Override
    public Integer call() {
        if (curves != null) {
            Outputs.requireWritable(curves, inputs());
        }
        SurvivalCurves found = formula == null ? ofModel() : estimate(SurvivalFormula.of(formula));
        if (curves != null) {
            Outputs.write(curves, csv(found));
        }
        print(json -> write(json, found), () -> print(found));
        return Main.DONE;
    }

    private SurvivalCurves ofModel() {
        if (intervals != null) {
            throw new InvalidInputException("--intervals " + intervals + " needs rows; those of a model are its own");
        }
        return IntervalCurves.of(LinearModel.load(file), level);
    }

    private SurvivalCurves estimate(SurvivalFormula parsed) {
        boolean drop = missing.dropRows();
        Table table = table();
        return inData(() -> {
            int[] complete = parsed.complete(
                    table, IntStream.range(0, table.rows()).boxed().toList(), missing.tokens(), drop, true);
            List<Integer> kept = Arrays.stream(complete).boxed().toList();
            Encoded.left(table.rows() - kept.size(), "missing values")
                    .ifPresent(said -> remarks.say(source() + ": " + said));
            Survival survival = parsed.survival(table, kept);
            SurvivalFormula.Groups groups = parsed.groups(table, kept);
            return SurvivalCurves.of(
                    intervals == null ? survival : IntervalCurves.of(survival, Curves.named(intervals)),
                    groups.of(),
                    groups.names(),
                    level);
        });
    }

    private void print(SurvivalCurves found) {
        String percent = String.format(Locale.US, "%.4g", 100 * level).replaceFirst("\\.?0+$", "");
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.of("group", "rows", "events", "median", "lower " + percent + "%", "upper " + percent + "%"));
        for (SurvivalCurves.Curve curve : found.curves()) {
            cells.add(List.of(
                    curve.group(),
                    String.valueOf(curve.rows()),
                    String.valueOf(curve.eventCount()),
                    text(curve.median()),
                    text(curve.medianLower()),
                    text(curve.medianUpper())));
        }
        new TextTable(cells).print(out());
        found.logRank().ifPresent(test -> {
            out().println();
            out().println(String.format(
                    Locale.US,
                    "log-rank  %.6g on %d degrees of freedom, p %.4g",
                    test.test().statistic(),
                    test.test().degrees(),
                    test.test().p()));
        });
    }

    private static String text(double time) {
        return Double.isNaN(time)
                ? "not reached"
                : String.format(Locale.US, "%.6g", time).replaceFirst("\\.0+$", "");
    }

    private static String csv(SurvivalCurves found) {
        StringBuilder text = new StringBuilder("group,time,at risk,events,survival,lower,upper\n");
        for (SurvivalCurves.Curve curve : found.curves()) {
            String group = TextTable.quoted(curve.group());
            for (int k = 0; k < curve.times().length; k++) {
                text.append(group).append(',').append(curve.times()[k]);
                text.append(',').append(curve.atRisk()[k]).append(',').append(curve.events()[k]);
                for (double number : new double[] {curve.survival()[k], curve.lower()[k], curve.upper()[k]}) {
                    text.append(',').append(Double.isNaN(number) ? "" : Double.toString(number));
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    private static void write(JsonObject json, SurvivalCurves found) {
        json.objects("groups", found.curves(), (group, curve) -> {
            group.with("group", curve.group());
            group.with("rows", curve.rows());
            group.with("events", curve.eventCount());
            group.with("median", curve.median());
            group.with("lower", curve.medianLower());
            group.with("upper", curve.medianUpper());
            group.objects(
                    "curve",
                    curve.times().length,
                    (point, k) -> point.with("time", curve.times()[k])
                            .with("atRisk", curve.atRisk()[k])
                            .with("events", curve.events()[k])
                            .with("survival", curve.survival()[k])
                            .with("lower", curve.lower()[k])
                            .with("upper", curve.upper()[k]));
        });
        found.logRank()
                .ifPresent(test -> json.object("logRank", one -> {
                    one.with("observed", test.observed()).with("expected", test.expected());
                    GlmJson.test(one, test.test());
                }));
    }
}
