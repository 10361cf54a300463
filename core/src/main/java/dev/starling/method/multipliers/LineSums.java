package dev.starling.method.multipliers;

import dev.starling.cores.Blocks;
import dev.starling.loss.Loss;
import java.util.Arrays;

/** The sums of {@link dev.starling.node.SumKind#LINE} over a block of samples, or over several. */
final class LineSums implements Blocks.Part<LineSums> {

    private final Samples samples;
    private final LineSlopes line;
    private final double band;
    private final double[] steps;
    private final boolean repeated;
    private final double[] sums;

    /**
     * Starts a sum.
     *
     * @param band the width of the band
     * @param steps the steps, of which the last is the longest
     * @param repeated whether the slopes at the start of the line are those of an earlier gradient
     * @param sums where the sums are, all of them 0
     */
    LineSums(Samples samples, double band, double[] steps, boolean repeated, double[] sums) {
        this.samples = samples;
        this.line = new LineSlopes(samples.kinks);
        this.band = band;
        this.steps = steps;
        this.repeated = repeated;
        this.sums = sums;
        line.begin(band);
    }

    @Override
    public void clear() {
        Arrays.fill(sums, 0);
        line.begin(band);
    }

    @Override
    public void sum(int first, int end) {
        for (int from = first; from < end; from += Loss.BLOCK) {
            int to = Math.min(end, from + Loss.BLOCK);
            for (int k = from; k < to; k += Samples.RUN) {
                visit(k, Math.min(to, k + Samples.RUN));
            }
            line.finishBlock(steps, sums);
        }
    }

    private void visit(int from, int to) {
        double longest = steps[steps.length - 1];
        for (int k = from; k < to; k++) {
            int j = k * samples.stride;
            int row = samples.problem.row(j);
            double change = samples.changes[j];
            line.add(
                    samples.margins[j],
                    change,
                    samples.multipliers[j],
                    samples.data.label(row),
                    samples.slopes[j],
                    samples.data.weight(row) * change,
                    longest,
                    repeated);
        }
    }

    @Override
    public void add(LineSums next) {
        for (int k = GradientLayout.FIRST; k < GradientLayout.FIRST + steps.length; k++) {
            sums[k] += next.sums[k];
        }
        line.add(next.line);
    }

    void finish() {
        line.finish(steps, sums);
    }
}
