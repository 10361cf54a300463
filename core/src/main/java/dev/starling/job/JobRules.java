package dev.starling.job;

import dev.starling.method.Shape;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a runtime decides about a job if the user does not. The rules are the same at all nodes.
 *
 * @param labels how the classes are determined if the settings do not list them
 * @param delay τ for rows of a given shape, if the settings do not give it; empty if every node is to measure it
 *     ({@link MeasuredDelay})
 * @param sameWidth whether all nodes must have the same number of features; otherwise narrower rows are padded with
 *     zeros
 * @param timed whether every node asks its driver, before each sum, whether time is up
 * @param maxFeatures the largest number of features that is allowed, so that no node can make the others allocate more
 */
public record JobRules(
        LabelRule labels, Optional<ToDoubleFunction<Shape>> delay, boolean sameWidth, boolean timed, int maxFeatures) {

    /** How the classes are determined. */
    public enum LabelRule {
        /** The classes are the labels of the rows. */
        FOUND,

        /**
         * The classes are the labels of the rows, and at least one node must have all of them, so that labels mean the
         * same everywhere.
         */
        KNOWN_TO_ONE,

        /** The classes are 0, 1, 2, … up to the largest label of the rows. */
        COUNTED
    }

    /** Creates rules without a limit on the number of features, for nodes that trust each other. */
    public JobRules(LabelRule labels, Optional<ToDoubleFunction<Shape>> delay, boolean sameWidth, boolean timed) {
        this(labels, delay, sameWidth, timed, Integer.MAX_VALUE);
    }

    /** The rules for nodes in one process. */
    public static JobRules inMemory() {
        return new JobRules(LabelRule.FOUND, Optional.of(JobRules::sharedMemoryDelay), false, false);
    }

    /** The cost of a round on one machine, in proximal steps: it consists of the work on whole vectors. */
    public static double sharedMemoryDelay(Shape shape) {
        return 5 + 2.0 * shape.features() / Math.max(1, shape.valuesPerRow());
    }
}
