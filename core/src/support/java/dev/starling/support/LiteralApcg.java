package dev.starling.support;

import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The paper's Algorithm 1 on the dual of the augmented graph, written out with its matrices: A, Σ⁺, A⁺A, P_b⁺, and a
 * vector of R^d per edge. Slow and literal, to hold the efficient programs against.
 *
 * <p>Edges are numbered: communication edges first, in the network's order, then the virtual edges node by node.
 */
public final class LiteralApcg {

    private final Network network;
    private final Problem problem;
    private final Loss loss;
    private final boolean smooth;
    private final int d;
    private final int[] firstVirtual;
    private final int edges;
    private final double[] weights;
    private final double[] probabilities;
    private final DMatrixRMaj a;
    private final DMatrixRMaj hessian;
    private final DMatrixRMaj projection;

    private DMatrixRMaj x;
    private DMatrixRMaj v;

    /**
     * A start from zero.
     *
     * @param weights μ² of every edge
     * @param probabilities p of every edge
     */
    public LiteralApcg(Network network, Problem problem, double[] weights, double[] probabilities) {
        this.network = network;
        this.problem = problem;
        this.loss = problem.nodes().get(0).loss();
        this.smooth = loss.smoothness() < Double.POSITIVE_INFINITY;
        this.d = problem.features();
        this.firstVirtual = new int[network.size() + 1];
        firstVirtual[0] = network.edges();
        for (int i = 0; i < network.size(); i++) {
            firstVirtual[i + 1] = firstVirtual[i] + problem.nodes().get(i).samples();
        }
        this.edges = firstVirtual[network.size()];
        this.weights = weights;
        this.probabilities = probabilities;
        this.a = incidence();
        DMatrixRMaj sigmaInverse = sigmaInverse();
        DMatrixRMaj half = times(sigmaInverse, a);
        this.hessian = new DMatrixRMaj(edges * d, edges * d);
        CommonOps_DDRM.multTransA(a, half, hessian);
        DMatrixRMaj inverse = new DMatrixRMaj(a.numCols, a.numRows);
        CommonOps_DDRM.pinv(a, inverse);
        this.projection = times(inverse, a);
        this.x = new DMatrixRMaj(edges * d, 1);
        this.v = new DMatrixRMaj(edges * d, 1);
    }

    private DMatrixRMaj incidence() {
        DMatrixRMaj matrix = new DMatrixRMaj((network.size() + edges - network.edges()) * d, edges * d);
        for (int e = 0; e < network.edges(); e++) {
            double mu = Math.sqrt(weights[e]);
            for (int c = 0; c < d; c++) {
                matrix.set(network.tail(e) * d + c, e * d + c, mu);
                matrix.set(network.head(e) * d + c, e * d + c, -mu);
            }
        }
        for (int i = 0; i < network.size(); i++) {
            for (int e = firstVirtual[i]; e < firstVirtual[i + 1]; e++) {
                double[] row = row(i, e);
                double q = dot(row, row);
                for (int c = 0; c < d; c++) {
                    for (int k = 0; k < d; k++) {
                        double entry = Math.sqrt(weights[e]) * row[c] * row[k] / q;
                        matrix.set(i * d + c, e * d + k, entry);
                        matrix.set(virtualNode(e) * d + c, e * d + k, -entry);
                    }
                }
            }
        }
        return matrix;
    }

    private DMatrixRMaj sigmaInverse() {
        DMatrixRMaj matrix = new DMatrixRMaj(a.numRows, a.numRows);
        for (int i = 0; i < network.size(); i++) {
            for (int c = 0; c < d; c++) {
                matrix.set(i * d + c, i * d + c, 1 / problem.nodes().get(i).sigma());
            }
            for (int e = firstVirtual[i]; smooth && e < firstVirtual[i + 1]; e++) {
                double[] row = row(i, e);
                double q = dot(row, row);
                double smoothness = smoothness(i, e);
                for (int c = 0; c < d; c++) {
                    for (int k = 0; k < d; k++) {
                        matrix.set(virtualNode(e) * d + c, virtualNode(e) * d + k, row[c] * row[k] / q / smoothness);
                    }
                }
            }
        }
        return matrix;
    }

