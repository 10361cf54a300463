package dev.starling.objective;

import dev.starling.internal.Dot;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * An orthonormal basis of the span of all rows, for problems with fewer rows than features: in directions orthogonal to
 * the span, only the regulariser gives the objective any curvature.
 *
 * <p>The basis is computed from random combinations of the rows, as many as there are rows. A combination that depends
 * on the others yields a zero vector. A free intercept has a direction of its own, the last one, since nothing
 * regularises it.
 */
public final class Span implements Stateful {

    /** If less than this part of a combination is new, that part is only rounding errors. */
    private static final double NEW = 0x1p-44;

    private final double[][] vectors;

    private Span(double[][] vectors) {
        this.vectors = vectors;
    }

    /** Returns the span of the combinations in the totals of a pass. */
    public static Span of(PassLayout layout, double[] totals) {
        int features = layout.parameters();
        double[][] vectors = new double[layout.curved()][features];
        for (int k = 0; k < layout.combinations(); k++) {
            System.arraycopy(totals, layout.hessian() + k * features, vectors[k], 0, features);
            double length = Math.sqrt(Dot.of(vectors[k], vectors[k]));
            if (layout.intercept()) {
                vectors[k][features - 1] = 0;
            }
            // Rounding leaves small parts of the other vectors; a second round removes nearly all of them.
            for (int round = 0; round < 2; round++) {
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

    /** Returns the vectors of the basis, not copies. */
    public double[][] vectors() {
        return vectors;
    }

    /**
     * Removes from a vector its part in the span and overwrites {@code coordinates} with the coordinates of that part.
     */
    public void takeOut(double[] vector, double[] coordinates) {
        for (int k = 0; k < vectors.length; k++) {
            coordinates[k] = Dot.of(vectors[k], vector);
            add(-coordinates[k], vectors[k], vector);
        }
    }

    /** Adds to a vector the vector with these coordinates. */
    public void addTo(double[] vector, double[] coordinates) {
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

    @Override
    public void state(State s) throws IOException {
        for (double[] vector : vectors) {
            s.vector(vector);
        }
    }

    /** Returns a span to be restored. */
    public static Span blank(PassLayout layout) {
        return new Span(new double[layout.curved()][layout.parameters()]);
    }
}
