package dev.starling.method.multipliers;

import dev.starling.cores.Blocks;
import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.objective.PassLayout;
import dev.starling.problem.CompensatedSum;
import java.util.Arrays;

/**
 * The sums of {@link dev.starling.node.SumKind#GRADIENT} over a block of samples, or over several. Only rows whose
 * slopes have changed are added to the gradient.
 */
final class GradientSums implements Blocks.Part<GradientSums> {

    private final Samples samples;
    private final double[] released;
    private final double[] gradient;

    /** The part of the gradient from samples with positive slopes; empty without a free intercept. */
    private final double[] rising;

    private AddedSamples added;
    private CompensatedSum loss = new CompensatedSum();
    private CompensatedSum excess = new CompensatedSum();

    /* Σ w s and its positive part, on whose last digits the feasibility of a dual point depends. */
    private CompensatedSum slopes = new CompensatedSum();
    private CompensatedSum positive = new CompensatedSum();

    /* The parts of a block. */
    private double losses;
    private double excesses;

    private double weight;
    private double distance;
    private int held;
    private long changed;

    /**
     * Starts a sum.
     *
     * @param released the slopes to sum up
     * @param gradient the gradient so far, to which samples are added
     * @param rising the part of it from samples with positive slopes; empty if it is not needed
     * @param added what was added to the gradient so far
     */
    GradientSums(Samples samples, double[] released, double[] gradient, double[] rising, AddedSamples added) {
        this.samples = samples;
        this.released = released;
        this.gradient = gradient;
        this.rising = rising;
        this.added = added;
    }

    /** Returns a sum over other samples, with nothing in it yet. */
    GradientSums another() {
        return new GradientSums(
                samples, released, new double[gradient.length], new double[rising.length], added.another());
    }

    @Override
    public void clear() {
        Arrays.fill(gradient, 0);
        Arrays.fill(rising, 0);
        added = added.another();
        loss = new CompensatedSum();
        excess = new CompensatedSum();
        slopes = new CompensatedSum();
        positive = new CompensatedSum();
        weight = 0;
        distance = 0;
        held = 0;
        changed = 0;
    }

    @Override
    public void sum(int first, int end) {
        for (int from = first; from < end; from += Loss.BLOCK) {
            int to = Math.min(end, from + Loss.BLOCK);
            losses = 0;
            excesses = 0;
            for (int k = from; k < to; k += Samples.RUN) {
                visit(k, Math.min(to, k + Samples.RUN));
            }
            loss.add(losses);
            excess.add(excesses);
            if (added.isByRow()) {
                added.bound(from, to, samples.margins, samples.slopes);
            }
        }
    }

    private void visit(int from, int to) {
        Dataset data = samples.data;
        Kinks kinks = samples.kinks;
        for (int k = from; k < to; k++) {
            int j = k * samples.stride;
            int row = samples.problem.row(j);
            double label = data.label(row);
            double low = kinks.low(label);
            double high = kinks.high(label);
            double rowWeight = data.weight(row);
            double above = samples.margins[j] - label - kinks.tolerance();
            double below = samples.margins[j] - label + kinks.tolerance();
            double slope = released[j];
            double up = Math.max(slope, 0);
            double down = Math.min(slope, 0);
            double change = slope - samples.multipliers[j];
            weight += rowWeight;
            losses += rowWeight * (above > 0 ? high * above : below < 0 ? low * below : 0);
            excesses += rowWeight
                    * ((above > 0 ? (high - up) * above : -up * above)
                            + (below < 0 ? (low - down) * below : -down * below));
            distance += rowWeight * change * change;
            held += kinks.holds(slope, label) ? 1 : 0;
            if (slope != samples.slopes[j]) {
                change(j, row, rowWeight, slope);
            }
            if (rising.length > 0) {
                addSlope(rowWeight * slope);
            }
        }
    }

    private void change(int sample, int row, double rowWeight, double slope) {
        double before = samples.slopes[sample];
        double step = rowWeight * (slope - before);
        double rise = rowWeight * (Math.max(0, slope) - Math.max(0, before));
        if (rising.length > 0 && rise != 0) {
            samples.data.addTo(row, rise, rising, 0);
        }
        samples.slopes[sample] = slope;
        samples.data.addTo(row, step, gradient, 0);
        added.added(sample, step, gradient);
        changed++;
    }

    private void addSlope(double part) {
        slopes.add(part);
        if (part > 0) {
            positive.add(part);
        }
    }

    @Override
    public void add(GradientSums next) {
        added.add(next.added, next.gradient, gradient);
        for (int c = 0; c < rising.length; c++) {
            rising[c] += next.rising[c];
        }
        loss.add(next.loss);
        excess.add(next.excess);
        slopes.add(next.slopes);
        positive.add(next.positive);
        weight += next.weight;
        distance += next.distance;
        held += next.held;
        changed += next.changed;
    }

    /** How many of the samples are held by their kinks. */
    int held() {
        return held;
    }

    /** How many slopes have changed. */
    long changed() {
        return changed;
    }

    double weight() {
        return weight;
    }

    /** Writes everything but the numbers of samples and the bounds on rounding. */
    void write(GradientLayout layout, double[] sums) {
        sums[PassLayout.LOSS] = loss.value();
        sums[PassLayout.WEIGHT] = weight;
        sums[layout.excess()] = excess.value();
        sums[layout.distance()] = distance;
        System.arraycopy(gradient, 0, sums, PassLayout.GRADIENT, gradient.length);
        if (layout.intercept()) {
            System.arraycopy(rising, 0, sums, layout.pass().rising(), rising.length);
            sums[layout.pass().rising() - 1] = slopes.value();
            sums[layout.pass().risingSpread() - 1] = positive.value();
        }
    }
}
