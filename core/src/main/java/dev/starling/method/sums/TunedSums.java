package dev.starling.method.sums;

import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.Tuned;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.HiddenSum;
import java.util.List;

/** A method by sums with its constants: what follows for all of them from passes over rows and a tree. */
public interface TunedSums extends Tuned, Forecast {

    /** The tree along which sums go. */
    SpanningTree tree();

    /** The number of nodes. */
    int nodes();

    /** What the nodes are together. */
    Facts totals();

    /** How many numbers are added up at the most. */
    int numbers();

    @Override
    default Forecast forecast() {
        return this;
    }

    /** Samples of a pass at one node, on average. */
    default double samplesPerNode() {
        return Math.max(1, (double) totals().samples() / nodes());
    }

    @Override
    default double idealisedTimeFor(double factor) {
        return samplesPerNode() * epochsFor(factor) + delay() * roundsFor(factor);
    }

    @Override
    default List<Constant> details(double gap) {
        return List.of(
                new Constant(
                        "predictedSteps",
                        "K",
                        "rows that a node visits until then",
                        samplesPerNode() * epochsFor(1 / gap)),
                new Constant("predictedEpochs", "", "passes over all rows in them", epochsFor(1 / gap)),
                new Constant("predictedRounds", "", "communication rounds in them", roundsFor(1 / gap)),
                new Constant(
                        "predictedIdealisedTime",
                        "",
                        "idealised time: 1 per row visited, τ per round",
                        idealisedTimeFor(1 / gap)));
    }

    @Override
    default List<Constant> dataConstants() {
        return List.of();
    }

    @Override
    default int longestMessage(Collectives place) {
        return HiddenSum.longestMessage(place, numbers());
    }
}
