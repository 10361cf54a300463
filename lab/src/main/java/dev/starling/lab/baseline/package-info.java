/**
 * The methods that ADFS is compared with, each with the parameters its own paper gives, as node programs for any
 * runner: the batch methods MSDA, ESDACD, EXTRA, NIDS, ProxSkip, ADOM+, DADAO, CoLA, OPAPC, MUDAG and OGT, the
 * stochastic ones DSBA, GT-SAGA, DVR, Acc-VR-EXTRA and Acc-VR-DIGing, FedNL and Network-GIANT, which use second
 * derivatives, and Point-SAGA on a single machine.
 *
 * <p>A method is a public class with its paper, its formula and its parameters, and a program for a node.
 * {@link dev.starling.lab.baseline.GossipProgram} holds what most programs share, and
 * {@link dev.starling.lab.baseline.AveragingProgram} is for those that gossip several rounds at a time.
 *
 * <p>None of them ends on its own: a run ends when it is stopped. All start from θ = 0 unless their own paper starts
 * elsewhere. Work is counted in the paper's idealised time: a proximal step or the gradient of one sample takes 1, a
 * full local gradient or ∇f_i* takes m_i.
 *
 * <p>It has more types than most packages, because each method of another paper is one.
 */
package dev.starling.lab.baseline;
