package dev.starling.lab.comparison;

/**
 * Where a method was at one moment, and what it had spent.
 *
 * @param time idealised time of the last node to get there
 * @param steps proximal steps, or gradients of single samples, of all nodes together
 * @param rounds communication rounds of the node that took most
 * @param bytes payload of all messages
 * @param seconds wall time of the simulation, evaluation left out; the one number here that varies from run to run
 * @param suboptimality (mean over the watched nodes of P(θ_i) − P*)/P*, not below the certified gap of P*
 * @param worst the same for the worst of the watched nodes
 * @param gradient the largest ‖∇P(θ_i)‖ of the watched nodes; NaN unless the comparison was asked to look at it
 * @param certified the relative gap that the nodes themselves vouch for, without anybody who sees all of them; NaN for
 *     a method that has no such thing, and while its nodes are not at the same round
 */
public record Point(
        double time,
        double steps,
        double rounds,
        double bytes,
        double seconds,
        double suboptimality,
        double worst,
        double gradient,
        double certified) {}
