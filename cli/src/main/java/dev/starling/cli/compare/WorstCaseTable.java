package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.page.LineChart;
import dev.starling.lab.bound.LowerBound;
import dev.starling.lab.bound.WorstCase;
import dev.starling.lab.comparison.WorstCaseTrial;
import dev.starling.network.Spectrum;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * How long methods take on the functions of the paper's Theorem 1, compared with the least time that any method needs.
 *
 * @param precision the relative error ‖θ − θ*‖²/‖θ*‖² that every node has to reach
 * @param lines what was found in every case
 * @param curves S-ADFS and the others over time in the case that {@link #SHOWN} names, with the first seed
 * @param complete false if the run was stopped early
 */
record WorstCaseTable(
        double precision, List<Long> seeds, List<Line> lines, List<LineChart.Series> curves, boolean complete)
        implements Measurements {

    /** The method that runs on the theorem's own functions; the others take only linear models. */
    static final String OWN = "adfs";

    /** The case whose curves are drawn. */
    private static final Case SHOWN = new Case(9, 4, 100, 1);

    private static final List<Case> CASES = List.of(
            new Case(3, 1, 100, 0),
            new Case(3, 8, 100, 0),
            new Case(3, 8, 1000, 0),
            new Case(3, 8, 100, 10),
            SHOWN,
            new Case(9, 4, 100, 100),
            new Case(17, 4, 100, 100));

    /** A method is cut off at this multiple of the theorem's expression. */
    private static final double PATIENCE = 20;

    /** A line of nodes with chains of functions at its ends. */
    record Case(int nodes, int functions, double conditioning, double delay) {

        /** Builds chains so long that what the solution would have beyond their ends is 1e-14 of the whole. */
        WorstCase problem() {
            int half = (int) Math.ceil(4 * Math.sqrt(conditioning));
            return new WorstCase(nodes, functions, 2 * half, conditioning);
        }

        /** (m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε. */
        double expression(WorstCase worst, double precision) {
            double[] ones = new double[nodes];
            Arrays.fill(ones, 1);
            double gap = Spectrum.smallest(worst.network(), ones) / Spectrum.largest(worst.network(), ones);
            return LowerBound.time(
                    functions, worst.stochasticConditioning(), worst.localConditioning(), gap, delay, precision);
        }
    }

    /**
     * What was found in one case.
     *
     * @param least the time that no method can beat on these particular functions
     * @param expression the theorem's expression, with the constant 1
     * @param measured the median time of every method over the seeds; empty for one that was cut off
     * @param below the methods whose error was below the bound at some time
     */
    record Line(Case of, double least, double expression, Map<String, OptionalDouble> measured, List<String> below) {

        String text() {
            return "n = " + of.nodes() + ", m = " + of.functions() + ", kappa = " + Json.text(of.conditioning())
                    + ", tau = " + Json.text(of.delay()) + ": "
                    + measured.entrySet().stream()
                            .map(entry -> entry.getKey() + " " + shown(entry.getValue()))
                            .collect(Collectors.joining(", "))
                    + ", least " + NumberFormats.shortText(least);
        }
    }

    static WorstCaseTable measure(
            List<String> methods,
            double precision,
            List<Long> seeds,
            Optional<PrintWriter> log,
            BooleanSupplier stopped) {
        List<Line> lines = new ArrayList<>();
        List<LineChart.Series> curves = new ArrayList<>();
        for (Case one : CASES) {
            WorstCase worst = one.problem();
            double expression = one.expression(worst, precision);
            Map<String, OptionalDouble> measured = new LinkedHashMap<>();
            List<String> below = new ArrayList<>();
            for (String method : methods) {
                if (stopped.getAsBoolean()) {
                    return new WorstCaseTable(precision, seeds, lines, curves, false);
                }
                List<WorstCaseTrial> trials = seeds.stream()
                        .map(seed -> trial(worst, method, one.delay(), precision, PATIENCE * expression, seed))
                        .toList();
                measured.put(method, median(trials));
                if (trials.stream().anyMatch(trial -> trial.closest() < 1 - 1e-9)) {
                    below.add(method);
                }
                if (one.equals(SHOWN)) {
                    curves.add(series(method, trials.get(0)));
                }
            }
            if (one.equals(SHOWN)) {
                curves.add(bound(worst, precision, curves));
            }
            Line line = new Line(one, worst.smallestTime(precision, one.delay()), expression, measured, below);
            lines.add(line);
            log.ifPresent(out -> {
                out.println(line.text());
                out.flush();
            });
        }
        return new WorstCaseTable(precision, seeds, lines, curves, true);
    }

    private static WorstCaseTrial trial(
            WorstCase worst, String method, double delay, double precision, double limit, long seed) {
        return method.equals(OWN)
                ? WorstCaseTrial.adfs(worst, delay, precision, limit, seed)
                : WorstCaseTrial.linear(worst, method, delay, precision, limit, seed);
    }

    private static OptionalDouble median(List<WorstCaseTrial> trials) {
        double[] times = trials.stream()
                .mapToDouble(trial -> trial.time().orElse(Double.POSITIVE_INFINITY))
                .sorted()
                .toArray();
        double middle = (times[(times.length - 1) / 2] + times[times.length / 2]) / 2;
        return Double.isFinite(middle) ? OptionalDouble.of(middle) : OptionalDouble.empty();
    }

    private static LineChart.Series series(String method, WorstCaseTrial trial) {
        return LineChart.Series.of(
                method,
                trial.moments().stream()
                        .mapToDouble(WorstCaseTrial.Moment::time)
                        .toArray(),
                trial.moments().stream()
                        .mapToDouble(WorstCaseTrial.Moment::error)
                        .toArray());
    }

    /** The least possible error of any method, a step function, down to the precision. */
    private static LineChart.Series bound(WorstCase worst, double precision, List<LineChart.Series> curves) {
        TreeSet<Double> times = new TreeSet<>();
        curves.forEach(curve -> Arrays.stream(curve.x()).forEach(times::add));
        double end = worst.smallestTime(precision, SHOWN.delay());
        double[] kept = times.stream()
                .mapToDouble(time -> time)
                .filter(time -> time <= end)
                .toArray();
        return LineChart.Series.of(
                "least for any method",
                kept,
                Arrays.stream(kept)
                        .map(time -> worst.smallestError(time, SHOWN.delay()))
                        .toArray());
    }

    private List<String> methods() {
        return lines.isEmpty() ? List.of() : List.copyOf(lines.get(0).measured().keySet());
    }

    @Override
    public void print(PrintWriter out) {
        out.println("worst-case: the functions of Theorem 1 on a line of n nodes, m of them at either end");
        out.printf("idealised time until every node's relative error is %s%n%n", Json.text(precision));
        out.printf("%4s %4s %6s %5s", "n", "m", "kappa", "tau");
        methods().forEach(method -> out.printf("  %14s", method));
        out.printf("  %10s  %10s%n", "least", "expression");
        for (Line line : lines) {
            Case one = line.of();
            out.printf(
                    "%4d %4d %6s %5s",
                    one.nodes(), one.functions(), Json.text(one.conditioning()), Json.text(one.delay()));
            line.measured().values().forEach(time -> out.printf("  %14s", shown(time)));
            out.printf(
                    "  %10s  %10s%n",
                    NumberFormats.shortText(line.least()), NumberFormats.shortText(line.expression()));
        }
        out.println();
        out.println(
                "least: the least time that any method needs on these functions; expression: (m + sqrt(m kappa_s) + tau"
                        + " sqrt(kappa_l/gamma)) log 1/eps");
        if (methods().stream().anyMatch(method -> !method.equals(OWN))) {
            out.println(OWN
                    + " runs on the functions themselves; other methods take only linear models, in which every"
                    + " function is represented by as many rows as it has couplings");
        }
        lines.stream()
                .flatMap(line -> line.below().stream())
                .distinct()
                .forEach(method -> out.println(method
                        + " was below the bound, which is about methods that exchange gradients and proximal points with their"
                        + " neighbours"));
        out.flush();
    }

    private static String shown(OptionalDouble time) {
        return NumberFormats.shortText(time.orElse(Double.NaN));
    }

    @Override
    public void csv(PrintWriter out) {
        out.println("nodes,functions,kappa,tau,"
                + methods().stream().map(name -> name + ",").collect(Collectors.joining())
                + "least,expression");
        for (Line line : lines) {
            Case one = line.of();
            out.print(one.nodes() + "," + one.functions() + "," + Json.text(one.conditioning()) + ","
                    + Json.text(one.delay()) + ",");
            line.measured()
                    .values()
                    .forEach(time -> out.print((time.isPresent() ? Json.text(time.getAsDouble()) : "") + ","));
            out.println(Json.text(line.least()) + "," + Json.text(line.expression()));
        }
        out.flush();
    }

    @Override
    public void write(JsonGenerator json) {
        json.writeNumberProperty("precision", precision);
        Measurements.writeSeeds(json, seeds);
        json.writeArrayPropertyStart("cases");
        for (Line line : lines) {
            json.writeStartObject();
            json.writeNumberProperty("nodes", line.of().nodes());
            json.writeNumberProperty("functions", line.of().functions());
            json.writeNumberProperty("kappa", line.of().conditioning());
            json.writeNumberProperty("tau", line.of().delay());
            Measurements.writeTimes(json, line.measured());
            json.writeNumberProperty("least", line.least());
            json.writeNumberProperty("expression", line.expression());
            json.writeArrayPropertyStart("belowTheBound");
            line.below().forEach(json::writeString);
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        Measurements.writeOrigin(json, complete);
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
                curves);
    }
}
