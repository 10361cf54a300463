package dev.starling.method.newton;

import dev.starling.loss.Loss;
import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.Objective;
import dev.starling.method.PriorKnowledge;
import dev.starling.method.sums.SumsProgram;
import dev.starling.method.sums.TunedSums;
import dev.starling.network.Network;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Newton's method on a network.
 *
 * @param name what it is called
 * @param tree the tree along which points and sums go
 * @param layout where the sums of a pass are
 * @param loss ℓ
 * @param regulariser what λ multiplies, or an l1 term alone
 * @param direct whether features are few enough to sum up Hessians from the start
 * @param hessians passes without Hessians that are as much work as the end of a run with them; infinite where none fits
 * @param nodes n, the number of nodes
 * @param totals what they are together
 * @param delay τ, what a message costs when visiting a sample costs 1
 */
record TunedNewton(
        String name,
        SpanningTree tree,
        PassLayout layout,
        Loss loss,
        Regulariser regulariser,
        boolean direct,
        double hessians,
        int nodes,
        Facts totals,
        double delay)
        implements TunedSums {

    /** Passes until Newton's steps square the error; those over samples of the rows count little. */
    private static final double FIRST_PASSES = 3;

    /** Passes for each binary digit where no Hessian is summed up. */
    private static final double PASSES_PER_DIGIT = 5;

    static TunedNewton of(
            String name,
            Network network,
            PassLayout layout,
            Objective objective,
            boolean direct,
            List<Facts> facts,
            double delay) {
        return new TunedNewton(
                name,
                network.spanningTree(),
                layout,
                objective.loss(),
                objective.regulariser(),
                direct,
                Double.POSITIVE_INFINITY,
                network.size(),
                Facts.total(facts),
                delay);
    }

    /** The same, which takes to Hessians where gradients would take more passes than this. */
    TunedNewton withHessiansFor(double passes) {
        return new TunedNewton(name, tree, layout, loss, regulariser, direct, passes, nodes, totals, delay);
    }

    /**
     * The method at its start; what it sums up depends on what it may.
     *
     * @param curved whether that may be Hessians
     * @param scaled whether, if not, it may be the diagonal of one
     */
    Newton start(boolean curved, boolean scaled) {
        double lambda = totals.sigma() / totals.weight();
        if (!regulariser.isSmooth()) {
            return new ProximalNewton(layout, totals.samples(), lambda, regulariser.l1(lambda), curved);
        }
        if (!curved) {
            return new QuasiNewton(layout, lambda, scaled);
        }
        return layout.inSpan()
                ? new SpanNewton(layout, totals.samples(), lambda)
                : new DirectNewton(layout, totals.samples(), lambda);
    }

    /**
     * Whether a run without Hessians is better off with the diagonal of one. Where rows are fewer than features there
     * are directions that nothing bends but the regulariser, which bends all features alike, and any other scale of
     * features makes these directions harder to tell.
     */
    boolean isScaled() {
        return regulariser.isSmooth() && !direct && totals.samples() >= layout.features();
    }

    /** Whether curvature can prove what the regulariser is too small to. */
    boolean isProvenByCurvature() {
        return regulariser.isSmooth()
                && isCurved()
                && !layout.inSpan()
                && loss.selfConcordance() < Double.POSITIVE_INFINITY;
    }

    /** The method that curvature proves what it finds of. */
    Newton exact(double target) {
        return new ExactNewton(layout, loss, totals.samples(), totals.sigma() / totals.weight(), target);
    }

    private boolean isCurved() {
        return direct || hessians < Double.POSITIVE_INFINITY;
    }

    /** Whether nothing is regularised, so that curvature has to prove what is found. */
    boolean isExact() {
        return totals.sigma() == 0 && regulariser.isSmooth();
    }

    /** A few passes, and one more for each doubling of the digits, or a fixed number for each digit. */
    @Override
    public double epochsFor(double factor) {
        double digits = Math.max(1, StrictMath.log(factor) / StrictMath.log(2));
        double more = direct ? StrictMath.log(digits) / StrictMath.log(2) : PASSES_PER_DIGIT * digits;
        return FIRST_PASSES + more;
    }

    /** A point goes down the tree and sums come up it, in every pass. */
    @Override
    public double roundsFor(double factor) {
        return 2.0 * tree.depth() * epochsFor(factor);
    }

    @Override
    public List<Constant> constants() {
        Stream<Constant> always = Stream.of(
                new Constant("tau", "τ", "time of a message when visiting a row takes 1", delay),
                new Constant("treeDepth", "", "hops from node 0 to the farthest, along a tree", tree.depth()),
                new Constant(
                        "roundsPerPass",
                        "",
                        "rounds of a pass: a point down the tree, sums up it",
                        2.0 * tree.depth()));
        return Stream.concat(always, turn().stream()).toList();
    }

    /** When gradients give way to Hessians, where they come first. */
    private Optional<Constant> turn() {
        String where = layout.inSpan() ? "Hessians in the span of the rows" : "Hessians";
        return direct || !isCurved()
                ? Optional.empty()
                : Optional.of(new Constant(
                        "passesForHessians",
                        "",
                        "passes that " + where + " are as much work as; taken to where gradients would take more",
                        hessians));
    }

    @Override
    public int numbers() {
        int proof = isProvenByCurvature() ? layout.numbers(PassSums.PROOF) : 0;
        PassSums longest = isCurved() ? PassSums.HESSIAN : isScaled() ? PassSums.DIAGONAL : PassSums.GRADIENT;
        return Math.max(proof, layout.numbers(longest));
    }

    /** As many in the span of the rows, which is found only where all nodes have one owner. */
    private int numbers(Collectives place) {
        boolean spans = layout.inSpan() && !place.guard().isBetweenOwners();
        return spans ? Math.max(numbers(), layout.numbers(PassSums.SPAN)) : numbers();
    }

    @Override
    public int longestMessage(Collectives place) {
        return HiddenSum.longestMessage(place, numbers(place));
    }

    @Override
    public MethodNode node(Assignment assignment, Optional<double[]> start) {
        return program(assignment, () -> start.map(NewtonStart::at));
    }

    @Override
    public MethodNode nodeAfter(PriorKnowledge known, Assignment assignment) {
        return program(assignment, () -> NewtonStart.of(known, layout, !regulariser.isSmooth()));
    }

    private MethodNode program(Assignment assignment, Supplier<Optional<NewtonStart>> start) {
        LocalProblem problem = assignment.problem();
        Collectives place = assignment.place();
        ReleaseLimits limits = place.guard().limits();
        return new SumsProgram<>(
                name(),
                assignment,
                new NewtonRows(problem, this, Math.max(NewtonPass.FEWEST_ROWS, limits.rows())),
                () -> new NewtonDecisions(
                        this,
                        assignment.rule(),
                        limits.sharedBy(place.problems()),
                        !place.guard().isBetweenOwners(),
                        start.get(),
                        problem.data().names()),
                numbers(place));
    }
}
