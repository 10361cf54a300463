package dev.starling.lab.baseline.curvature;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.node.BaselineProgram;
import dev.starling.lab.baseline.node.Entries;
import dev.starling.lab.baseline.node.Samples;
import dev.starling.lab.baseline.node.Setting;
import dev.starling.network.SpanningTree;
import dev.starling.node.EstimatingProgram;
import dev.starling.node.Exchange;
import dev.starling.problem.LocalProblem;
import java.util.List;
import java.util.Optional;

/**
 * FedNL, federated Newton learning (Safaryan, Islamov, Qian, Richtárik, "FedNL: making Newton-type methods applicable
 * to federated learning", 2022), with the line search that makes it converge from anywhere (FedNL-LS): every node keeps
 * a matrix H_i that approaches its Hessian, a few entries at a time, and sends only these. Node 0 is the server; points
 * travel down a spanning tree of the graph, and sums travel up.
 *
 * <p>At x the nodes send ∇f_i(x) and S_i = C(∇²f_i(x) − H_i), and H_i += S_i. The server steps to x + 2⁻ˢp with p =
 * −[H]_μ⁻¹∇f(x), where H = ΣH_i before the S_i are added, [·]_μ is the projection to eigenvalues of at least μ = Σσ_i,
 * and s is the smallest for which f decreases by at least 0.49 times what the slope predicts. C is Top-K with K = d and
 * the learning rate is 1, which the theorems allow for such compressors; the H_i start as the Hessians at x = 0.
 *
 * <p>Nodes send values, gradients and S_i for a point before it is known whether the line search accepts it, which
 * saves a pass over the tree if it does. Near the optimum the squared error at least halves in every step, and
 * eventually convergence is superlinear. A pass costs m_i(1 + v/4) for rows of v values, as in Newton's method, and two
 * messages for every level of the tree.
 */
public final class FedNl extends BaselineProgram {

    /** The least fraction by which the squared error shrinks in a step near the optimum. */
    public static final double RATE = 0.5;

    private static final double SUFFICIENT_DECREASE = 0.49;
    private static final int MOST_FEATURES = 512;

    public static List<? extends EstimatingProgram> programs(Setting on) {
        on.require();
        if (on.problem().features() > MOST_FEATURES) {
            throw new InvalidInputException(
                    on.method() + " keeps a matrix of " + on.problem().features() + " rows at every node,"
                            + " which takes too much memory; it can take at most " + MOST_FEATURES
                            + " features, newton and adfs any number");
        }
        SpanningTree tree = on.network().spanningTree();
        return on.nodes(setup ->
                new FedNl(setup.node(), setup.problem(), tree, on.problem().totalSigma()));
    }

    /** Sums over some of the nodes at a point: of the S_i, the values and the gradients. */
    private record Sums(double[] triangle, double[] value, double[] gradient) {

        static Sums zero(int d) {
            return new Sums(new double[TopEntries.triangle(d)], new double[1], new double[d]);
        }

        static int longest(int d) {
            return Entries.longest(TopEntries.triangle(d)) + 1 + d;
        }

        /** Writes the sums to a message and returns its length. */
        int write(double[] message) {
            Entries.write(triangle, message);
            int at = Entries.length(message, 0, triangle.length);
            message[at] = value[0];
            System.arraycopy(gradient, 0, message, at + 1, gradient.length);
            return at + 1 + gradient.length;
        }

        void add(double[] message) {
            Entries.add(message, 0, 1, triangle);
            int at = Entries.length(message, 0, triangle.length);
            value[0] += message[at];
            for (int c = 0; c < gradient.length; c++) {
                gradient[c] += message[at + 1 + c];
            }
        }
    }

    /** What node 0 does besides its part as a node. */
    private static final class Server {

        private final double convexity;
        private final double[] hessian;
        private final double[] value;
        private final double[] gradient;
        private final double[] direction;
        private final double[] length;

        Server(BaselineProgram program, int d, double convexity) {
            this.convexity = convexity;
            this.hessian = program.vector(TopEntries.triangle(d));
            this.value = program.vector(1);
            this.gradient = program.vector(d);
            this.direction = program.vector(d);
            this.length = program.vector(1);
        }

        /** Writes whether the point of the sums is accepted, and the next point to try. */
        void decide(Sums sums, boolean first, double[] taken, double[] tried, double[] decision) {
            double predicted = length[0] * Vectors.dot(gradient, direction);
            boolean take = first || sums.value()[0] <= value[0] + SUFFICIENT_DECREASE * predicted;
            if (take) {
                newDirection(sums, first);
            } else {
                length[0] /= 2;
            }
            decision[0] = take ? 1 : 0;
            for (int c = 0; c < direction.length; c++) {
                decision[1 + c] = (take ? tried[c] : taken[c]) + length[0] * direction[c];
            }
        }

