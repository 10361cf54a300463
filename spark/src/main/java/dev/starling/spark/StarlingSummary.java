package dev.starling.spark;

import java.io.Serializable;

/**
 * What training took and what is proven of the result.
 *
 * @param objective mean loss and penalty, on scaled features if they were scaled, summed over the classes where there
 *     are more than two
 * @param gap the certified relative duality gap: the objective is at most this fraction above the optimum
 * @param certified whether that is the gap that was asked for; if not, a limit on passes or seconds came first
 * @param passes how often a row was visited, on average
 * @param rounds communication rounds
 * @param updates visits to rows at all nodes: proximal steps in ADFS
 * @param bytes payload of all messages
 * @param seconds time taken, from the call of {@code fit} to the model
 * @param solveSeconds the part of it in which nodes trained
 * @param nodes how many nodes there were: partitions that had rows
 * @param network the graph, in words
 * @param delay τ, the delay that was tuned for
 * @param method how the optimum was looked for: {@code newton}, {@code multipliers} where the loss has kinks,
 *     {@code adfs}, or {@code ns-adfs} where there is an l1 term
 * @param crossValidation how the penalty was chosen, as JSON: the mean loss of held-out rows and its standard error for
 *     every value that was tried; empty if the penalty was given
 * @param rows rows with a weight other than 0
 * @param attempts how often the stage was run: more than once when tasks failed
 */
public record StarlingSummary(
        double objective,
        double gap,
        boolean certified,
        double passes,
        long rounds,
        long updates,
        long bytes,
        double seconds,
        double solveSeconds,
        int nodes,
        String network,
        double delay,
        String method,
        String crossValidation,
        long rows,
        int attempts)
        implements Serializable {}
