package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {

    @TempDir
    private Path folder;

    @Test
    void aFigureInSmallHasTheMethodsOfThePaper() {
        Path rows = folder.resolve("rows.txt");
        Cli.run("generate", rows, "--rows", 400, "--features", 5);
        Cli cli = Cli.run("reproduce", "figure-a", "--higgs", rows, "--samples-per-node", 100, "--json", "-q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.value("title")).isEqualTo("figure-a: Higgs, n = 4, m = 100, sigma = 0.01, tau = 5");
        assertThat(cli.number("rows")).isEqualTo(400);
        for (String method : new String[] {"adfs", "adfs-local", "msda", "dsba", "point-saga"}) {
            assertThat(cli.out()).contains("{\"name\":\"" + method + "\"");
        }
    }

    @Test
    void withoutAFileRowsStandIn() {
        Cli cli = Cli.run(
                "reproduce",
                "figure-c",
                "--nodes",
                4,
                "--samples-per-node",
                50,
                "--algorithms",
                "adfs",
                "--json",
                "-q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.value("data")).isEqualTo("generated rows that stand in for covtype");
        assertThat(cli.number("features")).isEqualTo(54);
    }

    private static void refused(String line, Object... options) {
        Cli cli = Cli.run(options);
        assertThat(cli.err()).isEqualTo("starling: " + line + "\n");
        assertThat(cli.code()).isEqualTo(2);
    }

    @Test
    void badInputGetsOneLine() {
        Path rows = folder.resolve("few.txt");
        Cli.run("generate", rows, "--rows", 30, "--features", 3);
        refused(
                rows + ": 30 rows, but every node draws 10000 of them; use a larger file or a smaller"
                        + " --samples-per-node",
                "reproduce",
                "figure-b",
                "--higgs",
                rows);
        refused(
                "unknown figure 'figure-d'; did you mean 'figure-a'? there are: figure-a, figure-b, figure-c",
                "reproduce",
                "figure-d");
        refused(
                "figure-c is made from covtype; give --covtype FILE instead of --higgs " + rows,
                "reproduce",
                "figure-c",
                "--higgs",
                rows);
    }
}
