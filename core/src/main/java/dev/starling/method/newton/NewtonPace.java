package dev.starling.method.newton;

import dev.starling.method.adfs.Pace;
import dev.starling.network.SpanningTree;
import dev.starling.problem.NodeFacts;
import java.util.List;

/**
 * The pace of Newton's method: a step is a sample visited, and so many of them make a pass, after which sums go up a
 * tree and a point comes down.
 *
 * @param delay τ, what a message costs when visiting a sample costs 1
 * @param samplesPerNode the samples of a pass at one node, on average
 * @param depth hops from the root to the farthest node
 * @param direct whether features are few enough to sum up Hessians
 */
public record NewtonPace(double delay, double samplesPerNode, int depth, boolean direct) implements Pace {

    /** Passes until Newton's steps square the error; those over samples of the rows count little. */
    private static final double FIRST_PASSES = 3;

    /** Passes for each binary digit where no Hessian is summed up. */
    private static final double PASSES_PER_DIGIT = 5;

    /** The pace on a network of nodes with these facts. */
    public static NewtonPace of(int nodes, SpanningTree tree, List<NodeFacts> facts, double delay, boolean direct) {
        long samples = facts.stream().mapToLong(NodeFacts::samples).sum();
        return new NewtonPace(delay, Math.max(1, (double) samples / nodes), tree.depth(), direct);
    }

    @Override
    public double communicationProbability() {
        return 2 * depth / samplesPerNode;
    }

    @Override
    public double computationProbability() {
        return 1;
    }

    /** A few passes, and one more for each doubling of the digits, or so many for each digit. */
    @Override
    public double stepsFor(double factor) {
        double digits = Math.max(1, StrictMath.log(factor) / StrictMath.log(2));
        double more = direct ? StrictMath.log(digits) / StrictMath.log(2) : PASSES_PER_DIGIT * digits;
        return samplesPerNode * (FIRST_PASSES + more);
    }

    @Override
    public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
        return now <= target ? 0 : Math.max(samplesPerNode, stepsFor(now / target) - stepsFor(2));
    }

    @Override
    public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
        return now < before;
    }
}
