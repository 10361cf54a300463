package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Logistic;
import dev.starling.network.Topology;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumRequest;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A root that knows all checks and lies only as far as they let it: its totals are always those of a convex function,
 * with the right weight, the right loss at 0, the true curvatures, and points within what rules allow.
 */
@Timeout(300)
class AdaptiveAttackTest {

    private static final int FEATURES = 6;
    private static final int LOSS = HiddenSum.HEAD;
    private static final int WEIGHT = LOSS + 1;
    private static final int GRADIENT = LOSS + 5;

    /** Rules that let everything pass. */
    private static final Policy NO_RULES =
            new Policy(3, false, false, 1, 1e9, 100, 100, 100, 100_000, 1e300, 2, 0, 0, true, false, false);

    @TempDir
    private Path folder;

    /** What was added to a pass, a plane that touches a convex function of the liar's own. */
    private record Added(double[] point, double value, double[] slope) {
        double at(double[] other) {
            double height = value;
            for (int c = 0; c < FEATURES; c++) {
                height += slope[c] * (other[c] - point[c]);
            }
            return height;
        }
    }

    private static final class Liar extends WrappedGuard {
        private final double lambda;
        private final double reach;
        private final boolean careful;
        private final double[] direction;
        private final List<Added> told = new ArrayList<>();
        private double[] own = {};
        private final double[] hessian = new double[FEATURES * FEATURES];
        private double moved;

        /** One that heads for points as far as wanted or, if it is careful, as far as nobody stops it. */
        Liar(MaskedSums honest, double far, double lambda, boolean careful) {
            super(honest);
            this.lambda = lambda;
            this.careful = careful;
            this.direction = new Random(7).doubles(FEATURES, -1, 1).toArray();
            double norm = Math.sqrt(IntStream.range(0, FEATURES)
                    .mapToDouble(c -> direction[c] * direction[c])
                    .sum());
            double farthest = 0.9 * Math.sqrt(2 * Policy.DEFAULT.farthest() * Math.log(2) / lambda);
            this.reach = careful ? Math.min(far, farthest / norm) : far;
        }

        /** It does not look at totals that it has made up itself. */
        @Override
        public boolean isBetweenOwners() {
            return careful && told.isEmpty();
        }

        @Override
        public void seal(SumRequest request, double[] addend, double[] words) {
            own = addend.clone();
            honest.seal(request, addend, words);
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            if (request.name().equals("gradient") || request.name().equals("hessian")) {
                lie(request, totals);
            }
            honest.opened(request, totals);
        }

        private void lie(SumRequest request, double[] totals) {
            double[] point = request.point();
            double weight = totals[WEIGHT];
            if (request.name().equals("hessian")) {
                int at = GRADIENT + FEATURES;
                for (int i = 0; i < FEATURES; i++) {
                    for (int j = 0; j <= i; j++) {
                        hessian[FEATURES * i + j] = totals[at];
                        hessian[FEATURES * j + i] = totals[at++];
                    }
                }
            }
            int number = told.size() + 1;
            double wanted = reach * (1 - 2.0 * (number % 2)) * (careful ? 1.0 / number : 1 - number / 70.0);
            double[] truth = new double[FEATURES];
            double[] tilt = new double[FEATURES];
            for (int i = 0; i < FEATURES; i++) {
                truth[i] = totals[GRADIENT + i];
                tilt[i] = -truth[i] - weight * lambda * point[i];
                for (int j = 0; j < FEATURES; j++) {
                    double curvature = hessian[FEATURES * i + j] + (i == j ? weight * lambda : 0);
                    tilt[i] -= curvature * (wanted * direction[j] - point[j]);
                }
            }
            Added lie =
                    careful ? largest(point, wanted, totals[LOSS], tilt) : free(request, weight, wanted, truth, totals);
            for (int i = 0; i < FEATURES; i++) {
                moved = Math.max(moved, Math.abs(lie.slope[i]) / weight);
                totals[GRADIENT + i] += lie.slope[i];
            }
            totals[LOSS] += lie.value;
            told.add(lie);
        }

        /** A lie that nobody looks at: an objective that always falls, and next to no curvature. */
        private Added free(SumRequest request, double weight, double wanted, double[] truth, double[] totals) {
            double[] point = request.point();
            boolean curved = request.name().equals("hessian");
            double[] slope = new double[FEATURES];
            double flat = 1e-2 / (reach * reach);
            double squares = 0;
            for (int i = 0; i < FEATURES; i++) {
                slope[i] = weight * (-flat * (wanted * direction[i] - point[i]) - lambda * point[i]) - truth[i];
                squares += point[i] * point[i];
            }
            int at = GRADIENT + FEATURES;
            for (int i = 0; curved && i < FEATURES; i++) {
                for (int j = 0; j <= i; j++) {
                    totals[at++] = i == j ? weight * (flat - lambda) : 0;
                }
            }
            double said = weight * (1 - told.size() / 100.0 - lambda / 2 * squares);
            return new Added(point.clone(), said - totals[LOSS], slope);
        }

