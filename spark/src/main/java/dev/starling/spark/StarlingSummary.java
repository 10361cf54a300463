package dev.starling.spark;

import dev.starling.internal.JsonTree;
import dev.starling.model.Provenance;
import dev.starling.spark.model.TrainedModel;
import dev.starling.spark.model.TrainingCost;
import java.io.Serializable;

/**
 * What training took, and what is proven about the result.
 *
 * @param objective the mean loss plus the penalty, on scaled features if they were scaled; summed over the classes if
 *     there are more than two
 * @param gap the certified relative duality gap: the objective is at most this fraction above the optimum
 * @param certified whether the gap that was asked for was reached; if not, a limit on passes or seconds was reached
 *     first
 * @param passes how often a row was visited, on average
 * @param rounds the number of communication rounds
 * @param updates the number of visits to rows at all nodes together: proximal steps in ADFS
 * @param bytes the payload of all messages, in bytes
 * @param seconds the time from the call of {@code fit} to the model
 * @param solveSeconds the part of that time in which nodes trained
 * @param nodes the number of nodes: partitions that had rows
 * @param network a description of the network
 * @param delay τ, the delay for which the method was tuned
 * @param method how the optimum was found: {@code newton}, {@code multipliers} if the loss has kinks, {@code adfs}, or
 *     {@code ns-adfs} if there is an l1 term
 * @param crossValidation how the penalty was chosen, as JSON: the mean loss of held-out rows and its standard error for
 *     every value that was tried; empty if the penalty was given
 * @param rows the number of rows with a weight other than 0
 * @param attempts how often the stage was run: more than once if tasks failed
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
        implements Serializable {

    /** @throws IllegalStateException if the model was trained elsewhere */
    static StarlingSummary of(TrainedModel trained) {
        Provenance made = trained.model().provenance();
        TrainingCost cost = trained.cost()
                .orElseThrow(
                        () -> new IllegalStateException("the model was trained elsewhere, so there is no summary of"
                                + " its training; linearModel().provenance() says how it was trained"));
        return new StarlingSummary(
                made.certificate().objective(),
                made.certificate().relativeGap(),
                made.certified(),
                cost.passes(),
                cost.rounds(),
                cost.updates(),
                cost.bytes(),
                cost.seconds(),
                cost.solveSeconds(),
                made.graph().nodes(),
                made.graph().description(),
                made.delay(),
                made.method(),
                made.validation().map(found -> JsonTree.text(found.toMap())).orElse(""),
                cost.rows(),
                cost.attempts());
    }
}