    double[] row(int node, int edge) {
        LocalProblem local = problem.nodes().get(node);
        double[] row = new double[d];
        local.data().addTo(local.row(edge - firstVirtual[node]), 1, row);
        return row;
    }

    double smoothness(int node, int edge) {
        double[] row = row(node, edge);
        return loss.smoothness() * problem.nodes().get(node).weight(edge - firstVirtual[node]) * dot(row, row);
    }

    public int virtualEdge(int node, int sample) {
        return firstVirtual[node] + sample;
    }

    private int virtualNode(int edge) {
        return network.size() + edge - network.edges();
    }

    /** The convex case: σ_A = 0, β = 0, α = momentum. */
    public void convexStep(List<Integer> block, double momentum, double stepSize) {
        DMatrixRMaj y = convexY(momentum);
        step(block, y, v, momentum, stepSize, Double.NaN);
    }

    public DMatrixRMaj convexY(double momentum) {
        DMatrixRMaj y = new DMatrixRMaj(x);
        CommonOps_DDRM.add(1 - momentum, x, momentum, v, y);
        return y;
    }

    /** The strongly convex case: α = β = ρ. */
    public void stronglyConvexStep(List<Integer> block, double rate, double stepSize) {
        stronglyConvexStep(block, rate, stepSize, Double.NaN);
    }

    /** The same with A⁺A replaced by a number where it acts on a block of communication edges. */
    public void stronglyConvexStep(List<Integer> block, double rate, double stepSize, double inPlaceOfProjection) {
        DMatrixRMaj y = stronglyConvexY(rate);
        DMatrixRMaj w = new DMatrixRMaj(v);
        CommonOps_DDRM.add(1 - rate, v, rate, y, w);
        step(block, y, w, rate, stepSize, inPlaceOfProjection);
    }

    DMatrixRMaj stronglyConvexY(double rate) {
        DMatrixRMaj y = new DMatrixRMaj(x);
        CommonOps_DDRM.add(1 / (1 + rate), x, rate / (1 + rate), v, y);
        return y;
    }

    private void step(
            List<Integer> block, DMatrixRMaj y, DMatrixRMaj w, double momentum, double stepSize, double factor) {
        DMatrixRMaj gradient = overProbabilities(block, times(hessian, y));
        DMatrixRMaj next = new DMatrixRMaj(w);
        CommonOps_DDRM.addEquals(next, -stepSize, gradient);
        for (int e : block) {
            if (e >= network.edges()) {
                proximal(e, next, stepSize);
            }
        }
        DMatrixRMaj change = new DMatrixRMaj(next);
        CommonOps_DDRM.subtractEquals(change, w);
        boolean communicating = block.stream().allMatch(e -> e < network.edges());
        DMatrixRMaj projected = new DMatrixRMaj(change);
        if (communicating && !Double.isNaN(factor)) {
            CommonOps_DDRM.scale(factor, projected);
        } else {
            projected = times(projection, change);
        }
        x = new DMatrixRMaj(y);
        CommonOps_DDRM.addEquals(x, momentum, overProbabilities(block, projected));
        v = next;
    }

    /** P_b⁺ times a vector. */
    private DMatrixRMaj overProbabilities(List<Integer> block, DMatrixRMaj vector) {
        DMatrixRMaj result = new DMatrixRMaj(vector.numRows, 1);
        for (int e : block) {
            for (int c = 0; c < d; c++) {
                result.set(e * d + c, 0, vector.get(e * d + c, 0) / probabilities[e]);
            }
        }
        return result;
    }

