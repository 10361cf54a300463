package dev.starling.method.adfs.tuning;

import java.util.function.DoubleUnaryOperator;

/** Golden-section search for the minimum of a function with one valley. */
final class GoldenSection {

    private static final double RATIO = (Math.sqrt(5) - 1) / 2;

    private GoldenSection() {}

    /**
     * Returns where the function is smallest, up to the precision of the search.
     *
     * @param start the lower end of the interval to search
     * @param end its upper end
     * @param trials how often the interval is narrowed, each time with one evaluation of the function
     */
    static double minimise(DoubleUnaryOperator function, double start, double end, int trials) {
        double low = start;
        double high = end;
        double inner = high - RATIO * (high - low);
        double outer = low + RATIO * (high - low);
        double innerValue = function.applyAsDouble(inner);
        double outerValue = function.applyAsDouble(outer);
        for (int k = 0; k < trials; k++) {
            if (innerValue <= outerValue) {
                high = outer;
                outer = inner;
                outerValue = innerValue;
                inner = high - RATIO * (high - low);
                innerValue = function.applyAsDouble(inner);
            } else {
                low = inner;
                inner = outer;
                innerValue = outerValue;
                outer = low + RATIO * (high - low);
                outerValue = function.applyAsDouble(outer);
            }
        }
        return (low + high) / 2;
    }
}
