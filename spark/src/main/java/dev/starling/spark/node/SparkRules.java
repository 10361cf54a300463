package dev.starling.spark.node;

import dev.starling.job.JobRules;
import dev.starling.method.Shape;
import dev.starling.settings.Settings;
import java.util.Optional;

/**
 * The rules of a job on Spark: classes of vectors are the numbers from 0 on, vectors have the same length everywhere,
 * and the network is a typical one.
 */
final class SparkRules {

    /** The time of a message between two machines of a rack, or between two processes, over TLS. */
    private static final double LINK_MICROS = 40;

    /** The time of a proximal step, and what every stored value of its row adds to it. */
    private static final double STEP_MICROS = 0.1;

    private static final double VALUE_MICROS = 0.012;

    private SparkRules() {}

    /**
     * @param counted whether classes are the numbers from 0 on; otherwise they are the labels that occur in the rows
     */
    static JobRules of(Settings settings, boolean counted) {
        return new JobRules(
                counted ? JobRules.LabelRule.COUNTED : JobRules.LabelRule.FOUND,
                Optional.of(SparkRules::typicalDelay),
                true,
                settings.maxSeconds() < Double.POSITIVE_INFINITY);
    }

    /** Depends on the shape of the data only, not on measured times, so that every attempt gives the same bits. */
    private static double typicalDelay(Shape shape) {
        return JobRules.sharedMemoryDelay(shape) + LINK_MICROS / (STEP_MICROS + VALUE_MICROS * shape.valuesPerRow());
    }
}
