package dev.starling.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {

    @TempDir
    private Path folder;

    @Test
    void aSmallFigureHasTheMethodsOfThePaper() {
        Path rows = folder.resolve("rows.txt");
        Cli.run("generate", rows, "--rows 400 --features 5");
        Cli cli = Cli.ok("reproduce", "figure-a", "--higgs", rows, "--rows-per-node 100 --json -q");
        assertThat(cli.value("title")).isEqualTo("figure-a: Higgs, n = 4, m = 100, sigma = 0.01, tau = 5");
        assertThat(cli.number("rows")).isEqualTo(400);
        for (String method : new String[] {"adfs-theory", "adfs-local", "msda", "dsba", "point-saga"}) {
            assertThat(cli.out()).contains("{\"name\":\"" + method + "\"");
        }
    }

    @Test
    void generatedRowsReplaceAMissingFile() {
        Cli cli = Cli.ok("reproduce", "figure-c", "--nodes 4 --rows-per-node 50 --algorithms adfs --json -q");
        assertThat(cli.value("data")).isEqualTo("generated rows that stand in for covtype");
        assertThat(cli.number("features")).isEqualTo(54);
    }

    @Test
    void timeAgainstTheNumberOfNodesIsMeasuredAndPredicted() throws IOException {
        Path rows = folder.resolve("rows.txt");
        Path picture = folder.resolve("time.svg");
        Cli.run("generate", rows, "--rows 300 --features 5");
        Cli cli = Cli.ok(
                "reproduce",
                "time-against-n",
                "--covtype",
                rows,
                "--rows-per-node 60 --nodes-list 1,16,4 --gap 1e-3 --svg",
                picture,
                "--json");
        assertThat(cli.err().lines().map(line -> line.split(":", 2)[0]).toList())
                .isEqualTo(List.of("n = 1", "n = 4", "n = 16", "picture written to " + picture));
        assertThat(cli.number("gap")).isEqualTo(1e-3);
        assertThat(cli.number("criticalNodes")).isPositive();
        assertThat(cli.out()).contains("\"criticalNodesOfTheRuns\":{\"adfs-theory\":");
        List<double[]> times = Pattern.compile("\"predictedTime\":([0-9.E]+),\"time\":\\{\"adfs-theory\":([0-9.E]+)\\}")
                .matcher(cli.out())
                .results()
                .map(found -> new double[] {Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2))})
                .toList();
        // The theorem bounds the expected error; one run may be a little slower than that.
        assertThat(times)
                .hasSize(3)
                .allSatisfy(size -> assertThat(size[1]).isPositive().isLessThan(1.5 * size[0]));
        // A grid of 16 is worse connected than one of 4, so theory has it take longer.
        assertThat(times.get(2)[0]).isGreaterThan(times.get(1)[0]);
        assertThat(Files.readString(picture)).contains("adfs, predicted", "nodes n");
    }

    @Test
    void sizesArePrintedAsATableAndAsCsv() {
        Path rows = folder.resolve("rows.txt");
        Cli.run("generate", rows, "--rows 300 --features 5");
        Object[] options = {
            "reproduce",
            "time-against-n",
            "--higgs",
            rows,
            "--rows-per-node",
            40,
            "--nodes-list",
            "4,9",
            "-q",
            "--algorithms",
            "adfs,adfs-local",
            "--gap",
            "1e-2",
            "--time",
            100_000
        };
        Cli table = Cli.ok(options);
        assertThat(table.err()).isEmpty();
        assertThat(table.out().lines().toList().get(3).strip().split(" +"))
                .containsExactly("nodes", "gamma", "predicted", "adfs", "adfs-local");
        assertThat(table.out()).contains("critical n ");
        Object[] withCommas = Arrays.copyOf(options, options.length + 1);
        withCommas[options.length] = "--csv";
        List<String> lines = Cli.run(withCommas).out().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(0)).isEqualTo("nodes,gamma,predicted,adfs,adfs-local");
        assertThat(lines.get(2)).matches("9,([0-9.E+-]+,){3}[0-9.E+-]+");
    }

    @Test
    void noMethodBeatsTheLowerBoundOnTheWorstCase() throws IOException {
        Path picture = folder.resolve("worst-case.svg");
        Cli cli = Cli.ok("reproduce", "worst-case", "--gap 1e-2 --seed 1,2,3 --svg", picture, "--json");
        assertThat(cli.err().lines().toList()).hasSize(8);
        assertThat(cli.err()).startsWith("n = 3, m = 1, kappa = 100, tau = 0: adfs-theory ");
        List<double[]> cases = Pattern.compile("\"time\":\\{\"adfs-theory\":([0-9.E]+)\\},\"least\":([0-9.E]+),"
                        + "\"expression\":([0-9.E]+),\"belowTheBound\":\\[\\]")
                .matcher(cli.out())
                .results()
                .map(found -> IntStream.rangeClosed(1, 3)
                        .mapToDouble(k -> Double.parseDouble(found.group(k)))
                        .toArray())
                .toList();
        assertThat(cases).hasSize(7).allSatisfy(one -> assertThat(one[0]).isBetween(one[1], 2 * one[2]));
        assertThat(Files.readString(picture)).contains("adfs", "least for any method");
    }

    @Test
    void aMethodOutsideTheTheoremIsNamed() {
        Cli cli = Cli.ok("reproduce", "worst-case", "--gap 1e-1 --algorithms adfs-theory,point-saga -q");
        assertThat(cli.out())
                .contains("point-saga was below the bound")
                .doesNotContain("adfs-theory was below")
                .contains("other methods take only linear models");
    }

    @Test
    void theAuthorsRowsAreTwoGaussianClasses() {
        Cli cli = Cli.ok("reproduce", "two-gaussians", "--nodes 4 --rows-per-node 40 --algorithms adfs,msda --json -q");
        assertThat(cli.value("title"))
                .isEqualTo("two-gaussians: two Gaussian classes, n = 4, m = 40, sigma = 0.1, tau = 5");
        assertThat(cli.number("rows")).isEqualTo(160);
        assertThat(cli.number("features")).isEqualTo(30);
        assertThat(cli.number("lambda")).isEqualTo(0.1 / 40);
    }

    private static void refused(String line, Object... options) {
        Cli cli = Cli.run(options);
        assertThat(cli.err()).isEqualTo("starling: " + line + "\n");
        assertThat(cli.code()).isEqualTo(2);
    }

    @Test
    void badInputIsReportedInOneLine() {
        Path rows = folder.resolve("few.txt");
        Cli.run("generate", rows, "--rows 30 --features 3");
        refused(
                rows + ": 30 rows, but every node draws 10000 of them; use a larger file or a smaller"
                        + " --rows-per-node",
                "reproduce",
                "figure-b",
                "--higgs",
                rows);
        refused(
                "unknown figure 'figure-d'; did you mean 'figure-a'? there are: figure-a, figure-b, figure-c,"
                        + " two-gaussians, time-against-n, worst-case",
                "reproduce",
                "figure-d");
        refused(
                "figure-c is made from covtype; give --covtype FILE instead of --higgs " + rows,
                "reproduce",
                "figure-c",
                "--higgs",
                rows);
        refused(
                "--higgs " + rows + " does not apply to worst-case: it reads no rows",
                "reproduce",
                "worst-case",
                "--higgs",
                rows);
        refused(
                "--nodes 4 does not apply to worst-case: its lines of nodes are given",
                "reproduce",
                "worst-case",
                "--nodes 4");
        refused(
                "--covtype " + rows + " does not apply to two-gaussians: it reads no rows",
                "reproduce",
                "two-gaussians",
                "--covtype",
                rows);
        String sweep = "time-against-n";
        refused(
                "--nodes-list '4,x' must be numbers of nodes with commas, such as 1,4,16,64",
                "reproduce",
                sweep,
                "--nodes-list 4,x");
        refused(
                "--nodes-list '0,4' must be numbers of nodes with commas, such as 1,4,16,64",
                "reproduce",
                sweep,
                "--nodes-list 0,4");
        refused(
                "--nodes 4; time-against-n is about several sizes: give --nodes-list, such as 1,4,16,64",
                "reproduce",
                sweep,
                "--nodes 4");
        refused(
                "--nodes-list 1,4 is for time-against-n; give --nodes for another size of figure-a",
                "reproduce",
                "figure-a",
                "--nodes-list 1,4");
        refused(
                "--higgs " + rows + " and --covtype " + rows + " both say where the rows are; give one of them",
                "reproduce",
                sweep,
                "--higgs",
                rows,
                "--covtype",
                rows);
    }

    /** Section 4.3: local solutions are the answer, so that a method that starts from them needs one round. */
    @Test
    void nodesWithTheSameRowsNeedNotSpeakToEachOther() {
        Path rows = folder.resolve("rows.txt");
        Cli.run("generate", rows, "--rows 300 --features 5");
        double[] times = new double[2];
        for (int same = 0; same < 2; same++) {
            Cli cli = Cli.ok(
                    "reproduce",
                    "time-against-n",
                    "--covtype",
                    rows,
                    "--rows-per-node 60 --nodes-list 4 --gap 1e-6 --algorithms msda --time 1e6 --json -q"
                            + (same == 1 ? " --replicated" : ""));
            assertThat(cli.value("title").contains("the same at every node")).isEqualTo(same == 1);
            times[same] = Double.parseDouble(cli.out().replaceAll("(?s).*\"msda\":([0-9.E]+).*", "$1"));
        }
        assertThat(times[0]).isGreaterThan(10 * times[1]);
        Cli elsewhere = Cli.ended(2, "reproduce", "worst-case", "--replicated");
        assertThat(elsewhere.err()).contains("--replicated is for time-against-n");
    }
}
