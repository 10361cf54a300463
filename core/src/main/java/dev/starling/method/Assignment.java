package dev.starling.method;

import dev.starling.node.Collectives;
import dev.starling.problem.LocalProblem;

/**
 * The problem that a node has to solve, and the nodes it solves it with.
 *
 * @param problem the node's own rows, and the objective, which is minimised over the rows of all nodes
 * @param place the node's place among the others
 * @param rule when to stop
 * @param seed the seed of the run, the same on every node
 * @param listener receives every certificate; each node that is given a listener calls it
 */
public record Assignment(
        LocalProblem problem, Collectives place, StoppingRule rule, long seed, CertificateListener listener) {}
