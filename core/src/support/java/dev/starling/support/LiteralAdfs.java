package dev.starling.support;

import dev.starling.loss.Loss;
import dev.starling.problem.LocalProblem;
import dev.starling.method.adfs.tuning.Tuning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * S-ADFS as the paper prints it (Algorithm 2), with the matrices of the augmented graph written out: A with a projector
 * P_ij = x xᵀ/‖x‖² per virtual edge, its pseudo-inverse, W_b = A P_b⁺ Aᵀ and W̃_b = A P_b⁺ A⁺. Slow, obvious, and made
 * without a line of the code it judges: even the proximal steps are bisections.
 */
public final class LiteralAdfs {

    /** A sample: its row, label and weight. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Sample(double[] row, double label, double weight) {}

    /** A node: its samples (none of them all zero) and σ. */
    public record Node(List<Sample> samples, double sigma) {}

    /** An edge of the communication graph with its weight μ². */
    public record Edge(int tail, int head, double weight) {}

    /** The communication block, in which no sample is drawn. */
    public static final int[] COMMUNICATION = {};

    private final List<Node> nodes;
    private final List<Edge> edges;
    private final Loss loss;
    private final Tuning tuning;
    private final int features;

    /* One entry per virtual edge, nodes in order, samples in order. */
    private final int[] first;
    private final double[] smoothness;
    private final double[] mass;
    private final double[] probability;

    private final DMatrixRMaj incidence;
    private final DMatrixRMaj pseudoInverse;
    private final double[] inverseRegularity;

    private double[] x;
    private double[] v;

    public LiteralAdfs(List<Node> nodes, List<Edge> edges, Loss loss, Tuning tuning) {
        this.nodes = nodes;
        this.edges = edges;
        this.loss = loss;
        this.tuning = tuning;
        this.features = nodes.get(0).samples().get(0).row().length;
        this.first = new int[nodes.size() + 1];
        for (int i = 0; i < nodes.size(); i++) {
            first[i + 1] = first[i] + nodes.get(i).samples().size();
        }
        int virtual = first[nodes.size()];
        this.smoothness = new double[virtual];
        this.mass = new double[virtual];
        this.probability = new double[virtual];
        fillVirtualEdges();
        this.incidence = incidence();
        this.pseudoInverse = new DMatrixRMaj(incidence.numCols, incidence.numRows);
        CommonOps_DDRM.pinv(incidence, pseudoInverse);
        this.inverseRegularity = inverseRegularity();
        this.x = new double[incidence.numRows];
        this.v = new double[incidence.numRows];
    }

