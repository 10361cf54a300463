package dev.starling.data;

import dev.starling.cores.Loops;
import dev.starling.data.text.ShortestDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What labels mean: the classes they name, in ascending order, or plain numbers in regression. A loss for
 * classification sees +1 and −1: of two classes the larger is +1; of more, one at a time is +1 and all others are −1. A
 * loss that tells all classes apart at once sees their numbers instead. Immutable.
 */
public final class Labels {

    private static final Labels REGRESSION = new Labels(new double[0]);
    private static final int LONGEST_LIST = 10;
    private static final int MOST_CLASSES = 100;

    private final double[] classes;

    private Labels(double[] classes) {
        this.classes = classes;
    }

    /** Labels that are numbers to predict. */
    public static Labels regression() {
        return REGRESSION;
    }

    /**
     * The classes that the rows' labels name. Every class takes a model of its own, so labels that look like numbers to
     * predict are rejected rather than taken for thousands of classes.
     *
     * @throws InvalidInputException if there is only one, if there are more than 100, or if a label is not a whole
     *     number
     */
    public static Labels classification(Dataset rows) {
        double[] distinct = distinct(rows.labels());
        if (distinct.length == 1) {
            throw new InvalidInputException("only one class, label " + text(distinct[0]) + ", in " + rows.rows()
                    + (rows.rows() == 1 ? " row" : " rows") + "; two are needed");
        }
        requireClasses(distinct);
        return of(distinct);
    }

    /**
     * Rejects labels that look like numbers to predict: more than 100 different ones, or one that is not a whole
     * number.
     */
    public static void requireClasses(double... distinct) {
        for (double label : distinct) {
            if (label != Math.rint(label)) {
                throw new InvalidInputException("label " + text(label)
                        + " is not a whole number, as classes are; to predict numbers, use a regression loss");
            }
        }
        if (distinct.length > MOST_CLASSES) {
            throw new InvalidInputException(distinct.length + " different labels are more than the " + MOST_CLASSES
                    + " classes that can be told apart; to predict numbers, use a regression loss");
        }
    }

    /**
     * Classes that are already known: from a model, or collected from several nodes, each of which may have only some
     * of them.
     *
     * @throws InvalidInputException if there are fewer than two
     */
    public static Labels of(double... classes) {
        double[] distinct = distinct(classes);
        if (distinct.length < 2) {
            throw new InvalidInputException(distinct.length + " distinct classes; at least two are needed");
        }
        return new Labels(distinct);
    }

    /** Whether labels are numbers to predict rather than classes. */
    public boolean isRegression() {
        return classes.length == 0;
    }

    /** Whether there are exactly two classes. */
    public boolean isBinary() {
        return classes.length == 2;
    }

    /** The classes in ascending order; none in regression. */
    public List<Double> classes() {
        return DoubleStream.of(classes).boxed().toList();
    }

    /**
     * The rows with the labels a loss sees: −1 and +1 for two classes, unchanged in regression.
     *
     * @throws InvalidInputException if a label names no class
     * @throws IllegalStateException if there are more than two classes: then one must be chosen
     */
    public Dataset binary(Dataset rows) {
        if (isRegression()) {
            return rows;
        }
        if (!isBinary()) {
            throw new IllegalStateException(classes.length + " classes; say which one should be +1");
        }
        return binary(rows, classes[1]);
    }

    /**
     * The rows with +1 for one class and −1 for all others; the same object where they have such labels already.
     *
     * @throws InvalidInputException if that class or a label does not exist
     */
    public Dataset binary(Dataset rows, double positiveClass) {
        if (Arrays.binarySearch(classes, positiveClass + 0.0) < 0) {
            throw new InvalidInputException("class " + text(positiveClass) + " does not exist; there are: " + list());
        }
        AtomicBoolean same = new AtomicBoolean(true);
        overRows(rows.rows(), (from, to) -> {
            boolean some = true;
            for (int i = from; i < to; i++) {
                double label = rows.label(i);
                if (label != classes[0] && label != classes[1]) {
                    place(i, label);
                }
                some &= label == (label == positiveClass ? 1 : -1);
            }
            if (!some) {
                same.set(false);
            }
        });
        if (same.get()) {
            return rows;
        }
        double[] signs = new double[rows.rows()];
        overRows(signs.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                signs[i] = rows.label(i) == positiveClass ? 1 : -1;
            }
        });
        return rows.labelled(signs);
    }

    /**
     * The rows with the number of their class, from 0; the same object where they have such labels already.
     *
     * @throws InvalidInputException if a label names no class
     */
    public Dataset numbered(Dataset rows) {
        double[] numbers = new double[rows.rows()];
        overRows(numbers.length, (from, to) -> {
            for (int i = from; i < to; i++) {
                numbers[i] = place(i, rows.label(i));
            }
        });
        return Arrays.equals(numbers, rows.labels()) ? rows : rows.labelled(numbers);
    }

    /** The number of the class that a row's label names. */
    private int place(int row, double label) {
        int place = Arrays.binarySearch(classes, label + 0.0);
        if (place < 0) {
            throw new InvalidInputException(
                    "row " + (row + 1) + ": label " + text(label) + " is not one of the classes " + list());
        }
        return place;
    }

    private static void overRows(int rows, Loops.Range action) {
        Loops.overRows(rows, Loops.rows(1), action);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels labels && Arrays.equals(classes, labels.classes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(classes);
    }

    @Override
    public String toString() {
        return isRegression() ? "regression" : "classes " + list();
    }

    /** The distinct labels of some rows, in ascending order. */
    public static double[] distinct(double[] labels) {
        Queue<double[]> parts = new ConcurrentLinkedQueue<>();
        overRows(labels.length, (from, to) -> parts.add(distinct(labels, from, to)));
        double[] all = parts.stream().flatMapToDouble(Arrays::stream).toArray();
        return parts.size() == 1 ? all : distinct(all, 0, all.length);
    }

    private static double[] distinct(double[] labels, int from, int to) {
        // Adding 0 turns −0 into 0. There are usually few classes: remember those seen rather than sort all labels.
        double[] found = new double[16];
        int count = 0;
        double last = Double.NaN;
        double beforeLast = Double.NaN;
        for (int row = from; row < to; row++) {
            double value = labels[row] + 0.0;
            if (value == last || value == beforeLast) {
                continue;
            }
            beforeLast = last;
            last = value;
            int at = Arrays.binarySearch(found, 0, count, value);
            if (at < 0) {
                if (count == found.length) {
                    if (count >= 4096) {
                        return Arrays.stream(labels, from, to)
                                .map(one -> one + 0.0)
                                .sorted()
                                .distinct()
                                .toArray();
                    }
                    found = Arrays.copyOf(found, 2 * count);
                }
                System.arraycopy(found, -at - 1, found, -at, count + at + 1);
                found[-at - 1] = value;
                count++;
            }
        }
        return Arrays.copyOf(found, count);
    }

    private String list() {
        String first = DoubleStream.of(classes)
                .limit(LONGEST_LIST)
                .mapToObj(Labels::text)
                .collect(Collectors.joining(", "));
        return classes.length <= LONGEST_LIST ? first : first + ", … (" + classes.length + ")";
    }

    /** A label as the shortest decimal that reads back as the same number. */
    public static String text(double label) {
        StringBuilder text = new StringBuilder();
        ShortestDecimal.append(text, label);
        return text.toString();
    }
}
