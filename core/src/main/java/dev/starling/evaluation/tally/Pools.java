package dev.starling.evaluation.tally;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Calibration;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Measures;
import dev.starling.model.LinearModel;
import java.util.Arrays;

/**
 * Bins of held-out rows that are put together because they have too few rows each: several owners first count rows by
 * bin, and then add up nothing that is about fewer rows than each of them requires. Bins of scores, bins of
 * probabilities and predicted classes are such sets.
 */
public final class Pools {

    private static final int CALIBRATION = 3;

    private final int classes;
    private final int scores;
    private final ScoreBins bins;

    /** For each bin of each score, then of each calibration, the bin that counts for it. */
    private final int[] places;

    private final boolean fewPredictions;

    private Pools(int classes, ScoreBins bins, double[] counts, long fewest) {
        this.classes = classes;
        this.scores = scores(classes);
        this.bins = bins;
        this.places = new int[counts.length - classes];
        for (int score = 0; score < scores; score++) {
            pool(counts, score * ofScore(bins), bins.count(), fewest);
            pool(counts, score * ofScore(bins) + bins.count(), Calibration.COUNT, fewest);
        }
        this.fewPredictions = Arrays.stream(counts, counts.length - classes, counts.length)
                .anyMatch(count -> count > 0 && count < fewest);
    }

    /** Decides, from the counts of all owners, which bins are put together. */
    public static Pools of(int classes, ScoreBins bins, double[] counts, long fewest) {
        return new Pools(classes, bins, counts, fewest);
    }

    private static int scores(int classes) {
        return classes > 2 ? classes : 1;
    }

    private static int ofScore(ScoreBins bins) {
        return bins.count() + Calibration.COUNT;
    }

    /** How many counts there are; none for a model that predicts numbers. */
    public static int length(int classes, ScoreBins bins) {
        return classes == 0 ? 0 : scores(classes) * ofScore(bins) + classes;
    }

    /** Counts the rows in each bin of each score, in each bin of its calibration, and of each predicted class. */
    public static double[] counts(LinearModel model, ScoreBins bins, Dataset rows) {
        int classes = model.classes().size();
        double[] counts = new double[length(classes, bins)];
        for (int row = 0; row < rows.rows(); row++) {
            double[] of = ClassTally.scores(model, rows, row);
            double[] probabilities = model.hasProbabilities() ? model.probabilities(rows, row) : new double[classes];
            for (int k = 0; k < of.length; k++) {
                int at = k * ofScore(bins);
                counts[at + bins.of(of[k])]++;
                counts[at + bins.count() + Calibration.bin(probabilities[of.length == 1 ? 1 : k])]++;
            }
            counts[counts.length - classes + model.classes().indexOf(model.predict(rows, row))]++;
        }
        return counts;
    }

    /** Puts neighbouring bins together until each pool has enough rows; what is left joins the last. */
    private void pool(double[] counts, int from, int count, long fewest) {
        double left = Arrays.stream(counts, from, from + count).sum();
        int first = 0;
        double rows = 0;
        for (int bin = 0; bin < count; bin++) {
            rows += counts[from + bin];
            left -= counts[from + bin];
            if (bin == count - 1 || (rows >= fewest && left >= fewest)) {
                Arrays.fill(
                        places, from + first, from + bin + 1, median(counts, from + first, from + bin, rows) - from);
                first = bin + 1;
                rows = 0;
            }
        }
    }

    /** The bin with the middle row of some bins. */
    private static int median(double[] counts, int first, int last, double rows) {
        double below = 0;
        for (int bin = first; bin < last; bin++) {
            below += counts[bin];
            if (2 * below >= rows) {
                return bin;
            }
        }
        return last;
    }

    /**
     * Sums of a tally in which every pool is one bin. Probabilities count as the middles of their bins, so that their
     * sum tells no more than the counts have told.
     */
    public double[] pooled(double[] sums) {
        double[] pooled = sums.clone();
        int ofTally = (sums.length - ClassTally.curveStart(classes)) / scores;
        for (int score = 0; score < scores; score++) {
            int curve = ClassTally.curveStart(classes) + score * ofTally + ClassTally.SQUARES;
            int calibration = curve + 2 * bins.count();
            int places0 = score * ofScore(bins);
            for (int side = 0; side < 2; side++) {
                move(sums, pooled, curve + side * bins.count(), 1, places0, bins.count());
            }
            for (int bin = 0; bin < Calibration.COUNT; bin++) {
                int at = calibration + CALIBRATION * bin;
                sums[at + 1] = sums[at] * (bin + 0.5) / Calibration.COUNT;
            }
            for (int entry = 0; entry < CALIBRATION; entry++) {
                move(sums, pooled, calibration + entry, CALIBRATION, places0 + bins.count(), Calibration.COUNT);
            }
        }
        if (fewPredictions) {
            for (int actual = 0; actual < classes; actual++) {
                int row = ClassTally.HEAD + actual * classes;
                double all = Arrays.stream(sums, row, row + classes).sum();
                Arrays.fill(pooled, row, row + classes, 0);
                pooled[row] = all;
            }
        }
        return pooled;
    }

    private void move(double[] sums, double[] pooled, int from, int step, int firstPlace, int count) {
        for (int bin = 0; bin < count; bin++) {
            pooled[from + step * bin] = 0;
        }
        for (int bin = 0; bin < count; bin++) {
            pooled[from + step * places[firstPlace + bin]] += sums[from + step * bin];
        }
    }

    /** The measures that follow from pooled sums; which class was predicted is not known if some were too rarely. */
    public Measures of(Measures measures) {
        return fewPredictions && measures instanceof ClassMeasures ofClasses
                ? ofClasses.withoutPredictions()
                : measures;
    }
}