    /**
     * The proximal step of ψ_ij by way of the proximal operator of f_ij, as the paper's implementation section has it.
     */
    private void proximal(int e, DMatrixRMaj at, double stepSize) {
        int node = 0;
        while (e >= firstVirtual[node + 1]) {
            node++;
        }
        int sample = e - firstVirtual[node];
        LocalProblem local = problem.nodes().get(node);
        double mu = Math.sqrt(weights[e]);
        double step = stepSize * weights[e] / probabilities[e];
        double inverse = smooth ? 1 / smoothness(node, e) : 0;
        double[] row = row(node, e);
        double q = dot(row, row);
        double[] point = new double[d];
        for (int c = 0; c < d; c++) {
            point[c] = -mu * at.get(e * d + c, 0) / step;
        }
        double margin = dot(row, point);
        double scale = 1 / step - inverse;
        double moved = loss.prox(margin, scale * local.weight(sample) * q, local.label(sample), margin);
        for (int c = 0; c < d; c++) {
            double proximal = point[c] + row[c] * (moved - margin) / q;
            // (point − proximal)/scale is a gradient of f at the proximal point; where f is smooth, it can be had
            // without
            // dividing by a number that may be zero.
            double dual = smooth
                    ? local.weight(sample) * loss.derivative(moved, local.label(sample)) * row[c]
                    : (point[c] - proximal) / scale;
            at.set(e * d + c, 0, -dual / mu);
        }
    }

    public void restart() {
        v = new DMatrixRMaj(x);
    }

    /** The part of A·edges that belongs to a node, divided by its σ. */
    public double[] parameter(DMatrixRMaj onEdges, int node) {
        DMatrixRMaj onNodes = times(a, onEdges);
        double[] theta = new double[d];
        for (int c = 0; c < d; c++) {
            theta[c] = onNodes.get(node * d + c, 0) / problem.nodes().get(node).sigma();
        }
        return theta;
    }

    /** s of a sample, from (A x)^(ij) = s x_ij. */
    public double slope(int node, int sample) {
        int e = virtualEdge(node, sample);
        double[] row = row(node, e);
        double along = 0;
        for (int c = 0; c < d; c++) {
            along += row[c] * x.get(e * d + c, 0);
        }
        return -Math.sqrt(weights[e]) * along / dot(row, row);
    }

    /** λ_max of A⁺A P_b⁺ Aᵀ Σ⁺ A P_b⁺ A⁺A, the square of the paper's S for one block. */
    public double squaredS(List<Integer> block) {
        DMatrixRMaj over = new DMatrixRMaj(edges * d, edges * d);
        for (int e : block) {
            for (int c = 0; c < d; c++) {
                over.set(e * d + c, e * d + c, 1 / probabilities[e]);
            }
        }
        DMatrixRMaj product = times(times(times(times(projection, over), hessian), over), projection);
        return largestEigenvalue(product);
    }

    /** The eigenvalues of AᵀΣ⁺A, ascending. */
    public double[] spectrum() {
        return eigenvalues(hessian);
    }

    /** The diagonal entry R of A⁺A for a communication edge. */
    public double resistance(int edge) {
        return projection.get(edge * d, edge * d);
    }

    static double largestEigenvalue(DMatrixRMaj matrix) {
        double[] values = eigenvalues(matrix);
        return values[values.length - 1];
    }

    private static double[] eigenvalues(DMatrixRMaj matrix) {
        DMatrixRMaj symmetric = new DMatrixRMaj(matrix);
        CommonOps_DDRM.transpose(symmetric);
        CommonOps_DDRM.addEquals(symmetric, matrix);
        CommonOps_DDRM.scale(0.5, symmetric);
        var solver = org.ejml.dense.row.factory.DecompositionFactory_DDRM.eig(matrix.numRows, false, true);
        solver.decompose(symmetric);
        double[] values = new double[matrix.numRows];
        for (int k = 0; k < values.length; k++) {
            values[k] = solver.getEigenvalue(k).getReal();
        }
        java.util.Arrays.sort(values);
        return values;
    }

    private static DMatrixRMaj times(DMatrixRMaj left, DMatrixRMaj right) {
        DMatrixRMaj result = new DMatrixRMaj(left.numRows, right.numCols);
        CommonOps_DDRM.mult(left, right, result);
        return result;
    }

    private static double dot(double[] left, double[] right) {
        double sum = 0;
        for (int c = 0; c < left.length; c++) {
            sum += left[c] * right[c];
        }
        return sum;
    }
}