        private void newDirection(Sums sums, boolean first) {
            value[0] = sums.value()[0];
            Vectors.copy(sums.gradient(), gradient);
            if (first) {
                Vectors.copy(sums.triangle(), hessian);
            }
            double[] step = ProjectedSolve.solve(hessian, convexity, gradient);
            for (int c = 0; c < step.length; c++) {
                direction[c] = -step[c];
            }
            length[0] = 1;
            for (int k = 0; k < hessian.length && !first; k++) {
                hessian[k] += sums.triangle()[k];
            }
        }
    }

    private static final int[] NOBODY = {};

    private static final int WORK = 0;
    private static final int REPORT = 1;
    private static final int FORWARD = 2;

    private final LocalProblem problem;
    private final Samples samples;
    private final int[] parent;
    private final int[] children;
    private final double work;

    /** Only at the root of the tree. */
    private final Optional<Server> server;

    private final double[] x;
    private final double[] tried;
    private final double[] hessian;

    /** S_i of the last pass, encoded as {@link Entries}: added to H_i if its point is accepted. */
    private final double[] update;

    private final double[] report;
    private final double[] reportLength = vector(1);

    /** Whether the point of the last pass is accepted, followed by the point of the next pass. */
    private final double[] decision;

    private FedNl(int node, LocalProblem problem, SpanningTree tree, double totalSigma) {
        super(node, problem);
        int d = problem.features();
        this.problem = problem;
        this.samples = Samples.of(problem);
        this.parent = tree.parent(node) < 0 ? NOBODY : new int[] {tree.parent(node)};
        this.children = tree.children(node);
        this.work = HessianWork.of(problem);
        this.x = vector(d);
        this.tried = vector(d);
        this.hessian = vector(TopEntries.triangle(d));
        this.update = vector(1 + 2 * d);
        this.report = vector(Sums.longest(d));
        this.decision = vector(1 + d);
        this.server = parent.length == 0 ? Optional.of(new Server(this, d, totalSigma)) : Optional.empty();
    }

    @Override
    public Exchange advance() {
        return switch ((int) phase) {
            case WORK -> {
                pass();
                yield exchange.set(Exchange.Kind.ROUND, NOBODY, report, 0, children, work);
            }
            case REPORT -> exchange.set(Exchange.Kind.ROUND, parent, report, (int) reportLength[0], parent, 0);
            default -> exchange.tell(children, decision, decision.length);
        };
    }

    private void pass() {
        Sums sums = Sums.zero(x.length);
        hessianAt(tried, sums.triangle());
        if (steps == 0) {
            Vectors.copy(sums.triangle(), hessian);
        } else {
            for (int k = 0; k < hessian.length; k++) {
                sums.triangle()[k] -= hessian[k];
            }
            TopEntries.keep(x.length, sums.triangle());
            Entries.write(sums.triangle(), update);
        }
        sums.value()[0] = problem.lossSum(tried) + problem.sigma() / 2 * Vectors.dot(tried, tried);
        samples.gradient(tried, problem.sigma(), sums.gradient());
        reportLength[0] = sums.write(report);
    }

    private void hessianAt(double[] point, double[] triangle) {
        int d = point.length;
        double[] matrix = new double[d * d];
        for (int j = 0; j < samples.count(); j++) {
            double curvature = samples.curvature(j, samples.dot(j, point));
            if (curvature != 0) {
                samples.addOuter(j, curvature, matrix);
            }
        }
        for (int row = 0; row < d; row++) {
            System.arraycopy(matrix, row * d, triangle, TopEntries.index(row, 0), row + 1);
            triangle[TopEntries.index(row, row)] += problem.sigma();
        }
    }

    @Override
    public void absorb(double[][] messages) {
        switch ((int) phase) {
            case WORK -> addUp(messages);
            case REPORT -> follow(messages[0]);
            default -> phase = WORK;
        }
    }

    private void addUp(double[][] messages) {
        Sums sums = Sums.zero(x.length);
        sums.add(report);
        for (double[] message : messages) {
            sums.add(message);
        }
        if (server.isPresent()) {
            server.get().decide(sums, steps == 0, x, tried, decision);
            follow(decision);
        } else {
            reportLength[0] = sums.write(report);
            phase = REPORT;
        }
    }

    private void follow(double[] next) {
        if (next[0] != 0) {
            Vectors.copy(tried, x);
            Entries.add(update, 0, 1, hessian);
            steps++;
        }
        System.arraycopy(next, 0, decision, 0, decision.length);
        System.arraycopy(next, 1, tried, 0, tried.length);
        phase = children.length > 0 ? FORWARD : WORK;
    }

    @Override
    public void estimate(double[] theta) {
        Vectors.copy(x, theta);
    }
}