    private void fillVirtualEdges() {
        double alpha = tuning.strongConvexity() / tuning.balance();
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            double rootSum = 0;
            for (int e = first[i]; e < first[i + 1]; e++) {
                Sample sample = node.samples().get(e - first[i]);
                smoothness[e] = loss.smoothness() * sample.weight() * dot(sample.row(), sample.row());
                mass[e] = alpha * smoothness[e];
                rootSum += Math.sqrt(1 + smoothness[e] / node.sigma());
            }
            for (int e = first[i]; e < first[i + 1]; e++) {
                probability[e] =
                        tuning.computationProbability() * Math.sqrt(1 + smoothness[e] / node.sigma()) / rootSum;
            }
        }
    }

    /** A: column block of edge (k,l) is μ_kl (e_k − e_l) ⊗ P_kl. */
    private DMatrixRMaj incidence() {
        int rows = (nodes.size() + first[nodes.size()]) * features;
        DMatrixRMaj matrix = new DMatrixRMaj(rows, (edges.size() + first[nodes.size()]) * features);
        for (int e = 0; e < edges.size(); e++) {
            double root = Math.sqrt(edges.get(e).weight());
            for (int c = 0; c < features; c++) {
                matrix.set(edges.get(e).tail() * features + c, e * features + c, root);
                matrix.set(edges.get(e).head() * features + c, e * features + c, -root);
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (int e = first[i]; e < first[i + 1]; e++) {
                double[] row = nodes.get(i).samples().get(e - first[i]).row();
                for (int a = 0; a < features; a++) {
                    for (int b = 0; b < features; b++) {
                        double entry = Math.sqrt(mass[e]) * row[a] * row[b] / dot(row, row);
                        matrix.set(i * features + a, (edges.size() + e) * features + b, entry);
                        matrix.set((nodes.size() + e) * features + a, (edges.size() + e) * features + b, -entry);
                    }
                }
            }
        }
        return matrix;
    }

    /** The diagonal of Σ⁺; the blocks of virtual nodes act on multiples of x only, where L P is L. */
    private double[] inverseRegularity() {
        double[] diagonal = new double[incidence.numRows];
        for (int i = 0; i < nodes.size(); i++) {
            fill(diagonal, i, 1 / nodes.get(i).sigma());
            for (int e = first[i]; e < first[i + 1]; e++) {
                fill(diagonal, nodes.size() + e, 1 / smoothness[e]);
            }
        }
        return diagonal;
    }

    private void fill(double[] vector, int node, double value) {
        Arrays.fill(vector, node * features, (node + 1) * features, value);
    }

    /**
     * One step.
     *
     * @param block the sample each node draws, or {@link #COMMUNICATION}
     */
    public void step(int[] block) {
        double rho = tuning.rate();
        double[] inverseProbabilities = inverseProbabilities(block);
        double[] y = yNext();
        double[] w = combine(1 - rho, v, rho, y);
        double[] z = combine(1, w, -tuning.stepSize(), gossip(inverseProbabilities, times(inverseRegularity, y)));
        double[] next = z.clone();
        for (int i = 0; i < block.length; i++) {
            proximalStep(i, first[i] + block[i], z, next);
        }
        x = combine(1, y, rho, spread(inverseProbabilities, combine(1, next, -1, w)));
        v = next;
    }

    /** Lines 10 and 11: the virtual node's prox, and what it changes at its centre. */
    private void proximalStep(int i, int e, double[] z, double[] next) {
        int at = (nodes.size() + e) * features;
        double step = tuning.stepSize() * mass[e] / probability[e];
        double[] output = proxOfShiftedConjugate(
                nodes.get(i).samples().get(e - first[i]),
                smoothness[e],
                step,
                Arrays.copyOfRange(z, at, at + features));
        for (int c = 0; c < features; c++) {
            next[at + c] = output[c];
            next[i * features + c] += z[at + c] - output[c];
        }
    }

    private double[] proxOfShiftedConjugate(Sample sample, double smoothnessOfSample, double step, double[] z) {
        double slope = proxSlope(loss, sample, smoothnessOfSample, step, dot(sample.row(), z));
        double[] output = new double[features];
        for (int c = 0; c < features; c++) {
            output[c] = slope * sample.row()[c];
        }
        return output;
    }

    /**
     * The prox of η̃ f̃* at z, f̃* = f* − ‖·‖²/2L, as ∇f at the prox of (1/η̃ − 1/L) f at z/η̃: the multiple of the row
     * that it is.
     *
     * @param along xᵀz
     */
    public static double proxSlope(Loss loss, Sample sample, double smoothness, double step, double along) {
        double remaining = (1 / step - 1 / smoothness) * dot(sample.row(), sample.row()) * sample.weight();
        double margin = bisect(loss, along / step, Math.max(0, remaining), sample.label());
        return sample.weight() * loss.derivative(margin, sample.label());
    }

    /** The m with m + b ℓ'(m) = point. */
    public static double bisect(Loss loss, double point, double b, double label) {
        double reach = 1e-3 + b * Math.abs(loss.derivative(point, label));
        double low = point - reach;
        double high = point + reach;
        for (int k = 0; k < 200; k++) {
            double middle = (low + high) / 2;
            if (middle + b * loss.derivative(middle, label) > point) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return (low + high) / 2;
    }

    private double[] inverseProbabilities(int[] block) {
        double[] diagonal = new double[incidence.numCols];
        if (block.length == 0) {
            Arrays.fill(diagonal, 0, edges.size() * features, 1 / tuning.communicationProbability());
        }
        for (int i = 0; i < block.length; i++) {
            int e = first[i] + block[i];
            fill(diagonal, edges.size() + e, 1 / probability[e]);
        }
        return diagonal;
    }

    /** W_b = A P_b⁺ Aᵀ. */
    private double[] gossip(double[] inverseProbabilities, double[] vector) {
        DMatrixRMaj image = new DMatrixRMaj(incidence.numCols, 1);
        CommonOps_DDRM.multTransA(incidence, column(vector), image);
        return apply(incidence, times(inverseProbabilities, image.data));
    }

    /** W̃_b = A P_b⁺ A⁺. */
    private double[] spread(double[] inverseProbabilities, double[] vector) {
        return apply(incidence, times(inverseProbabilities, apply(pseudoInverse, vector)));
    }

    private static double[] apply(DMatrixRMaj matrix, double[] vector) {
        DMatrixRMaj image = new DMatrixRMaj(matrix.numRows, 1);
        CommonOps_DDRM.mult(matrix, column(vector), image);
        return image.data;
    }

    private static DMatrixRMaj column(double[] vector) {
        return DMatrixRMaj.wrap(vector.length, 1, vector);
    }

    private static double[] times(double[] a, double[] b) {
        double[] product = new double[a.length];
        Arrays.setAll(product, k -> a[k] * b[k]);
        return product;
    }

    private static double[] combine(double a, double[] first, double b, double[] second) {
        double[] sum = new double[first.length];
        Arrays.setAll(sum, k -> a * first[k] + b * second[k]);
        return sum;
    }

    public static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int c = 0; c < a.length; c++) {
            sum += a[c] * b[c];
        }
        return sum;
    }

    /** y_t of the step that comes next: (x + ρv)/(1 + ρ). */
    private double[] yNext() {
        return combine(1 / (1 + tuning.rate()), x, tuning.rate() / (1 + tuning.rate()), v);
    }

    /** The y of the next step at a node, divided by σ. */
    public double[] estimate(int node) {
        double[] y = part(yNext(), node);
        Arrays.setAll(y, c -> y[c] / nodes.get(node).sigma());
        return y;
    }

    public double[] xOfNode(int node) {
        return part(x, node);
    }

    public double[] vOfNode(int node) {
        return part(v, node);
    }

    /** The x of a virtual node as multiples of its row. */
    public double[] xOfSamples(int node) {
        return scalars(x, node);
    }

    public double[] vOfSamples(int node) {
        return scalars(v, node);
    }

    private double[] scalars(double[] vector, int node) {
        double[] scalars = new double[first[node + 1] - first[node]];
        for (int j = 0; j < scalars.length; j++) {
            double[] row = nodes.get(node).samples().get(j).row();
            scalars[j] = dot(part(vector, nodes.size() + first[node] + j), row) / dot(row, row);
        }
        return scalars;
    }

    private double[] part(double[] vector, int node) {
        return Arrays.copyOfRange(vector, node * features, (node + 1) * features);
    }

    public double probability(int node, int sample) {
        return probability[first[node] + sample];
    }

    /** The nodes of a problem of the product, rows as they are stored. */
    public static List<Node> nodesOf(List<LocalProblem> problems) {
        List<Node> nodes = new ArrayList<>();
        for (LocalProblem problem : problems) {
            List<Sample> samples = new ArrayList<>();
            for (int j = 0; j < problem.samples(); j++) {
                double[] row = new double[problem.features()];
                problem.data().addTo(problem.row(j), 1, row);
                samples.add(new Sample(row, problem.label(j), problem.weight(j)));
            }
            nodes.add(new Node(samples, problem.sigma()));
        }
        return nodes;
    }
}
