package dev.starling.method.adfs.tuning;

import dev.starling.node.State;
import java.io.IOException;

/**
 * What a run of S-ADFS assumes its constants to be, compared with what follows from theory and the facts of the nodes.
 * All nodes of a run hold the same belief, and it changes only at certificates.
 *
 * @param raises how often M_i, the curvature of the nodes, has been quadrupled since it was estimated
 * @param relaxations how often the strong convexity of the dual has been quadrupled, as if β were a quarter: where
 *     losses have less curvature near the optimum than their largest, every relaxation doubles the rate
 * @param restarted whether no strong convexity is assumed at all: steps are then those of NS-ADFS, which restarts
 *     instead
 */
public record Belief(int raises, int relaxations, boolean restarted) {

    /** The constants that follow from theory and the facts as they were estimated. */
    public static final Belief THEORY = new Belief(0, 0);

    /** No strong convexity at all. */
    public static final Belief NONE = new Belief(0, 0, true);

    /** Creates a belief in strong convexity, theory's or more. */
    public Belief(int raises, int relaxations) {
        this(raises, relaxations, false);
    }

    /** Returns the factor by which M_i is multiplied. */
    double raise() {
        return StrictMath.scalb(1.0, 2 * raises);
    }

    /** Returns the factor by which the strong convexity of the dual is multiplied. */
    public double relaxation() {
        return StrictMath.scalb(1.0, 2 * relaxations);
    }

    /** Returns this belief if it is saved, the saved one if it is restored. */
    public Belief state(State s) throws IOException {
        return new Belief(s.number(raises), s.number(relaxations), s.flag(restarted));
    }
}
