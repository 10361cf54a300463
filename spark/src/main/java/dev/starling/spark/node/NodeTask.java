package dev.starling.spark.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.NodeRows;
import dev.starling.network.Network;
import dev.starling.spark.rows.RowIntake;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.BarrierTaskContext;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction2;

/**
 * A task of the barrier stage: takes in the rows of its partition, finds its neighbours, and trains as their node.
 *
 * @param <T> what partitions consist of
 */
public final class NodeTask<T> extends AbstractFunction2<Object, Iterator<T>, Iterator<byte[]>>
        implements Serializable {

    private final TaskPlan plan;
    private final RowIntake<T> intake;

    /** A task of a plan that takes its rows in so. */
    public NodeTask(TaskPlan plan, RowIntake<T> intake) {
        this.plan = plan;
        this.intake = intake;
    }

    @Override
    public Iterator<byte[]> apply(Object partition, Iterator<T> items) {
        try {
            List<NodeOutcome> outcomes = run(BarrierTaskContext.get(), (Integer) partition, items);
            return CollectionConverters.asScala(
                    outcomes.stream().map(NodeOutcome::encode).iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<NodeOutcome> run(BarrierTaskContext context, int partition, Iterator<T> items) throws IOException {
        RowIntake.Pending pending = intake.open(partition, items);
        try (TaskLinks links = TaskLinks.open(context, plan, partition, pending.isEmpty())) {
            if (pending.isEmpty()) {
                links.awaitAddresses();
                return List.of();
            }
            Supplier<NodeRows> rows = taken(pending);
            links.awaitAddresses();
            Network network = plan.network(links.size());
            links.connect(network);
            List<NodeOutcome> outcomes =
                    outcomes(new NodeHost(plan, network, links, context.stageAttemptNumber()), rows);
            links.farewell();
            return outcomes;
        }
    }

    /** The rows, or the objection to them, which is for all nodes to hear. */
    private static Supplier<NodeRows> taken(RowIntake.Pending pending) {
        try {
            NodeRows rows = pending.rows().get();
            return () -> rows;
        } catch (InvalidInputException e) {
            return () -> {
                throw e;
            };
        }
    }

    private static List<NodeOutcome> outcomes(NodeHost host, Supplier<NodeRows> rows) throws IOException {
        try {
            return host.run(rows);
        } catch (InvalidInputException e) {
            // Trying again would not help: the driver says it. All nodes find the same, so none waits for another.
            return List.of(new NodeOutcome.Objection(e.getMessage()));
        }
    }
}
