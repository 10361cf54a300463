package dev.starling.lab.paper;

import dev.starling.lab.bound.LowerBound;
import dev.starling.lab.bound.WorstCase;
import dev.starling.network.Spectrum;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How long methods take on the functions of the paper's Theorem 1, compared with the least time that any method needs.
 *
 * @param precision the relative error ‖θ − θ*‖²/‖θ*‖² that every node has to reach
 * @param lines what was found in every case
 * @param curves S-ADFS and the others over time in the case that {@link #SHOWN} names, with the first seed
 * @param complete false if the run was stopped early
 */
public record WorstCaseTable(
        double precision, List<Long> seeds, List<Line> lines, List<Curve> curves, boolean complete) {

    /** The method that runs on the theorem's own functions; the others take only linear models. */
    public static final String OWN = "adfs-theory";

    /** The case whose curves are drawn. */
    public static final Case SHOWN = new Case(9, 4, 100, 1);

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
    public record Case(int nodes, int functions, double conditioning, double delay) {

        /** Builds chains so long that what the solution would have beyond their ends is 1e-14 of the whole. */
        WorstCase problem() {
            int half = (int) Math.ceil(4 * Math.sqrt(conditioning));
            return new WorstCase(nodes, functions, 2 * half, conditioning);
        }

        /** (m + √(mκ_s) + τ√(κ_ℓ/γ)) log 1/ε. */
        double expression(WorstCase worst, double precision) {
            double gap = Spectrum.of(worst.network()).gamma();
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
    public record Line(
            Case of, double least, double expression, Map<String, OptionalDouble> measured, List<String> below) {}

    /** An error over time. */
    public record Curve(String name, List<WorstCaseTrial.Moment> moments) {}

    /**
     * Runs methods on one case after another.
     *
     * @param heard told about every case
     */
    public static WorstCaseTable measure(
            List<String> methods, double precision, List<Long> seeds, Consumer<Line> heard, BooleanSupplier stopped) {
        List<Line> lines = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
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
                    curves.add(new Curve(method, trials.get(0).moments()));
                }
            }
            if (one.equals(SHOWN)) {
                curves.add(bound(worst, precision, curves));
            }
            Line line = new Line(one, worst.smallestTime(precision, one.delay()), expression, measured, below);
            lines.add(line);
            heard.accept(line);
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

    /** The least possible error of any method, a step function, down to the precision. */
    private static Curve bound(WorstCase worst, double precision, List<Curve> curves) {
        TreeSet<Double> times = new TreeSet<>();
        curves.forEach(curve -> curve.moments().forEach(moment -> times.add(moment.time())));
        double end = worst.smallestTime(precision, SHOWN.delay());
        return new Curve(
                "least for any method",
                times.stream()
                        .filter(time -> time <= end)
                        .map(time -> new WorstCaseTrial.Moment(time, worst.smallestError(time, SHOWN.delay())))
                        .toList());
    }

    /** The names of the methods. */
    public List<String> methods() {
        return lines.isEmpty() ? List.of() : List.copyOf(lines.get(0).measured().keySet());
    }
}
