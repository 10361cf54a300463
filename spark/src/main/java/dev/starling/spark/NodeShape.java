package dev.starling.spark;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import java.util.Arrays;
import java.util.List;

/**
 * What a node says first of its rows, so that all lay theirs out alike.
 *
 * @param sound false if the node has an objection to its rows, which it tells the driver
 * @param classes one more than the largest label; 0 in regression
 * @param oneLabel whether all labels are the same
 */
record NodeShape(
        boolean sound, long rows, long nonZeros, int features, int classes, boolean oneLabel, double firstLabel) {

    /** A classifier takes fewer classes than this. */
    static final int MOST_CLASSES = 1000;

    private static final int WIDTH = 7;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    static NodeShape of(Dataset rows, boolean classification) {
        double largest = -1;
        boolean oneLabel = true;
        for (double label : rows.labels()) {
            largest = Math.max(largest, label);
            oneLabel &= label == rows.label(0);
        }
        return new NodeShape(
                true,
                rows.rows(),
                rows.nonZeros(),
                rows.features(),
                classification ? 1 + (int) largest : 0,
                oneLabel,
                rows.rows() > 0 ? rows.label(0) : 0);
    }

    /** A node that has an objection. */
    static NodeShape unsound() {
        return new NodeShape(false, 0, 0, 0, 0, true, 0);
    }

    double[] encode() {
        return new double[] {sound ? 1 : 0, rows, nonZeros, features, classes, oneLabel ? 1 : 0, firstLabel};
    }

    static NodeShape decode(double[] numbers) {
        if (numbers.length != WIDTH) {
            throw new IllegalStateException("a shape of " + numbers.length + " numbers");
        }
        return new NodeShape(
                numbers[0] != 0,
                (long) numbers[1],
                (long) numbers[2],
                (int) numbers[3],
                (int) numbers[4],
                numbers[5] != 0,
                numbers[6]);
    }

    /**
     * What all nodes make of all shapes.
     *
     * @param features without the intercept's
     * @param valuesPerRow values that a row stores, intercept included
     * @param nonZerosPerRow those of them that are not zero: what the way to train goes by, whatever the layout
     * @param dense the layout that takes less memory, intercept included
     */
    record Common(int features, long rows, double valuesPerRow, double nonZerosPerRow, Labels labels, boolean dense) {

        /** One, or one per class when there are more than two. */
        int problems() {
            return labels.classes().size() > 2 ? labels.classes().size() : 1;
        }

        /** Features with the intercept's. */
        int width(float bias) {
            return features + (bias > 0 ? 1 : 0);
        }

        /** The rows with the labels that the loss of a problem sees. */
        Dataset targets(Dataset all, int problem) {
            return labels.isRegression() || labels.isBinary()
                    ? labels.binary(all)
                    : labels.binary(all, labels.classes().get(problem));
        }
    }

    /**
     * The common shape.
     *
     * @throws InvalidInputException if the shapes do not fit together; the same at every node
     */
    static Common common(List<NodeShape> shapes, float bias) {
        int features = shapes.get(0).features;
        long rows = 0;
        long nonZeros = 0;
        long mostRows = 0;
        int classes = 0;
        boolean oneLabel = true;
        for (NodeShape shape : shapes) {
            if (shape.features != features) {
                throw new InvalidInputException("vectors of size " + features + " in one partition and "
                        + shape.features + " in another; all must have the same size");
            }
            rows += shape.rows;
            nonZeros += shape.nonZeros;
            mostRows = Math.max(mostRows, shape.rows);
            classes = Math.max(classes, shape.classes);
            oneLabel &= shape.oneLabel && shape.firstLabel == shapes.get(0).firstLabel;
        }
        if (classes > 0 && oneLabel) {
            throw new InvalidInputException(
                    "only one class, label " + shapes.get(0).firstLabel + ", in " + rows + " rows; two are needed");
        }
        int width = features;
        if (bias > 0) {
            nonZeros += rows;
            width++;
        }
        // One dataset of all rows may be too large to be dense where each node's part is not.
        boolean dense = Dataset.densePays(nonZeros, rows, width)
                || (rows * width >= LARGEST_ARRAY
                        && 2 * nonZeros >= rows * width
                        && Dataset.densePays(mostRows * width, mostRows, width));
        double nonZerosPerRow = (double) nonZeros / rows;
        double valuesPerRow = dense ? width : nonZerosPerRow;
        return new Common(features, rows, valuesPerRow, nonZerosPerRow, labels(classes), dense);
    }

    private static Labels labels(int classes) {
        if (classes == 0) {
            return Labels.regression();
        }
        double[] numbers = new double[classes];
        Arrays.setAll(numbers, k -> k);
        return Labels.of(numbers);
    }
}
