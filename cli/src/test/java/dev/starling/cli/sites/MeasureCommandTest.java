package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class MeasureCommandTest {

    private static final List<String> SITES = List.of("a", "b", "c");

    @TempDir
    private Path folder;

    /** Three sites on a line, none of which has registered a cohort, and whose rules allow no run with estimates. */
    @BeforeEach
    void setUp() throws IOException {
        Path data = folder.resolve("data.libsvm");
        Cli.ok("generate", data, "--rows 90 --features 5 --seed 2");
        Cli.ok("keys", "init", "--dir", folder.resolve("keys"));
        Cli.ok("keys", "site", "a", "b", "c", "--dir", folder.resolve("keys"));
        Cli.ok("split", data, "--names a,b,c --dir", folder);
        Cli.ok(
                "network",
                "new",
                "--sites a,b,c --topology line --lambda 1e-2 --port",
                FreePorts.first(3),
                "--dir",
                folder);
        for (String site : SITES) {
            change(site, "wait: 10m", "wait: 30s");
        }
    }

    private Path file(String site) {
        return folder.resolve(site + ".yaml");
    }

    private void change(String site, String from, String to) throws IOException {
        String whole = Files.readString(file(site));
        assertThat(whole).contains(from);
        Files.writeString(file(site), whole.replace(from, to));
    }

    private List<Cli> measure(List<String> options) throws Exception {
        List<CompletableFuture<Cli>> running = new ArrayList<>();
        for (int k = 0; k < SITES.size(); k++) {
            Path site = file(SITES.get(k));
            String option = options.get(k);
            running.add(CompletableFuture.supplyAsync(() -> Cli.run("measure", site, option), task -> {
                Thread thread = new Thread(task, "measuring");
                thread.setDaemon(true);
                thread.start();
            }));
        }
        List<Cli> ended = new ArrayList<>();
        for (CompletableFuture<Cli> one : running) {
            ended.add(one.get(90, TimeUnit.SECONDS));
        }
        return ended;
    }

    private List<String> neighbours(Cli measured) {
        return measured.out()
                .lines()
                .filter(line -> line.startsWith("link "))
                .map(line -> line.replaceAll(".* to site (.*), one way, for 5 numbers", "$1"))
                .toList();
    }

    @Test
    void measuresTheSameTauAtAllSitesAndWritesNothing() throws Exception {
        List<Path> before = files();
        List<Cli> measured = measure(List.of("--json --quiet", "--json --quiet", "--json --quiet"));
        double slowestStep = 0;
        for (Cli one : measured) {
            assertThat(one.code()).as(one.err()).isZero();
            assertThat(one.value("method")).isEqualTo("newton");
            assertThat(one.number("stepMicros")).isPositive();
            slowestStep = Math.max(slowestStep, one.number("stepMicros"));
            for (String key : new String[] {"tau", "slowestStepMicros", "slowestLinkMicros", "unitMicros"}) {
                assertThat(one.value(key)).as(key).isEqualTo(measured.get(0).value(key));
            }
        }
        Cli first = measured.get(0);
        assertThat(first.number("unitMicros")).isEqualTo(slowestStep);
        double ratio = first.number("slowestLinkMicros") / slowestStep;
        assertThat(first.number("tau")).isCloseTo(ratio, within(0.05 * ratio));
        assertThat(files()).isEqualTo(before);
    }

    private List<Path> files() throws IOException {
        try (var all = Files.walk(folder)) {
            return all.sorted().collect(Collectors.toList());
        }
    }

    @Test
    void namesEveryNeighbourAndSaysWhatAUnitOfTimeIs() throws Exception {
        List<Cli> measured = measure(List.of("--method adfs", "--method adfs", "--method adfs"));
        assertThat(measured).allSatisfy(one -> {
            assertThat(one.code()).as(one.err()).isZero();
            assertThat(one.out())
                    .containsPattern("(?m)^step +\\S+ microseconds for a step of adfs at site [abc]$")
                    .containsPattern("(?m)^tau +[1-9][0-9.]*, which 'tau: auto' would take$")
                    .containsPattern("1 unit of idealised time is \\S+ microseconds: multiply by \\S+ for seconds");
        });
        assertThat(measured.stream().map(this::neighbours))
                .containsExactly(List.of("b"), List.of("a", "c"), List.of("b"));
    }

    @Test
    void takesTheStepOfOthersWhereASiteHasRowsOfOneClassOnly() throws Exception {
        Path rows = folder.resolve("c.libsvm");
        Files.writeString(rows, Files.readString(rows).replaceAll("(?m)^-1 ", "1 "));
        List<Cli> measured = measure(List.of("--json --quiet", "--json --quiet", "--quiet"));
        assertThat(measured)
                .allSatisfy(one -> assertThat(one.code()).as(one.err()).isZero());
        assertThat(measured.get(2).out())
                .contains("not measured at site c: ", "only one class")
                .contains("tau        " + measured.get(0).value("tau").replaceAll("\\.0$", "") + ",");
    }

    @Test
    void refusesSitesWithDifferentSettings() throws Exception {
        change("b", "lambda: 1e-2", "lambda: 2e-2");
        assertThat(measure(List.of("--quiet", "--quiet", "--quiet"))).allSatisfy(one -> {
            assertThat(one.code()).isEqualTo(2);
            // Which two sites differ depends on whom a site hears first.
            assertThat(one.err()).contains("has lambda 0.0", " 0.01", " 0.02", "must be the same at all sites");
            assertThat(one.out()).isEmpty();
        });
    }

    @Test
    void isNotTakenForASiteThatTrains() throws Exception {
        change(
                "b",
                "\npolicy:\n",
                "\npolicy:\n  estimates: accept\n  fewest-rows: 1\n  released-part: 100\n  leverage: 1\n");
        Cli.ok("cohort", "register", file("b"));
        CompletableFuture<Cli> training = CompletableFuture.supplyAsync(() -> Cli.run("peer", file("b"), "--quiet"));
        Cli measuring = Cli.ended(2, "measure", file("a"), "--quiet");
        assertThat(measuring.err()).contains("site b takes part in run", "run-1 (measuring)");
        assertThat(training.get(60, TimeUnit.SECONDS).code()).isEqualTo(2);
    }
}
