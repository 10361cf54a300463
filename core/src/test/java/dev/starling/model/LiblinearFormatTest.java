package dev.starling.model;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiblinearFormatTest {

    private static LinearModel read(String... lines) throws IOException {
        byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII);
        return new LiblinearFormat().read(new ByteArrayInputStream(bytes), "m.model");
    }

    private static String written(LinearModel model) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new LiblinearFormat().write(model, out);
        return out.toString(StandardCharsets.US_ASCII);
    }

    private static LinearModel model(String loss, List<Double> classes, double[] intercepts, double[]... weights) {
        return new LinearModel(loss, classes, weights, intercepts, Provenance.UNKNOWN);
    }

    @Test
    void thePositiveClassIsWrittenFirst() throws IOException {
        LinearModel model = model("logistic", List.of(-1.0, 1.0), new double[1], new double[] {0.25, -1.5});
        assertThat(written(model))
                .isEqualTo("solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n0.25 \n-1.5 \n");
    }

    @Test
    void anInterceptIsTheWeightOfALastFeature() throws IOException {
        LinearModel model = model("squared-hinge", List.of(1.0, 2.0), new double[] {0.5}, new double[] {3});
        assertThat(written(model))
                .isEqualTo("solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 2 1\nnr_feature 1\nbias 1\nw\n3.0 \n0.5 \n");
    }

    @Test
    void severalClassesAreWrittenSideBySide() throws IOException {
        LinearModel model = model(
                "hinge", List.of(1.0, 2.0, 3.0), new double[3], new double[] {1, 4}, new double[] {2, 5}, new double[] {
                    3, 6
                });
        assertThat(written(model))
                .hasLineCount(8)
                .startsWith("solver_type L2R_L1LOSS_SVC_DUAL\nnr_class 3\nlabel 1 2 3\nnr_feature 2\nbias -1\nw\n")
                .endsWith("\nw\n1.0 2.0 3.0 \n4.0 5.0 6.0 \n");
    }

    @Test
    void regressionHasNoLabels() throws IOException {
        assertThat(written(model("huber(1.0)", List.of(), new double[1], new double[] {2})))
                .isEqualTo("solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias -1\nw\n2.0 \n");
    }

    @Test
    void aFileOfLiblinearGivesItsFirstLabelForPositiveScores() throws IOException {
        LinearModel model = read(
                "solver_type L2R_L2LOSS_SVC_DUAL",
                "nr_class 2",
                "label 3 7",
                "nr_feature 2",
                "bias 0.5",
                "w",
                "0.10000000000000001 ",
                "-2 ",
                "4 ");
        Dataset rows = Dataset.dense(2, new float[] {1, 0, 1, 2}, new double[] {3, 7});
        assertThat(model.score(rows, 0, 0)).isEqualTo(0.1 + 0.5 * 4);
        assertThat(model.predict(rows, 0)).isEqualTo(3);
        assertThat(model.predict(rows, 1)).isEqualTo(7);
        assertThat(model.loss()).isEqualTo("squared-hinge");
    }

    @Test
    void theTwoSidesOfACrammerSingerModelBecomeOneScore() throws IOException {
        LinearModel model =
                read("solver_type MCSVM_CS", "nr_class 2", "label 1 2", "nr_feature 1", "bias -1", "w", "0.75 -0.5");
        assertThat(model.scores()).isEqualTo(1);
        assertThat(model.weights(0)).containsExactly(1.25);
        assertThat(model.classes()).containsExactly(2.0, 1.0);
    }

    @Test
    void aLabelThatIsNotAnIntegerCannotBeWritten() {
        LinearModel model = model("logistic", List.of(0.5, 1.5), new double[1], new double[] {1});
        assertThatRefused(() -> written(model))
                .hasMessage("label 1.5 cannot be written in LIBLINEAR's format, which has whole numbers only; use the"
                        + " JSON format");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            solver_type FOO                                       | m.model, line 1: solver_type 'FOO' is not one that Starling can predict with
            solver_type L2R_LR/nr_class 1                         | m.model, line 2: nr_class 1 must be at least 2
            solver_type L2R_LR/nr_class x                         | m.model, line 2: nr_class 'x' must be a whole number
            solver_type L2R_LR/nr_class 2/foo 1                   | m.model, line 3: unknown word 'foo' in the header of a LIBLINEAR model
            solver_type L2R_LR/nr_class 2                         | m.model ends within the header of a LIBLINEAR model; it is truncated
            solver_type L2R_LR/nr_class 2/label 1 2/w             | m.model, line 4: the header has no nr_feature
            solver_type L2R_LR/nr_class 2/nr_feature 1/w          | m.model, line 4: 0 labels for nr_class 2; there must be as many
            solver_type L2R_LR/nr_class 2/label 1 2/nr_feature 2/w/1   | m.model ends after 1 of 2 lines of weights; the file is truncated
            solver_type L2R_LR/nr_class 2/label 1 2/nr_feature 1/w/1 2 | m.model, line 6: 2 weights; there must be 1 on every line
            solver_type L2R_LR/nr_class 2/label 1 2/nr_feature 1/w/nan | m.model, line 6: 'nan' must be a finite number
            """, quoteCharacter = '"')
    void aMalformedFileIsRefusedByLine(String text, String message) {
        assertThatRefused(() -> read(text.split("/"))).hasMessage(message);
    }
}
