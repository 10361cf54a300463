package dev.starling.method;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.node.Collectives;
import dev.starling.problem.LocalProblem;

/**
 * What a node is to solve, and with whom.
 *
 * @param problem the node's rows, and what is minimised over those of all nodes
 * @param place the node's place among the others
 * @param rule when to stop
 * @param seed the seed of the run, the same at every node
 * @param listener told of every certificate, at every node it is given to
 */
public record Assignment(
        LocalProblem problem, Collectives place, StoppingRule rule, long seed, CertificateListener listener) {}
