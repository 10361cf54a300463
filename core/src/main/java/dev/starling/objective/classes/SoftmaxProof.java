package dev.starling.objective.classes;

import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.loss.Softmax;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.problem.CompensatedSum;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;

/**
 * The sums of a proof by curvature for classes that are compared with the first, over a block of rows or several. The
 * gradient is added up with its remainders, so that what is left of rounding is that of each row.
 */
final class SoftmaxProof implements Blocks.Part<SoftmaxProof> {

    /** The number of roundings in a slope besides those of adding up K exponentials, with room to spare. */
    private static final int OPERATIONS = 32;

    private final LocalProblem problem;
    private final PassLayout layout;
    private final double[][] blocks;
    private final ProofBasis basis;
    private final double[] sums;
    private final int classes;
    private final int features;
    private final CompensatedSum[] gradient;
    private final double[][] images;
    private final double[] row;
    private final double[] margins;
    private final double[] slopes;
    private final double[] curvatures;
    private final Softmax loss;
    private CompensatedSum value;
    private double weight;

    SoftmaxProof(LocalProblem problem, PassLayout layout, double[][] blocks, ProofBasis basis, double[] sums) {
        this.problem = problem;
        this.layout = layout;
        this.blocks = blocks;
        this.basis = basis;
        this.sums = sums;
        this.classes = layout.outputs();
        this.features = problem.features();
        this.loss = new Softmax(classes);
        this.gradient = new CompensatedSum[layout.parameters()];
        this.images = new double[classes][layout.parameters()];
        this.row = new double[features];
        this.margins = new double[classes];
        this.slopes = new double[classes];
        this.curvatures = new double[classes * (classes + 1) / 2];
        clear();
    }

    @Override
    public void clear() {
        Arrays.fill(sums, 0, layout.length(PassSums.PROOF), 0);
        Arrays.setAll(gradient, k -> new CompensatedSum());
        value = new CompensatedSum();
        weight = 0;
    }

    @Override
    public void sum(int first, int end) {
        for (int j = first; j < end; j++) {
            add(problem.row(j));
        }
    }

    private void add(int at) {
        Dataset data = problem.data();
        double w = data.weight(at);
        Arrays.fill(row, 0);
        data.addTo(at, 1, row);
        double size = 0;
        for (int k = 0; k < classes; k++) {
            margins[k] = data.dot(at, blocks[k]);
            double of = 0;
            for (int c = 0; c < features; c++) {
                of += Math.abs(row[c] * blocks[k][c]);
            }
            size = Math.max(size, of);
        }
        value.add(w * loss.value(margins, data.label(at)));
        weight += w;
        loss.bend(margins, data.label(at), slopes, curvatures);
        for (int k = 1; k < classes; k++) {
            for (int c = 0; c < features; c++) {
                gradient[k * features + c].add(w * slopes[k] * row[c]);
            }
        }
        double distance = SoftmaxSums.distance(data.end(at) - data.start(at), size);
        double relative = (classes + OPERATIONS) * Rounding.UNIT;
        double longest = longest();
        double scaled = 0;
        for (int k = 1; k < classes; k++) {
            for (int c = 0; c < features; c++) {
                double entry = row[c] * basis.scales()[k * features + c];
                scaled = Math.fma(entry, entry, scaled);
            }
        }
        int proof = layout.proof();
        // If every margin is wrong by at most r, no probability is by more than r/2, and all together by at most r.
        sums[PassLayout.ERROR] += w * (2 * distance + relative * (size + 1));
        sums[proof + PassLayout.DISTANCES] += w * (2 * distance + relative) * longest * longest;
        sums[proof + PassLayout.SCALED_ERROR] += w * (2 * distance + relative) * Math.sqrt(scaled) * (1 + 0x1p-20);
        sums[proof + PassLayout.LEVERAGES] += w * longest * longest * longest / (6 * Math.sqrt(3));
    }

    /** Returns a bound on ‖X((e_k − e_l) ⊗ x)‖ for any two classes, of which the first has no parameters. */
    private double longest() {
        int d = layout.parameters();
        double[] x = basis.inverse();
        double scaled = 0;
        for (int k = 1; k < classes; k++) {
            int from = k * features;
            Arrays.fill(images[k], 0);
            for (int b = from; b < d; b++) {
                double sum = 0;
                for (int c = 0; c < features && from + c <= b; c++) {
                    sum = Math.fma(x[b * d + from + c], row[c], sum);
                }
                images[k][b] = sum;
            }
            for (int c = 0; c < features; c++) {
                double entry = row[c] * basis.scales()[from + c];
                scaled = Math.fma(entry, entry, scaled);
            }
        }
        double most = 0;
        for (int k = 1; k < classes; k++) {
            for (int l = 0; l < k; l++) {
                double squares = 0;
                for (int b = 0; b < d; b++) {
                    double entry = images[k][b] - images[l][b];
                    squares = Math.fma(entry, entry, squares);
                }
                most = Math.max(most, squares);
            }
        }
        return (1 + 0x1p-40) * Math.sqrt(most)
                + 4.0 * (d + OPERATIONS) * Rounding.UNIT * basis.length() * Math.sqrt(scaled);
    }

    @Override
    public void add(SoftmaxProof next) {
        for (int k = 0; k < gradient.length; k++) {
            gradient[k].add(next.gradient[k]);
        }
        for (int k = PassLayout.LOSS; k < layout.length(PassSums.PROOF); k++) {
            sums[k] += next.sums[k];
        }
        value.add(next.value);
        weight += next.weight;
    }

    void finish() {
        sums[PassLayout.LOSS] = value.value();
        sums[PassLayout.WEIGHT] = weight;
        for (int k = 0; k < gradient.length; k++) {
            sums[PassLayout.GRADIENT + k] = gradient[k].value();
        }
    }
}
