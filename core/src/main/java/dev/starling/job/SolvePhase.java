package dev.starling.job;

import dev.starling.certificate.Certificate;
import dev.starling.cores.NewCode;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.node.Exchange;
import dev.starling.node.Phase;
import dev.starling.node.State;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * The phase in which a method solves one problem. Once it has ended, only its solution and number of updates are kept.
 */
final class SolvePhase implements Phase<SolvePhase.Ended> {

    /**
     * The result of the phase.
     *
     * @param solved the solution
     * @param updates the number of samples visited at this node
     */
    record Ended(Solution solved, long updates) {
        Ended withoutWarmStart() {
            return new Ended(solved.withoutWarmStart(), updates);
        }
    }

    private static final Ended NOTHING = new Ended(new Solution(Certificate.NONE, new double[0]), 0);

    private final Supplier<MethodNode> maker;
    private final int longestMessage;
    private final Exchange end = new Exchange();
    private volatile MethodNode method;
    private volatile Ended ended;

    /**
     * Creates a phase that has not started.
     *
     * @param maker makes the method's node; since that may take a while, it is called only when the node is needed
     * @param longestMessage the number of entries of the longest message that the method may receive
     */
    SolvePhase(Supplier<MethodNode> maker, int longestMessage) {
        this.maker = maker;
        this.longestMessage = longestMessage;
    }

    private MethodNode method() {
        if (method == null) {
            method = NewCode.call(maker);
        }
        return method;
    }

    @Override
    public Exchange advance() {
        return ended == null ? method().advance() : end.end();
    }

    @Override
    public void absorb(double[][] messages) {
        method.absorb(messages);
        if (method.isDone()) {
            Solution solution = method.result();
            ended = new Ended(
                    new Solution(
                            solution.certificate(),
                            solution.parameter().clone(),
                            solution.stalled(),
                            solution.exactness(),
                            solution.warmStart(),
                            solution.hessian()),
                    method.updates());
            method = null;
        }
    }

    @Override
    public boolean isDone() {
        return ended != null;
    }

    @Override
    public Ended result() {
        return ended;
    }

    @Override
    public int longestMessage() {
        return longestMessage;
    }

    /** Drops the warm start of the solution, once no further problem starts from it. */
    void dropWarmStart() {
        ended = ended.withoutWarmStart();
    }

    /** The number of samples visited so far at this node; may be called from any thread. */
    long updates() {
        Ended last = ended;
        MethodNode running = method;
        return last != null ? last.updates() : running == null ? 0 : running.updates();
    }

    /** Whether the method has not made a single pass. */
    boolean isIdle() {
        return ended == null && (method == null || method.passes() == 0);
    }

    double passes() {
        return ended == null ? method().passes() : ended.solved().certificate().epochs();
    }

    /** Writes the current estimate of the parameter. */
    void estimate(double[] theta) {
        if (ended == null) {
            method().estimate(theta);
        } else {
            System.arraycopy(ended.solved().parameter(), 0, theta, 0, theta.length);
        }
    }

    void certifyNow() {
        if (ended == null) {
            method().certifyNow();
        }
    }

    @Override
    public void state(State s) throws IOException {
        if (s.flag(ended != null)) {
            Ended last = ended == null ? NOTHING : ended;
            ended = new Ended(last.solved().state(s), s.number(last.updates()));
            method = null;
        } else {
            method().state(s);
        }
    }
}
