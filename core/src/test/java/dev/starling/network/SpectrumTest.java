package dev.starling.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.starling.network.spectrum.DenseSpectrum;
import dev.starling.network.spectrum.SparseSpectrum;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpectrumTest {

    private static double sin2(double x) {
        return 4 * StrictMath.sin(x) * StrictMath.sin(x);
    }

    private static double lineSmallest(int n) {
        return sin2(Math.PI / (2.0 * n));
    }

    private static double lineLargest(int n) {
        double cosine = StrictMath.cos(Math.PI / (2.0 * n));
        return 4 * cosine * cosine;
    }

    private static double ringSmallest(int n) {
        return sin2(Math.PI / n);
    }

    private static double ringLargest(int n) {
        int half = n / 2;
        return sin2(Math.PI * half / n);
    }

    private static void assertSpectrum(String topology, int nodes, double smallest, double largest, double accuracy) {
        Spectrum found = Spectrum.of(Topology.named(topology).build(nodes, 0));
        assertThat(found.smallest() / smallest).as("smallest").isCloseTo(1, within(accuracy));
        assertThat(found.largest() / largest).as("largest").isCloseTo(1, within(accuracy));
    }

    private static double[] random(int count, double from, double to, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = from + (to - from) * random.nextDouble();
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 100, 300, 3000, 100_000})
    void theSpectrumOfALineIsItsClosedForm(int n) {
        assertSpectrum("line", n, lineSmallest(n), lineLargest(n), 1e-10);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 9, 100, 301, 3000, 99_999})
    void theSpectrumOfARingIsItsClosedForm(int n) {
        assertSpectrum("ring", n, ringSmallest(n), ringLargest(n), n < 10_000 ? 1e-10 : 1e-9);
    }

    /** A grid is a product of lines, a torus of rings: eigenvalues add up. */
    @ParameterizedTest
    @CsvSource({"3,3", "3,4", "10,10", "12,30", "13,31", "40,41"})
    void theSpectrumOfAGridAndOfATorusIsItsClosedForm(int rows, int columns) {
        String size = ":" + rows + "x" + columns;
        int longer = Math.max(rows, columns);
        double largest = lineLargest(rows) + lineLargest(columns);
        assertSpectrum("grid" + size, rows * columns, lineSmallest(longer), largest, 1e-10);
        double largestOfTorus = ringLargest(rows) + ringLargest(columns);
        assertSpectrum("torus" + size, rows * columns, ringSmallest(longer), largestOfTorus, 1e-10);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 100, 500, 2_000})
    void theSpectrumOfACompleteGraphIsItsSize(int n) {
        assertSpectrum("complete", n, n, n, n < 1_000 ? 1e-11 : 1e-10);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 100, 500, 100_000})
    void theSpectrumOfAStarIsOneAndItsSize(int n) {
        assertSpectrum("star", n, 1, n, n < 1_000 ? 1e-11 : 1e-10);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 7, 8, 10, 16})
    void theSpectrumOfAHypercubeIsTwoAndTwiceItsDimension(int dimension) {
        assertSpectrum("hypercube", 1 << dimension, 2, 2 * dimension, dimension < 12 ? 1e-11 : 1e-10);
    }

    @Test
    void theSpectrumOfASingleNodeIsZero() {
        Spectrum spectrum = Spectrum.of(Network.of(1, new int[0][]));
        assertThat(spectrum).isEqualTo(new Spectrum(0, 0));
        assertThat(spectrum.gamma()).isEqualTo(1);
    }

    @Test
    void theSpectrumOfOneEdgeWithADiagonalIsItsClosedForm() {
        Network edge = Network.of(2, new int[][] {{0, 1}}).withWeights(new double[] {3});
        Spectrum spectrum = Spectrum.of(edge, new double[] {2, 4});
        assertThat(spectrum.smallest()).isCloseTo(3 * (0.5 + 0.25), within(1e-14));
        assertThat(spectrum.largest()).isCloseTo(3 * (0.5 + 0.25), within(1e-14));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "line",
                "ring",
                "grid",
                "torus",
                "complete",
                "random-regular",
                "erdos-renyi",
                "watts-strogatz",
                "star",
                "binary-tree"
            })
    void isTheSameByAllEigenvaluesAndByIteration(String topology) {
        for (int nodes : new int[] {12, 90, 150}) {
            for (double reach : new double[] {1, 10, 1000}) {
                Network plain = Topology.named(topology).build(nodes, nodes);
                Network network = plain.withWeights(random(plain.edges(), 1, reach + 1, 5));
                double[] diagonal = random(nodes, 1, reach, 6);
                Spectrum dense = DenseSpectrum.of(network, diagonal);
                SparseSpectrum sparse = new SparseSpectrum(network, diagonal);
                assertThat(sparse.smallest() / dense.smallest()).isCloseTo(1, within(1e-9));
                assertThat(sparse.smallestByInversion() / dense.smallest()).isCloseTo(1, within(1e-9));
                assertThat(sparse.largest() / dense.largest()).isCloseTo(1, within(1e-9));
                assertThat(sparse.largestByInversion() / dense.largest()).isCloseTo(1, within(1e-9));
            }
        }
    }

    @Test
    void isAccurateWhenTheDiagonalSpansManyOrders() {
        // One heavy edge between light nodes, far from two heavy nodes: λ_min⁺ ≈ (1/1e9 + 1/1e9)/3 beside λ_max ≈ 2e3.
        Network network = Network.of(4, new int[][] {{0, 1}, {1, 2}, {2, 3}});
        double[] diagonal = {1e9, 1e-3, 1e-3, 1e9};
        double smallest = Spectrum.smallest(network, diagonal);
        assertThat(smallest / new SparseSpectrum(network, diagonal).smallestByInversion())
                .isCloseTo(1, within(1e-9));
        assertThat(smallest / (2.0 / 3e9)).isCloseTo(1, within(1e-8));
    }

    @Test
    void doublesWhenTheWeightsDouble() {
        Network network = Topology.named("watts-strogatz").build(400, 1);
        double[] twos = new double[network.edges()];
        Arrays.fill(twos, 2.0);
        Spectrum once = Spectrum.of(network);
        Spectrum twice = Spectrum.of(network.withWeights(twos));
        assertThat(twice.smallest() / once.smallest()).isCloseTo(2, within(1e-9));
        assertThat(twice.largest() / once.largest()).isCloseTo(2, within(1e-9));
    }

    @Test
    void refusesADiagonalThatIsNotPositive() {
        Network network = Topology.named("ring").build(3, 0);
        assertThatThrownBy(() -> Spectrum.of(network, new double[] {1, 0, 1}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("diagonal at node 1 is 0.0; it must be positive");
    }

    @Tag("thorough")
    @Test
    void reachesAHundredThousandNodesOnAGrid() {
        assertSpectrum("grid", 99_856, lineSmallest(316), 2 * lineLargest(316), 1e-9);
    }

    @Test
    void theSpectrumOfALargeRandomRegularGraphLiesWhereTheoryPutsIt() {
        Spectrum spectrum = Spectrum.of(Topology.named("random-regular").build(20_000, 0));
        // Friedman's theorem: the eigenvalues but zero lie within 4 ± 2√3, up to a vanishing excess.
        assertThat(spectrum.smallest()).isCloseTo(4 - 2 * Math.sqrt(3), within(0.02));
        assertThat(spectrum.largest()).isCloseTo(4 + 2 * Math.sqrt(3), within(0.02));
    }

    @Test
    void isNotThatOfAnEarlierDiagonalInTheSameArray() {
        Network torus = Topology.named("torus").build(400, 1);
        double[] diagonal = new double[400];
        Arrays.fill(diagonal, 1);
        double smallest = Spectrum.smallest(torus, diagonal);
        double largest = Spectrum.largest(torus, diagonal);
        Arrays.fill(diagonal, 2);
        assertThat(Spectrum.smallest(torus, diagonal)).isCloseTo(smallest / 2, withinPercentage(1e-7));
        assertThat(Spectrum.largest(torus, diagonal)).isCloseTo(largest / 2, withinPercentage(1e-7));
        for (int k = 3; k < 40; k++) {
            Arrays.fill(diagonal, k);
            assertThat(Spectrum.smallest(torus, diagonal)).isCloseTo(smallest / k, withinPercentage(1e-7));
        }
        Arrays.fill(diagonal, 1);
        assertThat(Spectrum.smallest(torus, diagonal)).isEqualTo(smallest);
    }
}
