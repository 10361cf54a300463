package dev.starling.cli.modelfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFilesTest {

    private static final Provenance KNOWN =
            new Provenance("1.2.3", 1e-4, 0.32, 3e-7, true, "ring of 4", 4, 22.7, -5, 1, true, "ab".repeat(32));

    @TempDir
    private Path folder;

    private static LinearModel binary(double... weights) {
        return new LinearModel(
                "logistic", List.of(-1.0, 1.0), new double[][] {weights}, new double[] {0.1 + 0.2}, KNOWN);
    }

    private static LinearModel threeClasses() {
        double[][] weights = {{1, 0, 0, 0, 0}, {0, -0.0, 0, 1e-300, 0}, {1.0 / 3, 2, 3, 4, Double.MIN_VALUE}};
        return new LinearModel("squared-hinge", List.of(1.5, 2.0, 7.0), weights, new double[3], KNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.json", "m.json.gz", "m"})
    void jsonKeepsEveryBitAndEverythingElse(String name) {
        Path file = folder.resolve(name);
        ModelFile written = new ModelFile(
                threeClasses(), List.of("train", "ä b.txt", "--seed", "1"), List.of(new ModelFile.Edge(0, 1, 2.5)));
        ModelFiles.write(written, file, ModelFormat.JSON);
        ModelFile read = ModelFiles.read(file);
        assertThat(read.model().hash()).isEqualTo(written.model().hash());
        assertThat(read.model().classes()).isEqualTo(written.model().classes());
        assertThat(read.model().loss()).isEqualTo("squared-hinge");
        assertThat(read.model().provenance()).isEqualTo(KNOWN);
        assertThat(read.command()).isEqualTo(written.command());
        assertThat(read.edges()).isEqualTo(written.edges());
    }

    @Test
    void liblinearTextKeepsEveryBit() {
        Path file = folder.resolve("m.model");
        LinearModel model = binary(1.0 / 3, -0.0, 1e-300, Math.PI);
        ModelFiles.write(ModelFile.of(model), file, ModelFormat.ofName(file));
        assertThat(ModelFiles.read(file).model().hash()).isEqualTo(model.hash());
    }

    @Test
    void zerosTakeNoRoom() throws IOException {
        Path file = folder.resolve("sparse.json");
        double[] weights = new double[60_000];
        weights[17] = 0.5;
        ModelFiles.write(ModelFile.of(binary(weights)), file, ModelFormat.JSON);
        assertThat(Files.size(file)).isLessThan(1000);
        assertThat(ModelFiles.read(file).model().weights(0)).isEqualTo(weights);
    }

    @Test
    void aWeightThatWasChangedIsNoticed() throws IOException {
        Path file = folder.resolve("m.json");
        ModelFiles.write(ModelFile.of(binary(0.5, 0.25)), file, ModelFormat.JSON);
        Files.writeString(file, Files.readString(file).replace("0.25", "0.26"));
        assertThatThrownBy(() -> ModelFiles.read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(file + ", line 2: the weights do not match their hash, the file was changed or damaged;"
                        + " make it again");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "format":"starling-model" | "format":"other"     | the member "format" must be "starling-model"
            "formatVersion":1         | "formatVersion":99   | format version 99; this Starling reads version 1
            "features":2              | "features":3         | a vector of 2 weights for 3 features
            "features":2              | "features":"x"       | "features": 'x' must be a whole number
            [0.5,0.25]                | [0.5,"a"]            | 'a' must be a finite number
            "certified":true          | "certified":1        | "certified": '1' must be true or false
            """, quoteCharacter = '~')
    void aMemberThatIsWrongIsNamed(String from, String to, String problem) throws IOException {
        Path file = folder.resolve("m.json");
        ModelFiles.write(ModelFile.of(binary(0.5, 0.25)), file, ModelFormat.JSON);
        Files.writeString(file, Files.readString(file).replace(from, to));
        assertThatThrownBy(() -> ModelFiles.read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageEndingWith(problem)
                .hasMessageStartingWith(file + ", line ");
    }

    @Test
    void everyTruncationIsRefusedInOneLine() throws IOException {
        Path file = folder.resolve("m.json");
        ModelFiles.write(ModelFile.of(threeClasses()), file, ModelFormat.JSON);
        String whole = Files.readString(file);
        Path cut = folder.resolve("cut.json");
        for (int length = 1; length < whole.length() - 2; length += 7) {
            Files.writeString(cut, whole.substring(0, length));
            assertThatThrownBy(() -> ModelFiles.read(cut))
                    .isInstanceOf(InvalidInputException.class)
                    .message()
                    .doesNotContain("\n");
        }
    }
}
