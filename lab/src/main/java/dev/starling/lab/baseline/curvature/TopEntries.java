package dev.starling.lab.baseline.curvature;

/**
 * FedNL's Top-K compressor for symmetric matrices, given by their lower triangles row by row: it keeps the K entries
 * whose removal would change the Frobenius norm most, where an entry off the diagonal counts twice. What it drops is at
 * most 1 − 2K/(d(d+1)) of the squared norm.
 */
public final class TopEntries {

    private TopEntries() {}

    /** How many entries the lower triangle of a d × d matrix has. */
    public static int triangle(int d) {
        return d * (d + 1) / 2;
    }

    /** The index in the triangle of an entry, whose column must not exceed its row. */
    public static int index(int row, int column) {
        return triangle(row) + column;
    }

    /** Sets all but the K most important entries to zero; of equally important ones the first stay. */
    public static void keep(int most, double[] triangle) {
        if (most >= triangle.length) {
            return;
        }
        double[] importance = new double[triangle.length];
        for (int row = 0, k = 0; k < triangle.length; row++) {
            for (int column = 0; column <= row; column++, k++) {
                importance[k] = (column == row ? 1 : 2) * triangle[k] * triangle[k];
            }
        }
        double threshold = largest(most, importance.clone());
        int ties = most;
        for (double value : importance) {
            ties -= value > threshold ? 1 : 0;
        }
        for (int k = 0; k < triangle.length; k++) {
            boolean tie = importance[k] == threshold;
            if (importance[k] < threshold || (tie && ties-- <= 0)) {
                triangle[k] = 0;
            }
        }
    }

    /** The k-th largest value, by quickselect, which reorders the values. */
    private static double largest(int k, double[] values) {
        int low = 0;
        int high = values.length - 1;
        int wanted = k - 1;
        while (low < high) {
            double pivot = values[(low + high) >>> 1];
            int left = low;
            int right = high;
            while (left <= right) {
                while (values[left] > pivot) {
                    left++;
                }
                while (values[right] < pivot) {
                    right--;
                }
                if (left <= right) {
                    double swapped = values[left];
                    values[left++] = values[right];
                    values[right--] = swapped;
                }
            }
            if (wanted <= right) {
                high = right;
            } else if (wanted >= left) {
                low = left;
            } else {
                return values[wanted];
            }
        }
        return values[wanted];
    }
}
