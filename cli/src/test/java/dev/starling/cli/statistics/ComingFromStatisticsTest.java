package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.support.RScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every line of the first two tables in docs/coming-from-statistics.md: R's numbers are those of the command beside it.
 */
class ComingFromStatisticsTest {

    private static final Path PAGE =
            Path.of(System.getProperty("starling.root", ".."), "docs/coming-from-statistics.md");

    private static final Pattern LINE = Pattern.compile("\\| `(.*?)`(?: \\(.*\\))? \\| `starling (.*)` \\| (.*) \\|");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\\S+");

    /** R stops when a deviance or a variance stands still, which leaves four digits or more. */
    private static final double DIGITS = 1e-4;

    @TempDir
    private Path folder;

    @Test
    void numbersOfRAreThoseOfTheCommandsBesideThem() throws IOException, InterruptedException {
        Files.write(folder.resolve("d.csv"), rows());
        List<Matcher> lines = Files.readAllLines(PAGE).stream()
                .map(line -> LINE.matcher(line.replace("\\|", "|")))
                .filter(Matcher::matches)
                .toList();
        assertThat(lines).hasSizeGreaterThan(35);
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("- `starling ")) {
                ours(line.substring("- `starling ".length(), line.length() - 1), "n");
            }
        }
        Files.write(
                folder.resolve("lines.txt"),
                lines.stream().map(line -> line.group(1)).toList());
        RScript.run(ComingFromStatisticsTest.class, "coming-from.R", folder);
        List<String> numbers = Files.readAllLines(folder.resolve("numbers.txt"));
        for (int k = 0; k < lines.size(); k++) {
            double[] theirs = Arrays.stream(numbers.get(k).split(" "))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            double[] ours = ours(lines.get(k).group(2), lines.get(k).group(3).split(", "));
            assertThat(ours).as(lines.get(k).group(1)).hasSameSizeAs(theirs);
            for (int i = 0; i < ours.length; i++) {
                assertThat(ours[i])
                        .as(lines.get(k).group(1))
                        .isCloseTo(theirs[i], within(DIGITS * (1 + Math.abs(theirs[i]))));
            }
        }
    }

    @Test
    void optionsAndFamiliesBesideThoseOfOtherProgramsExist() throws IOException {
        String known = Cli.run("glm", "--help").out() + Cli.run("cox", "--help").out();
        List<String> lines = Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith("| Starling | SAS"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(1, line.replace("\\|", "--").indexOf('|', 1)))
                .toList();
        assertThat(lines).hasSizeGreaterThan(10);
        for (String line : lines) {
            List<String> words = Arrays.stream(line.split("[`, |]+")).toList();
            assertThat(words.stream()
                            .filter(word -> word.startsWith("--") || (line.contains("--family") && !word.equals("…"))))
                    .as(line)
                    .allSatisfy(word -> assertThat(known).contains(word));
        }
    }

    /**
     * The numbers with these names in the JSON of a command, one name after another; only those from a member on, if
     * the name says of which.
     */
    private double[] ours(String command, String... names) {
        List<Object> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            String text = word.group(1) == null ? word.group() : word.group(1);
            words.add(text.matches("[a-z]\\.(csv|json)") ? folder.resolve(text) : text);
        }
        words.add("--json");
        Cli found = Cli.run(words.toArray());
        assertThat(found.code()).as(command + found.err()).isZero();
        List<Double> numbers = new ArrayList<>();
        for (String name : names) {
            String[] parts = name.split(" of ");
            String within = parts.length == 1
                    ? found.out()
                    : found.out().substring(found.out().indexOf('"' + parts[1] + '"'));
            Matcher number =
                    Pattern.compile("\"" + parts[0] + "\":(-?[0-9.eE+-]+)").matcher(within);
            while (number.find()) {
                numbers.add(Double.parseDouble(number.group(1)));
            }
        }
        return numbers.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static List<String> rows() {
        SplittableRandom random = new SplittableRandom(11);
        List<String> lines = new ArrayList<>(List.of("y,z,x,k,m,o,a,b,g,w,c,t,v"));
        double[] clusters = new double[9];
        for (int c = 0; c < clusters.length; c++) {
            clusters[c] = random.nextDouble(-1, 1);
        }
        for (int i = 0; i < 120; i++) {
            double a = Math.rint(1000 * random.nextDouble(-2, 2)) / 1000;
            int b = random.nextInt(4);
            int c = random.nextInt(clusters.length);
            double noise = random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5;
            double score = 0.5 * a - 0.2 * b + clusters[c] + noise;
            int k = (int) Math.floor(2 * Math.exp(score) * -Math.log(random.nextDouble()));
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%.4f,%.4f,%d,%d,%d,%s,%d,%d,%s,c%d,%d,%s",
                    random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0,
                    score,
                    Math.exp(score),
                    k,
                    1 + random.nextInt(5),
                    Math.max(0, Math.min(2, (int) Math.rint(1 + score))),
                    a,
                    b,
                    1 + random.nextInt(3),
                    1 + random.nextInt(4) / 2.0,
                    c,
                    1 + random.nextInt(30),
                    i % 7 == 3 ? "NA" : i % 5));
        }
        return lines;
    }
}
