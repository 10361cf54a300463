package dev.starling.method.multipliers;

import dev.starling.loss.Loss;
import dev.starling.problem.CompensatedSum;

/** Slopes along a line: of one sample after a step, and Σ w s xᵀp over many after several steps at once. */
final class LineSlopes {

    private final Kinks kinks;

    /* A block of samples: where the clip has its argument, its ends, and what a sum takes of each. */
    private final double[] upper = new double[Loss.BLOCK];
    private final double[] lower = new double[Loss.BLOCK];
    private final double[] highs = new double[Loss.BLOCK];
    private final double[] lows = new double[Loss.BLOCK];
    private final double[] speeds = new double[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];
    private final double[] starts = new double[Loss.BLOCK];
    private CompensatedSum same = new CompensatedSum();
    private double band;
    private double sharpness;
    private double unmoved;
    private int count;

    LineSlopes(Kinks kinks) {
        this.kinks = kinks;
    }

    /** Begins with a band. */
    void begin(double newBand) {
        band = newBand;
        sharpness = 1 / newBand;
        same = new CompensatedSum();
        count = 0;
        unmoved = 0;
    }

    /** The slope of a sample after a step, if it was this at the start. */
    double after(double step, double margin, double change, double multiplier, double label, double slope) {
        load(0, margin, change, multiplier, label, slope);
        return clip(0, step);
    }

    /**
     * Takes in a sample of a block.
     *
     * @param speed w xᵀp
     * @param longest of the steps
     * @param moves whether its slope may change along the line even if it is the same at both ends
     */
    void add(
            double margin,
            double change,
            double multiplier,
            double label,
            double slope,
            double speed,
            double longest,
            boolean moves) {
        load(count, margin, change, multiplier, label, slope);
        speeds[count] = speed;
        // A slope only ever grows or only ever falls along a line: if the ends have the same, all between do.
        double last = clip(count, longest);
        if (last == slope && !moves) {
            unmoved += speed * last;
        } else {
            count++;
        }
    }

    /** Adds what the block tells of each step, and begins the next one. */
    void finishBlock(double[] steps, double[] sums) {
        same.add(unmoved);
        for (int k = 0; k < steps.length; k++) {
            sums[GradientLayout.FIRST + k] += moved(steps[k]);
        }
        unmoved = 0;
        count = 0;
    }

    /** Adds the samples that are the same after all steps. */
    void finish(double[] steps, double[] sums) {
        for (int k = 0; k < steps.length; k++) {
            sums[GradientLayout.FIRST + k] += same.value();
        }
    }

    private void load(int k, double margin, double change, double multiplier, double label, double slope) {
        double start = Math.fma(band, multiplier, margin) - label;
        upper[k] = (start - kinks.tolerance()) * sharpness;
        lower[k] = (start + kinks.tolerance()) * sharpness;
        highs[k] = kinks.high(label);
        lows[k] = kinks.low(label);
        scales[k] = change * sharpness;
        starts[k] = slope;
    }

    /** The slope of a loaded sample after a step; after none, what was told. */
    private double clip(int k, double step) {
        if (step == 0) {
            return starts[k];
        }
        double up = Math.min(Math.max(Math.fma(step, scales[k], upper[k]), 0), highs[k]);
        double down = Math.max(Math.min(Math.fma(step, scales[k], lower[k]), 0), lows[k]);
        return up + down;
    }

    private double moved(double step) {
        double sum = 0;
        for (int k = 0; k < count; k++) {
            sum = Math.fma(speeds[k], clip(k, step), sum);
        }
        return sum;
    }
}
