package dev.starling.lab.baseline.node;

/**
 * The program of a node that has its own samples and share of the regulariser, and communicates with all its
 * neighbours.
 */
public abstract class GossipProgram extends BaselineProgram {

    public final Samples samples;
    public final double sigma;
    public final LaplacianRow around;
    public final int features;

    public GossipProgram(NodeSetup setup) {
        super(setup.node(), setup.problem());
        this.samples = Samples.of(setup.problem());
        this.sigma = setup.problem().sigma();
        this.around = setup.around();
        this.features = setup.problem().features();
    }
}
