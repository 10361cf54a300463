package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.cli.train.Explanation;
import dev.starling.data.Dealing;
import dev.starling.internal.JsonObject;
import dev.starling.internal.Version;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.lab.comparison.ComparisonResult;
import dev.starling.lab.comparison.Curve;
import dev.starling.lab.comparison.MethodResult;
import dev.starling.lab.comparison.Point;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results of a comparison: a table for people, and JSON or CSV for programs.
 *
 * @param subject what was run
 * @param explanation the constants of the run
 * @param outcome what was measured
 * @param explained whether the constants are shown
 */
record ComparisonReport(Subject subject, Explanation explanation, ComparisonResult outcome, boolean explained)
        implements Measurements {

    /** The suboptimalities for which times are reported, by name. */
    static final Map<String, Double> TARGETS =
            Collections.unmodifiableMap(new TreeMap<>(Map.of("1e-2", 1e-2, "1e-4", 1e-4, "1e-6", 1e-6)));

    /**
     * What was run.
     *
     * @param title a line that describes it
     * @param data where the rows come from
     * @param watchedNodes how many nodes the suboptimality is averaged over
     * @param gradient the gradient norm at which methods stopped, if one was given
     */
    record Subject(
            String title,
            String data,
            int rows,
            int features,
            String loss,
            double lambda,
            double l1,
            Timing timing,
            boolean evenTuning,
            Network network,
            Dealing dealing,
            List<Long> seeds,
            int watchedNodes,
            OptionalDouble gradient) {}

    /** One number of a point, with its name. */
    record Column(String name, ToDoubleFunction<Point> value) {}

    private static final Column TIME = new Column("time", Point::time);
    private static final Column STEPS = new Column("steps", Point::steps);
    private static final Column ROUNDS = new Column("rounds", Point::rounds);
    private static final Column BYTES = new Column("bytes", Point::bytes);
    private static final Column LATENCY = new Column("latency", Point::latency);
    private static final Column SECONDS = new Column("seconds", Point::seconds);

    /** What is the same in every run of a comparison. */
    private static final List<Column> SPENT = List.of(TIME, STEPS, ROUNDS, BYTES, LATENCY);

    /** The columns that the table shows in addition to the bytes. */
    private static final List<Column> SHOWN = List.of(TIME, STEPS, ROUNDS);

    private static final List<Column> REACHED =
            List.of(SECONDS, new Column("suboptimality", Point::suboptimality), new Column("worst", Point::worst));

    private List<Column> columns() {
        Stream<Column> asked =
                subject.gradient().isPresent() ? Stream.of(new Column("gradient", Point::gradient)) : Stream.empty();
        return Stream.of(SPENT.stream(), REACHED.stream(), asked)
                .flatMap(some -> some)
                .toList();
    }

    @Override
    public void print(PrintWriter out) {
        if (explained) {
            explanation.print(out);
        }
        out.println(subject.title());
        out.printf(
                Locale.US,
                "optimum %.10g, certified to %.1e; %s%n%n",
                outcome.optimum().objective(),
                outcome.optimum().gap(),
                subject.gradient().isPresent()
                        ? "until the gradient's norm is "
                                + Json.text(subject.gradient().getAsDouble())
                        : "idealised time until the relative suboptimality is");
        List<String> heads = subject.gradient().isPresent()
                ? SHOWN.stream().map(Column::name).toList()
                : List.copyOf(TARGETS.keySet());
        int width = Stream.concat(
                        Stream.of("algorithm"), outcome.methods().stream().map(MethodResult::method))
                .mapToInt(String::length)
                .max()
                .orElse(0);
        out.printf(
                "%-" + width + "s %s  %12s  %10s%n",
                "algorithm",
                cells(heads),
                subject.gradient().isPresent() ? "gradient" : "at the end",
                "bytes sent");
        for (MethodResult result : outcome.methods()) {
            Point last = result.last();
            out.printf(
                    Locale.US,
                    "%-" + width + "s %s  %12.2e  %10s  at time %s%s%n",
                    result.method(),
                    cells(spent(result).map(NumberFormats::shortText).toList()),
                    subject.gradient().isPresent() ? last.gradient() : last.suboptimality(),
                    NumberFormats.shortText(last.bytes()),
                    NumberFormats.shortText(last.time()),
                    result.isComplete() ? "" : ", interrupted");
        }
        winners().forEach(out::println);
        fastestHere().forEach(out::println);
        outcome.methods()
                .forEach(result -> result.certified()
                        .ifPresent(gap -> out.printf(
                                Locale.US,
                                "%n%s: its nodes certify a relative gap of %.2e themselves%n",
                                result.method(),
                                gap)));
    }

    /**
     * What a method needed, in the order of the table's columns: to reach the gradient asked for, or each
     * suboptimality.
     */
    private Stream<OptionalDouble> spent(MethodResult result) {
        return subject.gradient().isPresent()
                ? SHOWN.stream()
                        .map(column -> result.spentToGradient(subject.gradient().getAsDouble(), column.value()))
                : TARGETS.values().stream().map(result::timeTo);
    }

    /** Who needed least time, messages one after another, and bytes; nobody if there is nobody to win against. */
    List<String> winners() {
        return leastOf(TIME, LATENCY, BYTES);
    }

    /** Who needed least wall time, which differs from run to run. */
    List<String> fastestHere() {
        return leastOf(SECONDS);
    }

    /** Who needed least of something to reach the smallest suboptimality that a method reached. */
    private List<String> leastOf(Column... columns) {
        Optional<Map.Entry<String, Double>> target = TARGETS.entrySet().stream()
                .filter(one -> outcome.methods().stream()
                        .anyMatch(result -> result.timeTo(one.getValue()).isPresent()))
                .reduce((first, second) -> second);
        return outcome.methods().size() < 2 || target.isEmpty()
                ? List.of()
                : Arrays.stream(columns)
                        .map(column -> least(target.get(), column))
                        .toList();
    }

    private String least(Map.Entry<String, Double> target, Column column) {
        List<MethodResult> order = outcome.methods().stream()
                .filter(result -> result.timeTo(target.getValue()).isPresent())
                .sorted(Comparator.comparingDouble(result -> spent(result, target.getValue(), column)))
                .toList();
        String best = "least " + column.name() + " to " + target.getKey() + ": "
                + order.get(0).method();
        if (order.size() == 1) {
            return best + ", alone";
        }
        double least = spent(order.get(0), target.getValue(), column);
        double next = spent(order.get(1), target.getValue(), column);
        String other = "; " + order.get(1).method() + " needs ";
        if (next <= 1.005 * least) {
            return best + other + "as much";
        }
        return best
                + (least == 0
                        ? ", which needs none"
                        : String.format(Locale.US, "%s%.3g times as much", other, next / least));
    }

    private static double spent(MethodResult result, double target, Column column) {
        return result.spentTo(target, column.value()).orElseThrow();
    }

    private static String cells(List<String> texts) {
        return texts.stream().map(text -> String.format("%10s", text)).collect(Collectors.joining(" "));
    }

    @Override
    public LineChart chart() {
        return ComparisonPicture.chart(this);
    }

    @Override
    public String page() {
        return ComparisonPage.of(this);
    }

    @Override
    public void csv(PrintWriter out) {
        out.println("algorithm,seed," + columns().stream().map(Column::name).collect(Collectors.joining(",")));
        for (MethodResult result : outcome.methods()) {
            for (Curve curve : result.curves()) {
                for (MethodResult.Moment moment : new MethodResult(result.method(), List.of(curve)).moments()) {
                    out.println(result.method() + "," + curve.seed() + ","
                            + columns().stream()
                                    .map(column -> Json.text(column.value().applyAsDouble(moment.median())))
                                    .collect(Collectors.joining(",")));
                }
            }
        }
    }

    @Override
    public void write(JsonObject json) {
        json.with("title", subject.title());
        json.with("data", subject.data());
        json.with("rows", subject.rows());
        json.with("features", subject.features());
        json.with("loss", subject.loss());
        json.with("lambda", subject.lambda());
        json.with("l1", subject.l1());
        json.with("tau", subject.timing().delay());
        if (!subject.timing().isEven()) {
            json.with("slow", new TreeMap<>(subject.timing().nodes()));
            json.object(
                    "edgeDelay",
                    all -> new TreeMap<>(subject.timing().edges())
                            .forEach((edge, time) -> all.with(edge.tail() + "-" + edge.head(), time)));
            json.with("evenTuning", subject.evenTuning());
        }
        json.with("nodes", subject.network().size());
        json.with("network", subject.network().description());
        json.with("seeds", subject.seeds());
        json.with("watchedNodes", subject.watchedNodes());
        json.with("timeLimit", outcome.timeLimit());
        json.with(
                "predictedTimePerDigit",
                explanation.value("tuning", "timePerFactor").orElse(Double.NaN) * StrictMath.log(10));
        json.with("lowerBoundPerDigit", ComparisonPicture.lowerBound(this).orElse(Double.NaN) * StrictMath.log(10));
        json.with("complete", outcome.complete());
        json.object("optimum", one -> {
            one.with("objective", outcome.optimum().objective());
            one.with("gap", outcome.optimum().gap());
            one.with("certified", outcome.optimum().certified());
        });
        if (explained) {
            json.object("explanation", explanation::write);
        }
        json.with("deal", subject.dealing().toString());
        json.with("winners", winners());
        json.objects("algorithms", outcome.methods(), this::write);
        json.with("version", Version.current());
    }

    private void write(JsonObject json, MethodResult result) {
        json.with("name", result.method());
        json.with("description", ComparedMethods.description(result.method()));
        json.objects("curve", result.moments(), (one, moment) -> {
            columns().forEach(column -> one.with(column.name(), column.value().applyAsDouble(moment.median())));
            if (Double.isFinite(moment.median().certified())) {
                one.with("certified", moment.median().certified());
            }
            if (result.curves().size() > 1) {
                one.with("low", moment.low());
                one.with("high", moment.high());
            }
        });
        json.object(
                "timeTo",
                all -> TARGETS.forEach(
                        (name, target) -> all.with(name, result.timeTo(target).orElse(Double.NaN))));
        json.object(
                "bytesTo",
                all -> TARGETS.forEach((name, target) ->
                        all.with(name, result.spentTo(target, Point::bytes).orElse(Double.NaN))));
        if (subject.gradient().isPresent()) {
            json.object("toGradient", one -> {
                double target = subject.gradient().getAsDouble();
                one.with("norm", target);
                SPENT.forEach(column -> one.with(
                        column.name(),
                        result.spentToGradient(target, column.value()).orElse(Double.NaN)));
            });
        }
        json.with("end", result.curves().get(0).end().name().toLowerCase(Locale.ROOT));
        json.with("nodeErrors", result.nodeErrors());
    }
}
