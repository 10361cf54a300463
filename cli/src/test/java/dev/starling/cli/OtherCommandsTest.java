package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtherCommandsTest {

    @TempDir
    private Path folder;

    @Test
    void topologyPrintsTheSpectrumOfARing() {
        Cli result = Cli.run("topology", "ring", "--nodes 8 --json");
        double smallest = 2 - 2 * Math.cos(2 * Math.PI / 8);
        assertThat(result.number("lambdaMin")).isCloseTo(smallest, within(1e-9));
        assertThat(result.number("lambdaMax")).isCloseTo(4, within(1e-9));
        assertThat(result.number("gamma")).isCloseTo(smallest / 4, within(1e-9));
        assertThat(result.value("diameter")).isEqualTo("4");
        assertThat(result.value("edges")).isEqualTo("8");
        assertThat(result.value("maxDegree")).isEqualTo("2");
    }

    @Test
    void topologyPrintsTheSpectrumAsText() {
        assertThat(Cli.run("topology", "grid:2x3").out())
                .startsWith("grid 2x3\nnodes       6\nedges       7\ngamma       0.2")
                .contains("\ndiameter    3\n", "\ndegree      2 to 3\n");
    }

    @Test
    void topologyDrawsAGraphFile() {
        Path graph = Cli.file(folder, "g.txt", "a b", "b c");
        assertThat(Cli.run("topology", "--graph", graph, "--dot").out())
                .startsWith("graph ")
                .contains("\"a\" -- \"b\"", "\"b\" -- \"c\"");
    }

    @Test
    void generateWritesTheNumberOfRowsAskedFor() {
        Cli result = Cli.run("generate", "-", "--rows 7 --features 2");
        assertThat(result.out()).hasLineCount(7);
        assertThat(result.out().lines()).allMatch(line -> line.matches("-?1 1:\\S+ 2:\\S+"));
    }

    @Test
    void demoEndsWithTwoEqualModels() {
        Cli result = Cli.ok("demo", "--dir", folder.resolve("demo"), "--rows 400");
        assertThat(result.out()).contains("The models are the same, bit for bit.", "\"accuracy\":");
        assertThat(folder.resolve("demo/model.json")).exists();
    }

    @Test
    void versionIsOneLine() {
        assertThat(Cli.run("--version").out()).matches("starling \\S+\n");
    }
}
