package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Ties;
import dev.starling.objective.PartialLikelihood;
import dev.starling.problem.Rounding;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Cox's model. At the time of an event, the third derivative along a direction is a third central moment of the rows at
 * risk, so it is at most W r³/(6√3), with r the diameter of these rows and W the weight of the events.
 */
final class CoxFit implements ProvenNewton.Objective {

    private final Dataset data;
    private final PartialLikelihood likelihood;
    private final Survival survival;
    private final Ties ties;

    CoxFit(Dataset data, Survival survival, Ties ties) {
        if (data.rows() != survival.rows()) {
            throw new IllegalArgumentException(data.rows() + " rows with " + survival.rows() + " times");
        }
        this.data = data;
        this.survival = survival;
        this.ties = ties;
        this.likelihood = new PartialLikelihood(data, survival, ties);
    }

    @Override
    public int parameters() {
        return data.features();
    }

    @Override
    public String name(int feature) {
        return feature < data.names().size() ? data.names().get(feature) : "feature " + (feature + 1);
    }

    @Override
    public double[] start() {
        return new double[data.features()];
    }

    @Override
    public double weight() {
        return survival.eventCount();
    }

    @Override
    public ProvenNewton.Sums at(double[] theta) {
        PartialLikelihood.Sums sums = likelihood.at(theta);
        return new ProvenNewton.Sums(sums.value(), sums.gradient(), sums.hessian());
    }

    @Override
    public ProvenNewton.Change change(double[] theta, ToDoubleFunction<double[]> length) {
        double largest =
                Arrays.stream(likelihood.scores(theta)).map(Math::abs).max().orElse(0);
        double third = 0;
        double squares = 0;
        double lengths = 0;
        for (int s = 0; s < survival.strataCount(); s++) {
            double radius = 0;
            for (int i : likelihood.members(s)) {
                radius = Math.max(radius, length.applyAsDouble(likelihood.row(i)));
            }
            double weight = likelihood.eventWeight(s);
            double diameter = 2 * radius;
            third += weight * diameter * diameter * diameter / (6 * Math.sqrt(3));
            squares += weight * diameter * diameter;
            lengths += weight * diameter;
        }
        // Every mean of rows is as far off as its sums of up to n terms, and as its exponentials are.
        double relative = Rounding.UNIT * (2.0 * survival.rows() + 8 * data.features() * (1 + largest) + 64);
        return new ProvenNewton.Change((1 + 0x1p-20) * third, Double.POSITIVE_INFINITY, squares, lengths, relative);
    }

    @Override
    public Optional<String> separating() {
        String names = IntStream.range(0, data.features())
                .filter(this::separates)
                .mapToObj(c -> "'" + name(c) + "'")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? Optional.empty() : Optional.of(names);
    }

    /** Whether every row with an event has the largest value, or every one the smallest, of the rows then at risk. */
    private boolean separates(int feature) {
        boolean largest = true;
        boolean smallest = true;
        for (int s = 0; s < survival.strataCount(); s++) {
            int[] members = likelihood.members(s);
            for (int i : members) {
                for (int j : members) {
                    if (survival.events()[i]
                            && survival.stop()[j] >= survival.stop()[i]
                            && survival.start()[j] < survival.stop()[i]) {
                        largest &= likelihood.row(i)[feature] >= likelihood.row(j)[feature];
                        smallest &= likelihood.row(i)[feature] <= likelihood.row(j)[feature];
                    }
                }
                if (!largest && !smallest) {
                    return false;
                }
            }
        }
        return true;
    }

    CoxTable table(double level) {
        ProvenNewton.requireLevel(level);
        double nullValue = likelihood.at(start()).value();
        ProvenNewton.Found found = ProvenNewton.minimum(this);
        List<String> names =
                IntStream.range(0, data.features()).mapToObj(this::name).toList();
        double nullError = Rounding.UNIT * (2.0 * survival.rows() + 64) * Math.abs(nullValue);
        int degrees = found.kept().length;
        return new CoxTable(
                found.table(
                        "cox",
                        "log",
                        survival.rows(),
                        survival.eventCount(),
                        found.lines(names, level),
                        new Proven(2 * nullValue, 2 * nullError),
                        level),
                ties,
                survival.eventCount(),
                survival.strataCount(),
                CoxTable.Test.of(2 * (nullValue - found.value()), degrees),
                CoxTable.Test.of(wald(found), degrees),
                CoxTable.Test.of(found.score(), degrees),
                Concordance.of(likelihood, likelihood.scores(found.theta())),
                IntStream.range(0, survival.strataCount())
                        .mapToObj(s -> hazard(s, found.theta()))
                        .toList(),
                found.covariance());
    }

    private CoxTable.Hazard hazard(int stratum, double[] theta) {
        double[][] steps = likelihood.hazard(stratum, theta);
        return new CoxTable.Hazard(stratum, steps[0], steps[1]);
    }

    private static double wald(ProvenNewton.Found found) {
        int[] kept = found.kept();
        double sum = 0;
        for (int a = 0; a < kept.length; a++) {
            for (int b = 0; b < kept.length; b++) {
                sum += found.theta()[kept[a]] * found.hessian()[a][b] * found.theta()[kept[b]];
            }
        }
        return sum;
    }
}
