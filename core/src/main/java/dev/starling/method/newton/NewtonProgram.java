package dev.starling.method.newton;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Solved;
import dev.starling.network.SpanningTree;
import dev.starling.node.Exchange;
import dev.starling.node.SavedState;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/**
 * A node of Newton's method on a network: orders come down a spanning tree, every node makes the pass over its samples
 * that they ask for, and the sums go up. The root, node 0, is where {@link Newton} decides. As sums of all nodes are
 * all that matters, the answer does not depend on how rows are spread over nodes but for rounding.
 *
 * <p>The gradient of a pass over all samples is a certificate, so there are no further messages for that.
 */
final class NewtonProgram implements MethodNode {

    private enum Phase {
        HEAR,
        TELL,
        WORK,
        ASK,
        REPORT,
        DONE
    }

    /* An order: what it is, and what the last pass proved. The point of the next pass follows. */
    private static final int EVERY = 0;
    private static final int ORDER = 1;
    private static final int CERTIFIED = 2;
    private static final int OBJECTIVE = 3;
    private static final int DUAL = 4;
    private static final int ERROR = 5;
    private static final int STALLED = 6;
    private static final int POINT = 7;

    /** So many passes over all rows without a better certificate or a lower objective: rounding has the last word. */
    private static final int PATIENCE = 200;

    /** As many where rounding is the greater part of the gap that is left. */
    private static final int PATIENCE_WITH_ROUNDING = 20;

    /** The order that ends the run, in the place of {@link #EVERY}. */
    private static final int STOP = 0;

    private static final int[] NOBODY = {};

    private final SavedState.Owner owner;
    private final Newton newton;
    private final NewtonPass pass;
    private final double samplesPerNode;
    private final StoppingRule rule;
    private final CertificateListener listener;
    private final int[] parent;
    private final int[] children;
    private final double hessianWork;
    private final boolean direct;
    private final Exchange exchange = new Exchange();

    private final double[] order;
    private final double[] sums;
    private final double[] theta;
    private final double[] best;

    private Phase phase;
    private boolean last;
    private long updates;
    private double epochs;
    private int futilePasses;
    private double lowest = Double.POSITIVE_INFINITY;
    private Certificate bestCertificate = Certificate.NONE;

    NewtonProgram(
            LocalProblem problem,
            int node,
            TunedNewton tuned,
            StoppingRule rule,
            Optional<double[]> start,
            CertificateListener listener) {
        SpanningTree tree = tuned.tree();
        int features = problem.features();
        this.owner = new SavedState.Owner(node, features, problem.samples());
        this.direct = tuned.direct();
        this.pass = new NewtonPass(problem, tuned.nodes());
        this.samplesPerNode = tuned.samplesPerNode();
        this.rule = rule;
        this.listener = listener;
        this.parent = tree.parent(node) < 0 ? NOBODY : new int[] {tree.parent(node)};
        this.children = tree.children(node);
        this.newton = isRoot() ? root(features, direct, tuned.totals()) : null;
        this.hessianWork = hessianWork(problem);
        this.order = new double[POINT + features];
        this.sums = new double[longestMessage(features, direct)];
        this.theta = new double[features];
        this.best = new double[features];
        this.phase = isRoot() ? Phase.TELL : Phase.HEAR;
        if (isRoot()) {
            start.ifPresent(newton::beginAt);
            give(false);
        }
    }

    /** A row with v values takes 2v operations for a product and as many for a gradient, and v² for a Hessian. */
    private static double hessianWork(LocalProblem problem) {
        return problem.data().storedValues() / (4.0 * Math.max(1, problem.data().rows()));
    }

    private static Newton root(int features, boolean direct, Facts totals) {
        double lambda = totals.sigma() / totals.weight();
        return direct ? new DirectNewton(features, totals.samples(), lambda) : new QuasiNewton(features, lambda);
    }

    /** The length of the longest message of such a run. */
    static int longestMessage(int features, boolean direct) {
        return Math.max(POINT + features, (direct ? PassSums.HESSIAN : PassSums.GRADIENT).length(features));
    }

    private boolean isRoot() {
        return parent.length == 0;
    }

    @Override
    public Exchange advance() {
        return switch (phase) {
            case HEAR -> exchange.set(Exchange.Kind.ROUND, NOBODY, order, 0, parent, 0);
            case TELL -> exchange.tell(children, order, order.length).atRest();
            case WORK -> work();
            case ASK -> exchange.ask(StoppingRule.TIME_IS_UP);
            case REPORT -> exchange.set(Exchange.Kind.ROUND, parent, sums, lengthOfSums(), parent, 0);
            case DONE -> exchange.end();
        };
    }

    private Exchange work() {
        int every = (int) order[EVERY];
        PassSums what = order();
        pass.sum(what, theta, every, sums);
        int visits = pass.visits(every);
        updates += visits;
        epochs += 1.0 / every;
        double work = what == PassSums.HESSIAN ? visits * (1 + hessianWork) : visits;
        return exchange.set(Exchange.Kind.ROUND, NOBODY, sums, 0, children, work);
    }

    /** Messages may come from another machine: what they ask for must be something that a node can do. */
    private void requireAnOrder() {
        boolean known = PassSums.of(order[ORDER]).isPresent();
        boolean counts = order[EVERY] >= 0 && order[EVERY] <= Integer.MAX_VALUE && order[EVERY] % 1 == 0;
        if (!known || !counts || (order() == PassSums.HESSIAN && !direct)) {
            throw new InvalidInputException("node " + parent[0] + " sent the order " + order[ORDER] + " for every "
                    + order[EVERY] + "th sample, which is none; do all nodes run the same version?");
        }
    }

