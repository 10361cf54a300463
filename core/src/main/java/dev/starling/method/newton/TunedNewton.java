package dev.starling.method.newton;

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
import dev.starling.objective.ColumnStore;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Regulariser;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Newton's method, tuned for a network.
 *
 * @param name the name of the method
 * @param tree the tree along which sums are computed
 * @param layout the layout of the sums of a pass
 * @param family what is minimised, but for the regulariser
 * @param regulariser the regulariser, which λ multiplies, or an l1 term alone
 * @param direct whether there are few enough features to compute Hessians from the start
 * @param passesForHessians the number of passes without Hessians that are as much work as finishing the run with
 *     Hessians; infinite if Hessians are too large
 * @param nodes n, the number of nodes
 * @param totals the facts of all nodes, added up
 * @param delay τ, the cost of a message when visiting a sample costs 1
 */
record TunedNewton(
        String name,
        SpanningTree tree,
        PassLayout layout,
        Family family,
        Regulariser regulariser,
        boolean direct,
        double passesForHessians,
        int nodes,
        Facts totals,
        double delay)
        implements TunedSums {

    /** Passes until Newton steps square the error; passes over row samples count little. */
    private static final double FIRST_PASSES = 3;

    /** Passes per binary digit if no Hessians are computed. */
    private static final double PASSES_PER_DIGIT = 5;

    /** A Hessian is cheap if it is no more work than this many gradients. */
    private static final double MOST_GRADIENTS = 5;

    /** Rows are sparse if they have values in at most this part of the columns. */
    private static final double MOST_FILLED = 0.05;

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
                NewtonMethod.family(objective),
                objective.regulariser(),
                direct,
                Double.POSITIVE_INFINITY,
                network.size(),
                Facts.total(facts),
                delay);
    }

    /** Returns a copy that switches to Hessians if gradients alone would take more passes than this. */
    TunedNewton withHessiansFor(double passes) {
        return new TunedNewton(name, tree, layout, family, regulariser, direct, passes, nodes, totals, delay);
    }

    /**
     * Creates the method at its start, given what it may sum up.
     *
     * @param curved whether it may compute Hessians
     * @param scaled whether, if not, it may compute the diagonal of one
     * @param target the requested relative gap
     * @param columns the columns of all rows, if they are at this node
     */
    Newton start(boolean curved, boolean scaled, double target, Optional<ColumnDescent> columns) {
        double lambda = lambda();
        if (!regulariser.isSmooth()) {
            if (columns.isPresent()) {
                return new ColumnNewton(layout, lambda, regulariser.l1(lambda), target, columns.get());
            }
            if (hasWorkingSet()) {
                return new WorkingSetNewton(layout, lambda, regulariser.l1(lambda), curved);
            }
            return new ProximalNewton(layout, totals.samples(), lambda, regulariser.l1(lambda), curved);
        }
        if (!curved) {
            return new QuasiNewton(layout, lambda, scaled);
        }
        if (layout.inSpan()) {
            return new SpanNewton(layout, totals.samples(), lambda);
        }
        DirectNewton newton = new DirectNewton(layout, totals.samples(), lambda);
        return passesForHessians <= NewtonMethod.HESSIANS * MOST_GRADIENTS ? newton.withCheapHessians() : newton;
    }

    private double lambda() {
        return totals.sigma() / totals.weight();
    }

    /**
     * Returns the columns of all rows, if a working set of them is moved and all rows are at this node. Where rows have
     * values in most columns, columns often depend on each other, and Hessians, which know that, are the faster way.
     */
    private Optional<ColumnDescent> columns(LocalProblem problem, Collectives place) {
        boolean sparse = problem.valuesPerRow() <= MOST_FILLED * layout.parameters();
        if (!hasWorkingSet()
                || !sparse
                || family.outputs() > 1
                || comparesRows()
                || nodes > 1
                || place.guard().isBetweenOwners()) {
            return Optional.empty();
        }
        ColumnStore known = place.shared().once("columns", () -> new ColumnStore(problem.data()));
        ColumnStore store = known.isOf(problem.data()) ? known : new ColumnStore(problem.data());
        return Optional.of(
                new ColumnDescent(problem, store, layout, lambda(), layout.prices(regulariser.l1(lambda()))));
    }

    /** Returns whether there are too many features for a Hessian of all, and an l1 term that leaves few of them. */
    boolean hasWorkingSet() {
        return !regulariser.isSmooth() && !direct;
    }

    /** Returns how a pass computes second derivatives, if it does. */
    PassSums curvature() {
        return hasWorkingSet() ? PassSums.COLUMNS : PassSums.HESSIAN;
    }

    /**
     * Returns whether a run without Hessians benefits from the diagonal of one. If there are fewer rows than features,
     * there are directions in which only the regulariser has any curvature; it treats all features alike, and scaling
     * features differently makes these directions harder to find.
     */
    boolean isScaled() {
        return regulariser.isSmooth() && !direct && totals.samples() >= layout.parameters();
    }

    /** Returns whether curvature can prove a gap that the regulariser is too small to prove. */
    boolean isProvenByCurvature() {
        return isCurved()
                && !layout.inSpan()
                && (regulariser.isSmooth()
                        ? family.smoothness().isThirdBounded()
                        : family.smoothness().isSelfConcordant());
    }

    /**
     * Creates the method whose result is proven by curvature, or the proof alone where there is an l1 term.
     *
     * @param learnt what the run so far has learnt
     */
    Newton exact(double target, double[] learnt) {
        double lambda = totals.sigma() / totals.weight();
        return regulariser.isSmooth()
                ? new ExactNewton(layout, family, totals.samples(), lambda, target)
                : new NetProof(layout, family, totals.samples(), lambda, regulariser.l1(lambda), target, learnt);
    }

    private boolean isCurved() {
        return direct || passesForHessians < Double.POSITIVE_INFINITY;
    }

    /** Returns whether curvature has to prove the result: nothing is regularised, or rows have no loss of their own. */
    boolean isExact() {
        return (totals.sigma() == 0 && regulariser.isSmooth()) || comparesRows();
    }

    private boolean comparesRows() {
        return family.outputs() == 1 && family.labelNumbers() > 0;
    }

    /**
     * Predicts a few passes plus one for each doubling of the digits or, without Hessians, a fixed number per digit.
     */
    @Override
    public double epochsFor(double factor) {
        double digits = Math.max(1, StrictMath.log(factor) / StrictMath.log(2));
        double more =
                direct || hasWorkingSet() ? StrictMath.log(digits) / StrictMath.log(2) : PASSES_PER_DIGIT * digits;
        return FIRST_PASSES + more;
    }

    /** In every pass, totals go down the tree and addends go up. */
    @Override
    public double roundsFor(double factor) {
        return 2.0 * tree.depth() * epochsFor(factor);
    }

    @Override
    public List<Constant> constants() {
        Stream<Constant> always = Stream.of(
                new Constant("tau", "τ", "time of a message when visiting a row takes 1", delay),
                new Constant("treeDepth", "", "hops from node 0 to the farthest node, along a tree", tree.depth()),
                new Constant("roundsPerPass", "", "rounds of a pass: up the tree and down again", 2.0 * tree.depth()));
        return Stream.concat(always, switchToHessians().stream()).toList();
    }

    /** Describes when gradients give way to Hessians, if the run starts with gradients. */
    private Optional<Constant> switchToHessians() {
        String where = layout.inSpan() ? "Hessians in the span of the rows" : "Hessians";
        return direct || !isCurved()
                ? Optional.empty()
                : Optional.of(new Constant(
                        "passesForHessians",
                        "",
                        "passes that are as much work as " + where
                                + ", which replace gradients if those would take more",
                        passesForHessians));
    }

    @Override
    public int numbers() {
        int proof = isProvenByCurvature() ? layout.numbers(PassSums.PROOF) : 0;
        PassSums longest =
                isCurved() || hasWorkingSet() ? curvature() : isScaled() ? PassSums.DIAGONAL : PassSums.GRADIENT;
        return Math.max(proof, layout.numbers(longest));
    }

    /**
     * Includes the combinations from which the span of the rows is computed; that is done only if all nodes have one
     * owner.
     */
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
                new NewtonRows(
                        problem,
                        this,
                        Math.max(Term.FEWEST_ROWS, limits.rows()),
                        !place.guard().isBetweenOwners()),
                () -> new NewtonDecisions(
                        this,
                        assignment.rule(),
                        limits.sharedBy(place.problems()),
                        !place.guard().isBetweenOwners(),
                        start.get(),
                        problem.data().names(),
                        columns(problem, place)),
                numbers(place));
    }
}
