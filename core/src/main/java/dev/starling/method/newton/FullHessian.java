package dev.starling.method.newton;

import dev.starling.internal.Cholesky;
import dev.starling.internal.Vectors;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.objective.InformationPass;
import dev.starling.objective.PassLayout;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The latest Hessian over all rows and its Cholesky factor. Without a regulariser, features that are combinations of
 * earlier ones, as the first Hessian shows, are left out of it.
 */
final class FullHessian implements Stateful {

    private static final double FIRST_DAMPING = 0x1p-10;
    private static final double DAMPING_GROWTH = 4;

    private final PassLayout layout;
    private final int parameters;
    private final double lambda;
    private final boolean convex;

    /** Whether third derivatives are bounded only near a margin. */
    private final boolean local;

    private boolean indefinite;
    private double weight = 1;
    private final double[] matrix;
    private final double[] factor;

    /** The square roots of the first Hessian's diagonal, which make features comparable; empty before it. */
    private double[] scales = {};

    private boolean[] aliased = {};

    /** The basis for the latest Hessian; null until it is needed. */
    private ProofBasis basis;

    FullHessian(PassLayout layout, double lambda, Smoothness smoothness) {
        this.convex = smoothness.isConvex();
        this.local = smoothness.isThirdBounded() && !smoothness.isSelfConcordant();
        this.layout = layout;
        this.parameters = layout.parameters();
        this.lambda = lambda;
        this.matrix = new double[parameters * parameters];
        this.factor = new double[parameters * parameters];
    }

    /** Takes the Hessian from the sums of a pass. */
    void take(double[] sums, double weight) {
        basis = null;
        this.weight = weight;
        layout.load(sums, weight, matrix);
        for (int i = 0; i < parameters; i++) {
            matrix[i * parameters + i] += layout.isFree(i) ? 0 : lambda;
        }
        indefinite = !convex && Aliasing.isIndefinite(matrix, parameters, layout.intercept());
        if (scales.length == 0 && indefinite) {
            return;
        }
        if (scales.length == 0) {
            scales = new double[parameters];
            Arrays.setAll(scales, c -> Math.sqrt(matrix[c * parameters + c]));
            aliased = lambda > 0 ? new boolean[parameters] : Aliasing.of(matrix, parameters, layout.intercept());
        }
        for (int c = 0; c < parameters; c++) {
            if (aliased[c]) {
                leaveOut(c);
            }
        }
        System.arraycopy(matrix, 0, factor, 0, factor.length);
        for (int c = 0; c < parameters; c++) {
            factor[c * parameters + c] = aliased[c] ? 1 : factor[c * parameters + c];
        }
        Cholesky.factorise(factor, parameters);
        double damping = FIRST_DAMPING;
        while (indefinite && !factoriseDamped(damping)) {
            damping *= DAMPING_GROWTH;
        }
    }

    /** Makes steps shorter where the function is not convex, in units of the first Hessian. */
    private boolean factoriseDamped(double damping) {
        System.arraycopy(matrix, 0, factor, 0, factor.length);
        for (int c = 0; c < parameters; c++) {
            int at = c * parameters + c;
            factor[at] = aliased[c] ? 1 : factor[at] + damping * scales[c] * scales[c];
        }
        return Cholesky.factorise(factor, parameters);
    }

    /** Whether the first Hessian is yet to come, because those so far are not of a convex function. */
    boolean isUnusable() {
        return scales.length == 0;
    }

    private void leaveOut(int column) {
        for (int k = 0; k < parameters; k++) {
            matrix[Math.max(k, column) * parameters + Math.min(k, column)] = 0;
        }
    }

    /** Sets the entries of features that are left out to 0; returns whether any was not. */
    boolean clearAliased(double[] vector) {
        boolean cleared = false;
        for (int c = 0; c < aliased.length; c++) {
            cleared |= aliased[c] && vector[c] != 0;
            vector[c] = aliased[c] ? 0 : vector[c];
        }
        return cleared;
    }

    /** The features that are left out. */
    List<Integer> leftOut() {
        return IntStream.range(0, aliased.length)
                .filter(c -> aliased[c])
                .boxed()
                .toList();
    }

    /** The number of features that are not left out. */
    int kept() {
        return aliased.length - leftOut().size();
    }

    /** The square root of an entry of the first Hessian's diagonal. */
    double scale(int column) {
        return scales[column];
    }

    /** The lower triangle, row by row; not a copy. */
    double[] matrix() {
        return matrix;
    }

    /** Replaces a vector v by H⁻¹v. */
    void solve(double[] vector) {
        Cholesky.solve(factor, parameters, vector, vector);
    }

    /** √(gᵀH⁻¹g), the length of a vector in units of the curvature. */
    double length(double[] vector) {
        double[] solved = vector.clone();
        solve(solved);
        return Math.sqrt(Math.max(0, Vectors.dotInTurn(vector, solved, parameters)));
    }

    /**
     * The basis that proofs at the point of this Hessian use.
     *
     * @param leverages whether they need rows' leverages
     */
    ProofBasis basis(boolean leverages) {
        if (basis == null) {
            basis = ProofBasis.of(
                    matrix, factor, aliased, leverages, local ? InformationPass.RADIUS / Math.sqrt(weight) : 0);
        }
        return basis;
    }

    @Override
    public void state(State s) throws IOException {
        s.vector(matrix);
        s.vector(factor);
        indefinite = s.flag(indefinite);
        weight = s.number(weight);
        scales = s.vector(scales, parameters);
        aliased = s.flags(aliased, parameters);
        if (s.isRestoring()) {
            basis = null;
        }
    }
}
