package dev.starling.method.multipliers;

import dev.starling.method.Assignment;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.MethodNode;
import dev.starling.method.sums.SumsProgram;
import dev.starling.method.sums.TunedSums;
import dev.starling.network.SpanningTree;
import dev.starling.node.Collectives;
import dev.starling.node.ReleaseLimits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The method of multipliers on a network.
 *
 * @param tree the tree along which sums go
 * @param sums where the sums of all nodes are
 * @param penalty the regulariser
 * @param direct whether features are few enough to sum up Hessians
 * @param every the first sums are over every so many-th sample unless nodes mind sums over few
 * @param nodes n, the number of nodes
 * @param totals what they are together
 * @param delay τ, what a message costs when visiting a sample costs 1
 */
record TunedMultipliers(
        SpanningTree tree,
        GradientLayout sums,
        Penalty penalty,
        boolean direct,
        int every,
        int nodes,
        Facts totals,
        double delay)
        implements TunedSums {

    /** Steps for each binary digit of the gap, roughly, with a Hessian and without. */
    private static final double STEPS_PER_DIGIT = 2;

    private static final double STEPS_PER_DIGIT_BY_GRADIENTS = 10;

    /** Sums of a step: a gradient, a Hessian, slopes along a line. */
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
                new Constant("treeDepth", "", "hops from node 0 to the farthest, along a tree", tree.depth()),
                new Constant("roundsPerSum", "", "rounds of a sum: up the tree, and down it", 2.0 * tree.depth()));
    }

    @Override
    public int numbers() {
        return Stream.of(SumKind.values())
                .filter(ask -> direct || ask != SumKind.HESSIAN)
                .mapToInt(sums::numbers)
                .max()
                .orElseThrow();
    }

    @Override
    public MethodNode node(Assignment assignment, Optional<double[]> start) {
        Collectives place = assignment.place();
        ReleaseLimits limits = place.guard().limits().sharedBy(place.problems());
        // Where sums may not be of few rows, there are none of a part of them, of which kinks hold but a part.
        int first = limits.rows() > 1 ? 1 : every;
        return new SumsProgram<>(
                name(),
                assignment,
                new MultiplierRows(
                        assignment.problem(),
                        totals.weight(),
                        limits.rows(),
                        slopes -> place.guard().allowsSlopes(place.problem(), slopes)),
                () -> new MultiplierDecisions(this, assignment.rule(), limits, first, start),
                numbers());
    }
}
