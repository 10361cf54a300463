package dev.starling.evaluation.tally;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.ScoreCounts;
import dev.starling.loss.Cox;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;

/**
 * The evaluation of a model on some of the rows, for rows that belong to one owner but are in several places. Added up
 * over all places, it gives the model's measures, with exact areas under curves. It holds sums, and the number of rows
 * with each score.
 */
public final class PartialEvaluation implements Serializable {

    private final double centre;
    private final double[] sums;
    private final ArrayList<ScoreCounts> curves;

    private PartialEvaluation(double centre, double[] sums, List<ScoreCounts> curves) {
        this.centre = centre;
        this.sums = sums;
        this.curves = new ArrayList<>(curves);
    }

    /**
     * Evaluates a model on some of the rows.
     *
     * @param rows at least one
     * @throws InvalidInputException if a label is not one of the model's classes
     */
    public static PartialEvaluation of(LinearModel model, Dataset rows) {
        if (Losses.find(model.loss()).filter(loss -> loss instanceof Cox).isPresent()) {
            throw new InvalidInputException(
                    "a model with the loss " + model.loss() + " says in which order events come,"
                            + " not when, so it has no measures of single rows; its measure is concordance");
        }
        double centre = model.isClassifier() ? 0 : meanLabel(rows);
        ConcurrentSkipListMap<Integer, Tally> parts = new ConcurrentSkipListMap<>();
        rows.overRows((from, to) -> {
            Tally part = Tally.of(model, ScoreBins.USUAL, centre);
            for (int i = from; i < to; i++) {
                part.add(rows, i);
            }
            parts.put(from, part);
        });
        Tally tally = parts.remove(0);
        parts.values().forEach(part -> tally.add(part.sums()));
        return new PartialEvaluation(centre, tally.sums(), model.isClassifier() ? curves(model, rows) : List.of());
    }

    private static double meanLabel(Dataset rows) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < rows.rows(); i++) {
            sum += rows.weight(i) * rows.label(i);
            weight += rows.weight(i);
        }
        return sum / weight;
    }

    private static List<ScoreCounts> curves(LinearModel model, Dataset rows) {
        List<ScoreCounts> curves = new ArrayList<>();
        for (int k = 0; k < ClassTally.scores(model); k++) {
            double positive = model.classes().get(model.scores() == 1 ? 1 : k);
            double[] scores = new double[rows.rows()];
            boolean[] positives = new boolean[rows.rows()];
            double[] weights = new double[rows.rows()];
            int score = k;
            rows.overRows((from, to) -> {
                for (int i = from; i < to; i++) {
                    scores[i] = ClassTally.score(model, rows, i, score);
                    positives[i] = rows.label(i) == positive;
                    weights[i] = rows.weight(i);
                }
            });
            curves.add(ScoreCounts.of(scores, positives, weights));
        }
        return curves;
    }

    /**
     * The evaluation on the rows of all parts, which are added up by halves, so that long lists of scores are merged
     * only a few times.
     *
     * @param parts at least one
     */
    public static PartialEvaluation sum(List<PartialEvaluation> parts) {
        int half = parts.size() / 2;
        return half == 0 ? parts.get(0) : sum(parts.subList(0, half)).plus(sum(parts.subList(half, parts.size())));
    }

    private PartialEvaluation plus(PartialEvaluation other) {
        double[] all = sums.clone();
        // Only sums over predicted numbers have a centre other than 0.
        double[] others =
                other.centre == centre ? other.sums : NumberTally.recentred(other.sums, other.centre - centre);
        IntStream.range(0, all.length).forEach(k -> all[k] += others[k]);
        return new PartialEvaluation(
                centre,
                all,
                IntStream.range(0, curves.size())
                        .mapToObj(k -> curves.get(k).plus(other.curves.get(k)))
                        .toList());
    }

    /** The measures, once all rows have been added. */
    public Measures measures(LinearModel model) {
        Tally tally = Tally.of(model, ScoreBins.USUAL, centre);
        tally.add(sums);
        return tally.measures() instanceof ClassMeasures classes ? classes.with(curves) : tally.measures();
    }
}
