package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.recipe.basis.Basis;
import dev.starling.recipe.basis.Intervals;
import dev.starling.recipe.basis.Polynomials;
import dev.starling.recipe.basis.Spline;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A column of a formula, or a function of one. It is a little longer than most, since every function is a case of it.
 *
 * @param arguments what the function is told besides the column, by name; an argument without a name has the name "".
 *     The one called {@value #LEARNT} holds what was learnt from rows, and is no part of the factor's own name
 */
public record Factor(String column, Function function, Map<String, List<Double>> arguments) {

    static final String LEARNT = "at";
    private static final String KNOTS = "knots";
    private static final String BOUNDARIES = "Boundary.knots";
    private static final String INTERCEPT = "intercept";
    private static final String CENTER = "center";
    private static final String SCALE = "scale";
    private static final String LOWEST = "include.lowest";
    private static final String RIGHT = "right";
    private static final String RAW = "raw";
    private static final String DEGREE = "degree";

    private static final int MOST_DEGREES = 20;
    private static final int MOST_PIECES = 1000;

    /** Arguments that are true or false. */
    private static final List<String> SWITCHES = List.of(INTERCEPT, LOWEST, RIGHT, RAW);

    /** A function of the number in a column. */
    public enum Function {
        /** The number itself. */
        NONE,
        /** The natural logarithm. */
        LOG,
        /** The square root. */
        SQRT,
        /** e to the number. */
        EXP,
        /** A whole power. */
        POWER(DEGREE),
        /** The number in standard deviations from the mean. */
        SCALE(CENTER, Factor.SCALE, LEARNT),
        /** Polynomials. */
        POLY("", DEGREE, RAW, LEARNT),
        /** Natural cubic splines. */
        NS("", "df", KNOTS, BOUNDARIES, INTERCEPT, LEARNT),
        /** B-splines. */
        BS("", "df", KNOTS, DEGREE, BOUNDARIES, INTERCEPT, LEARNT),
        /** The interval that the number lies in. */
        CUT("", "breaks", RIGHT, LOWEST, LEARNT),
        /** The number as the name of a level. */
        FACTOR;

        private final List<String> arguments;

        Function(String... arguments) {
            this.arguments = List.of(arguments);
        }

        /** What its arguments are called. */
        List<String> arguments() {
            return arguments;
        }

        /** Whether it makes one number of a number. */
        public boolean isSingle() {
            return switch (this) {
                case NONE, LOG, SQRT, EXP, POWER, SCALE -> true;
                case POLY, NS, BS, CUT, FACTOR -> false;
            };
        }

        /** What it is called in a formula. */
        String text() {
            return this == POWER ? "I" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the arguments. */
    public Factor {
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(arguments));
    }

    /** Written out, as is {@link #equals}, because a record's own take 10 ms to be made in a new process. */
    @Override
    public int hashCode() {
        return 31 * column.hashCode() + arguments.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Factor factor
                && column.equals(factor.column)
                && function == factor.function
                && arguments.equals(factor.arguments);
    }

    static Factor of(String column) {
        return new Factor(column, Function.NONE, Map.of());
    }

    /** Whether it is a column as it is. */
    boolean isPlain() {
        return function == Function.NONE;
    }

    /** The exponent of a power. */
    public int power() {
        return (int) argument(DEGREE, 1);
    }

    private double argument(String name, double usual) {
        return arguments.containsKey(name) ? arguments.get(name).get(0) : usual;
    }

    /** An argument that may be given without its name. */
    private double first(String name, double usual) {
        return argument(name, argument("", usual));
    }

    private double[] list(String name) {
        return arguments.getOrDefault(name, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    private boolean is(String name, boolean usual) {
        return argument(name, usual ? 1 : 0) != 0;
    }

    /** The function that makes one number of a number; undefined values are NaN. */
    DoubleUnaryOperator single() {
        return switch (function) {
            case LOG -> StrictMath::log;
            case SQRT -> Math::sqrt;
            case EXP -> StrictMath::exp;
            case POWER -> {
                int power = power();
                yield number -> {
                    double result = 1;
                    for (int i = 0; i < power; i++) {
                        result *= number;
                    }
                    return result;
                };
            }
            case SCALE -> {
                double[] known = list(LEARNT);
                double center = known.length > 0 ? known[0] : argument(CENTER, 0);
                double scale = known.length > 0 ? known[1] : argument(SCALE, 1);
                yield number -> (number - center) / scale;
            }
            default -> number -> number;
        };
    }

    /** What is wrong with its arguments, and an example; empty if nothing is. */
    Optional<String> complaint() {
        if (arguments.containsKey(LEARNT) && !isPossible(list(LEARNT))) {
            return Optional.of(this + ": '" + LEARNT + "' is for what training learns; leave it out");
        }
        return switch (function) {
            case POLY -> unless(isWhole(first(DEGREE, 0), 1, MOST_DEGREES), "poly(x, 2)");
            case NS, BS -> {
                int degree = function == Function.NS ? 1 : (int) argument(DEGREE, 3);
                int least = degree + (is(INTERCEPT, false) ? 1 : 0);
                boolean numbered = isWhole(argument(DEGREE, 3), 1, MOST_DEGREES)
                        && (arguments.containsKey(KNOTS)
                                || isWhole(first("df", 0), least, MOST_PIECES)
                                || (first("df", 0) == 0 && arguments.containsKey(LEARNT)));
                boolean bounded = !arguments.containsKey(BOUNDARIES) || list(BOUNDARIES).length == 2;
                yield unless(
                        numbered && bounded && ascend(list(KNOTS)) && ascend(list(BOUNDARIES)),
                        function.text() + "(x, df = " + Math.max(4, least) + ") or " + function.text()
                                + "(x, knots = c(40, 60), Boundary.knots = c(0, 100))");
            }
            case CUT ->
                unless(
                        breaks().length == 1
                                ? isWhole(breaks()[0], 2, MOST_PIECES)
                                : breaks().length > 1 && ascend(breaks()),
                        "cut(x, 4) or cut(x, c(0, 50, 100))");
            case SCALE ->
                unless(
                        Double.isFinite(argument(CENTER, 0))
                                && argument(SCALE, 1) > 0
                                && argument(SCALE, 1) < Double.POSITIVE_INFINITY,
                        "scale(x, center = 50, scale = 10)");
            default -> Optional.empty();
        };
    }

    /** Whether numbers can be what is learnt. */
    private boolean isPossible(double... learnt) {
        int degree = (int) first(DEGREE, 1);
        return switch (function) {
            case POLY ->
                learnt.length == 2 * degree + 1
                        && Arrays.stream(learnt).skip(degree).allMatch(norm -> norm > 0);
            case SCALE -> learnt.length == 2 && learnt[1] > 0;
            case CUT -> learnt.length > 2 && ascend(learnt);
            default -> learnt.length >= 2 && learnt[0] < learnt[learnt.length - 1];
        };
    }

    private Optional<String> unless(boolean right, String example) {
        return right
                ? Optional.empty()
                : Optional.of(this + " is not complete, or not possible; write it as in " + example);
    }

    private static boolean isWhole(double number, int least, int most) {
        return number == Math.rint(number) && number >= least && number <= most;
    }

    private static boolean ascend(double... numbers) {
        return IntStream.range(1, numbers.length).allMatch(k -> numbers[k - 1] < numbers[k]);
    }

    /** Whether something that it needs has to be learnt from rows, and is not known yet. */
    boolean isOpen() {
        if (arguments.containsKey(LEARNT)) {
            return false;
        }
        return switch (function) {
            case POLY -> !is(RAW, false);
            case NS, BS -> !arguments.containsKey(KNOTS) || !arguments.containsKey(BOUNDARIES);
            case SCALE -> !arguments.containsKey(CENTER) || !arguments.containsKey(SCALE);
            case CUT -> breaks().length == 1;
            default -> false;
        };
    }

    /** How to write it so that nothing has to be learnt from rows. */
    String example() {
        return switch (function) {
            case POLY -> "poly(x, " + (int) first(DEGREE, 1) + ", raw = TRUE)";
            case SCALE -> "scale(x, center = 50, scale = 10)";
            case CUT -> "cut(x, c(0, 50, 100))";
            default -> function.text() + "(x, knots = c(40, 60), Boundary.knots = c(0, 100))";
        };
    }

    private double[] breaks() {
        return arguments.containsKey("breaks") ? list("breaks") : list("");
    }

    /** What has to be learnt from the numbers in the column, which are given in ascending order. */
    double[] learnt(double[] sorted) {
        double least = sorted[0];
        double largest = sorted[sorted.length - 1];
        return switch (function) {
            case POLY -> polynomials(sorted);
            case NS, BS -> {
                double[] ends = arguments.containsKey(BOUNDARIES) ? list(BOUNDARIES) : new double[] {least, largest};
                double[] inner = arguments.containsKey(KNOTS)
                        ? list(KNOTS)
                        : quantiles(Arrays.stream(sorted)
                                .filter(number -> number >= ends[0] && number <= ends[1])
                                .toArray());
                double[] all = new double[inner.length + 2];
                System.arraycopy(inner, 0, all, 1, inner.length);
                all[0] = ends[0];
                all[all.length - 1] = ends[1];
                yield all;
            }
            case SCALE -> scale(sorted);
            default -> Intervals.evenly((int) breaks()[0], least, largest);
        };
    }

    private double[] polynomials(double[] sorted) {
        int degree = (int) first(DEGREE, 1);
        if (Arrays.stream(sorted).distinct().count() <= degree) {
            throw new InvalidInputException(
                    this + ": column '" + column + "' has too few different numbers for degree " + degree);
        }
        return Polynomials.constants(degree, sorted);
    }

    private double[] scale(double[] sorted) {
        double sum = 0;
        for (double number : sorted) {
            sum += number - sorted[0];
        }
        double center = argument(CENTER, sorted[0] + sum / sorted.length);
        double squares = 0;
        for (double number : sorted) {
            squares += (number - center) * (number - center);
        }
        double scale = argument(SCALE, Math.sqrt(squares / (sorted.length - 1)));
        if (!(scale > 0)) {
            throw new InvalidInputException(
                    this + ": the numbers in column '" + column + "' do not differ; leave it out");
        }
        return new double[] {center, scale};
    }

    /** Knots that divide numbers into equal parts, between two of them where they fall there. */
    private double[] quantiles(double[] sorted) {
        boolean natural = function == Function.NS;
        int fixed = (natural ? 1 : (int) argument(DEGREE, 3)) + (is(INTERCEPT, false) ? 1 : 0);
        double[] knots = new double[Math.max(0, (int) first("df", fixed) - fixed)];
        for (int k = 0; k < knots.length; k++) {
            double place = (double) (sorted.length - 1) * (k + 1) / (knots.length + 1);
            int below = (int) Math.floor(place);
            double above = sorted[Math.min(sorted.length - 1, below + 1)];
            knots[k] = sorted[below] + (place - below) * (above - sorted[below]);
        }
        return knots;
    }

    /** The functions of a number that make its features; only if nothing is open. */
    Basis basis() {
        double[] known = list(LEARNT);
        return switch (function) {
            case POLY -> is(RAW, false) ? Polynomials.powers((int) first(DEGREE, 1)) : Polynomials.orthogonal(known);
            case NS, BS -> spline(known);
            default -> one(single());
        };
    }

    private Basis spline(double[] known) {
        double[] inner = known.length > 0 ? Arrays.copyOfRange(known, 1, known.length - 1) : list(KNOTS);
        double low = known.length > 0 ? known[0] : list(BOUNDARIES)[0];
        double high = known.length > 0 ? known[known.length - 1] : list(BOUNDARIES)[1];
        for (int k = 0; k <= inner.length; k++) {
            double before = k == 0 ? low : inner[k - 1];
            double after = k == inner.length ? high : inner[k];
            if (!(before < after) && !(before == after && k > 0 && k < inner.length)) {
                throw new InvalidInputException(
                        this + ": its knots must ascend between the boundaries " + low + " and " + high);
            }
        }
        return function == Function.NS
                ? Spline.natural(inner, low, high, is(INTERCEPT, false))
                : Spline.ofDegree((int) argument(DEGREE, 3), inner, low, high, is(INTERCEPT, false));
    }

    private static Basis one(DoubleUnaryOperator function) {
        return new Basis() {
            @Override
            public int width() {
                return 1;
            }

            @Override
            public void at(double number, double[] values) {
                values[0] = function.applyAsDouble(number);
            }
        };
    }

    /** The intervals of {@link Function#CUT}. */
    Intervals intervals() {
        double[] known = list(LEARNT);
        return new Intervals(is(RIGHT, true), is(LOWEST, false), known.length > 0 ? known : breaks());
    }

    @Override
    public String toString() {
        return switch (function) {
            case NONE -> column;
            case POWER -> "I(" + column + "^" + power() + ")";
            default ->
                function.text() + "(" + column
                        + arguments.keySet().stream()
                                .filter(name -> !name.equals(LEARNT))
                                .map(name -> ", " + written(name))
                                .collect(Collectors.joining())
                        + ")";
        };
    }

    private String written(String name) {
        List<Double> values = arguments.get(name);
        boolean off = function == Function.SCALE && values.get(0) == (name.equals(SCALE) ? 1 : 0);
        String text = SWITCHES.contains(name) || off
                ? values.get(0) == 0 || off ? "FALSE" : "TRUE"
                : values.size() == 1 ? number(values.get(0)) : vector(values);
        return name.isEmpty() ? text : name + " = " + text;
    }

    /** Numbers as a formula writes several of them. */
    static String vector(List<Double> values) {
        return values.stream().map(Factor::number).collect(Collectors.joining(", ", "c(", ")"));
    }

    private static String number(double value) {
        return Double.isInfinite(value) ? value > 0 ? "Inf" : "-Inf" : Labels.text(value);
    }
}
