package dev.starling.model;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.certificate.Certificate;
import dev.starling.network.EdgeListReader;
import dev.starling.network.GraphRecipe;
import dev.starling.network.Network;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelFilesTest {

    private static final Provenance KNOWN = new Provenance(
                    "1.2.3",
                    settings("loss", "own(0.5)", "lambda", "1.0E-4", "class-weights", "", "a", "ä \"b\""),
                    "newton",
                    new GraphRecipe("ring of 4", 4, "ring", -5, List.of(), List.of()),
                    22.7,
                    new Certificate(0.32, 0.3199, 17, 4.5),
                    true,
                    "ab".repeat(32))
            .with("holdout", new EvaluationRecord(12, 10.5, "", measures()).of(77));

    private static Map<String, Double> measures() {
        Map<String, Double> measures = new LinkedHashMap<>();
        measures.put("rmse", 0.1 + 0.2);
        measures.put("r2", Double.NaN);
        return measures;
    }

    @TempDir
    private Path folder;

    private static LinearModel model(String loss, Provenance provenance, double... weights) {
        return new LinearModel(
                loss, List.of(-1.0, 1.0), new double[][] {weights}, new double[] {0.1 + 0.2}, provenance);
    }

    private static LinearModel binary(double... weights) {
        return model("logistic", KNOWN, weights);
    }

    private static LinearModel threeClasses() {
        double[][] weights = {{1, 0, 0, 0, 0}, {0, -0.0, 0, 1e-300, 0}, {1.0 / 3, 2, 3, 4, Double.MIN_VALUE}};
        List<String> names = List.of("age", "größe", "");
        return new LinearModel("squared-hinge", List.of(1.5, 2.0, 7.0), names, weights, new double[3], KNOWN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.json", "m.json.gz", "m"})
    void jsonKeepsEveryBitAndEverythingElse(String name) {
        Path file = folder.resolve(name);
        LinearModel written = threeClasses();
        written.save(file);
        LinearModel read = LinearModel.load(file);
        assertThat(read.hash()).isEqualTo(written.hash());
        assertThat(read.classes()).isEqualTo(written.classes());
        assertThat(read.names()).containsExactly("age", "größe", "");
        assertThat(read.loss()).isEqualTo("squared-hinge");
        assertThat(read.provenance()).isEqualTo(KNOWN);
        assertThat(read.provenance().settings().keySet()).containsExactly("loss", "lambda", "class-weights", "a");
        assertThat(read.provenance().evaluations().get("holdout").measures().keySet())
                .containsExactly("rmse", "r2");
        assertThat(written.hash())
                .as("how well it predicts is not what it is")
                .isEqualTo(written.with("test", new EvaluationRecord(1, 1, "", Map.of()))
                        .hash());
    }

    @Test
    void aCustomGraphIsKeptWithNamesAndWeights() throws IOException {
        Network network = EdgeListReader.read(new StringReader("paris lyon\nlyon nice 2.5"), "graph.txt");
        Path file = folder.resolve("m.json");
        Provenance provenance = new Provenance("1", Map.of(), "adfs", network.recipe(), 1, Certificate.NONE, false, "");
        model("logistic", provenance, 1, 2).save(file);
        assertThat(LinearModel.load(file).provenance()).isEqualTo(provenance);
        String text = Files.readString(file);
        for (String node : List.of("0.5", "-1", "3", "1e308")) {
            Files.writeString(file, text.replaceFirst("(\"edges\":\\s*\\[\\s*\\[)\\d+", "$1" + node));
            assertThatRefused(() -> LinearModel.load(file)).hasMessageContaining("with nodes from 0 to 2");
        }
    }

    @Test
    void aModelOfUnknownOriginIsKept() {
        Path file = folder.resolve("m.json");
        model("logistic", Provenance.UNKNOWN, 1, 2).save(file);
        assertThat(LinearModel.load(file).provenance()).isEqualTo(Provenance.UNKNOWN);
    }

    @Test
    void aCustomLossKeepsItsName() {
        Path file = folder.resolve("m.json");
        model("my-loss(3)", KNOWN, 1, 2).save(file);
        LinearModel read = LinearModel.load(file);
        assertThat(read.loss()).isEqualTo("my-loss(3)");
        assertThat(read.predict(new double[] {1, 1})).isEqualTo(1.0);
    }

    @Test
    void liblinearTextKeepsEveryBit() {
        Path file = folder.resolve("m.model");
        LinearModel model = binary(1.0 / 3, -0.0, 1e-300, Math.PI);
        model.save(file);
        assertThat(LinearModel.load(file).hash()).isEqualTo(model.hash());
    }

    @Test
    void aFormatMayBeChosenForAnyFileName() throws IOException {
        Path file = folder.resolve("m.json");
        binary(1, 2).save(file, ModelFormat.named("liblinear"));
        assertThat(Files.readString(file)).startsWith("solver_type");
        assertThat(LinearModel.load(file).weights(0)).containsExactly(1, 2);
        assertThatThrownBy(() -> ModelFormat.named("jsn"))
                .hasMessage("unknown model format 'jsn'; did you mean 'json'? there are: json, liblinear");
    }

    @Test
    void zerosAreNotWritten() throws IOException {
        Path file = folder.resolve("sparse.json");
        double[] weights = new double[60_000];
        weights[17] = 0.5;
        binary(weights).save(file);
        assertThat(Files.size(file)).isLessThan(1000);
        assertThat(LinearModel.load(file).weights(0)).isEqualTo(weights);
    }

    @ParameterizedTest
    @CsvSource({"0.25,0.26", "logistic,logistik", "1.0],-1.0]", "age,aged"})
    void everyChangeIsDetected(String from, String to) throws IOException {
        Path file = folder.resolve("m.json");
        new LinearModel(
                        "logistic",
                        List.of(-1.0, 1.0),
                        List.of("age"),
                        new double[][] {{0.5, 0.25}},
                        new double[1],
                        KNOWN)
                .save(file);
        Files.writeString(file, Files.readString(file).replace(from, to));
        assertThatRefused(() -> LinearModel.load(file))
                .hasMessage(file + ", line 2: the model does not match its hash, the file was changed or damaged;"
                        + " make it again");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m.json", "m.model"})
    void aByteOrderMarkIsSkipped(String name) throws IOException {
        Path file = folder.resolve(name);
        LinearModel model = binary(0.5, 0.25);
        model.save(file);
        Files.writeString(file, "\uFEFF" + Files.readString(file));
        assertThat(LinearModel.load(file).hash()).isEqualTo(model.hash());
    }

    @Test
    void aModelInUtf16IsRefusedAsSuch() throws IOException {
        Path file = folder.resolve("m.json");
        binary(0.5, 0.25).save(file);
        Path converted = Files.writeString(folder.resolve("u.json"), Files.readString(file), StandardCharsets.UTF_16);
        assertThatRefused(() -> LinearModel.load(converted))
                .hasMessage(converted + " is UTF-16 text; convert it to UTF-8");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aModelMayComeThroughAPipe() throws IOException, InterruptedException {
        Path file = folder.resolve("m.json");
        binary(0.5, 0.25).save(file);
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process writer =
                new ProcessBuilder("sh", "-c", "cat \"$0\" > \"$1\"", file.toString(), pipe.toString()).start();
        try {
            assertThat(LinearModel.load(pipe).hash())
                    .isEqualTo(binary(0.5, 0.25).hash());
        } finally {
            writer.destroy();
        }
    }

    private static Map<String, String> settings(String... pairs) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put(pairs[i], pairs[i + 1]);
        }
        return settings;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "format":"starling-model" | "format":"other"     | the member "format" must be "starling-model"
            "formatVersion":2         | "formatVersion":99   | format version 99; this Starling reads versions 2 and 3
            "features":2              | "features":3         | a vector of 2 weights for 3 features
            "features":2              | "features":"x"       | "features": 'x' must be a whole number
            [0.5,0.25]                | [0.5,"a"]            | 'a' must be a finite number
            "topology":"ring"         | "topology":7         | "topology": '7' must be a string
            "certified":true          | "certified":1        | "certified": '1' must be true or false
            "tau":22.7                | "tau":-1             | "tau": '-1.0' must be 0 or more
            """, quoteCharacter = '~')
    void aWrongMemberIsNamed(String from, String to, String problem) throws IOException {
        Path file = folder.resolve("m.json");
        binary(0.5, 0.25).save(file);
        Files.writeString(file, Files.readString(file).replace(from, to));
        assertThatRefused(() -> LinearModel.load(file))
                .hasMessageEndingWith(problem)
                .hasMessageStartingWith(file + ", line ");
    }

    @Test
    void everyTruncationIsRefusedInOneLine() throws IOException {
        Path file = folder.resolve("m.json");
        threeClasses().save(file);
        String whole = Files.readString(file);
        Path cut = folder.resolve("cut.json");
        for (int length = 1; length < whole.length() - 2; length += 7) {
            Files.writeString(cut, whole.substring(0, length));
            assertThatRefused(() -> LinearModel.load(cut))
                    .hasMessage(cut + " ends in the middle of the model; it is truncated, copy or make it again");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"a":1}          | , line 1: the member "format" must be "starling-model"
            {a:1}            | , line 1: this is not JSON; copy or make the file again
            {"format":0123}  | , line 1: this is not JSON; copy or make the file again
            {"format":"starling-model"} {} | , line 1: there is more after the model; one file has one
            [1,2]            | ' is not a model; give a model file of Starling or LIBLINEAR'
            +1 3:0.5         | ' is not a model; give a model file of Starling or LIBLINEAR'
            ''               | ' is empty; give a model file of Starling or LIBLINEAR'
            """)
    void aForeignFileIsRefusedInOneLine(String content, String problem) throws IOException {
        Path file = Files.writeString(folder.resolve("m.json"), content);
        assertThatRefused(() -> LinearModel.load(file)).hasMessage(file + problem);
    }

    @Test
    void aTruncatedCompressedFileIsRefused() throws IOException {
        Path file = folder.resolve("m.json.gz");
        threeClasses().save(file);
        byte[] whole = Files.readAllBytes(file);
        int end = whole.length - 9;
        for (int length = 20; length < whole.length; length = length < end ? Math.min(length + 50, end) : length + 1) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatRefused(() -> LinearModel.load(file)).hasMessageContaining("truncated");
        }
    }

    @Test
    void aFailureWhileWritingNamesTheFile() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no /dev/full to write to");
        assertThatRefused(() -> binary(1, 2).save(full)).hasMessageStartingWith("/dev/full cannot be written: ");
    }
}
