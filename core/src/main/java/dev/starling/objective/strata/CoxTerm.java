package dev.starling.objective.strata;

import dev.starling.data.Survival;
import dev.starling.loss.Cox;
import dev.starling.loss.Elementary;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Smoothness;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Supplier;

/**
 * Minus the logarithm of Cox's partial likelihood of one node's strata, less its least possible value. At the time of
 * an event the third derivative along a direction is a third central moment of the rows at risk, so it is at most W
 * r³/(6√3), with r the diameter of these rows and W the weight of the events.
 */
public final class CoxTerm implements Term {

    /**
     * Cox's partial likelihood, stratified at least by node: what nodes add up are totals over their own strata.
     *
     * @param loss how ties are treated
     */
    public record Family(Cox loss) implements dev.starling.objective.Family {

        @Override
        public Smoothness smoothness() {
            return new Smoothness(1, Double.POSITIVE_INFINITY, true, true);
        }

        @Override
        public int labelNumbers() {
            return CoxTerm.LABEL_NUMBERS;
        }

        @Override
        public NullModel nullModel(double[] totals, double unit) {
            double constant = -(totals[3] + totals[4] * Elementary.log(unit));
            return new NullModel(totals[0], totals[1], unit * totals[2], unit * constant);
        }

        @Override
        public Term term(LocalProblem rows, PassLayout layout, int fewestRows) {
            return new CoxTerm(rows, layout, loss);
        }
    }

    static final int LABEL_NUMBERS = 5;

    private final PassLayout layout;
    private final LocalProblem problem;
    private final PartialLikelihood likelihood;
    private final double[] saturated;

    CoxTerm(LocalProblem problem, PassLayout layout, Cox loss) {
        this.problem = problem;
        this.layout = layout;
        this.likelihood = new PartialLikelihood(
                problem.data(),
                loss.watched().orElseGet(() -> Survival.of(problem.data(), problem.groups())),
                loss.ties());
        this.saturated = new double[likelihood.survival().strataCount()];
        Arrays.setAll(saturated, likelihood::saturated);
    }

    /** All rows are needed, whatever the stride: who is at risk does not follow from a part of them. */
    @Override
    public int visits(int stride) {
        return problem.samples();
    }

    @Override
    public double cost(PassSums what, int stride) {
        return problem.samples() * (what == PassSums.GRADIENT ? 1 : 1 + problem.valuesPerRow() / 4);
    }

    @Override
    public Optional<Supplier<SumRequest.Shares>> shares(PassSums what, double[] theta, int stride) {
        return Optional.of(() -> {
            double[] expected = likelihood.expected(theta);
            double[] slopes = slopes(expected, time -> 1);
            return what.isCurved()
                    ? new SumRequest.Shares(List.of(slopes), List.of(expected))
                    : SumRequest.Shares.ofSlopes(slopes);
        });
    }

    private double[] slopes(double[] expected, DoubleUnaryOperator counts) {
        double[] slopes = expected.clone();
        for (int i = 0; i < slopes.length; i++) {
            double label = problem.data().label(i);
            slopes[i] -=
                    label > 0 ? counts.applyAsDouble(label) * problem.data().weight(i) : 0;
        }
        return slopes;
    }

    @Override
    public double[] changes(double[] theta, DoubleUnaryOperator scale) {
        return likelihood.changes(theta, scale);
    }

    /** A function of time may be negative, so what it contributes to second derivatives is counted by its size. */
    @Override
    public SumRequest.Shares sharesOfChanges(double[] theta, DoubleUnaryOperator scale) {
        return new SumRequest.Shares(
                List.of(slopes(likelihood.expected(theta, scale), scale)),
                List.of(
                        likelihood.expected(theta, time -> Math.abs(scale.applyAsDouble(time))),
                        likelihood.expected(theta, time -> scale.applyAsDouble(time) * scale.applyAsDouble(time))));
    }

    /**
     * The numbers of rows and of events, the value at 0, the part of the likelihood that no parameter changes, and the
     * weight of the events.
     */
    @Override
    public double[] labels() {
        double[] sums = new double[LABEL_NUMBERS];
        double[] scores = likelihood.scores(new double[layout.parameters()]);
        Strata.sum(saturated.length, LABEL_NUMBERS, sums, (s, part) -> {
            part[0] = likelihood.members(s).length;
            part[1] = Arrays.stream(likelihood.members(s))
                    .filter(i -> likelihood.survival().events()[i])
                    .count();
            part[2] = likelihood.at(s, scores).value() - saturated[s];
            part[3] = saturated[s];
            part[4] = likelihood.eventWeight(s);
        });
        return sums;
    }

    @Override
    public void sum(PassSums what, double[] theta, int stride, boolean tight, double[] sums) {
        layout.require(theta);
        double[] scores = likelihood.scores(theta);
        Strata.sum(saturated.length, layout.length(what), sums, (s, part) -> add(what, s, scores, part));
    }

    /** Writes the sums of a stratum and returns a bound on the relative error of each of its means. */
    private double add(PassSums what, int s, double[] scores, double[] sums) {
        int features = layout.parameters();
        PartialLikelihood.Sums found = likelihood.at(s, scores);
        double largest = 0;
        for (int i : likelihood.members(s)) {
            largest = Math.max(largest, Math.abs(scores[i]));
            sums[PassLayout.WEIGHT] += likelihood.weight(i);
        }
        sums[PassLayout.LOSS] = Math.max(0, found.value() - saturated[s]);
        System.arraycopy(found.gradient(), 0, sums, PassLayout.GRADIENT, features);
        int at = layout.hessian();
        for (int i = 0; what == PassSums.HESSIAN && i < features; i++) {
            for (int j = 0; j <= i; j++) {
                sums[at++] = found.hessian()[i * features + j];
            }
        }
        // Every mean of rows is as far off as its sums of up to n terms, and as its exponentials are.
        double relative = Rounding.UNIT * (2.0 * likelihood.members(s).length + 8 * features * (1 + largest) + 64);
        double magnitude = sums[PassLayout.LOSS] + 2 * Math.abs(saturated[s]) + likelihood.eventWeight(s) * largest;
        sums[PassLayout.ERROR] = SumWords.up(relative * magnitude + SumWords.ROUNDING);
        return relative;
    }

    @Override
    public void prove(double[] theta, ProofBasis basis, double[] sums) {
        layout.require(theta);
        double[] scores = likelihood.scores(theta);
        Strata.sum(saturated.length, layout.length(PassSums.PROOF), sums, (s, part) -> {
            double relative = add(PassSums.PROOF, s, scores, part);
            double radius = 0;
            double scaled = 0;
            for (int i : likelihood.members(s)) {
                radius = Math.max(radius, basis.lengthOf(likelihood.row(i)));
                scaled = Math.max(scaled, basis.scaledLengthOf(likelihood.row(i)));
            }
            double weight = likelihood.eventWeight(s);
            double diameter = 2 * radius;
            double third = weight * diameter * diameter * diameter / (6 * Math.sqrt(3));
            int proof = layout.proof();
            part[proof + PassLayout.DISTANCES] = SumWords.up(relative * weight * diameter * diameter);
            part[proof + PassLayout.SCALED_ERROR] =
                    SumWords.up(relative * weight * 2 * scaled + basis.roundingOfWords());
            part[proof + PassLayout.LEVERAGES] = SumWords.up((1 + 0x1p-20) * third);
        });
    }
}
