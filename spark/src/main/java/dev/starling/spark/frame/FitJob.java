package dev.starling.spark.frame;

import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.Measures;
import dev.starling.evaluation.tally.PartialEvaluation;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Settings;
import dev.starling.spark.model.ModelText;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.model.TrainingCost;
import dev.starling.spark.node.NodeOutcome;
import dev.starling.spark.node.NodeTask;
import dev.starling.spark.node.StateFiles;
import dev.starling.spark.node.TaskPlan;
import dev.starling.spark.params.ParamSettings;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.params.TableParams;
import dev.starling.spark.rows.Decision;
import dev.starling.spark.rows.RowDealing;
import dev.starling.spark.rows.RowIntake;
import dev.starling.spark.rows.RowStretch;
import dev.starling.spark.rows.Serialized;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.Dependency;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.rdd.RDDBarrier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.SerializableConfiguration;
import org.slf4j.LoggerFactory;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * One call of {@code fit}, as seen from the driver: it decides on the number of nodes and which rows each gets, runs
 * one barrier stage, and collects its outcome.
 */
public final class FitJob {

    private static final long REGISTRATION_NANOS = 30_000_000_000L;
    private static final String DYNAMIC_ALLOCATION = "spark.dynamicAllocation.enabled";

    private final StarlingParams<?> params;
    private final Settings settings;
    private final Optional<Recipe> recipe;
    private final Decision decision;
    private final SparkContext spark;

    /**
     * What came out.
     *
     * @param facts what was known about all rows before training
     */
    public record Outcome(TrainedModel model, double... facts) {}

    private FitJob(
            StarlingParams<?> params,
            Settings settings,
            Optional<Recipe> recipe,
            Decision decision,
            SparkContext spark) {
        this.params = params;
        this.settings = settings;
        this.recipe = recipe;
        this.decision = decision;
        this.spark = spark;
    }

    /**
     * Trains on vectors.
     *
     * @param decision what is decided once rows are known
     */
    public static Outcome ofVectors(
            Dataset<?> frame,
            StarlingParams<?> params,
            String features,
            String label,
            boolean classes,
            Decision decision) {
        long start = System.nanoTime();
        Settings settings = ParamSettings.of(params);
        if (settings.loss().isClassification() != classes) {
            throw new InvalidInputException("loss " + settings.loss().name() + " is for "
                    + (classes
                            ? "numbers; use StarlingRegressor, or a loss for classes such as logistic"
                            : "classes; use StarlingClassifier, or a loss for numbers such as squared"));
        }
        FrameRows rows = FrameRows.ofVectors(
                frame, features, label, params, ParamSettings.keyColumns(params, settings), classes);
        return new FitJob(
                        params,
                        settings,
                        Optional.empty(),
                        decision,
                        frame.sparkSession().sparkContext())
                .run(rows, start);
    }

    /**
     * Trains on rows that a recipe makes.
     *
     * @param start when {@code fit} was called, in nanoseconds
     */
    public static TrainedModel ofTable(
            Dataset<?> frame, TableParams<?> params, Settings settings, Recipe recipe, long start) {
        FrameRows rows = FrameRows.ofTable(frame, recipe, ParamSettings.keyColumns(params, settings));
        return new FitJob(
                        params,
                        settings,
                        Optional.of(recipe),
                        Decision.NONE,
                        frame.sparkSession().sparkContext())
                .run(rows, start)
                .model();
    }

    /** @throws InvalidInputException if rows, settings and cluster do not fit together */
    private Outcome run(FrameRows rows, long start) {
        if (spark.conf().getBoolean(DYNAMIC_ALLOCATION, false)) {
            throw new InvalidInputException(DYNAMIC_ALLOCATION
                    + " is true; all nodes must run at once, which Spark guarantees only when it is false");
        }
        byte[][] outcomes = train(rows);
        return trained(
                Arrays.stream(outcomes)
                        .map(bytes -> Serialized.value(bytes, NodeOutcome.class))
                        .toList(),
                start);
    }

    private byte[][] train(FrameRows rows) {
        int partitions = rows.partitions().getNumPartitions();
        boolean together =
                settings.keepsKeysTogether() && !params.getClusterCol().isEmpty();
        List<Long> keys = together ? rows.keys() : List.of();
        int nodes = nodes(together ? Math.min(partitions, Math.max(1, keys.size())) : partitions);
        TaskPlan plan = new TaskPlan(
                UUID.randomUUID().toString(),
                settings.toMap(),
                recipe.isEmpty(),
                recipe.map(Recipe::features).orElse(List.of()),
                decision,
                params.getTopology(),
                spark.isLocal() ? List.of() : TaskPlan.keysFor(nodes),
                params.getCheckpointDir(),
                params.getCheckpointInterval(),
                new SerializableConfiguration(
                        params.getCheckpointDir().isEmpty() ? new Configuration(false) : spark.hadoopConfiguration()));
        if (together) {
            RowDealing dealing = RowDealing.byKey(nodes, rows.packing(), keys);
            return train(
                    dealing.deal(rows.partitions()), Tuple2.class, new NodeTask<>(plan, new RowIntake.Chunks(true)));
        }
        if (nodes == partitions && isOneStage(rows.partitions())) {
            return train(
                    rows.partitions(),
                    InternalRow.class,
                    new NodeTask<>(plan, new RowIntake.Rows(rows.packing(), decision == Decision.NONE)));
        }
        return train(
                RowDealing.inTurn(nodes, rows.packing()).deal(rows.partitions()),
                Tuple2.class,
                new NodeTask<>(plan, new RowIntake.Chunks(false)));
    }

