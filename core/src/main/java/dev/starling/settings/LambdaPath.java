package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The values of λ that one job solves for, from the largest down, each starting from the solution for the previous one:
 * {@code LambdaPath.of(50)} or {@code LambdaPath.values(1e-2, 1e-3)}, perhaps with shares of an l1 term,
 * {@code .l1Ratios(0.5)}. If the penalty consists of the l1 term alone (a lasso), λ is 0 and the values are those of
 * λ₁.
 *
 * @param count the number of values if they are computed from the data; 0 if they are listed
 * @param lambdas the listed values, largest first; empty if they are computed from the data
 * @param l1Ratios shares r of the l1 term in the penalty, λ₁ = λ r/(1 − r): every λ is combined with each of them; with
 *     r = 1, a lasso, every value is a λ₁ and λ = 0; empty for no l1 term
 */
public record LambdaPath(int count, List<Double> lambdas, List<Double> l1Ratios) {

    /** The number of values that cross-validation chooses from if no path is set. */
    public static final int USUAL_COUNT = 50;

    /** No path: a single problem, with the λ and λ₁ of the settings. */
    public static final LambdaPath NONE = new LambdaPath(0, List.of(), List.of());

    /** The smallest λ of a path that is computed from the data, relative to the largest. */
    private static final double SMALLEST = 1e-4;

    /** The same for cross-validation without an l1 term, so that the best λ is rarely the last one. */
    private static final double SMALLEST_TO_CHOOSE = 1e-7;

    /** Without an l1 term, no λ makes all weights 0; the largest λ is then the one for this share. */
    private static final double LEAST_SHARE = 1e-3;

    private static final int MOST = 1000;

    /** Which penalties and weights of classes are {@linkplain #isProvable provable}, in words. */
    static final String PROVABLE = "from 1e-60 to 1e45";

    /** The values of λ and λ₁ of a problem of the path. */
    public record Point(double lambda, double l1) {}

    /** Validates and sorts the values. */
    public LambdaPath {
        if (count != 0) {
            requireSeveral(count);
        }
        lambdas = lambdas.stream().distinct().sorted(Comparator.reverseOrder()).toList();
        for (double lambda : lambdas) {
            if (!isProvable(lambda)) {
                throw new InvalidInputException(
                        "lambda-path has " + lambda + "; every lambda must be " + PROVABLE + ", for example 1e-4");
            }
        }
        l1Ratios = List.copyOf(l1Ratios);
        for (double ratio : l1Ratios) {
            if (!(ratio >= 0 && ratio <= 1)) {
                throw new InvalidInputException(
                        "l1-ratios has " + ratio + "; each must be between 0 and 1, for example 0.5");
            }
        }
    }

    /**
     * A path of this many values, from a λ so large that all weights are 0 (close to 0 without an l1 term) down to a
     * ten-thousandth of it.
     */
    public static LambdaPath of(int count) {
        requireSeveral(count);
        return new LambdaPath(count, List.of(), List.of());
    }

    /** Whether products with a positive number keep their digits, so that a proof that has it can be checked again. */
    static boolean isProvable(double value) {
        return value >= 1e-60 && value <= 1e45;
    }

    static void requireSeveral(long count) {
        if (count < 2 || count > MOST) {
            throw new InvalidInputException("lambda-path " + count + " must be between 2 and " + MOST
                    + " values, or a list of them such as 1e-2,1e-3,1e-4");
        }
    }

    /** The path that cross-validation chooses from if none is set. */
    static LambdaPath usual() {
        return of(USUAL_COUNT);
    }

    /** A path of these values, in any order. */
    public static LambdaPath values(double... lambdas) {
        return values(Arrays.stream(lambdas).boxed().toList());
    }

    /** A path of these values, in any order. */
    public static LambdaPath values(List<Double> lambdas) {
        return new LambdaPath(0, lambdas, List.of());
    }

    /** Returns a copy with these shares r of the l1 term, λ₁ = λ r/(1 − r); 1 for a lasso. */
    public LambdaPath l1Ratios(double... ratios) {
        return withL1Ratios(Arrays.stream(ratios).boxed().toList());
    }

    /** Returns a copy with these shares of the l1 term. */
    LambdaPath withL1Ratios(List<Double> ratios) {
        return ratios.equals(l1Ratios) ? this : new LambdaPath(count, lambdas, ratios);
    }

    /** Whether there is a path. */
    public boolean isPresent() {
        return count > 0 || !lambdas.isEmpty();
    }

    /** One example of a problem for each share of the l1 term, which does not depend on the data. */
    public List<Point> examples() {
        return ratios().stream()
                .map(ratio -> point(lambdas.isEmpty() ? 1 : lambdas.get(0), ratio))
                .toList();
    }

    /**
     * All problems, grouped by their share of the l1 term.
     *
     * @param steepest the steepest slope of the mean loss at 0 along any feature; used only if the values are computed
     *     from the data
     * @param chosen whether cross-validation will choose one of them
     */
    public List<Point> points(double steepest, boolean chosen) {
        List<Point> points = new ArrayList<>();
        for (double ratio : ratios()) {
            double smallest = chosen && ratio < LEAST_SHARE ? SMALLEST_TO_CHOOSE : SMALLEST;
            double largest = (ratio == 1 ? 1 : 1 - ratio) * steepest / Math.max(ratio, LEAST_SHARE);
            List<Double> values = count > 0 ? grid(largest, smallest) : lambdas;
            values.forEach(value -> points.add(point(value, ratio)));
        }
        return points;
    }

    /** The number of problems. */
    public int size() {
        return ratios().size() * (count > 0 ? count : lambdas.size());
    }

    /**
     * The earlier problems from whose solutions that of a problem can be forecast, nearest first: at most this many
     * with the same share of the l1 term or, if there are none, the first problem with the previous share.
     */
    public List<Integer> before(int point, int most) {
        int values = count > 0 ? count : lambdas.size();
        int ofShare = point % values;
        if (ofShare == 0) {
            return point < values ? List.of() : List.of(point - values);
        }
        return IntStream.rangeClosed(1, Math.min(most, ofShare))
                .mapToObj(back -> point - back)
                .toList();
    }

    /** The first problem with the same share of the l1 term. */
    public int firstOfShare(int point) {
        return point - point % (count > 0 ? count : lambdas.size());
    }

    private List<Double> ratios() {
        return l1Ratios.isEmpty() ? List.of(0.0) : l1Ratios;
    }

    private static Point point(double value, double ratio) {
        return ratio == 1 ? new Point(0, value) : new Point(value, value * ratio / (1 - ratio));
    }

    /** A geometric sequence of values. */
    private List<Double> grid(double largest, double smallest) {
        double first = largest > 0 ? largest : 1;
        return IntStream.range(0, count)
                .mapToObj(k -> first * StrictMath.pow(smallest, (double) k / (count - 1)))
                .toList();
    }
}
