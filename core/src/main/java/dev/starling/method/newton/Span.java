package dev.starling.method.newton;

import dev.starling.internal.Dot;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * An orthonormal basis of the span of all rows, where rows are fewer than features: in the directions at right angles
 * to it nothing but the regulariser bends the objective.
 *
 * <p>It is found from as many random combinations of the rows as there are rows. Where these depend on each other, the
 * basis has zeros for vectors. A free intercept has a direction of its own, the last, since nothing regularises it.
 */
final class Span {

    /** A combination of which less than this part is new adds nothing but rounding. */
    private static final double NEW = 0x1p-44;

    private final double[][] vectors;

    private Span(double[][] vectors) {
        this.vectors = vectors;
    }

    /** The span of the combinations that are in the totals of a pass. */
    static Span of(PassLayout layout, double[] totals) {
        int features = layout.features();
        double[][] vectors = new double[layout.curved()][features];
        for (int k = 0; k < layout.combinations(); k++) {
            System.arraycopy(totals, layout.hessian() + k * features, vectors[k], 0, features);
            double length = Math.sqrt(Dot.of(vectors[k], vectors[k]));
            if (layout.intercept()) {
                vectors[k][features - 1] = 0;
            }
            // Rounding leaves something of the others; once more leaves next to nothing.
            for (int time = 0; time < 2; time++) {
                for (int other = 0; other < k; other++) {
                    add(-Dot.of(vectors[other], vectors[k]), vectors[other], vectors[k]);
                }
            }
            double left = Math.sqrt(Dot.of(vectors[k], vectors[k]));
            scale(vectors[k], left > NEW * length ? 1 / left : 0);
        }
        if (layout.intercept()) {
            vectors[layout.curved() - 1][features - 1] = 1;
        }
        return new Span(vectors);
    }

    /** The vectors of the basis. Not copies. */
    double[][] vectors() {
        return vectors;
    }

    /** Takes out of a vector its part in the span and overwrites the coordinates with that part's. */
    void takeOut(double[] vector, double[] coordinates) {
        for (int k = 0; k < vectors.length; k++) {
            coordinates[k] = Dot.of(vectors[k], vector);
            add(-coordinates[k], vectors[k], vector);
        }
    }

    /** Adds to a vector what has these coordinates. */
    void addTo(double[] vector, double[] coordinates) {
        for (int k = 0; k < vectors.length; k++) {
            add(coordinates[k], vectors[k], vector);
        }
    }

    private static void scale(double[] vector, double factor) {
        for (int c = 0; c < vector.length; c++) {
            vector[c] *= factor;
        }
    }

    private static void add(double factor, double[] x, double[] to) {
        for (int c = 0; c < to.length; c++) {
            to[c] = Math.fma(factor, x[c], to[c]);
        }
    }

    void save(DataOutput out) throws IOException {
        for (double[] vector : vectors) {
            SavedState.writeDoubles(out, vector);
        }
    }

    static Span restore(PassLayout layout, DataInput in) throws IOException {
        double[][] vectors = new double[layout.curved()][layout.features()];
        for (double[] vector : vectors) {
            SavedState.readDoubles(in, vector);
        }
        return new Span(vectors);
    }
}
