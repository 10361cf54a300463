package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walk through the code in docs/how-it-works.md can be walked: every file exists and leads to the next ones. */
class WalkTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));
    private static final int MOST_FILES = 14;

    /** A line of the table. */
    private record Stop(String type, List<String> leadsTo) {}

    private static List<Stop> walk() throws IOException {
        return Pattern.compile("(?m)^\\| `(\\w+)` \\| .* \\| (`.*`) \\|$")
                .matcher(Files.readString(ROOT.resolve("docs/how-it-works.md")))
                .results()
                .map((MatchResult line) -> new Stop(
                        line.group(1), List.of(line.group(2).replace("`", "").split(", "))))
                .toList();
    }

    private static String source(String type) throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                20,
                (file, attributes) ->
                        file.endsWith(type + ".java") && file.toString().contains("/src/main/java/"))) {
            Path found = files.findFirst().orElseThrow(() -> new AssertionError("there is no file of " + type));
            return Files.readString(found);
        }
    }

    private static boolean mentions(String source, String type) {
        return Pattern.compile("\\b" + type + "\\b").matcher(source).find();
    }

    @Test
    void theWalkIsShort() throws IOException {
        assertThat(walk()).hasSizeBetween(10, MOST_FILES);
    }

    @Test
    void everyFileNamesWhatItLeadsTo() throws IOException {
        for (Stop stop : walk()) {
            String source = source(stop.type());
            assertThat(stop.leadsTo()).allSatisfy(next -> {
                assertThat(source(next)).as(next).isNotEmpty();
                assertThat(mentions(source, next))
                        .as("%s names %s", stop.type(), next)
                        .isTrue();
            });
        }
    }

    @Test
    void everyFileIsOneThatAnEarlierLeadsToOrImplementsOne() throws IOException {
        Set<String> known = new HashSet<>();
        for (Stop stop : walk()) {
            boolean first = known.isEmpty();
            String source = source(stop.type());
            assertThat(first
                            || known.contains(stop.type())
                            || known.stream().anyMatch(type -> mentions(source, stop.type() + " implements " + type)))
                    .as("a way to %s", stop.type())
                    .isTrue();
            known.addAll(stop.leadsTo());
        }
    }
}
