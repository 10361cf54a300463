package dev.starling.method.multipliers;

import dev.starling.method.multipliers.MultiplierDecisions.Decision;
import dev.starling.method.sums.OwnRows;
import dev.starling.node.State;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.util.function.BiPredicate;

/** A node's rows for the method of multipliers, and the state of each sample. */
final class MultiplierRows implements OwnRows<Decision> {

    private final SmoothedSamples samples;
    private final MultiplierCheck check;
    private final GradientLayout layout;
    private final int fewest;
    private final double hessianWork;

    /**
     * Creates the rows of a node at the start of a run.
     *
     * @param weight the weight of the samples of all nodes
     * @param many whether these are many
     * @param fewest the smallest number of rows about which a node may release a sum
     * @param allowed whether another gradient or Hessian may be released with these shares, which are multiplied by the
     *     samples' weights
     */
    MultiplierRows(
            LocalProblem problem, double weight, boolean many, int fewest, BiPredicate<SumKind, double[]> allowed) {
        this.layout = new GradientLayout(problem.features(), problem.hasIntercept());
        this.samples = new SmoothedSamples(problem, layout, many, fewest, allowed);
        this.check = new MultiplierCheck(layout, weight);
        this.fewest = fewest;
        this.hessianWork = problem.data().storedValues()
                / (4.0 * Math.max(1, problem.data().rows()));
    }

    @Override
    public SumRequest request(Decision decision, int problem) {
        SumInstructions instructions = decision.instructions();
        int rows = instructions.kind() == SumKind.HESSIAN ? samples.curved() : samples.visits(instructions.stride());
        return SumRequest.atPoint(
                        instructions.kind(),
                        problem,
                        1,
                        instructions.point(),
                        rows,
                        layout.numbers(instructions.kind()))
                .withShares(() -> samples.shares(instructions));
    }

    /** A row with v values takes 2v operations for a product, 2v for a gradient and v² for a Hessian. */
    @Override
    public double cost(Decision decision) {
        SumInstructions instructions = decision.instructions();
        int count = samples.visits(instructions.stride());
        return switch (instructions.kind()) {
            case GRADIENT -> instructions.recomputes() ? count : samples.held();
            case HESSIAN -> samples.held() * hessianWork;
            case LINE -> instructions.directionKnown() ? 0 : count / 2.0;
            default -> throw GradientLayout.unknown(instructions.kind());
        };
    }

    @Override
    public long add(Decision decision, double[] addend) {
        SumInstructions instructions = decision.instructions();
        switch (instructions.kind()) {
            case GRADIENT -> {
                samples.sumGradient(instructions, decision.tight(), fewest, addend);
                return (long) addend[layout.visits()];
            }
            case HESSIAN -> {
                samples.sumHessian(layout.numbers(SumKind.HESSIAN), addend);
                return 0;
            }
            default -> {
                samples.sumLine(instructions, addend);
                return instructions.directionKnown() ? 0 : samples.visits(instructions.stride());
            }
        }
    }

    @Override
    public void require(Decision decision, double[] addend, double[] totals) {
        check.require(decision.instructions(), addend, totals);
    }

    @Override
    public void state(State s) throws IOException {
        samples.state(s);
        check.state(s);
    }
}
