package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Losses;
import dev.starling.network.Topology;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumRequest;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All sites but one know what that one adds. With kinks most rows add the same from sum to sum, so whoever subtracts
 * one sum from another is left with few rows, or one.
 */
@Timeout(300)
class KinkAttackTest {

    private static final int FEATURES = 6;
    private static final int SITES = 4;
    private static final int VICTIM = 1;

    /** Where the gradient begins, after the loss and nine other sums. */
    private static final int GRADIENT = HiddenSum.HEAD + 10;

    /** As honest sites have it, but for how few rows may make a difference. */
    private static Policy policy(int fewestRows) {
        return new Policy(3, false, false, fewestRows, 1e9, 100, 300, 100, 100_000, 1e300, 2, 0, 0, true, false, false);
    }

    @TempDir
    private Path folder;

    private record Told(String kind, double[] numbers, double[] shares) {}

    /** The victim's guard, which keeps what the others can compute of its addends, and what is behind them. */
    private static final class Overheard extends WrappedGuard {
        private final List<Told> told;

        Overheard(MaskedSums honest, List<Told> told) {
            super(honest);
            this.told = told;
        }

        @Override
        public boolean wishesToStop() {
            return honest.wishesToStop();
        }

        @Override
        public void seal(SumRequest request, double[] addend, double[] words) {
            double[] shares = request.shares()
                    .map(Supplier::get)
                    .flatMap(all -> Stream.concat(all.slopes().stream(), all.curvatures().stream())
                            .findFirst())
                    .orElseGet(() -> new double[0]);
            told.add(new Told(request.name(), Arrays.copyOf(addend, HiddenSum.HEAD + request.numbers()), shares));
            honest.seal(request, addend, words);
        }
    }

    private static List<Dataset> sites(String loss) {
        Dataset all = (loss.equals("hinge")
                        ? Generator.classification(400 * SITES, FEATURES)
                        : Generator.regression(400 * SITES, FEATURES))
                .noise(0.2)
                .seed(5)
                .generate();
        return IntStream.range(0, SITES)
                .mapToObj(site ->
                        all.picked(IntStream.range(400 * site, 400 * site + 400).toArray()))
                .toList();
    }

    private List<Told> toldBy(String loss, List<Dataset> rows, Policy policy) throws Exception {
        List<Told> told = new ArrayList<>();
        new MaskedNetwork(
                        Settings.of(Losses.named(loss))
                                .with(Setting.LAMBDA, 1e-3)
                                .with(Setting.GAP, 1e-9),
                        Topology.named("complete").build(SITES, 1),
                        rows,
                        policy,
                        true,
                        folder,
                        (site, guard) -> site == VICTIM ? new Overheard(guard, told) : guard)
                .run();
        return told;
    }

    /** Rows that the difference of some two gradients or some two Hessians is a multiple of. */
    private static Set<Integer> rowsKnown(List<Told> told, Dataset victim) {
        Set<Integer> known = new TreeSet<>();
        List<Told> gradients = ofKind(told, "gradient");
        List<Told> hessians = ofKind(told, "hessian");
        for (int one = 0; one < gradients.size(); one++) {
            for (int other = 0; other < one; other++) {
                double[] difference = new double[FEATURES];
                for (int c = 0; c < FEATURES; c++) {
                    difference[c] =
                            gradients.get(one).numbers[GRADIENT + c] - gradients.get(other).numbers[GRADIENT + c];
                }
                known.addAll(alike(difference, victim));
            }
        }
        for (int one = 0; one < hessians.size(); one++) {
            for (int other = 0; other < one; other++) {
                known.addAll(alike(factor(hessians.get(one).numbers, hessians.get(other).numbers), victim));
            }
        }
        return known;
    }

    private static List<Told> ofKind(List<Told> told, String kind) {
        return told.stream().filter(sum -> sum.kind.equals(kind)).toList();
    }

    /** The column of a difference with the largest diagonal if that is all there is to it, otherwise zeros. */
    private static double[] factor(double[] one, double[] other) {
        double[][] full = new double[FEATURES][FEATURES];
        int at = HiddenSum.HEAD;
        for (int i = 0; i < FEATURES; i++) {
            for (int j = 0; j <= i; j++) {
                full[i][j] = one[at] - other[at];
                full[j][i] = full[i][j];
                at++;
            }
        }
        int largest = IntStream.range(0, FEATURES)
                .reduce((a, b) -> Math.abs(full[a][a]) >= Math.abs(full[b][b]) ? a : b)
                .orElseThrow();
        double pivot = full[largest][largest];
        for (int i = 0; i < FEATURES; i++) {
            for (int j = 0; j < FEATURES; j++) {
                if (!(Math.abs(full[i][j] - full[i][largest] * full[largest][j] / pivot) < 1e-6 * Math.abs(pivot))) {
                    return new double[FEATURES];
                }
            }
        }
        return full[largest];
    }

    /** Rows that have the direction of a vector, to seven digits. */
    private static List<Integer> alike(double[] vector, Dataset rows) {
        double squares = Arrays.stream(vector).map(v -> v * v).sum();
        return IntStream.range(0, rows.rows())
                .filter(i -> {
                    double[] row = new double[FEATURES];
                    rows.addTo(i, 1, row);
                    double length = Arrays.stream(row).map(v -> v * v).sum();
                    double product = rows.dot(i, vector);
                    return squares > 1e-20 && product * product > (1 - 1e-14) * squares * length;
                })
                .boxed()
                .toList();
    }

    /** The fewest rows that add something else to one sum than to another, if any do. */
    private static int fewestInADifference(List<Told> told) {
        int fewest = Integer.MAX_VALUE;
        for (String kind : List.of("gradient", "hessian")) {
            List<Told> sums = ofKind(told, kind);
            for (int one = 0; one < sums.size(); one++) {
                for (int other = 0; other < one; other++) {
                    double[] a = sums.get(one).shares;
                    double[] b = sums.get(other).shares;
                    int count = (int) IntStream.range(0, a.length)
                            .filter(j -> a[j] != b[j])
                            .count();
                    fewest = count > 0 ? Math.min(fewest, count) : fewest;
                }
            }
        }
        return fewest;
    }

    @ParameterizedTest
    @CsvSource({"hinge", "absolute"})
    void differencesOfSumsCoverManyRowsOrNone(String loss) throws Exception {
        List<Dataset> rows = sites(loss);
        List<Told> told = toldBy(loss, rows, policy(50));
        assertThat(ofKind(told, "gradient")).hasSizeGreaterThan(3);
        assertThat(ofKind(told, "hessian")).hasSizeGreaterThan(1);
        assertThat(fewestInADifference(told)).isGreaterThanOrEqualTo(50);
        assertThat(rowsKnown(told, rows.get(VICTIM))).isEmpty();
    }

    /** Sites without that rule: what it is for, and that the attack can see it. */
    @ParameterizedTest
    @CsvSource({"hinge", "absolute"})
    void differencesOfSumsRevealRowsWithoutTheRule(String loss) throws Exception {
        List<Dataset> rows = sites(loss);
        List<Told> told = toldBy(loss, rows, policy(1));
        assertThat(fewestInADifference(told)).isEqualTo(1);
        assertThat(rowsKnown(told, rows.get(VICTIM))).isNotEmpty();
    }
}
