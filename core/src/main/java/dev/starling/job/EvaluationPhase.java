package dev.starling.job;

import dev.starling.data.Dataset;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.tally.Pools;
import dev.starling.evaluation.tally.ScoreBins;
import dev.starling.evaluation.tally.Tally;
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
    private static final String COUNTS = "held-out counts";

    /** The number of sums of the first step: weights and weighted labels. */
    private static final int HEAD = 2;

    private final Collectives nodes;
    private final LinearModel model;
    private final Dataset held;

    EvaluationPhase(State.Owner owner, Collectives nodes, LinearModel model, Dataset held) {
        super(owner);
        this.nodes = nodes;
        this.model = model;
        // Other nodes' rows may have columns that none of these has.
        this.held = Holdout.evaluated(model, held.withFeatures(Math.max(held.features(), model.features())));
    }

    /** How many numbers are added up about the rows, for this many classes; 0 classes for regression. */
    static int numbers(int classes) {
        return HEAD + Pools.length(classes, BINS) + Tally.length(classes, BINS);
    }

    @Override
    protected Step<?> begin() {
        return next(
                "labels",
                nodes.sum(SumRequest.overAll(SumKind.PREDICTIONS, KIND, held.rows(), HEAD), this::weightAndLabels),
                totals -> totals[0] > 0 ? counted(totals[1] / totals[0]) : done(Optional.empty()));
    }

    private double[] weightAndLabels() {
        double[] sums = new double[HEAD];
        for (int i = 0; i < held.rows(); i++) {
            sums[0] += held.weight(i);
            sums[1] += model.isClassifier() ? 0 : held.weight(i) * held.label(i);
        }
        return sums;
    }

    /** Owners who require that sums cover several rows count first, and put bins with fewer together. */
    private Step<?> counted(double centre) {
        int classes = model.isClassifier() ? model.classes().size() : 0;
        long fewest = nodes.guard().isBetweenOwners() ? nodes.guard().limits().rows() : 1;
        if (classes == 0 || fewest <= 1) {
            return evaluated(centre, Optional.empty());
        }
        return next(
                "counts",
                nodes.sum(
                        SumRequest.overAll(SumKind.COUNTS, COUNTS, held.rows(), Pools.length(classes, BINS)),
                        () -> Pools.counts(model, BINS, held)),
                counts -> evaluated(centre, Optional.of(Pools.of(classes, BINS, counts, fewest))));
    }

    private Step<?> evaluated(double centre, Optional<Pools> pools) {
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
                        () -> own(centre, pools)),
                totals -> {
                    all.add(totals);
                    Measures measures = all.measures();
                    return done(Optional.of(pools.map(some -> some.of(measures)).orElse(measures)));
                });
    }

    private double[] own(double centre, Optional<Pools> pools) {
        Tally tally = Tally.of(model, BINS, centre);
        tally.addAll(held);
        double[] sums = tally.sums();
        return pools.map(some -> some.pooled(sums)).orElse(sums);
    }
}
