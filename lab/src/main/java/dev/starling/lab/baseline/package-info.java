/**
 * The methods that ADFS is compared with, each with the parameters its own paper gives, as node programs that any
 * runner drives: the batch methods MSDA, ESDACD, EXTRA, NIDS, ProxSkip, ADOM+, DADAO, CoLA, OPAPC, MUDAG and OGT, the
 * stochastic ones DSBA, GT-SAGA, DVR, Acc-VR-EXTRA and Acc-VR-DIGing, FedNL and Network-GIANT, which use second
 * derivatives, and Point-SAGA on a single machine.
 *
 * <p>A method is a public class with its paper, its formula and its parameters, and a program for a node.
 * {@link dev.starling.lab.baseline.GossipProgram} has what most programs have, and
 * {@link dev.starling.lab.baseline.AveragingProgram} that of one that gossips several rounds at a time.
 *
 * <p>None of them ends by itself: a run is cut short by its stop signal. All start from θ = 0 unless their own paper
 * starts elsewhere. Work is counted in the units of the paper's idealised time: a proximal step or the gradient of one
 * sample is 1, a full local gradient or ∇f_i* is m_i.
 */
package dev.starling.lab.baseline;
