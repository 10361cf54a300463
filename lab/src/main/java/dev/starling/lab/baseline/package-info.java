/**
 * The methods that ADFS is compared with, each with the parameters its own paper gives, as node programs for any
 * runner. They are in packages by family; {@link dev.starling.lab.baseline.Baselines} lists them.
 *
 * <p>A method is a class with its paper, its formula and its parameters, and a program for a node.
 * {@link dev.starling.lab.baseline.node.GossipProgram} holds what most programs share, and
 * {@link dev.starling.lab.baseline.node.AveragingProgram} is for those that gossip several rounds at a time.
 *
 * <p>None of them ends on its own: a run ends when it is stopped. All start from θ = 0 unless their own paper starts
 * elsewhere. Work is counted in the paper's idealised time: a proximal step or the gradient of one sample takes 1, a
 * full local gradient or ∇f_i* takes m_i.
 */
package dev.starling.lab.baseline;
