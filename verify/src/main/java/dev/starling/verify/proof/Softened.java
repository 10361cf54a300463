package dev.starling.verify.proof;

import dev.starling.verify.loss.CheckedLoss;

/**
 * Losses at margins m, each smoothed around a slope a of its own: max over s of sm − ℓ*(s) − (γ/2)(s − a)², where γ is
 * the width of the band in which a kink holds a margin. The maximising s is the slope, always in the domain of ℓ*.
 */
final class Softened {

    private final CheckedLoss loss;
    private final double[] labels;
    private final double[] weights;
    private final double[] centres;
    private final double[] slopes;
    private double band;

    Softened(CheckedLoss loss, double[] labels, double[] weights) {
        this.loss = loss;
        this.labels = labels;
        this.weights = weights;
        this.centres = new double[labels.length];
        this.slopes = new double[labels.length];
    }

    /** The slopes a, which the caller may fill in. */
    double[] centres() {
        return centres;
    }

    double[] slopes() {
        return slopes;
    }

    /** γ. */
    double band() {
        return band;
    }

    void setBand(double band) {
        this.band = band;
    }

    /** Computes the slopes at margins. */
    void moveTo(double[] margins) {
        for (int i = 0; i < slopes.length; i++) {
            slopes[i] = slope(i, margins[i]);
        }
    }

    /** Makes the current slopes the ones around which losses are smoothed. */
    void recentre() {
        System.arraycopy(slopes, 0, centres, 0, slopes.length);
    }

    private double slope(int i, double margin) {
        return loss.proximalSlope(margin + band * centres[i], band, labels[i]);
    }

    /** A slope times its weight, as it enters the gradient. */
    double weighted(int i) {
        return weights[i] * slopes[i];
    }

    /** The curvature at a slope; 0 unless a kink holds the margin, or the loss is curved itself. */
    double curvature(int i) {
        return weights[i] * loss.curvature(slopes[i], band, labels[i]);
    }

    /** The slope of the sum along a line, after a step. */
    double slopeAlong(double[] margins, double[] moves, double step) {
        double sum = 0;
        for (int i = 0; i < slopes.length; i++) {
            sum += moves[i] == 0 ? 0 : weights[i] * slope(i, margins[i] + step * moves[i]) * moves[i];
        }
        return sum;
    }

    /** γ Σ w (s − a)²: a measure of how much smoothing changed the losses. */
    double disturbance() {
        double sum = 0;
        for (int i = 0; i < slopes.length; i++) {
            double move = slopes[i] - centres[i];
            sum += weights[i] * move * move;
        }
        return band * sum;
    }

    /** How many margins have curvature with a band of this width around kinks. */
    int held(double[] margins, double width) {
        int count = 0;
        for (int i = 0; i < slopes.length; i++) {
            count += loss.curvature(loss.proximalSlope(margins[i], width, labels[i]), width, labels[i]) > 0 ? 1 : 0;
        }
        return count;
    }
}
