package dev.starling.table;

import java.util.Arrays;
import java.util.function.Supplier;

/** Numbers that are in memory once something depends on them. */
final class NumberList implements ColumnNumbers {

    private final Supplier<double[]> reading;

    /** All of them, ascending; null until something depends on them. */
    private double[] numbers;

    /** @param reading reads the numbers, in any order, into an array of its own */
    NumberList(Supplier<double[]> reading) {
        this.reading = reading;
    }

    private double[] read() {
        if (numbers == null) {
            double[] all = reading.get();
            Arrays.sort(all);
            numbers = all;
        }
        return numbers;
    }

    private double[] some() {
        if (read().length == 0) {
            throw new IllegalStateException("there are no numbers");
        }
        return numbers;
    }

    @Override
    public long count() {
        return read().length;
    }

    @Override
    public ExactTotal total() {
        ExactTotal total = ExactTotal.zero();
        for (double number : read()) {
            if (!Double.isInfinite(number)) {
                total.add(number);
            }
        }
        return total;
    }

    @Override
    public long upTo(double bound) {
        long below = 0;
        for (double number : read()) {
            below += number <= bound ? 1 : 0;
        }
        return below;
    }

    double squaredDistances(double from) {
        double squares = 0;
        for (double number : read()) {
            squares += (number - from) * (number - from);
        }
        return squares;
    }

    /** A copy of all numbers, ascending. */
    double[] inOrder() {
        return some().clone();
    }

    @Override
    public double at(long rank) {
        return some()[(int) rank];
    }

    @Override
    public double mostFrequent() {
        double[] all = some();
        int best = 0;
        int bestLength = 0;
        int start = 0;
        for (int i = 1; i <= all.length; i++) {
            if (i == all.length || all[i] != all[start]) {
                if (i - start > bestLength) {
                    best = start;
                    bestLength = i - start;
                }
                start = i;
            }
        }
        return all[best];
    }
}
