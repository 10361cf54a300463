package dev.starling.method.adfs;

import dev.starling.method.adfs.certified.DualProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.Optional;

/**
 * A node of ADFS for smooth objectives: S-ADFS, unless the run {@linkplain Theory#atFirst begins} with the restarts of
 * NS-ADFS. Both keep the dual point in the same form, so that S-ADFS can continue where NS-ADFS stops.
 */
public final class AdaptiveAdfs implements DualProgram {

    private final Adfs smooth;

    /** Empty if the run relies on strong convexity from the first step. */
    private final Optional<NonSmoothAdfs> restarted;

    private DualProgram active;

    /**
     * Creates a node at the start of its run.
     *
     * @param facts the node's own facts, as they were used for tuning
     * @param seed the seed of the run, the same on every node
     */
    public AdaptiveAdfs(LocalProblem problem, Conditioning facts, int node, Tunings tunings, long seed) {
        this.smooth = new Adfs(problem, facts, tunings.network(), node, tunings::smooth, seed);
        this.restarted = tunings.atFirst().restarted()
                ? Optional.of(new NonSmoothAdfs(
                        problem, Conditioning.uniform(problem), tunings.network(), node, tunings.nonSmooth(), seed))
                : Optional.empty();
        this.active = restarted.<DualProgram>map(program -> program).orElse(smooth);
    }

    @Override
    public void adopt(Belief belief) {
        if (active != smooth) {
            restarted.orElseThrow().handOver(smooth.state());
            active = smooth;
        }
        smooth.adopt(belief);
    }

    @Override
    public void drawIndependently() {
        smooth.drawIndependently();
    }

    @Override
    public void beginAt(double[] theta) {
        active.beginAt(theta);
    }

    @Override
    public Exchange advance() {
        return active.advance();
    }

    @Override
    public void absorb(double[][] messages) {
        active.absorb(messages);
    }

    @Override
    public double slope(int sample) {
        return active.slope(sample);
    }

    @Override
    public void estimate(double[] theta) {
        active.estimate(theta);
    }

    @Override
    public LocalProblem problem() {
        return smooth.problem();
    }

    @Override
    public long steps() {
        return smooth.steps() + (restarted.isPresent() ? restarted.get().steps() : 0);
    }

    @Override
    public long updates() {
        return smooth.updates() + (restarted.isPresent() ? restarted.get().updates() : 0);
    }

    @Override
    public long rounds() {
        return smooth.rounds() + (restarted.isPresent() ? restarted.get().rounds() : 0);
    }

    @Override
    public void state(State s) throws IOException {
        // This comes first because it begins with the owner of the state.
        smooth.state(s);
        active = s.flag(active == smooth) ? smooth : restarted.orElseThrow();
        if (restarted.isPresent()) {
            restarted.get().state(s);
        }
    }
}
