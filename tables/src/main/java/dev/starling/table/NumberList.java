package dev.starling.table;

import java.util.Arrays;

/** Numbers that are in memory. */
final class NumberList implements ColumnNumbers {

    private double[] numbers = new double[16];
    private int count;
    private boolean sorted;

    void add(double number) {
        if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count + count / 2);
        }
        // −0 and 0 are one value.
        numbers[count++] = number + 0.0;
        sorted = false;
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public ExactTotal total() {
        ExactTotal total = ExactTotal.zero();
        for (int i = 0; i < count; i++) {
            if (!Double.isInfinite(numbers[i])) {
                total.add(numbers[i]);
            }
        }
        return total;
    }

    @Override
    public long upTo(double bound) {
        long below = 0;
        for (int i = 0; i < count; i++) {
            below += numbers[i] <= bound ? 1 : 0;
        }
        return below;
    }

    double squaredDistances(double from) {
        double squares = 0;
        for (int i = 0; i < count; i++) {
            squares += (numbers[i] - from) * (numbers[i] - from);
        }
        return squares;
    }

    /** A copy of all numbers, ascending. */
    double[] inOrder() {
        return Arrays.copyOf(sorted(), count);
    }

    @Override
    public double at(long rank) {
        return sorted()[(int) rank];
    }

    @Override
    public double mostFrequent() {
        double[] all = sorted();
        int best = 0;
        int bestLength = 0;
        int start = 0;
        for (int i = 1; i <= count; i++) {
            if (i == count || all[i] != all[start]) {
                if (i - start > bestLength) {
                    best = start;
                    bestLength = i - start;
                }
                start = i;
            }
        }
        return all[best];
    }

    private double[] sorted() {
        if (count == 0) {
            throw new IllegalStateException("there are no numbers");
        }
        if (!sorted) {
            Arrays.sort(numbers, 0, count);
            sorted = true;
        }
        return numbers;
    }
}
