package dev.starling.recipe.basis;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Intervals between breaks, in which numbers fall, as R's {@code cut} makes and names them. */
public final class Intervals {

    private static final int FEWEST_DIGITS = 3;
    private static final int MOST_DIGITS = 12;
    private static final double WIDENED = 1e-3;

    private final double[] breaks;
    private final boolean right;
    private final boolean closed;

    /**
     * @param breaks where intervals end, ascending
     * @param right whether an interval includes its right end rather than its left
     * @param closed whether the outermost end that would be left out is included
     */
    public Intervals(boolean right, boolean closed, double... breaks) {
        this.breaks = breaks.clone();
        this.right = right;
        this.closed = closed;
    }

    /** Breaks that divide the range of some numbers evenly; the outermost lie a thousandth of the range beyond it. */
    public static double[] evenly(int count, double least, double largest) {
        double[] breaks = new double[count + 1];
        double range = largest - least;
        for (int k = 0; k <= count; k++) {
            breaks[k] = least + k * (range / count);
        }
        breaks[0] = least - range * WIDENED;
        breaks[count] = largest + range * WIDENED;
        return breaks;
    }

    /** The names of the intervals. */
    public List<String> names() {
        List<String> ends = ends();
        List<String> names = new ArrayList<>();
        for (int k = 0; k + 1 < breaks.length; k++) {
            boolean leftIn = !right || (closed && k == 0);
            boolean rightIn = right || (closed && k + 2 == breaks.length);
            names.add((leftIn ? "[" : "(") + ends.get(k) + "," + ends.get(k + 1) + (rightIn ? "]" : ")"));
        }
        return names;
    }

    /** The breaks with as many digits as it takes to tell them apart. */
    private List<String> ends() {
        List<String> ends = new ArrayList<>();
        for (int digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
            ends.clear();
            for (double end : breaks) {
                ends.add(text(end, digits));
            }
            if (new HashSet<>(ends).size() == ends.size()) {
                break;
            }
        }
        return ends;
    }

    private static String text(double number, int digits) {
        if (number == 0 || Double.isInfinite(number)) {
            return number == 0 ? "0" : number > 0 ? "Inf" : "-Inf";
        }
        BigDecimal rounded = new BigDecimal(number)
                .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < digits) {
            return rounded.toPlainString();
        }
        String size = String.valueOf(Math.abs(exponent));
        return rounded.movePointLeft(exponent).stripTrailingZeros().toPlainString() + "e" + (exponent < 0 ? "-" : "+")
                + (size.length() < 2 ? "0" + size : size);
    }

    /** The index of the interval that a number lies in; −1 if it lies in none. */
    public int place(double number) {
        int last = breaks.length - 1;
        for (int k = 0; k < last; k++) {
            boolean above = number > breaks[k] || ((!right || (closed && k == 0)) && number == breaks[k]);
            boolean below = number < breaks[k + 1] || ((right || (closed && k + 1 == last)) && number == breaks[k + 1]);
            if (above && below) {
                return k;
            }
        }
        return -1;
    }
}