    private static <T> byte[][] train(RDD<T> partitions, Class<? super T> type, NodeTask<T> task) {
        ClassTag<T> tag = ClassTag$.MODULE$.apply(type);
        ClassTag<byte[]> bytes = ClassTag$.MODULE$.apply(byte[].class);
        RDD<byte[]> outcomes = new RDDBarrier<>(partitions, tag).mapPartitionsWithIndex(task, false, bytes);
        // Spark retries a failed barrier stage only if its results pass through a shuffle.
        return JavaRDD.fromRDD(outcomes, bytes).coalesce(1, true).collect().toArray(new byte[0][]);
    }

    /**
     * Whether Spark can run the rows' partitions as the tasks of one barrier stage, which must not coalesce or unite
     * partitions.
     */
    private static boolean isOneStage(RDD<?> rows) {
        int tasks = rows.getNumPartitions();
        Set<Integer> seen = new HashSet<>();
        Deque<RDD<?>> queue = new ArrayDeque<>(List.of(rows));
        while (!queue.isEmpty()) {
            RDD<?> next = queue.removeFirst();
            if (!seen.add(next.id())) {
                continue;
            }
            if (next.getNumPartitions() != tasks) {
                return false;
            }
            scala.collection.Iterator<Dependency<?>> dependencies =
                    next.dependencies().iterator();
            while (dependencies.hasNext()) {
                Dependency<?> dependency = dependencies.next();
                if (!(dependency instanceof ShuffleDependency)) {
                    queue.add(dependency.rdd());
                }
            }
        }
        return true;
    }

    private int nodes(int partitions) {
        int requested = params.getNodes();
        int needed = requested > 0 ? requested : 1;
        int slots = slots();
        long start = System.nanoTime();
        // Wait for executors that are still starting.
        while (slots < needed && !spark.isLocal() && System.nanoTime() - start < REGISTRATION_NANOS) {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            slots = slots();
        }
        if (slots < needed) {
            throw new InvalidInputException(needed + " nodes need as many concurrent tasks, but the cluster runs "
                    + slots + "; set nodes to at most " + slots + ", or add executors or cores");
        }
        return requested > 0 ? requested : Math.max(1, Math.min(partitions, slots));
    }

    private int slots() {
        return spark.maxNumConcurrentTasks(spark.resourceProfileManager().defaultResourceProfile());
    }

    private Outcome trained(List<NodeOutcome> outcomes, long start) {
        only(NodeOutcome.Objection.class, outcomes).stream().findFirst().ifPresent(objection -> {
            throw new InvalidInputException(objection.text());
        });
        NodeOutcome.Trained trained = only(NodeOutcome.Trained.class, outcomes).stream()
                .findFirst()
                .orElseThrow(() -> new InvalidInputException("no rows to train on; the DataFrame is empty"));
        removeCheckpoints(trained.checkpoints());
        List<NodeOutcome.Spent> nodes = only(NodeOutcome.Spent.class, outcomes).stream()
                .sorted(Comparator.comparingInt(NodeOutcome.Spent::node))
                .toList();
        LinearModel model = ModelText.model(trained.model())
                .withFingerprint(RowStretch.fingerprint(nodes.stream()
                        .flatMap(node -> node.stretches().stream())
                        .toList()));
        LinearModel complete = recipe.map(model::with).orElse(model);
        Optional<Measures> judgement = heldOut(nodes, complete);
        TrainingCost cost = new TrainingCost(
                trained.passes(),
                nodes.stream().mapToLong(NodeOutcome.Spent::rounds).max().orElse(0),
                trained.updates(),
                nodes.stream().mapToLong(NodeOutcome.Spent::bytes).sum(),
                (System.nanoTime() - start) * 1e-9,
                nodes.stream().mapToDouble(NodeOutcome.Spent::seconds).max().orElse(0),
                trained.rows(),
                1 + trained.attempt());
        TrainedModel result = TrainedModel.of(
                judgement
                        .map(measures -> complete.with(
                                EvaluationRecord.HOLDOUT,
                                measures.toKeep()
                                        .of(nodes.stream()
                                                .mapToLong(NodeOutcome.Spent::heldKeys)
                                                .sum())))
                        .orElse(complete),
                cost,
                judgement);
        return new Outcome(result, trained.facts());
    }

    /** The measures on held-out rows; all of them belong to one owner, so that areas under curves are exact. */
    private static Optional<Measures> heldOut(List<NodeOutcome.Spent> nodes, LinearModel model) {
        List<PartialEvaluation> parts =
                nodes.stream().flatMap(node -> node.heldOut().stream()).toList();
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(PartialEvaluation.sum(parts).measures(model));
    }

    private static <T extends NodeOutcome> List<T> only(Class<T> type, List<NodeOutcome> outcomes) {
        return outcomes.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private void removeCheckpoints(String run) {
        if (run.isEmpty()) {
            return;
        }
        try {
            new StateFiles(params.getCheckpointDir(), spark.hadoopConfiguration()).remove(run);
        } catch (IOException e) {
            LoggerFactory.getLogger("dev.starling.spark")
                    .warn("checkpoints of the finished run {} are left in {}", run, params.getCheckpointDir(), e);
        }
    }
}