    private PassSums order() {
        return PassSums.of(order[ORDER]).orElseThrow();
    }

    private int lengthOfSums() {
        return order().length(theta.length);
    }

    @Override
    public void absorb(double[][] messages) {
        switch (phase) {
            case HEAR, REPORT -> {
                System.arraycopy(messages[0], 0, order, 0, order.length);
                requireAnOrder();
                phase = Phase.TELL;
            }
            case TELL -> obey();
            case WORK -> {
                int length = lengthOfSums();
                for (double[] message : messages) {
                    for (int k = 0; k < length; k++) {
                        sums[k] += message[k];
                    }
                }
                if (isRoot() && !rule.timed()) {
                    decide();
                }
                phase = !isRoot() ? Phase.REPORT : rule.timed() ? Phase.ASK : Phase.TELL;
            }
            case ASK -> {
                last |= messages[0][0] != 0;
                decide();
                phase = Phase.TELL;
            }
            default -> throw new IllegalStateException("absorbed while " + phase);
        }
    }

    /** The root's decision after a pass. */
    private void decide() {
        newton.take(sums);
        boolean certifies = newton.certifies();
        boolean stop = false;
        if (certifies) {
            order[OBJECTIVE] = newton.objective();
            order[DUAL] = newton.dual();
            order[ERROR] = newton.error();
            order[STALLED] = isStalled() ? 1 : 0;
            stop = last || rule.isMet(certificate()) || epochs >= rule.maxEpochs() || order[STALLED] != 0;
        }
        if (!stop) {
            newton.advance();
            if (last || epochs + 1 >= rule.maxEpochs()) {
                newton.takeAll();
            }
        }
        give(certifies);
        if (stop) {
            order[EVERY] = STOP;
        }
    }

    /** Whether pass after pass neither proves more nor brings the objective down by more than rounding may. */
    private boolean isStalled() {
        boolean lower = newton.objective() < lowest * (1 - Newton.ROUNDING);
        lowest = lower ? newton.objective() : lowest;
        futilePasses = lower || certificate().betterThan(bestCertificate) ? 0 : futilePasses + 1;
        return futilePasses >= (bestCertificate.isMostlyRounding() ? PATIENCE_WITH_ROUNDING : PATIENCE);
    }

    /** Writes the order for the next pass. */
    private void give(boolean certified) {
        order[EVERY] = newton.every();
        order[ORDER] = newton.order().code();
        order[CERTIFIED] = certified ? 1 : 0;
        System.arraycopy(newton.point(), 0, order, POINT, theta.length);
    }

    private void obey() {
        boolean stop = order[EVERY] == STOP;
        if (order[CERTIFIED] != 0) {
            Certificate latest = certificate();
            if (latest.betterThan(bestCertificate)) {
                bestCertificate = latest;
                System.arraycopy(theta, 0, best, 0, best.length);
            }
            listener.onCertificate(latest, stop ? 0 : steps() + 1);
        }
        if (!stop) {
            System.arraycopy(order, POINT, theta, 0, theta.length);
        }
        phase = stop ? Phase.DONE : Phase.WORK;
    }

    private Certificate certificate() {
        return new Certificate(order[OBJECTIVE], order[DUAL], order[ERROR], steps(), epochs);
    }

    @Override
    public void certifyNow() {
        if (phase == Phase.DONE) {
            return;
        }
        last = true;
        if (isRoot()) {
            newton.takeAll();
            give(false);
        }
        phase = isRoot() ? Phase.TELL : Phase.HEAR;
    }

    @Override
    public Solved result() {
        return new Solved(bestCertificate, best, order[STALLED] != 0);
    }

    @Override
    public int longestMessage() {
        return longestMessage(theta.length, direct);
    }

    @Override
    public double passes() {
        return epochs;
    }

    private long steps() {
        return (long) (epochs * samplesPerNode);
    }

    @Override
    public long updates() {
        return updates;
    }

    @Override
    public boolean isDone() {
        return phase == Phase.DONE;
    }

    @Override
    public void estimate(double[] estimate) {
        System.arraycopy(theta, 0, estimate, 0, theta.length);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        owner.write(out);
        out.writeUTF(phase.name());
        out.writeBoolean(last);
        out.writeLong(updates);
        out.writeDouble(epochs);
        out.writeInt(futilePasses);
        out.writeDouble(lowest);
        bestCertificate.save(out);
        for (double[] part : new double[][] {order, theta, best, sums}) {
            SavedState.writeDoubles(out, part);
        }
        if (isRoot()) {
            newton.save(out);
        }
    }

    @Override
    public void restore(DataInput in) throws IOException {
        owner.require(in);
        phase = Phase.valueOf(in.readUTF());
        last = in.readBoolean();
        updates = in.readLong();
        epochs = in.readDouble();
        futilePasses = in.readInt();
        lowest = in.readDouble();
        bestCertificate = Certificate.restore(in);
        for (double[] part : new double[][] {order, theta, best, sums}) {
            SavedState.readDoubles(in, part);
        }
        if (isRoot()) {
            newton.restore(in);
        }
    }
}
