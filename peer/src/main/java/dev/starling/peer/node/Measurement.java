package dev.starling.peer.node;

import java.util.Map;

/**
 * How long things take at the sites of a network, as one of them sees it.
 *
 * @param site the site's name
 * @param method the method whose step was measured; empty if this site could not measure one
 * @param stepMicros the time of a step at this site, in microseconds: of a proximal step, or of what the method counts
 *     instead, such as one row of a pass with newton; 0 if this site could not measure one
 * @param objection why this site could not measure a step; empty if it could
 * @param numbers the length of the messages, in numbers: one per feature of this site's rows
 * @param linkMicros the one-way time of such a message to each neighbour, in microseconds
 * @param slowestStepMicros the largest time of a step at any site
 * @param slowestLinkMicros the largest time of a message on any link
 * @param tau the delay that a run with {@code tau: auto} would agree on: a message in steps
 */
public record Measurement(
        String site,
        String method,
        double stepMicros,
        String objection,
        int numbers,
        Map<String, Double> linkMicros,
        double slowestStepMicros,
        double slowestLinkMicros,
        double tau) {}
