package dev.starling.model;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.network.GraphRecipe;
import dev.starling.settings.Setting;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LinearModelTest {

    private static final LinearModel TWO =
            model("logistic", List.of(3.0, 7.0), new double[] {0.5}, new double[] {1, 2});
    private static final LinearModel THREE = model(
            "logistic",
            List.of(1.0, 2.0, 3.0),
            new double[] {0, 0.5, -1},
            new double[] {1, 0},
            new double[] {0, 1},
            new double[] {-1, -1});
    private static final LinearModel NUMBER = model("squared", List.of(), new double[] {10}, new double[] {2, -3});

    private static LinearModel model(String loss, List<Double> classes, double[] intercepts, double[]... weights) {
        return new LinearModel(loss, classes, weights, intercepts, Provenance.UNKNOWN);
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    @Test
    void aRegressionPredictsItsScore() {
        assertThat(NUMBER.predict(new double[] {1, 2})).isEqualTo(10 + 2 - 6);
        assertThat(NUMBER.predict(new int[] {1}, new double[] {2})).isEqualTo(10 - 6);
        assertThat(NUMBER.scores(new double[] {0, 0})).containsExactly(10);
    }

    @Test
    void aPositiveScoreIsTheSecondOfTwoClasses() {
        assertThat(TWO.predict(new double[] {-0.25, 0})).isEqualTo(7);
        assertThat(TWO.predict(new double[] {-0.75, 0})).isEqualTo(3);
        assertThat(TWO.predict(new int[0], new double[0])).isEqualTo(7);
    }

    @Test
    void theLargestScoreWinsAmongMoreClasses() {
        assertThat(THREE.predict(new double[] {2, 1})).isEqualTo(1);
        assertThat(THREE.predict(new double[] {1, 1})).isEqualTo(2);
        assertThat(THREE.predict(new double[] {-2, -2})).isEqualTo(3);
        assertThat(THREE.scores(new int[] {1, 0}, new double[] {2, 4})).containsExactly(4, 2.5, -7);
    }

    @Test
    void probabilitiesAreThoseOfTheLogisticModel() {
        double[] two = TWO.probabilities(new double[] {1, 0});
        assertThat(two).containsExactly(new double[] {sigmoid(-1.5), sigmoid(1.5)}, within(1e-15));
        double[] three = THREE.probabilities(new int[] {0}, new double[] {1});
        double sum = sigmoid(1) + sigmoid(0.5) + sigmoid(-2);
        assertThat(three)
                .containsExactly(new double[] {sigmoid(1) / sum, sigmoid(0.5) / sum, sigmoid(-2) / sum}, within(1e-15));
    }

    @Test
    void arraysAndDatasetsArePredictedAlike() {
        Dataset rows = Dataset.dense(2, new float[] {0.5f, -3, 4, 2}, new double[2]);
        for (LinearModel model : List.of(TWO, THREE, NUMBER)) {
            assertThat(model.predict(rows, 0)).isEqualTo(model.predict(new double[] {0.5, -3}));
            assertThat(model.scores(rows, 1)).containsExactly(model.scores(new double[] {4, 2}));
        }
        assertThat(THREE.probabilities(rows, 0)).containsExactly(THREE.probabilities(new double[] {0.5, -3}));
    }

    @Test
    void rowsThatDoNotFitAreRefused() {
        assertThatRefused(() -> TWO.predict(new double[3])).hasMessage("a row of 3 values; the model has 2 features");
        assertThatThrownBy(() -> TWO.predict(new int[] {0, 2}, new double[2]))
                .hasMessage("column 2 must be between 0 and 1, the last of the model's features");
        assertThatThrownBy(() -> TWO.predict(new int[] {0}, new double[2]))
                .hasMessage("1 columns for 2 values; there must be one for each");
        assertThatRefused(() -> TWO.predict(new double[] {1, Double.NaN}))
                .hasMessage("column 1 holds NaN; values must be finite");
        assertThatThrownBy(() -> TWO.scores(new int[] {1}, new double[] {Double.NEGATIVE_INFINITY}))
                .hasMessage("column 1 holds -Infinity; values must be finite");
        assertThatThrownBy(() -> NUMBER.probabilities(new double[2]))
                .hasMessage("a model trained with the squared loss gives no probabilities;"
                        + " train with the logistic loss for them");
    }

    @Test
    void oneClassIsTooFew() {
        assertThatRefused(() ->
                        new LinearModel("logistic", List.of(3.0), new double[1][2], new double[1], Provenance.UNKNOWN))
                .hasMessage("a model of one class, 3.0; there must be two or more, or none if it predicts numbers");
    }

    @Test
    void moreNamesThanFeaturesAreRefused() {
        assertThatRefused(() -> named(List.of("a", "b", "c")))
                .hasMessage("3 names for 2 features; there must be at most one for each");
    }

    private static LinearModel named(List<String> names) {
        return new LinearModel(
                "logistic", List.of(3.0, 7.0), names, new double[][] {{1, 2}}, new double[] {0.5}, Provenance.UNKNOWN);
    }

    @Test
    void theHashCoversTheWholeModel() {
        assertThat(List.of(
                        TWO.hash(),
                        model("hinge", List.of(3.0, 7.0), new double[] {0.5}, new double[] {1, 2})
                                .hash(),
                        model("logistic", List.of(3.0, 8.0), new double[] {0.5}, new double[] {1, 2})
                                .hash(),
                        model("logistic", List.of(), new double[] {0.5}, new double[] {1, 2})
                                .hash(),
                        model("logistic", List.of(3.0, 7.0), new double[] {0.25}, new double[] {1, 2})
                                .hash(),
                        model("logistic", List.of(3.0, 7.0), new double[] {0.5}, new double[] {1, -2})
                                .hash(),
                        named(List.of("ab")).hash(),
                        named(List.of("a", "b")).hash(),
                        named(List.of("", "ab")).hash()))
                .doesNotHaveDuplicates();
        assertThat(named(List.of()).hash()).isEqualTo(TWO.hash());
        assertThat(named(List.of("a", "b")).weightsHash()).isEqualTo(TWO.weightsHash());
    }

    /** As docs/model-format.md says, byte by byte. */
    @Test
    void theHashIsTheDocumentedOne() throws NoSuchAlgorithmException {
        ByteBuffer bytes = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(16).put("starling-model-2".getBytes(StandardCharsets.UTF_8));
        bytes.putInt(8).put("logistic".getBytes(StandardCharsets.UTF_8));
        bytes.putInt(2).putDouble(3).putDouble(7);
        bytes.putInt(1).putInt(2).put("ä".getBytes(StandardCharsets.UTF_8));
        bytes.putInt(1).putInt(2);
        bytes.putDouble(1).putDouble(2).putDouble(0.5);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(bytes.flip());
        assertThat(named(List.of("ä")).hash()).isEqualTo(HexFormat.of().formatHex(digest.digest()));
    }

    @Test
    void textShowsTheModelAndItsCertificate() {
        Certificate certificate = new Certificate(0.5, 0.4999995, 100, 3);
        Provenance proven = new Provenance("1", Map.of(), "newton", GraphRecipe.UNKNOWN, 1, certificate, true, "");
        LinearModel model = new LinearModel("logistic", List.of(-1.0, 1.0), new double[1][123], new double[1], proven);
        assertThat(model)
                .hasToString("LinearModel[logistic, classes [-1.0, 1.0], 123 features, gap 1.0e-06 as asked for]");
        assertThat(NUMBER).hasToString("LinearModel[squared, regression, 2 features, no certificate]");
    }

    @Test
    void nothingThatItHandsOutChangesIt() {
        Dataset rows = Generator.regression(200, 3).seed(1).generate();
        LinearModel model = Trainer.of("gaussian")
                .lambda(0)
                .intercept(true)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(rows)
                .model();
        String hash = model.hash();

        Arrays.fill(model.inference().orElseThrow().covariance(), 7);
        Arrays.fill(model.inference().orElseThrow().estimateErrors(), 7);
        Arrays.fill(model.inference().orElseThrow().heterogeneity().sums(), 7);
        Arrays.fill(model.weights(0), 7);

        assertThat(model.hash()).isEqualTo(hash);
    }
}
