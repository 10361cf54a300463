package dev.starling.spark.node;

import dev.starling.job.JobRules;
import dev.starling.job.Settings;
import dev.starling.method.Shape;
import java.util.Optional;

/**
 * What Spark decides about a job: classes of vectors are counted, vectors have the same length everywhere, and the
 * network is a typical one.
 */
final class SparkRules {

    /** What a message takes between two machines of a rack, or between two processes, over TLS. */
    private static final double LINK_MICROS = 40;

    /** What a proximal step takes, and what every stored value of its row adds. */
    private static final double STEP_MICROS = 0.1;

    private static final double VALUE_MICROS = 0.012;

    private SparkRules() {}

    /** @param counted whether classes are numbered from 0; otherwise they are the labels that rows have */
    static JobRules of(Settings settings, boolean counted) {
        return new JobRules(
                counted ? JobRules.LabelRule.COUNTED : JobRules.LabelRule.FOUND,
                Optional.of(SparkRules::typicalDelay),
                true,
                settings.maxSeconds() < Double.POSITIVE_INFINITY);
    }

    /** A function of the data's shape, never of a clock, so that every attempt gives the same bits. */
    private static double typicalDelay(Shape shape) {
        return JobRules.sharedMemoryDelay(shape) + LINK_MICROS / (STEP_MICROS + VALUE_MICROS * shape.valuesPerRow());
    }
}
