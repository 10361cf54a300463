package dev.starling.evaluation.tally;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.NumberMeasures;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import java.util.Optional;

/** Sums over predicted numbers. */
final class NumberTally implements Tally {

    private static final int ROWS = 0;
    private static final int WEIGHT = 1;
    private static final int SUM = 2;
    private static final int SQUARES = 3;
    private static final int SQUARED_ERRORS = 4;
    private static final int ABSOLUTE_ERRORS = 5;
    private static final int LOSSES = 6;
    static final int LENGTH = 7;

    private final LinearModel model;
    private final Optional<Loss> loss;
    private final double centre;
    private final double[] sums = new double[LENGTH];

    NumberTally(LinearModel model, double centre) {
        this.model = model;
        this.loss = Losses.find(model.loss());
        this.centre = centre;
    }

    /** Returns sums as they would be with another centre, which is lower by a distance. */
    static double[] recentred(double[] sums, double distance) {
        double[] others = sums.clone();
        others[SUM] += sums[WEIGHT] * distance;
        others[SQUARES] += (2 * sums[SUM] + sums[WEIGHT] * distance) * distance;
        return others;
    }

    @Override
    public void add(Dataset rows, int row) {
        double label = rows.label(row);
        if (!Double.isFinite(label)) {
            throw new InvalidInputException("row " + (row + 1) + ": label " + label + " is not a finite number");
        }
        loss.ifPresent(own -> own.domain().require(rows, row, row + 1, own.name()));
        double weight = rows.weight(row);
        double score = model.score(rows, row, 0);
        double error = model.link().mean(score) - label;
        double centred = label - centre;
        sums[ROWS]++;
        sums[WEIGHT] += weight;
        sums[SUM] += weight * centred;
        sums[SQUARES] += weight * centred * centred;
        sums[SQUARED_ERRORS] += weight * error * error;
        sums[ABSOLUTE_ERRORS] += weight * Math.abs(error);
        sums[LOSSES] += loss.isEmpty() ? 0 : weight * loss.get().value(score, label);
    }

    @Override
    public double[] sums() {
        return sums.clone();
    }

    @Override
    public void add(double[] others) {
        for (int k = 0; k < LENGTH; k++) {
            sums[k] += others[k];
        }
    }

    @Override
    public NumberMeasures measures() {
        double weight = sums[WEIGHT];
        double variation = sums[SQUARES] - sums[SUM] * sums[SUM] / weight;
        // If all labels are the same, rounding may leave a tiny variation.
        boolean varied = variation > 1e-14 * sums[SQUARES];
        return new NumberMeasures(
                (long) sums[ROWS],
                weight,
                varied ? 1 - sums[SQUARED_ERRORS] / variation : Double.NaN,
                Math.sqrt(sums[SQUARED_ERRORS] / weight),
                sums[ABSOLUTE_ERRORS] / weight,
                loss.isEmpty() ? Double.NaN : sums[LOSSES] / weight,
                loss.isPresent() && loss.get() instanceof Squared ? sums[SQUARED_ERRORS] : Double.NaN);
    }
}
