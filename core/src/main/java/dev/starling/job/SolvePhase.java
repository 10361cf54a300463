package dev.starling.job;

import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.node.Exchange;
import dev.starling.node.Phase;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;

/** A method at work on one problem. Once it has ended, only its result and its count of updates are kept. */
final class SolvePhase implements Phase<SolvePhase.Ended> {

    /**
     * What is left of it.
     *
     * @param solved what the method ended with
     * @param updates samples visited at this node
     */
    record Ended(Solution solved, long updates) {}

    private final Supplier<MethodNode> maker;
    private final int longestMessage;
    private final Exchange end = new Exchange();
    private volatile MethodNode method;
    private volatile Ended ended;

    /**
     * A method that has not begun.
     *
     * @param maker makes its node, which may take a while: not before it is needed
     */
    SolvePhase(Supplier<MethodNode> maker, int longestMessage) {
        this.maker = maker;
        this.longestMessage = longestMessage;
    }

    private MethodNode method() {
        if (method == null) {
            method = maker.get();
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
            Solution solved = method.result();
            ended = new Ended(
                    new Solution(
                            solved.certificate(),
                            solved.parameter().clone(),
                            solved.stalled(),
                            solved.exactness(),
                            solved.lessons()),
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

    /** Forgets what the method has learnt, once nothing goes on from it. */
    void forgetLessons() {
        ended = new Ended(ended.solved().withoutLessons(), ended.updates());
    }

    /** Samples visited so far at this node; shown while another thread makes them. */
    long updates() {
        Ended last = ended;
        MethodNode running = method;
        return last != null ? last.updates() : running == null ? 0 : running.updates();
    }

    double passes() {
        return ended == null ? method().passes() : ended.solved().certificate().epochs();
    }

    /** Writes the present estimate of the parameter. */
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
    public void save(DataOutput out) throws IOException {
        out.writeBoolean(ended != null);
        if (ended == null) {
            method().save(out);
        } else {
            ended.solved().save(out);
            out.writeLong(ended.updates());
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        if (in.readBoolean()) {
            ended = new Ended(Solution.restore(in), in.readLong());
            method = null;
        } else {
            method().restore(in);
        }
    }
}
