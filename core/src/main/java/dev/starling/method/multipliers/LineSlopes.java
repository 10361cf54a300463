package dev.starling.method.multipliers;

import dev.starling.loss.Loss;
import dev.starling.problem.CompensatedSum;

/** Slopes along a line: of one sample after a step, and Σ w s xᵀp over many samples after several steps at once. */
final class LineSlopes {

    private final Kinks kinks;

    /* A block of samples: the argument of each clip at the start, its ends, and the sample's factors in a sum. */
    private final double[] upper = new double[Loss.BLOCK];
    private final double[] lower = new double[Loss.BLOCK];
    private final double[] highs = new double[Loss.BLOCK];
    private final double[] lows = new double[Loss.BLOCK];
    private final double[] speeds = new double[Loss.BLOCK];
    private final double[] scales = new double[Loss.BLOCK];
    private final double[] starts = new double[Loss.BLOCK];

    /** The sum over samples whose slopes are the same after all steps, and the current block's part of it. */
    private CompensatedSum same = new CompensatedSum();

    private double unmoved;
    private double band;
    private double sharpness;
    private int count;

    LineSlopes(Kinks kinks) {
        this.kinks = kinks;
    }

    /** Starts with a band. */
    void begin(double newBand) {
        band = newBand;
        sharpness = 1 / newBand;
        same = new CompensatedSum();
        count = 0;
        unmoved = 0;
    }

    /** Returns the slope of a sample after a step; for a step of 0, the slope given. */
    double after(double step, double margin, double change, double multiplier, double label, double slope) {
        load(0, margin, change, multiplier, label, slope);
        return clip(0, step);
    }

    /**
     * Adds a sample to the current block.
     *
     * @param speed w xᵀp
     * @param longest the longest of the steps
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
        // A slope never rises and falls along the same line: if it is the same at both ends, it is the same in between.
        double last = clip(count, longest);
        if (last == slope && !moves) {
            unmoved += speed * last;
        } else {
            count++;
        }
    }

    /** Adds the block's part to the sum of each step, and starts the next block. */
    void finishBlock(double[] steps, double[] sums) {
        same.add(unmoved);
        for (int k = 0; k < steps.length; k++) {
            sums[GradientLayout.FIRST + k] += moved(steps[k]);
        }
        unmoved = 0;
        count = 0;
    }

    /** Adds the samples of another sum whose slopes are the same after all steps. */
    void add(LineSlopes next) {
        same.add(next.same);
    }

    /** Adds the samples whose slopes are the same after all steps. */
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

    /** Returns the slope of a loaded sample after a step; for a step of 0, the slope it was loaded with. */
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
