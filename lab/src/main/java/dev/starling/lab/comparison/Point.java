package dev.starling.lab.comparison;

/**
 * The state of a method at one moment, and what it had spent by then.
 *
 * @param time the idealised time of the last node to reach it
 * @param steps proximal steps, or gradients of single samples, of all nodes together
 * @param rounds communication rounds of the node that waited for its neighbours most often
 * @param latency messages sent one after another, each because of the one before
 * @param bytes payload of all messages
 * @param seconds wall time of the simulation without evaluation; the only number here that varies from run to run
 * @param suboptimality (mean over the watched nodes of P(θ_i) − P*)/P*, not below the certified gap of P*
 * @param worst the same for the worst of the watched nodes
 * @param gradient the largest ‖∇P(θ_i)‖ of the watched nodes; NaN unless it was requested
 * @param certified the relative gap that the nodes certify themselves, without anyone who sees all of them; NaN if the
 *     method cannot do that, or while its nodes are not at the same round
 */
public record Point(
        double time,
        double steps,
        double rounds,
        double latency,
        double bytes,
        double seconds,
        double suboptimality,
        double worst,
        double gradient,
        double certified) {}
