package dev.starling.lab.baseline;

/**
 * The program of a node that has its own samples and share of the regulariser, and communicates with all its
 * neighbours.
 */
abstract class GossipProgram extends BaselineProgram {

    final Samples samples;
    final double sigma;
    final LaplacianRow around;
    final int features;

    GossipProgram(NodeSetup setup) {
        super(setup.node(), setup.problem());
        this.samples = Samples.of(setup.problem());
        this.sigma = setup.problem().sigma();
        this.around = setup.around();
        this.features = setup.problem().features();
    }
}
