package dev.starling.method;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.network.EdgeListReader;
import dev.starling.network.Network;
import dev.starling.node.ObjectionException;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FactsTest {

    private static final double[] RIGHT = {7, 3.5, 0.25, 0, 9};

    private Network network;

    @BeforeEach
    void nameTheSites(@TempDir Path folder) throws IOException {
        network = EdgeListReader.read(Files.writeString(folder.resolve("sites.txt"), "berlin paris\n"));
    }

    @Test
    void factsAreDecodedAsTheyWereEncoded() {
        Facts facts = new Facts(7, 3.5, 0.25, new double[] {0, 9});

        assertThat(facts.encode()).containsExactly(RIGHT).hasSize(Facts.length(2));
        Facts read = Facts.decode(List.of(RIGHT, RIGHT), 2, network).get(1);
        assertThat(read.samples()).isEqualTo(7);
        assertThat(read.weight()).isEqualTo(3.5);
        assertThat(read.sigma()).isEqualTo(0.25);
        assertThat(read.own()).containsExactly(0, 9);
    }

    @Test
    void factsAreComputedFromTheProblem() {
        Dataset rows =
                Dataset.dense(1, new float[] {1, 2}, new double[] {1, -1}).withWeights(new double[] {2, 0.5});
        Facts facts = Facts.of(LocalProblem.of(rows, new Squared(), 0.1), new double[] {4});

        assertThat(facts.samples()).isEqualTo(2);
        assertThat(facts.weight()).isEqualTo(2.5);
        assertThat(facts.sigma()).isEqualTo(0.25);
        assertThat(facts.own()).containsExactly(4);
    }

    static Stream<double[]> nonsense() {
        return Stream.of(
                new double[] {7.5, 1, 1, 1, 1},
                new double[] {0, 1, 1, 1, 1},
                new double[] {7, -1, 1, 1, 1},
                new double[] {7, 1, -0.5, 1, 1},
                new double[] {7, 1, Double.NaN, 1, 1},
                new double[] {7, Double.POSITIVE_INFINITY, 1, 1, 1},
                new double[] {7, 1, 1, -1e-300, 1},
                new double[] {7, 1, 1, 1, Double.NaN});
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void invalidFactsAreRefusedNamingTheirNode(double[] numbers) {
        assertThatRefused(() -> Facts.decode(List.of(RIGHT, numbers), 2, network))
                .hasMessageMatching(
                        "node paris sent facts \\[.*] that are not positive; do all nodes run the same version\\?");
    }

    @Test
    void factsOfAnotherMethodAreRefusedNamingTheirNode() {
        assertThatRefused(() -> Facts.decode(List.of(new double[] {7, 1, 1, 1}, RIGHT), 2, network))
                .hasMessage("node berlin sent 4 facts where 5 were expected; do all nodes run the same version?");
    }

    @Test
    void factsAddUpOverTheNodes() {
        Facts total = Facts.total(
                List.of(new Facts(7, 3.5, 0.25, new double[] {0, 9}), new Facts(2, 0.5, 1, new double[] {1, 1})));

        assertThat(total.samples()).isEqualTo(9);
        assertThat(total.weight()).isEqualTo(4);
        assertThat(total.sigma()).isEqualTo(1.25);
        assertThat(total.own()).isEmpty();
    }

    @Test
    void aSigmaThatIsNotLambdaTimesTheWeightIsRefused() {
        withSigma(2).requireSigma(0.5, 3);
        withSigma(2 + 1e-9).requireSigma(0.5, 3);
        withSigma(2 - 1e-9).requireSigma(0.5, 3);
        withSigma(0).requireSigma(0, 3);

        for (double wrong : new double[] {2 + 1e-8, 2 - 1e-8, 0, -2, Double.NaN}) {
            assertThatThrownBy(() -> withSigma(wrong).requireSigma(0.5, 3))
                    .isInstanceOfSatisfying(
                            ObjectionException.class,
                            objection -> assertThat(objection.node()).isEqualTo(3))
                    .hasMessage("sigma " + wrong + " is not lambda times its weight, 2.0");
        }
    }

    private static Facts withSigma(double sigma) {
        return new Facts(7, 4, sigma, new double[0]);
    }
}
