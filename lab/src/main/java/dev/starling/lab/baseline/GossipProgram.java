package dev.starling.lab.baseline;

/** The program of a node that has its own samples and share of the regulariser, and talks to all of its neighbours. */
abstract class GossipProgram extends BaselineProgram {

    final Samples samples;
    final double sigma;
    final LaplacianRow around;
    final int features;

    GossipProgram(NodeSetup seat) {
        super(seat.node(), seat.problem());
        this.samples = Samples.of(seat.problem());
        this.sigma = seat.problem().sigma();
        this.around = seat.around();
        this.features = seat.problem().features();
    }
}
