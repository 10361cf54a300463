package dev.starling.job;

import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;

/** A phase in which nodes add up the numbers needed to finish their rows; the result is the number of rounds. */
final class RowCompletionPhase extends Sequence<Integer> {

    private final Collectives nodes;
    private final NodeRows rows;
    private final UnfinishedRows unfinished;

    RowCompletionPhase(Collectives nodes, NodeRows rows) {
        super(rows.owner(nodes.node()));
        this.nodes = nodes;
        this.rows = rows;
        this.unfinished = rows.unfinished().orElseThrow();
    }

    @Override
    protected Step<?> begin() {
        return round(0);
    }

    private Step<?> round(int round) {
        if (unfinished.numbers() == 0) {
            return done(round);
        }
        SumRequest request =
                SumRequest.overAll(SumKind.COLUMNS, UnfinishedRows.KIND, rows.count(), unfinished.numbers());
        return next(UnfinishedRows.KIND + " " + round, nodes.sum(request, unfinished::addend), totals -> {
            unfinished.told(totals);
            return round(round + 1);
        });
    }
}
