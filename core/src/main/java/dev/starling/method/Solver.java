package dev.starling.method;

import dev.starling.certificate.CertificateListener;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.CertifiedProgram;
import dev.starling.method.adfs.DualProgram;
import dev.starling.method.adfs.NonSmoothAdfs;
import dev.starling.method.adfs.NonSmoothTuning;
import dev.starling.method.adfs.Pace;
import dev.starling.method.adfs.Totals;
import dev.starling.method.adfs.Tuning;
import dev.starling.method.newton.NewtonPace;
import dev.starling.method.newton.NewtonProgram;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import java.util.List;
import java.util.stream.Stream;

/**
 * The way from a problem to the programs of its nodes, the same for every runtime: what nodes tell each other of their
 * data, the tuning that follows, and a node's program.
 */
public final class Solver {

    /** The largest number of features whose Hessian is small beside most data. */
    private static final int MOST_FEATURES = 500;

    /** The largest number of values in a row, on average, whose squares are worth summing up. */
    private static final int MOST_VALUES = 100;

    private final String name;
    private final Loss loss;
    private final Regulariser regulariser;
    private final boolean newton;
    private final boolean direct;

    private Solver(String name, Loss loss, Regulariser regulariser, boolean newton, boolean direct) {
        this.name = name;
        this.loss = loss;
        this.regulariser = regulariser;
        this.newton = newton;
        this.direct = direct;
    }

    /** The solver for the rows of all nodes. */
    public static Solver of(Method method, Loss loss, Regulariser regulariser, Dataset rows) {
        // Counting those that are not zero takes a while and matters to few.
        boolean few = rows.storedValues() <= (long) MOST_VALUES * rows.rows();
        double values = few ? rows.storedValues() : rows.nonZeros();
        return of(method, loss, regulariser, rows.features(), values / rows.rows());
    }

    /**
     * The solver for a problem; every node that knows these few things of it chooses the same.
     *
     * @param features d, the number of features
     * @param valuesPerRow values of a row that are not zero, on average over all nodes
     */
    public static Solver of(Method method, Loss loss, Regulariser regulariser, int features, double valuesPerRow) {
        requireSuits(method, loss, regulariser);
        boolean smooth = isSmooth(loss, regulariser);
        boolean direct = features <= MOST_FEATURES && valuesPerRow <= MOST_VALUES;
        boolean newton = method != Method.ADFS && smooth;
        String name = newton ? "newton" : smooth ? "adfs" : "ns-adfs";
        return new Solver(name, loss, regulariser, newton, direct);
    }

    /** Refuses a method that cannot take an objective, which shows before there are any rows. */
    public static void requireSuits(Method method, Loss loss, Regulariser regulariser) {
        if (method == Method.NEWTON && !isSmooth(loss, regulariser)) {
            String kinks = regulariser.isSmooth() ? "the loss " + loss.name() : "an l1 term";
            throw new InvalidInputException("method newton cannot take " + kinks + ", which has kinks; adfs can");
        }
    }

    private static boolean isSmooth(Loss loss, Regulariser regulariser) {
        return loss.smoothness() < Double.POSITIVE_INFINITY && regulariser.isSmooth();
    }

    /** What the method is called. */
    public String name() {
        return name;
    }

    /** What the others must know about a node. */
    public NodeFacts facts(LocalProblem problem) {
        return newton ? NodeFacts.counted(problem) : NodeFacts.of(problem);
    }

    /** The same of all nodes, on several threads where it takes a while. */
    public List<NodeFacts> facts(Problem problem) {
        Stream<LocalProblem> nodes = problem.nodes().stream();
        return (newton ? nodes : nodes.parallel()).map(this::facts).toList();
    }

    /** The length of the longest vector that nodes send each other. */
    public int longestMessage(int features) {
        return newton ? NewtonProgram.longestMessage(features, direct) : CertifiedProgram.longestMessage(features);
    }

    /** What nodes agree on once they know each other's facts. */
    public Agreement agree(Network network, List<NodeFacts> facts, double delay) {
        SpanningTree tree = network.spanningTree();
        Pace pace = newton
                ? NewtonPace.of(network.size(), tree, facts, delay, direct)
                : adfs(loss, regulariser, network, facts, delay);
        return new Agreement(network, tree, List.copyOf(facts), Totals.of(facts), pace);
    }

    private static Pace adfs(Loss loss, Regulariser regulariser, Network network, List<NodeFacts> facts, double delay) {
        return isSmooth(loss, regulariser)
                ? Tuning.of(network, facts, delay)
                : NonSmoothTuning.of(network, facts, delay);
    }

    private static DualProgram adfs(
            LocalProblem problem, NodeFacts facts, Network network, int node, Pace pace, long seed) {
        LocalProblem shuffled = problem.shuffled();
        return pace instanceof Tuning smooth
                ? new Adfs(shuffled, facts, network, node, smooth, seed)
                : new NonSmoothAdfs(shuffled, facts, network, node, (NonSmoothTuning) pace, seed);
    }

    /**
     * What all nodes know alike before the first step, and make their programs from.
     *
     * @param network the graph
     * @param tree the tree of it along which sums and decisions go
     * @param facts what each node is
     * @param totals what they are together
     * @param pace the tuning of the method
     */
    public record Agreement(Network network, SpanningTree tree, List<NodeFacts> facts, Totals totals, Pace pace) {

        /** The method that was chosen, never {@link Method#AUTO}. */
        public Method method() {
            return pace instanceof NewtonPace ? Method.NEWTON : Method.ADFS;
        }

        /**
         * A node at the start of its run.
         *
         * @param listener told of every certificate, at every node it is given to
         */
        public CertifiedNode program(
                LocalProblem problem, int node, StoppingRule rule, long seed, CertificateListener listener) {
            return pace instanceof NewtonPace newton
                    ? new NewtonProgram(problem, tree, node, totals, newton, rule, listener)
                    : new CertifiedProgram(
                            adfs(problem, facts.get(node), network, node, pace, seed),
                            tree,
                            node,
                            totals,
                            pace,
                            rule,
                            network.size(),
                            listener);
        }
    }
}
