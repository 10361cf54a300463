package dev.starling.method.multipliers;

import dev.starling.cores.Blocks;
import dev.starling.loss.Loss;
import dev.starling.objective.OuterProducts;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The sums of {@link dev.starling.node.SumKind#HESSIAN} over a block of samples, or over several. */
final class HeldSums implements Blocks.Part<HeldSums> {

    private final Samples samples;
    private final IntPredicate counts;
    private final double[] sums;
    private final OuterProducts outerProducts;
    private final int[] rows = new int[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];

    /**
     * Starts a sum.
     *
     * @param counts which samples count
     * @param sums where the sums are, all of them 0
     */
    HeldSums(Samples samples, IntPredicate counts, double[] sums) {
        this.samples = samples;
        this.counts = counts;
        this.sums = sums;
        this.outerProducts = new OuterProducts(samples.data);
    }

    @Override
    public void clear() {
        Arrays.fill(sums, 0);
    }

    @Override
    public void sum(int from, int to) {
        int count = 0;
        for (int k = from; k < to; k++) {
            int j = k * samples.stride;
            if (counts.test(j)) {
                rows[count] = samples.problem.row(j);
                scales[count++] = samples.weight(j);
            }
            if (count == Loss.BLOCK) {
                outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
                count = 0;
            }
        }
        outerProducts.add(count, rows, scales, sums, GradientLayout.FIRST);
    }

    @Override
    public void add(HeldSums next) {
        for (int k = GradientLayout.FIRST; k < next.sums.length; k++) {
            sums[k] += next.sums[k];
        }
    }
}