        /** The greatest part of what it would like to add that leaves what it has added so far convex. */
        private Added largest(double[] point, double wanted, double loss, double[] tilt) {
            Added touching = told.stream()
                    .max(Comparator.comparingDouble(before -> before.at(point)))
                    .orElse(new Added(point, 0, new double[FEATURES]));
            // No total may be less than a site's own part of it.
            double least = -0.3 * (loss - own[LOSS]);
            double value = told.isEmpty() ? 0 : Math.max(touching.at(point), least);
            for (double part = 1; part > 1e-12; part /= 2) {
                double[] slope = new double[FEATURES];
                double[] landing = new double[FEATURES];
                for (int c = 0; c < FEATURES; c++) {
                    slope[c] = touching.slope[c] + part * (tilt[c] - touching.slope[c]);
                    landing[c] = point[c] + part * (wanted * direction[c] - point[c]);
                }
                Added lie = new Added(point.clone(), value, slope);
                boolean convex = told.stream().allMatch(before -> before.value >= lie.at(before.point));
                if (convex && lie.at(landing) >= least) {
                    return lie;
                }
            }
            return new Added(point.clone(), touching.at(point), touching.slope);
        }
    }

    /** Honest sites that do not look at totals. */
    private static final class Trusting extends WrappedGuard {
        Trusting(MaskedSums honest) {
            super(honest);
        }

        @Override
        public boolean isBetweenOwners() {
            return false;
        }
    }

    private Liar attacked(double far, double lambda, boolean guarded, List<Dataset> rows) throws Exception {
        Liar[] liar = new Liar[1];
        MaskedNetwork network = new MaskedNetwork(
                Settings.of(new Logistic())
                        .with(Setting.LAMBDA, lambda)
                        .with(Setting.GAP, 1e-8)
                        .with(Setting.MAX_EPOCHS, 60.0),
                Topology.named("complete").build(3, 1),
                rows,
                guarded ? Policy.DEFAULT : NO_RULES,
                true,
                folder,
                (site, guard) -> {
                    if (site != 0) {
                        return guarded ? guard : new Trusting(guard);
                    }
                    liar[0] = new Liar(guard, far, lambda, guarded);
                    return liar[0];
                });
        try {
            network.run();
        } catch (InvalidInputException e) {
            // A rule or a check has stopped it; what it knows until then is what counts.
            assertThat(guarded).as(e.getMessage()).isTrue();
        }
        return liar[0];
    }

    /**
     * How much of the best combination of all that was told can be one row of the others, by somebody who knows the
     * answer: with S their slopes, a column per pass, the largest s_jᵀ(SᵀS + εI)⁻¹s_j. What is left of 1 is other rows.
     */
    private static double mostOfOneRow(List<Added> told, List<Dataset> victims) {
        int k = told.size();
        List<double[]> slopes = new ArrayList<>();
        for (Dataset rows : victims) {
            for (int i = 0; i < rows.rows(); i++) {
                double[] slope = new double[k];
                for (int q = 0; q < k; q++) {
                    slope[q] = new Logistic().derivative(rows.dot(i, told.get(q).point), rows.label(i));
                }
                slopes.add(slope);
            }
        }
        double[][] inverse = new double[k][2 * k];
        for (int a = 0; a < k; a++) {
            for (int b = 0; b < k; b++) {
                for (double[] slope : slopes) {
                    inverse[a][b] += slope[a] * slope[b];
                }
            }
            inverse[a][a] += 1e-4;
            inverse[a][k + a] = 1;
        }
        for (int a = 0; a < k; a++) {
            double pivot = inverse[a][a];
            for (int c = 0; c < 2 * k; c++) {
                inverse[a][c] /= pivot;
            }
            for (int b = 0; b < k; b++) {
                double factor = inverse[b][a];
                for (int c = 0; b != a && c < 2 * k; c++) {
                    inverse[b][c] -= factor * inverse[a][c];
                }
            }
        }
        double most = 0;
        for (double[] slope : slopes) {
            double leverage = 0;
            for (int a = 0; a < k; a++) {
                for (int b = 0; b < k; b++) {
                    leverage += slope[a] * inverse[a][k + b] * slope[b];
                }
            }
            most = Math.max(most, leverage);
        }
        return most;
    }

    private static List<Dataset> sites() {
        Dataset all = Generator.classification(600, FEATURES).seed(5).generate();
        return IntStream.range(0, 3)
                .mapToObj(site ->
                        all.picked(IntStream.range(200 * site, 200 * site + 200).toArray()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1,1e-4", "3,1e-6", "10,1e-4", "30,1e-4", "30,1e-6", "1e3,1e-4", "1e3,1e-6", "1e5,1e-4", "1e5,1e-6"})
    void aLiarWithinTheChecksLearnsNoRow(double far, double lambda) throws Exception {
        List<Dataset> rows = sites();
        Liar liar = attacked(far, lambda, true, rows);
        double most = mostOfOneRow(liar.told, rows.subList(1, 3));
        assertThat(liar.told).isNotEmpty();
        assertThat(liar.moved).isGreaterThan(1e-6);
        // Whatever it makes of all that, a third of it at least is not the row.
        assertThat(Math.sqrt(1 - most)).isGreaterThan(0.33);
    }

    /** An attacker whom nobody checks: that is what the checks are for, and that the measure can see it. */
    @Test
    void aLiarLearnsRowsWithoutChecksAndRules() throws Exception {
        List<Dataset> rows = sites();
        assertThat(mostOfOneRow(attacked(1e3, 1e-6, false, rows).told, rows.subList(1, 3)))
                .isGreaterThan(0.97);
    }
}
