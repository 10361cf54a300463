package dev.starling.method;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.node.State;
import java.io.IOException;

/**
 * The result of a run.
 *
 * @param certificate proves how good the parameter is
 * @param parameter θ
 * @param stalled whether the run ended short of the requested gap because rounding errors make a smaller one impossible
 *     to prove
 * @param exactness how exact the parameter's entries are known to be, for problems without regularisation
 * @param warmStart what the method has learnt that helps it to solve the same problem with another regularisation; only
 *     the method itself can read it, and it may be empty
 * @param hessian for a problem that curvature proves, the Hessian of the objective at the parameter, its lower
 *     triangle, d × d row by row, with zeros for features that are left out; empty if it is not known
 */
public record Solution(
        Certificate certificate,
        double[] parameter,
        boolean stalled,
        Exactness exactness,
        double[] warmStart,
        double[] hessian) {

    private static final double[] NONE = {};

    /** Creates a solution without a warm start. */
    public Solution(Certificate certificate, double[] parameter, boolean stalled, Exactness exactness) {
        this(certificate, parameter, stalled, exactness, NONE, NONE);
    }

    /** Creates a solution of a regularised problem. */
    public Solution(Certificate certificate, double[] parameter, boolean stalled) {
        this(certificate, parameter, stalled, Exactness.UNKNOWN);
    }

    /** Creates a solution that reached the requested gap or a limit. */
    public Solution(Certificate certificate, double[] parameter) {
        this(certificate, parameter, false);
    }

    /** Returns a copy with another certificate. */
    public Solution with(Certificate other) {
        return new Solution(other, parameter, stalled, exactness, warmStart, hessian);
    }

    /** Returns a copy with a Hessian. */
    public Solution withHessian(double[] found) {
        return new Solution(certificate, parameter, stalled, exactness, warmStart, found);
    }

    /** Returns the better one of this solution and what the same run found later; it has stalled if the run has. */
    public Solution then(Solution later) {
        Solution better = later.certificate.betterThan(certificate) ? later : this;
        return new Solution(
                better.certificate,
                better.parameter,
                later.stalled,
                better.exactness,
                better.warmStart,
                better.hessian);
    }

    /** Returns a copy without the warm start. */
    public Solution withoutWarmStart() {
        return new Solution(certificate, parameter, stalled, exactness, NONE, hessian);
    }

    /** Returns this solution if it is saved, the saved one if it is restored. */
    public Solution state(State s) throws IOException {
        return new Solution(
                certificate.state(s),
                s.vector(parameter, Integer.MAX_VALUE),
                s.flag(stalled),
                exactness.state(s),
                s.vector(warmStart, Integer.MAX_VALUE),
                s.vector(hessian, Integer.MAX_VALUE));
    }
}
