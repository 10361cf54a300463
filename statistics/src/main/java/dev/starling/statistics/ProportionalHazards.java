package dev.starling.statistics;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.internal.Cholesky;
import dev.starling.model.LinearModel;
import dev.starling.model.TimeScale;
import dev.starling.model.inference.Inference;
import dev.starling.settings.Setting;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * Whether the hazards of a Cox regression are proportional: score tests of γ = 0 where coefficients are β + γ g(t), for
 * every term and for all of them, as R's {@code cox.zph} computes them.
 *
 * @param scale g
 * @param tests by the name of the term, which is a column of numbers or all levels of a column
 * @param global that of all coefficients
 */
public record ProportionalHazards(TimeScale scale, Map<String, CoxTable.Test> tests, CoxTable.Test global) {

    /** The tests of a model that has the sums for them. */
    static Optional<ProportionalHazards> of(LinearModel model) {
        double[] changes = GlmTable.inference(model).changes();
        return changes.length == 0
                ? Optional.empty()
                : Optional.of(of(
                        Setting.PROPORTIONAL_HAZARDS.parse(
                                model.provenance().settings().get(Setting.PROPORTIONAL_HAZARDS.name())),
                        changes,
                        model));
    }

    /** The tests by these sums: the slopes of γ count for what those of β do not explain, I_γγ − I_γβ I_ββ⁻¹ I_βγ. */
    static ProportionalHazards of(TimeScale scale, double[] changes, LinearModel model) {
        Inference known = GlmTable.inference(model);
        int d = known.coefficients();
        int[] kept = CoxTable.estimated(known);
        double[] mixed = Arrays.copyOfRange(changes, d, d + d * (d + 1) / 2);
        double[] own = Arrays.copyOfRange(changes, d + d * (d + 1) / 2, changes.length);
        double[][] explained = new double[d][d];
        double[][] left = new double[d][d];
        for (int a : kept) {
            for (int b : kept) {
                for (int i : kept) {
                    explained[a][b] += Inference.entry(known.covariance(), a, i) * Inference.entry(mixed, i, b);
                }
            }
        }
        for (int a : kept) {
            for (int b : kept) {
                left[a][b] = Inference.entry(own, a, b);
                for (int i : kept) {
                    left[a][b] -= Inference.entry(mixed, a, i) * explained[i][b];
                }
            }
        }
        Map<String, CoxTable.Test> tests = new LinkedHashMap<>();
        List<String> terms = IntStream.range(0, d)
                .mapToObj(k -> model.names().get(k).replaceAll("=[^:]*", ""))
                .toList();
        for (int k : kept) {
            tests.computeIfAbsent(
                    terms.get(k),
                    term -> test(
                            Arrays.stream(kept)
                                    .filter(a -> terms.get(a).equals(term))
                                    .toArray(),
                            changes,
                            left));
        }
        return new ProportionalHazards(scale, tests, test(kept, changes, left));
    }

    private static CoxTable.Test test(int[] tested, double[] slopes, double[][] left) {
        double statistic = Cholesky.quadratic(
                CoxTable.part(tested, (a, b) -> left[a][b]),
                Arrays.stream(tested).mapToDouble(a -> slopes[a]).toArray());
        return CoxTable.Test.of(statistic, tested.length);
    }

    /** The function of time, less its mean over all events, which changes nothing but rounding. */
    static DoubleUnaryOperator times(TimeScale scale, Survival survival) {
        DoubleUnaryOperator plain = plain(scale, survival);
        double mean = IntStream.range(0, survival.rows())
                .filter(i -> survival.events()[i])
                .mapToDouble(i -> plain.applyAsDouble(survival.stop()[i]))
                .average()
                .orElse(0);
        return time -> plain.applyAsDouble(time) - mean;
    }

    private static DoubleUnaryOperator plain(TimeScale scale, Survival survival) {
        if (scale == TimeScale.KM) {
            SurvivalCurves.Curve curve = SurvivalCurves.of(survival, new int[survival.rows()], List.of(""), 0.95)
                    .curves()
                    .get(0);
            return time -> {
                int before = SurvivalCurves.below(curve.times(), time);
                return before == 0 ? 0 : 1 - curve.survival()[before - 1];
            };
        }
        if (scale == TimeScale.RANK) {
            double[] sorted = Arrays.stream(survival.stop()).sorted().toArray();
            return time -> (SurvivalCurves.below(sorted, time) + SurvivalCurves.upTo(sorted, time) + 1) / 2.0;
        }
        double first = Arrays.stream(survival.stop()).min().orElse(1);
        if (scale == TimeScale.LOG && !(first > 0)) {
            throw new InvalidInputException("a time is " + first
                    + ", which has no logarithm; test proportional hazards by another scale of time,"
                    + " for example km");
        }
        return scale::at;
    }
}
