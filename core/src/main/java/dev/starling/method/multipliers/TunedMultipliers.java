package dev.starling.method.multipliers;

import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.sums.RowSamples;
import dev.starling.method.sums.SumsProgram;
import dev.starling.method.sums.TunedSums;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.ReleaseLimits;
import java.util.List;
import java.util.Optional;

/**
 * The method of multipliers, tuned for a network.
 *
 * @param tree the tree along which sums are computed
 * @param layout the layout of the sums
 * @param penalty the regulariser
 * @param direct whether there are few enough features to compute Hessians
 * @param stride k if the first sums are over every k-th sample; not used if sums over few rows are not allowed
 * @param nodes n, the number of nodes
 * @param totals the facts of all nodes, added up
 * @param delay τ, the cost of a message when visiting a sample costs 1
 */
record TunedMultipliers(
        SpanningTree tree,
        GradientLayout layout,
        Penalty penalty,
        boolean direct,
        int stride,
        int nodes,
        Facts totals,
        double delay)
        implements TunedSums {

    /** The approximate number of steps per binary digit of the gap, with Hessians and without. */
    private static final double STEPS_PER_DIGIT = 2;

    private static final double STEPS_PER_DIGIT_BY_GRADIENTS = 10;

    /** The sums of a step: a gradient, a Hessian, slopes along a line. */
    private static final int SUMS_PER_STEP = 3;

    @Override
    public String name() {
        return "multipliers";
    }

    @Override
    public double epochsFor(double factor) {
        double digits = Math.max(1, StrictMath.log(factor) / StrictMath.log(2));
        return (direct ? STEPS_PER_DIGIT : STEPS_PER_DIGIT_BY_GRADIENTS) * digits;
    }

    @Override
    public double roundsFor(double factor) {
        return 2.0 * SUMS_PER_STEP * tree.depth() * epochsFor(factor);
    }

    @Override
    public List<Constant> constants() {
        return List.of(
                new Constant("tau", "τ", "time of a message when visiting a row takes 1", delay),
                new Constant("treeDepth", "", "hops from node 0 to the farthest node, along a tree", tree.depth()),
                new Constant("roundsPerSum", "", "rounds of a sum: up the tree and down again", 2.0 * tree.depth()));
    }

    @Override
    public int numbers() {
        return GradientLayout.kinds(direct).mapToInt(layout::numbers).max().orElseThrow();
    }

    @Override
    public MethodNode node(Assignment assignment, Optional<double[]> start) {
        Collectives place = assignment.place();
        ReleaseLimits limits = place.guard().limits().sharedBy(place.problems());
        // If sums over few rows are not allowed there are no row samples, since kinks hold only some of a sample's
        // rows.
        int first = limits.rows() > 1 ? 1 : stride;
        boolean many = limits.rows() <= 1 && RowSamples.areMany(layout.features(), totals.samples());
        return new SumsProgram<>(
                name(),
                assignment,
                new MultiplierRows(
                        assignment.problem(),
                        totals.weight(),
                        many,
                        limits.rows(),
                        (kind, shares) -> place.guard().allows(kind, place.problem(), shares)),
                () -> new MultiplierDecisions(this, assignment.rule(), limits, first, many, start),
                numbers());
    }
}
