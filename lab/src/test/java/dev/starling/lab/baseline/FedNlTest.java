package dev.starling.lab.baseline;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.lab.baseline.curvature.ProjectedSolve;
import dev.starling.lab.baseline.curvature.TopEntries;
import dev.starling.loss.Huber;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Problem;
import dev.starling.support.ReferenceNewton;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What FedNL does beyond its plain recursion: compression, projection, the line search, and its speed at the end. */
class FedNlTest {

    private final Network network = Topology.named("grid").build(6, 1);
    private final UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(new long[] {1, 2, 3, 4});

    private double[] triangle(int d) {
        return DoubleStream.generate(() -> Math.rint(20 * random.nextDouble() - 10))
                .limit(TopEntries.triangle(d))
                .toArray();
    }

    private static double squaredNorm(double[] triangle, int d) {
        double sum = 0;
        for (int i = 0; i < d; i++) {
            for (int k = 0; k < d; k++) {
                double entry = triangle[TopEntries.index(Math.max(i, k), Math.min(i, k))];
                sum += entry * entry;
            }
        }
        return sum;
    }

    /** Entries are whole numbers between −10 and 10, so that there are ties. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 20})
    void theCompressorContractsAsItsTheoremRequires(int d) {
        for (int trial = 0; trial < 50; trial++) {
            double[] whole = triangle(d);
            double[] kept = whole.clone();
            TopEntries.keep(d, kept);
            double[] rest = new double[whole.length];
            for (int k = 0; k < whole.length; k++) {
                assertThat(kept[k]).isIn(0.0, whole[k]);
                rest[k] = whole[k] - kept[k];
            }
            assertThat(Arrays.stream(kept).filter(entry -> entry != 0).count()).isLessThanOrEqualTo(d);
            double left = 1 - (double) d / whole.length;
            assertThat(squaredNorm(rest, d)).isLessThanOrEqualTo(left * squaredNorm(whole, d));
        }
    }

    /** diag(4, −3) in a basis turned by 30 degrees, whose projection to eigenvalues of at least 2 has 4 and 2. */
    @Test
    void eigenvaluesBelowTheFloorAreRaisedToIt() {
        double c = Math.sqrt(3) / 2;
        double s = 0.5;
        double[] triangle = {4 * c * c - 3 * s * s, 7 * c * s, 4 * s * s - 3 * c * c};
        double[] solution = ProjectedSolve.solve(triangle, 2, new double[] {c - s, s + c});
        assertThat(solution[0]).isCloseTo(c / 4 - s / 2, within(1e-14));
        assertThat(solution[1]).isCloseTo(s / 4 + c / 2, within(1e-14));
    }

    private List<Trial.Point> curve(Dataset data, Loss loss, double lambda) {
        double best = ReferenceNewton.objective(data, loss, lambda, ReferenceNewton.optimum(data, loss, lambda));
        Problem problem = Problem.deal(data, loss, lambda, network.size());
        return new Trial(Baselines.named("fednl"), problem, network, 5, best).run(1e-12, 500, 1, 60);
    }

    @Test
    void theLineSearchShortensStepsThatDoNotLowerTheObjective() {
        List<Trial.Point> curve = curve(Rows.regression(90, 5), new Huber(0.1), 1e-3);
        Trial.Point last = curve.get(curve.size() - 1);
        assertThat(last.error()).isLessThan(1e-12);
        assertThat(last.steps()).as("steps of %d passes", last.round()).isLessThan(last.round());
    }

    @Test
    void convergenceIsFasterThanLinearInTheEnd() {
        List<Trial.Point> curve = curve(Rows.classification(400, 8), new Logistic(), 1e-3);
        double[] errors = curve.stream()
                .mapToDouble(Trial.Point::error)
                .filter(error -> error > 1e-12)
                .toArray();
        double early = errors[3] / errors[2];
        double late = errors[errors.length - 1] / errors[errors.length - 2];
        assertThat(late).isLessThan(early / 2);
    }

    @Test
    void tooManyFeaturesAreRefused() {
        Problem wide = Problem.deal(Rows.classification(12, 513), new Logistic(), 1e-2, 6);
        assertThatRefused(() -> Baselines.named("fednl").programs(wide, network, 5, 1))
                .hasMessageContaining("513")
                .hasMessageContaining("512")
                .hasMessageContaining("newton");
    }
}
