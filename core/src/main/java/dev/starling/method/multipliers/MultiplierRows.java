package dev.starling.method.multipliers;

import dev.starling.method.sums.OwnRows;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/** A node's rows, and what it keeps of each sample, as the method of multipliers adds them up. */
final class MultiplierRows implements OwnRows<MultiplierDecision> {

    private final SmoothedSamples samples;
    private final MultiplierCheck check;
    private final GradientLayout sums;
    private final int fewest;
    private final double hessianWork;

    /**
     * Those of a node at its start.
     *
     * @param weight that of all nodes' samples
     * @param fewest rows of a node below which it tells of none
     * @param allowed whether samples may have these slopes, times their weights, in another gradient
     */
    MultiplierRows(LocalProblem problem, double weight, int fewest, Predicate<double[]> allowed) {
        this.sums = new GradientLayout(problem.features(), problem.hasIntercept());
        this.samples = new SmoothedSamples(problem, sums, fewest, allowed);
        this.check = new MultiplierCheck(sums, weight);
        this.fewest = fewest;
        this.hessianWork = problem.data().storedValues()
                / (4.0 * Math.max(1, problem.data().rows()));
    }

    @Override
    public SumRequest request(MultiplierDecision decision, int problem) {
        SumInstructions order = decision.order();
        int rows = order.ask() == SumKind.HESSIAN ? samples.curved() : samples.visits(order.every());
        return new SumRequest(
                order.ask().kind(),
                problem,
                1,
                order.point(),
                rows,
                sums.numbers(order.ask()),
                Optional.of(() -> samples.shares(order)));
    }

    /** A row with v values takes 2v operations for a product, as many for a gradient, and v² for a Hessian. */
    @Override
    public double cost(MultiplierDecision decision) {
        SumInstructions order = decision.order();
        int count = samples.visits(order.every());
        return switch (order.ask()) {
            case GRADIENT -> order.afresh() ? count : samples.held();
            case HESSIAN -> samples.held() * hessianWork;
            case LINE -> order.known() ? 0 : count / 2.0;
        };
    }

    @Override
    public long add(MultiplierDecision decision, double[] addend) {
        SumInstructions order = decision.order();
        switch (order.ask()) {
            case GRADIENT -> {
                samples.sumGradient(order, decision.tight(), fewest, addend);
                return (long) addend[GradientLayout.VISITS];
            }
            case HESSIAN -> {
                samples.sumHessian(sums.numbers(SumKind.HESSIAN), addend);
                return 0;
            }
            default -> {
                samples.sumLine(order, addend);
                return order.known() ? 0 : samples.visits(order.every());
            }
        }
    }

    @Override
    public void require(MultiplierDecision decision, double[] addend, double[] totals) {
        check.require(decision.order(), addend, totals);
    }

    @Override
    public void save(DataOutput out) throws IOException {
        samples.save(out);
        check.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
        samples.restore(in);
        check.restore(in);
    }
}
