package dev.starling.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.cli.Signals;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

    @TempDir
    private static Path folder;

    private static Path data;

    @BeforeAll
    static void makeData() {
        data = folder.resolve("data.txt");
        Cli.run("generate", data, "--rows 300 --features 6");
    }

    private static Cli compare(Object... more) {
        Object[] all = new Object[more.length + 8];
        System.arraycopy(
                new Object[] {"compare", data, "--nodes", 4, "--topology", "grid", "--lambda", "1e-2"}, 0, all, 0, 8);
        System.arraycopy(more, 0, all, 8, more.length);
        return Cli.run(all);
    }

    @Test
    void theTableHasALineForEveryAlgorithm() {
        Cli cli = compare("--algorithms adfs,msda,point-saga -q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.out().lines().toList())
                .hasSize(11)
                .satisfies(lines -> assertThat(lines.subList(7, 11))
                        .allMatch(line -> line.startsWith("least "))
                        .anyMatch(line -> line.equals("least bytes to 1e-6: point-saga, which needs none")))
                .satisfies(lines -> assertThat(lines.get(0))
                        .isEqualTo("data.txt on grid 2x2 (4 nodes), logistic, lambda 0.01, tau 5"))
                .satisfies(lines -> assertThat(lines.subList(4, 7).stream()
                                .map(line -> line.split(" ", 2)[0])
                                .toList())
                        .isEqualTo(List.of("adfs", "msda", "point-saga")));
        assertThat(cli.err()).isEmpty();
    }

    @Test
    void winnersAreNamedWithWhatTheNextOneNeeds() {
        Cli cli = compare("--algorithms msda,adfs --json -q");
        List<Double> times = Pattern.compile("\"1e-6\":([0-9.E]+)\\},\"bytesTo\"")
                .matcher(cli.out())
                .results()
                .map(time -> Double.parseDouble(time.group(1)))
                .toList();
        assertThat(cli.out())
                .contains(String.format(
                        Locale.ROOT,
                        "\"winners\":[\"least time to 1e-6: adfs; msda needs %.3g times as much\",",
                        times.get(0) / times.get(1)));
        // Nobody has anyone to write to.
        assertThat(Cli.ok("compare", data, "--nodes 1 --lambda 1e-2 --algorithms adfs,newton -q")
                        .out())
                .contains("least bytes to 1e-6: adfs; newton needs as much\n")
                .doesNotContain("NaN");
    }

    @Test
    void jsonHasNameCurveAndTimesOfEveryAlgorithm() {
        Cli cli = compare("--algorithms adfs,esdacd --json -q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.out())
                .matches("(?s)\\{\"title\":.*\"algorithms\":\\[\\{\"name\":\"adfs\",.*\\{\"name\":\"esdacd\",.*\\}\\n");
        assertThat(cli.out())
                .contains(
                        "\"curve\":[{\"time\":0.0,\"steps\":0.0,\"rounds\":0.0,\"bytes\":0.0,\"latency\":0.0,\"seconds\":0.0,\"suboptimality\":")
                .containsPattern("\"timeTo\":\\{\"1e-2\":[0-9.E]+,\"1e-4\":[0-9.E]+,\"1e-6\":[0-9.E]+\\}")
                .contains("\"complete\":true");
        assertThat(cli.number("gap")).isBetween(0.0, 1e-10);
    }

    @Test
    void aTargetThatIsNotReachedIsNull() {
        Cli cli = compare("--algorithms adfs --time 20 --json -q");
        assertThat(cli.out())
                .contains("\"timeTo\":{\"1e-2\":null,\"1e-4\":null,\"1e-6\":null},"
                        + "\"bytesTo\":{\"1e-2\":null,\"1e-4\":null,\"1e-6\":null},\"end\":\"time\"");
    }

    @Test
    void theBytesOfSparseMessagesAreCounted() {
        Path sparse = folder.resolve("sparse.txt");
        Cli.run("generate", sparse, "--rows 200 --features 400 --density 0.02");
        List<String> lines = Cli.run("compare", sparse, "--nodes 4 --time 2000 --algorithms dsba,dsba-sparse -q")
                .out()
                .lines()
                .toList();
        assertThat(lines.get(3)).contains("bytes sent");
        String[] plain = lines.get(4).split(" +");
        String[] changes = lines.get(5).split(" +");
        assertThat(changes[4]).as("the same suboptimality").isEqualTo(plain[4]);
        assertThat(Double.parseDouble(changes[5])).isBetween(1.0, Double.parseDouble(plain[5]) / 4);
    }

    @Test
    void theTitleNamesAnElasticNet() {
        Cli cli = compare("--algorithms ns-adfs --l1 0.01 --gap 0.1 --json -q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.value("title")).contains("lambda 0.01, l1 0.01, tau 5");
        assertThat(cli.number("l1")).isEqualTo(0.01);
    }

    @Test
    void csvHasARowForEveryPoint() {
        List<String> lines = compare("--algorithms adfs,dsba --seed 1,2 --csv -q")
                .out()
                .lines()
                .toList();
        assertThat(lines.get(0))
                .isEqualTo("algorithm,seed,time,steps,rounds,bytes,latency,seconds,suboptimality,worst");
        assertThat(lines).anyMatch(line -> line.startsWith("adfs,1,")).anyMatch(line -> line.startsWith("dsba,2,"));
        assertThat(lines).allMatch(line -> line.split(",", -1).length == 10);
    }

    @Test
    void parquetHasTheRowsOfTheCsvAndIsReadBackToTheBit() {
        Path file = folder.resolve("curves.parquet");
        List<String> lines = compare("--algorithms adfs,dsba --seed 1,2 --csv -q --parquet", file)
                .out()
                .lines()
                .toList();
        Table table = TableReader.standard().read(file);
        assertThat(table.names()).containsExactly(lines.get(0).split(","));
        assertThat(table.rows()).isEqualTo(lines.size() - 1).isGreaterThan(40);
        Table.Cursor row = table.cursor();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            assertThat(row.next()).isTrue();
            assertThat(row.text(0)).isEqualTo(cells[0]);
            for (int column = 1; column < cells.length; column++) {
                assertThat(row.number(column))
                        .as(table.names().get(column))
                        .isEqualTo(Double.parseDouble(cells[column]));
            }
        }
        assertThat(row.next()).isFalse();
    }

    @Test
    void severalSeedsAreDrawnAsABand() {
        Cli cli = compare("--algorithms adfs --seed 1,2,3 --json -q");
        assertThat(cli.out()).contains("\"seeds\":[1,2,3]").containsPattern("\"low\":[0-9.E-]+,\"high\":[0-9.E-]+");
    }

    @Test
    void thePictureHasACurveForEveryAlgorithm() throws IOException {
        Path picture = folder.resolve("curves.svg");
        Cli cli = compare("--algorithms adfs,msda --svg", picture);
        assertThat(cli.err()).endsWith("picture written to " + picture + "\n");
        String svg = Files.readString(picture);
        assertThat(svg)
                .startsWith("<svg ")
                .contains(">adfs</text>", ">msda</text>", ">adfs, predicted</text>", ">Theorem 1, no constant</text>");
        assertThat(svg.split("<polyline", -1)).hasSize(5);
    }

    @Test
    void aMethodThatDivergesLeavesThePictureToTheOthers() throws IOException {
        Path picture = folder.resolve("diverging.svg");
        Cli cli = compare("--algorithms adfs,msda@8 -q --gap 1e-4 --svg", picture);
        assertThat(cli.out()).containsPattern("msda@8 +- +- +- +[0-9.]+e\\+[0-9]+|msda@8 +- +- +- +Infinity");
        List<Double> marks = Pattern.compile(">(1e[0-9-]+|[0-9.]+)</text>")
                .matcher(Files.readString(picture))
                .results()
                .map(mark -> Double.parseDouble(mark.group(1)))
                .toList();
        assertThat(marks).anyMatch(mark -> mark == 1).noneMatch(mark -> mark > 1e10);
    }

    private static void refused(String line, Object... options) {
        Cli cli = compare(options);
        assertThat(cli.err()).isEqualTo("starling: " + line + "\n");
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.out()).isEmpty();
    }

    @Test
    void slowNodesAndEdgesTakeLonger() {
        Object[] options = {"--algorithms", "adfs", "--gap", "1e-2", "--json", "-q"};
        double usual = compare(options).number("1e-2");
        Cli slow = compare(Stream.concat(
                        Arrays.stream(options),
                        Stream.of("--slow", "1=20", "--edge-delay", "0-1=50,1-3=50", "--even-tuning"))
                .toArray());

        assertThat(slow.number("1")).isEqualTo(20);
        assertThat(slow.number("0-1")).isEqualTo(50);
        assertThat(slow.value("evenTuning")).isEqualTo("true");
        assertThat(slow.number("1e-2")).isGreaterThan(5 * usual);
    }

    @Test
    void malformedSlowNodesAndEdgesAreRefused() {
        refused("--slow '3:10' must be NODE=T, such as 3=10", "--slow 3:10");
        refused("--slow '3=x': x must be a number, such as 10", "--slow 3=x");
        refused("--edge-delay '2=20' must be A-B=T, such as 2-5=20", "--edge-delay 2=20");
        refused("cost -1.0 of a step at node 2 must be positive", "--slow 2=-1");
        refused("node 77 cannot be slow: grid 2x2 has nodes 0 to 3", "--slow 77=2");
        refused("edge 0-3 has no delay: grid 2x2 has no such edge", "--edge-delay 3-0=2");
    }

    @Test
    void badInputIsReportedInOneLine() {
        refused(
                "unknown algorithm 'adsf'; did you mean 'adfs'? there are: "
                        + String.join(", ", ComparedMethods.names()),
                "--algorithms adsf");
        refused(
                "msda cannot take the loss hinge, which is not smooth; use the algorithm ns-adfs, or a smooth loss:"
                        + " logistic, squared, squared-hinge, smoothed-hinge, huber or squared-epsilon-insensitive",
                "--loss hinge --algorithms msda");
        refused(
                "algorithm 'extra@-2': the factor of the step size, '-2', must be a positive number, as in extra@2",
                "--algorithms adfs,extra@-2");
        refused("--tau -1 must be 0 or more, and finite", "--tau -1");
        refused("--l1 -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4", "--l1 -1");
        refused("dsba cannot take an l1 term, which has kinks; ns-adfs can", "--l1 0.1 --algorithms dsba");
        refused("--watch 0; at least 1 node must be watched", "--watch 0");
        refused("--gap 2 must be between 0 and 1, for example 1e-6", "--gap 2");
        refused("--time -5 must be positive and finite, for example 5e5", "--time -5");
        refused("--seed '1,x' must be different whole numbers, separated by commas, such as 1,2,3", "--seed 1,x");
        refused("--seed '2,2' must be different whole numbers, separated by commas, such as 1,2,3", "--seed 2,2");
        refused("--json and --csv both say what to print; give one of them", "--json --csv");
        refused("algorithm 'adfs' is listed twice; list each once", "--algorithms adfs,adfs");
    }

    @Test
    void tooFewRowsAreRefusedAndNothingIsWritten() {
        Path report = folder.resolve("never.html");
        Cli cli = Cli.run("compare", data, "--nodes 1024 --topology grid --report", report);
        assertThat(cli.err())
                .isEqualTo("starling: " + data
                        + ": 1024 nodes for 300 samples; every node needs at least one, so use at most 300 nodes\n");
        assertThat(cli.code()).isEqualTo(2);
        assertThat(report).doesNotExist();
    }

    @Test
    void aGridHasALineForEveryCombinationAndAStarForTheFastest() {
        Cli cli = Cli.ok(
                "compare",
                data,
                "--nodes 4 --algorithms adfs,msda --gap 1e-3 --grid lambda=1e-1,1e-2 --grid topology=ring,complete",
                "--grid tau=1,20");
        List<String> lines = cli.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("data.txt, logistic");
        assertThat(lines.get(1)).isEqualTo("idealised time until the relative suboptimality is 0.001; * the fastest");
        assertThat(lines.get(3).strip().split(" +"))
                .containsExactly("lambda", "network", "nodes", "tau", "deal", "adfs", "msda");
        assertThat(lines.subList(4, 12)).hasSize(8).allMatch(line -> line.indexOf('*') > 0);
        assertThat(lines.get(4)).startsWith("0.1         ring of 4").contains("  4    1  ");
        assertThat(lines.get(11)).startsWith("0.01    complete of 4").contains("  4   20  ");
        assertThat(cli.err().lines().toList())
                .hasSize(8)
                .last()
                .asString()
                .isEqualTo("8 of 8: data.txt on complete of 4 (4 nodes), logistic, lambda 0.01, tau 20");
    }

    @Test
    void aCombinationOfAGridGivesTheSameAsAlone() {
        String alone = Cli.run(
                        "compare",
                        data,
                        "--nodes 4 --topology ring --lambda 1e-2 --algorithms msda --tau 3 --gap 1e-4 --json -q")
                .value("1e-4");
        List<String> lines = Cli.run(
                        "compare",
                        data,
                        "--nodes 4 --algorithms msda --gap 1e-4 --grid lambda=1e-1,1e-2 --grid topology=ring",
                        "--grid tau=3 --csv -q")
                .out()
                .lines()
                .toList();
        assertThat(lines).hasSize(3).first().isEqualTo("lambda,network,nodes,tau,deal,algorithm,time");
        assertThat(lines.get(2)).isEqualTo("0.01,ring of 4,4,3,turns,msda," + alone.replace(".0", ""));
    }

    @Test
    void malformedGridsAreRefused() {
        refused("--grid 'lambda' must be a name and values, such as lambda=1e-3,1e-5", "--grid lambda");
        refused(
                "--grid tau: 'x' is not a number; values have commas between them, and every axis is a --grid of its"
                        + " own, as in --grid lambda=1e-3,1e-5 --grid tau=1,100",
                "--grid tau=1,x");
        refused("--grid lambda=0.0 must be positive and finite, for example 1e-4", "--grid lambda=0");
        refused(
                "unknown axis of a grid 'taus'; did you mean 'tau'? there are: lambda, topology, nodes, tau, deal",
                "--grid taus=1");
        assertThat(compare("--grid tau=1 --svg", folder.resolve("x.svg")).err())
                .contains("is one picture, and --grid has many comparisons; use --report or --json");
    }

    @Test
    void constantsOfTooManyNodesAreRefusedBeforeRowsAreRead() {
        assertThat(Cli.run("compare", data, "--nodes 10001 --topology ring --algorithms nids --explain")
                        .err())
                .isEqualTo("starling: --explain plans a training, in which every node learns of the rows of all others;"
                        + " that is for at most 10000 nodes, and there are 10001: leave it out\n");
    }

    @Test
    void methodsStopAtAGradient() {
        Cli cli = compare("--algorithms adfs,newton --gradient 1e-5 --json -q");
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.out()).containsPattern("\"toGradient\":\\{\"norm\":1.0E-5,\"time\":[0-9.E]+,");
        assertThat(cli.out().split("\"end\":\"reached\"", -1)).hasSize(3);
        Cli table = compare("--algorithms adfs,newton --gradient 1e-5 -q");
        assertThat(table.out().lines().toList().get(1)).endsWith("until the gradient's norm is 1e-5");
        assertThat(table.out().lines().toList().get(3).strip().split(" +"))
                .containsExactly("algorithm", "time", "steps", "rounds", "gradient", "bytes", "sent");
        assertThat(compare("--gradient 1e-5 --gap 1e-3").err())
                .isEqualTo("starling: --gap 0.001 and --gradient 1e-5 both say where to stop; give one of them\n");
        assertThat(compare("--gradient 1e-5 --loss hinge --algorithms ns-adfs").err())
                .endsWith(
                        "a gradient to stop at, but the objective has kinks, where it has none; stop at a gap instead\n");
    }

    private static double timeTo(String target, Object... more) {
        Object[] all = Arrays.copyOf(more, more.length + 4);
        System.arraycopy(new Object[] {"--algorithms", "msda", "--json", "-q"}, 0, all, more.length, 4);
        Cli cli = compare(all);
        assertThat(cli.code()).as(cli.err()).isZero();
        return cli.number(target);
    }

    @Test
    void failuresTakeTimeAndAreReproducible() {
        double usual = timeTo("1e-4");
        for (String[] wrong : new String[][] {
            {"--jitter", "2"},
            {"--message-loss", "0.3"},
            {"--outages", "0.5:50"},
            {"--outages", "turns:30"},
            {"--stragglers", "0.2:10:100"}
        }) {
            double disturbed = timeTo("1e-4", (Object[]) wrong);
            assertThat(disturbed).as(wrong[0]).isGreaterThan(usual).isEqualTo(timeTo("1e-4", (Object[]) wrong));
        }
    }

    @Test
    void theTitleNamesTheFailures() {
        Cli cli = compare(
                "--algorithms adfs-theory -q --jitter 1 --message-loss 0.1 --outages 0.1:50 --stragglers 0.1:5:20",
                "--varying random:0.5 --gap 1e-2");
        assertThat(cli.out())
                .startsWith("data.txt on grid 2x2 (4 nodes), logistic, lambda 0.01, tau 5, jitter 1, message loss 0.1,"
                        + " outages 0.1:50, stragglers 0.1:5:20, varying random:0.5\n");
    }

    @Test
    void aMethodThatNeedsAllEdgesRefusesFailingOnes() {
        Cli cli = compare("--algorithms adfs-theory,msda --varying matchings");
        assertThat(cli.err())
                .isEqualTo(
                        "starling: msda cannot take edges that change from round to round: it needs all of them in every"
                                + " round; adfs-theory, adom-plus, adom-vr can\n");
        assertThat(cli.code()).isEqualTo(2);
    }

    @Test
    void malformedFailuresAreRefused() {
        refused(
                "--outages '0.1' must be numbers with colons between them, such as 0.1:100 or turns:50",
                "--outages 0.1");
        refused(
                "--stragglers 'a:b:c' must be numbers with colons between them, such as 0.1:10:100",
                "--stragglers a:b:c");
        refused(
                "messages lost with probability 2.0; it must be between 0 and 0.99, for example 0.05",
                "--message-loss 2");
        refused(
                "unknown rule 'matching'; did you mean 'matchings'? there are: random:0.5, matchings, pairs",
                "--varying matching");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void interruptingPrintsTheCurvesSoFar() throws IOException, InterruptedException {
        Signals.assumeInterruptsArrive();
        Path out = folder.resolve("out.json");
        Path report = folder.resolve("so-far.html");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.starling.cli.Main",
                        "compare",
                        data.toString(),
                        "--nodes",
                        "4",
                        "--algorithms",
                        "dsba,gt-saga",
                        "--time",
                        "1e13",
                        "--points",
                        "2000",
                        "--report",
                        report.toString(),
                        "--json")
                .redirectOutput(out.toFile())
                .start();
        String rest;
        try (var err = process.errorReader(StandardCharsets.UTF_8)) {
            assertThat(err.readLine()).endsWith("2 curves to come");
            Thread.sleep(500);
            assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            rest = err.lines().reduce("", (a, b) -> a + b + "\n");
        } finally {
            process.destroyForcibly();
        }
        assertThat(rest)
                .isEqualTo("page written to " + report + "\nstarling: interrupted: these are the curves so far\n");
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(out)).contains("\"complete\":false", "\"end\":\"stopped\"");
        assertThat(report).exists();
    }
}
