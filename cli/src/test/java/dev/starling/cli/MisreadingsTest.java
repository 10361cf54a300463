package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** docs/misreadings.md names tests that exist; and the tests that it names here. */
class MisreadingsTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    @TempDir
    private Path folder;

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/misreadings.md"));
        List<MatchResult> named = NAMED.matcher(page).results().toList();
        Map<String, Path> sources;
        try (Stream<Path> files =
                Files.find(ROOT, 20, (file, attributes) -> file.toString().matches(".*/src/test/java/.*Test\\.java"))) {
            sources = files.collect(Collectors.toMap(
                    file -> file.getFileName().toString().replace(".java", ""), file -> file, (one, other) -> one));
        }
        assertThat(named).hasSizeGreaterThan(60);
        assertThat(page.lines().filter(line -> line.startsWith("| ") && !line.startsWith("| What")))
                .allSatisfy(line -> assertThat(line).containsPattern(NAMED));
        for (MatchResult test : named) {
            assertThat(sources).containsKey(test.group(1));
            assertThat(Files.readString(sources.get(test.group(1)))).contains(" void " + test.group(2) + "(");
        }
    }

    @Test
    void onlyAReleaseHasSources() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"))
                .replaceFirst("(?s)<pluginManagement>.*</pluginManagement>", "");
        assertThat(pom.indexOf("maven-source-plugin")).isGreaterThan(pom.indexOf("<profiles>"));
        assertThat(Files.readString(ROOT.resolve("README.md")))
                .doesNotContainPattern("`mvn install` puts[^.]*(sources|Javadoc)");
        assertThat(Files.readString(ROOT.resolve("docs/library.md"))).contains("with `-Prelease`, its sources");
    }

    @Test
    void adfsTakesFeaturesThatAreAllZero() {
        Path rows = Cli.file(folder, "zeros.txt", "1 1:0\n-1 1:0\n1 1:0\n");
        Cli run = Cli.ok("train", rows, "--method adfs --model", folder.resolve("m.json"));
        assertThat(run.out()).contains("certified");
    }

    /** Weights so far apart need millions of rounds for an epoch. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLimitOfEpochsEndsRoundsToo() throws IOException {
        Random random = new Random(14);
        List<String> rows = new ArrayList<>();
        List<String> weights = new ArrayList<>();
        for (int i = 0; i < 59; i++) {
            StringBuilder row = new StringBuilder().append(random.nextGaussian());
            for (int c = 1; c <= 13; c++) {
                row.append(' ').append(c).append(':').append(random.nextGaussian());
            }
            rows.add(row.toString());
            weights.add(Double.toString(Math.pow(10, 16 * random.nextDouble() - 8)));
        }
        Path file = Files.write(folder.resolve("apart.txt"), rows);
        Path weighted = Files.write(folder.resolve("apart.w"), weights);
        Cli run = Cli.ended(
                1,
                "train",
                file,
                "--weights",
                weighted,
                "--loss huber(1) --lambda 1e-6 --method adfs --nodes 23 --topology star --max-epochs 3 --explain --model",
                folder.resolve("m.json"));
        assertThat(run.out()).contains("hopeless, choose another --method");
        assertThat(run.err()).contains("--max-epochs 3 came first");
    }
}
