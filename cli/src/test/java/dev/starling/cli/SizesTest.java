package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Classes and packages are small, and where they are not, they say why. */
class SizesTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));
    private static final int MOST_LINES = 400;
    private static final int MOST_FIELDS = 20;
    private static final int MOST_TYPES = 25;

    /** A field of the outermost class that is no constant. */
    private static final Pattern FIELD =
            Pattern.compile("(?m)^    (?:(?:private|protected|public|final|volatile|transient) )+(?!static)"
                    + "[\\w<>\\[\\]., ?]+ \\w+(?: =[^\\n]*)?;?$");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                20,
                (file, attributes) -> file.toString().endsWith(".java")
                        && ROOT.relativize(file).toString().matches("\\w+/src/main/java/.*"))) {
            return files.toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return ROOT.relativize(file).toString();
    }

    private static List<String> without(Pattern reason, Stream<Path> files) {
        return files.filter(file -> !reason.matcher(text(file)).find())
                .map(SizesTest::name)
                .toList();
    }

    private static Pattern reason(String words) {
        return Pattern.compile(words.replace(" ", "\\s+(?:\\*\\s+)?"));
    }

    @Test
    void longClassesSayWhy() throws IOException {
        Stream<Path> large =
                sources().stream().filter(file -> text(file).lines().count() > MOST_LINES);
        assertThat(without(reason("longer than most"), large)).isEmpty();
    }

    @Test
    void classesWithManyFieldsSayWhy() throws IOException {
        Stream<Path> large = sources().stream()
                .filter(file -> FIELD.matcher(text(file)).results().count() > MOST_FIELDS);
        assertThat(without(reason("more fields than most"), large)).isEmpty();
    }

    @Test
    void packagesWithManyTypesSayWhy() throws IOException {
        Map<Path, Long> types = sources().stream()
                .filter(file -> !file.toString().endsWith("-info.java"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        Stream<Path> large = types.entrySet().stream()
                .filter(one -> one.getValue() > MOST_TYPES)
                .map(one -> one.getKey().resolve("package-info.java"));
        assertThat(without(reason("more types than most"), large)).isEmpty();
    }
}
