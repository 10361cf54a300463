package dev.starling.spark.node;

import dev.starling.cores.Cores;
import dev.starling.data.InvalidInputException;
import dev.starling.network.Network;
import dev.starling.spark.rows.RowIntake;
import dev.starling.spark.rows.Serialized;
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
 * A task of the barrier stage: it reads the rows of its partition, connects to its neighbours, and trains as one of the
 * nodes.
 *
 * @param <T> the type of the elements of partitions
 */
public final class NodeTask<T> extends AbstractFunction2<Object, Iterator<T>, Iterator<byte[]>>
        implements Serializable {

    private final TaskPlan plan;
    private final RowIntake<T> intake;

    /** Creates a task of a plan, with the way in which it reads its rows. */
    public NodeTask(TaskPlan plan, RowIntake<T> intake) {
        this.plan = plan;
        this.intake = intake;
    }

    @Override
    public Iterator<byte[]> apply(Object partition, Iterator<T> items) {
        BarrierTaskContext context = BarrierTaskContext.get();
        // As many threads as spark.task.cpus says.
        Runnable endOfHelp = new Cores(context.cpus()).lend();
        try {
            List<NodeOutcome> outcomes = run(context, (Integer) partition, items);
            return CollectionConverters.asScala(
                    outcomes.stream().map(Serialized::bytes).iterator());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            endOfHelp.run();
        }
    }

    private List<NodeOutcome> run(BarrierTaskContext context, int partition, Iterator<T> items) throws IOException {
        RowIntake.Pending pending = intake.open(partition, items);
        try (TaskLinks links = TaskLinks.open(context, plan, partition, pending.isEmpty())) {
            if (pending.isEmpty()) {
                links.awaitAddresses();
                return List.of();
            }
            Supplier<RowIntake.Taken> rows = read(pending);
            links.awaitAddresses();
            Network network = plan.network(links.size());
            links.connect(network);
            List<NodeOutcome> outcomes =
                    outcomes(new NodeHost(plan, network, links, context.stageAttemptNumber()), rows);
            links.farewell();
            return outcomes;
        }
    }

    /** Reads the rows. If they are invalid, the supplier throws the exception later, when all nodes learn of it. */
    private static Supplier<RowIntake.Taken> read(RowIntake.Pending pending) {
        try {
            RowIntake.Taken rows = pending.rows().get();
            return () -> rows;
        } catch (InvalidInputException e) {
            return () -> {
                throw e;
            };
        }
    }

    private static List<NodeOutcome> outcomes(NodeHost host, Supplier<RowIntake.Taken> rows) throws IOException {
        try {
            return host.run(rows);
        } catch (InvalidInputException e) {
            // Spark's retries would not help, so the driver throws it. All nodes come to the same conclusion, so none
            // waits for another.
            return List.of(new NodeOutcome.Objection(e.getMessage()));
        }
    }
}
