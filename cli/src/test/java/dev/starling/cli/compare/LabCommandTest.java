package dev.starling.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"theorem-2", "corollary-1", "corollary-2"})
    void theMeanErrorStandsBesideItsBound(String guarantee) {
        Cli cli = Cli.ok("lab", "apcg", guarantee, "--runs 100 --steps 60 --csv");
        List<String> lines = cli.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("step,mean error,bound");
        assertThat(lines).hasSize(62);
        for (String line : lines.subList(2, lines.size())) {
            String[] cells = line.split(",");
            assertThat(Double.parseDouble(cells[1])).as(line).isLessThanOrEqualTo(1.001 * Double.parseDouble(cells[2]));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"resource-allocation", "group-lasso", "own-quadratics"})
    void functionsThatAreNoRowsReachTheGap(String family, @TempDir Path folder) throws IOException {
        Path picture = folder.resolve("curve.svg");
        Cli cli = Cli.ok("lab", "general", family, "--nodes 4 --gap 1e-6 --json --svg", picture);
        assertThat(cli.value("title")).isEqualTo("general: " + family + ", n = 4, grid, tau = 5");
        assertThat(Files.readString(picture)).contains("theory's rate");
    }

    @Test
    void aTableForPeopleHasSomeOfThePoints() {
        Cli cli = Cli.run("lab", "apcg", "--runs 3 --steps 200");
        assertThat(cli.out().lines().count()).isLessThan(30);
        assertThat(cli.out()).contains("rho 0.0134");
    }

    @ParameterizedTest
    @CsvSource({
        "apcg lemma-1, is none of the guarantees",
        "apcg --runs 0, --runs 0; there must be at least one",
        "general rows, is no family of functions",
        "general group-lasso --nodes 0, --nodes 0; there must be at least one",
        "general group-lasso --tau -1, --tau -1 must be 0 or more",
        "general group-lasso --gap 2, --gap 2 must be between 0 and 1",
        "general group-lasso --json --csv, --json and --csv both say what to print",
    })
    void badInputGetsOneLine(String command, String message) {
        Cli cli = Cli.ended(2, (Object[]) ("lab " + command).split(" "));
        assertThat(cli.err()).contains(message).hasLineCount(1);
    }
}
