package dev.starling.objective;

import dev.starling.internal.Vectors;
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
            double length = Vectors.norm(vectors[k]);
            if (layout.intercept()) {
                vectors[k][features - 1] = 0;
            }
            // Rounding leaves small parts of the other vectors; a second round removes nearly all of them.
            for (int round = 0; round < 2; round++) {
                for (int other = 0; other < k; other++) {
                    Vectors.add(vectors[k], -Vectors.dot(vectors[other], vectors[k]), vectors[other]);
                }
            }
            double left = Vectors.norm(vectors[k]);
            Vectors.scale(vectors[k], left > NEW * length ? 1 / left : 0);
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
            coordinates[k] = Vectors.dot(vectors[k], vector);
            Vectors.add(vector, -coordinates[k], vectors[k]);
        }
    }

    /** Adds to a vector the vector with these coordinates. */
    public void addTo(double[] vector, double[] coordinates) {
        for (int k = 0; k < vectors.length; k++) {
            Vectors.add(vector, coordinates[k], vectors[k]);
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
