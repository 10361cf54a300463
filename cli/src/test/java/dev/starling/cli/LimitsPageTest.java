package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The limits in docs/limits.md are those in the code, wherever it is. */
class LimitsPageTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));
    private static final Pattern LINE = Pattern.compile("(?m)^\\| .* \\| (.*) \\| .* \\| `(\\w+)\\.(\\w+)` \\|$");

    /** A line with a constant. */
    private record Limit(String value, String type, String constant) {
        @Override
        public String toString() {
            return type + "." + constant;
        }
    }

    static Stream<Limit> limits() throws IOException {
        return LINE.matcher(Files.readString(ROOT.resolve("docs/limits.md")))
                .results()
                .map(line -> new Limit(line.group(1), line.group(2), line.group(3)));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void theCodeHasTheLimitOfThePage(Limit limit) throws IOException {
        String source = Files.readString(source(limit.type()));
        Matcher definition =
                Pattern.compile("\\b" + limit.constant() + " = ([^;]+);").matcher(source);
        assertThat(definition.find()).as("%s is defined", limit).isTrue();
        assertThat(evaluated(definition.group(1))).isEqualTo(stated(limit.value()));
    }

    private static Path source(String type) throws IOException {
        try (Stream<Path> files = Files.find(
                ROOT,
                20,
                (file, attributes) ->
                        file.endsWith(type + ".java") && file.toString().contains("/src/main/java/"))) {
            return files.findFirst().orElseThrow(() -> new AssertionError("there is no class " + type));
        }
    }

    /** The first number of a cell, in the unit that follows it. */
    private static double stated(String cell) {
        String[] words = cell.replace(",", "").split(" ");
        return Double.parseDouble(words[0]) * (words.length > 1 && words[1].equals("KB") ? 1024 : 1);
    }

    /** The value of an expression as constants have it: a number, or two with an operator between them. */
    private static double evaluated(String expression) {
        String[] words = expression
                .replace("Integer.MAX_VALUE", "2147483647")
                .replaceAll("[_L]", "")
                .split("\\s+");
        double first = Double.parseDouble(words[0]);
        double second = words.length == 1 ? 0 : Double.parseDouble(words[2]);
        return switch (words.length == 1 ? "-" : words[1]) {
            case "<<" -> first * (1L << (int) second);
            case "*" -> first * second;
            default -> first - second;
        };
    }
}
