package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.ScoreBins;
import dev.starling.evaluation.Tally;
import dev.starling.model.LinearModel;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The last phase of a job with held-out rows: all nodes learn how well the model predicts them, from sums and counts
 * alone. The result is empty if no node has such rows.
 */
final class EvaluationPhase extends Sequence<Optional<Measures>> {

    /** Fewer bins than {@link ScoreBins#USUAL}, because sites reveal as few numbers as possible. */
    private static final ScoreBins BINS = new ScoreBins(100);

    private static final String KIND = "held-out";

    /** The number of sums of the first step: weights and weighted labels. */
    private static final int HEAD = 2;

    private final Collectives nodes;
    private final LinearModel model;
    private final Dataset held;

    EvaluationPhase(State.Owner owner, Collectives nodes, LinearModel model, Dataset held) {
        super(owner);
        this.nodes = nodes;
        this.model = model;
        this.held = Holdout.evaluated(model, held);
    }

    /** How many numbers are added up about the rows, for this many classes; 0 classes for regression. */
    static int numbers(int classes) {
        return HEAD + Tally.length(classes, BINS);
    }

    @Override
    protected Step<?> begin() {
        return next(
                "labels",
                nodes.sum(SumRequest.overAll(SumKind.PREDICTIONS, KIND, held.rows(), HEAD), this::weightAndLabels),
                totals -> totals[0] > 0 ? evaluated(totals[1] / totals[0]) : done(Optional.empty()));
    }

    private double[] weightAndLabels() {
        double[] sums = new double[HEAD];
        for (int i = 0; i < held.rows(); i++) {
            sums[0] += held.weight(i);
            sums[1] += model.isClassifier() ? 0 : held.weight(i) * held.label(i);
        }
        return sums;
    }

    private Step<?> evaluated(double centre) {
        Tally all = Tally.of(model, BINS, centre);
        double[] point = IntStream.range(0, model.scores())
                .mapToObj(model::weights)
                .flatMapToDouble(Arrays::stream)
                .toArray();
        return next(
                "tally",
                nodes.sum(
                        SumRequest.atPoint(SumKind.PREDICTIONS, 0, 1, point, held.rows(), all.sums().length)
                                .named(KIND),
                        () -> own(centre)),
                totals -> {
                    all.add(totals);
                    return done(Optional.of(all.measures()));
                });
    }

    private double[] own(double centre) {
        Tally tally = Tally.of(model, BINS, centre);
        tally.addAll(held);
        return tally.sums();
    }
}
