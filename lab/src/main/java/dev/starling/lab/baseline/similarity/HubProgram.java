package dev.starling.lab.baseline.similarity;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.network.SpanningTree;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;

/**
 * The program of a node whose method has a hub: the root of a spanning tree gives an order to all nodes, each replies
 * with a vector, and the replies are added up on the way back. An order begins with the current model.
 */
public abstract class HubProgram extends BaselineProgram {

    private static final int[] NOBODY = {};
    private static final int WORK = 0;
    private static final int REPORT = 1;
    private static final int FORWARD = 2;

    final LocalProblem problem;
    final Samples samples;
    final int features;
    final int nodes;
    private final int[] parent;
    private final int[] children;

    /** What all nodes were told last. */
    final double[] order;

    private final double[] reply;

    /** What the hub did besides its part as a node, in idealised time; counted with its next reply. */
    private final double[] hubWork = vector(1);

    HubProgram(int node, Problems of, int orders, int replies) {
        super(node, of.problem());
        this.problem = of.problem();
        this.samples = Samples.of(problem);
        this.features = problem.features();
        this.nodes = of.nodes();
        this.parent = of.tree().parent(node) < 0 ? NOBODY : new int[] {of.tree().parent(node)};
        this.children = of.tree().children(node);
        this.order = vector(orders);
        this.reply = vector(replies);
    }

    /** What a node's program is created from. */
    public record Problems(LocalProblem problem, int nodes, SpanningTree tree) {}

    /** Writes this node's reply to the order, and returns its cost. */
    abstract double reply(double[] into);

    /** Writes the next order, given the sums of all replies, and returns its cost; only called at the hub. */
    abstract double decide(double[] sums);

    final boolean isHub() {
        return parent.length == 0;
    }

    @Override
    public final Exchange advance() {
        return switch ((int) phase) {
            case WORK -> {
                double work = reply(reply) + hubWork[0];
                hubWork[0] = 0;
                yield exchange.set(Exchange.Kind.ROUND, NOBODY, reply, 0, children, work);
            }
            case REPORT -> exchange.set(Exchange.Kind.ROUND, parent, reply, reply.length, parent, 0);
            default -> exchange.tell(children, order, order.length);
        };
    }

    @Override
    public final void absorb(double[][] messages) {
        switch ((int) phase) {
            case WORK -> {
                for (double[] message : messages) {
                    for (int k = 0; k < reply.length; k++) {
                        reply[k] += message[k];
                    }
                }
                if (isHub()) {
                    hubWork[0] = decide(reply);
                    forward();
                } else {
                    phase = REPORT;
                }
            }
            case REPORT -> {
                System.arraycopy(messages[0], 0, order, 0, order.length);
                forward();
            }
            default -> phase = WORK;
        }
    }

    private void forward() {
        steps++;
        phase = children.length > 0 ? FORWARD : WORK;
    }

    /** The model is at the beginning of every order. */
    @Override
    public final void estimate(double[] theta) {
        System.arraycopy(order, 0, theta, 0, theta.length);
    }

    /** ∇f_i(θ). */
    final void gradient(double[] theta, double[] into) {
        samples.gradient(theta, problem.sigma(), into);
    }

    /** Writes (p + q·y), whose preimage under ∇f_i + q·I is the proximal point. */
    static void pulled(double[] p, double q, double[] y, double[] into) {
        Vectors.copy(p, into);
        Vectors.add(into, q, y);
    }
}
