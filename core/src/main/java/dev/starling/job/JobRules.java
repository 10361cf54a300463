package dev.starling.job;

import dev.starling.method.Shape;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What a runtime decides about a job: whatever users leave to it. The same at all nodes.
 *
 * @param labels which classes there are, where the settings do not list them
 * @param delay τ for rows of a shape, where the settings do not give it; empty to have every node measure
 *     ({@link MeasuredDelay})
 * @param sameWidth whether all nodes must have the same number of features; otherwise narrower rows count as zero
 *     beyond
 * @param timed whether node 0 is asked, at every certificate, if time is up
 * @param maxFeatures the most features that rows may have, so that no node can make the others hold more
 */
public record JobRules(
        LabelRule labels, Optional<ToDoubleFunction<Shape>> delay, boolean sameWidth, boolean timed, int maxFeatures) {

    /** Which classes there are. */
    public enum LabelRule {
        /** Those that rows have. */
        FOUND,

        /**
         * Those that rows have, and at least one node must have all of them, so that labels mean the same everywhere.
         */
        KNOWN_TO_ONE,

        /** 0, 1, 2, … up to the largest that rows have. */
        COUNTED
    }

    /** Rules for nodes that trust each other with the size of their rows. */
    public JobRules(LabelRule labels, Optional<ToDoubleFunction<Shape>> delay, boolean sameWidth, boolean timed) {
        this(labels, delay, sameWidth, timed, Integer.MAX_VALUE);
    }

    /** The rules where all nodes are in one process: a round costs what the work on whole vectors does. */
    public static JobRules inMemory() {
        return new JobRules(LabelRule.FOUND, Optional.of(JobRules::sharedMemoryDelay), false, false);
    }

    /** A round's cost in proximal steps on one machine, where it is the work on whole vectors that counts. */
    public static double sharedMemoryDelay(Shape shape) {
        return 5 + 2.0 * shape.features() / Math.max(1, shape.valuesPerRow());
    }
}
