package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.apache.spark.BarrierTaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * A task of the barrier stage: takes in the rows of its partition, finds its neighbours, and trains as their node.
 *
 * @param <T> what partitions consist of
 */
final class NodeTask<T> extends AbstractFunction2<Object, Iterator<T>, Iterator<byte[]>> implements Serializable {

    private final JobPlan plan;
    private final Intake<T> intake;

    NodeTask(JobPlan plan, Intake<T> intake) {
        this.plan = plan;
        this.intake = intake;
    }

    @Override
    public Iterator<byte[]> apply(Object partition, Iterator<T> items) {
        BarrierTaskContext context = BarrierTaskContext.get();
        try {
            NodeOutcome outcome = run(context, (Integer) partition, items);
            return scala.collection.Iterator$.MODULE$.single(outcome.encode());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private NodeOutcome run(BarrierTaskContext context, int partition, Iterator<T> items) throws IOException {
        Intake.Pending pending = intake.open(partition, items);
        int attempt = context.stageAttemptNumber();
        try (Neighbourhood neighbours = Neighbourhood.open(context, plan, partition, pending.isEmpty())) {
            Optional<PackedRows> rows = pending.isEmpty() ? Optional.empty() : Optional.of(pending.finish());
            neighbours.awaitAddresses();
            if (rows.isEmpty()) {
                return NodeOutcome.nothing(attempt);
            }
            Network network = plan.settings().network(neighbours.size());
            neighbours.connect(network);
            NodeOutcome outcome = new NodeSession(plan, neighbours, network, rows.get(), attempt).run();
            neighbours.farewell();
            return outcome;
        } catch (InvalidInputException e) {
            // Trying again would not help: the driver says it. All nodes find the same, so none waits for another.
            return NodeOutcome.objecting(attempt, e.getMessage());
        }
    }
}
