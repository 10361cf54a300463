package dev.starling.method.sums;

import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Forecast;
import dev.starling.method.Tuned;
import dev.starling.node.Collectives;
import dev.starling.node.HiddenSum;
import java.util.List;

/**
 * A tuned method whose nodes exchange nothing but sums: what all such methods derive from the number of passes and the
 * spanning tree.
 */
public interface TunedSums extends Tuned, Forecast {

    /** Returns the number of nodes. */
    int nodes();

    /** Returns the facts of all nodes, added up. */
    Facts totals();

    /** Returns how many numbers the longest sum has. */
    int numbers();

    @Override
    default Forecast forecast() {
        return this;
    }

    /** Returns the average number of samples that one node visits in a pass. */
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
