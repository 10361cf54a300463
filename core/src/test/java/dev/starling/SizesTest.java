package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is large says why: a class in the comment at its top, a package in its {@code package-info}. */
class SizesTest {

    private static final int MOST_LINES = 400;
    private static final int MOST_FIELDS = 20;
    private static final int MOST_TYPES = 25;

    private static final Path ROOT = Path.of(System.getProperty("starling.root", ".."));

    /** A declaration that is not within another one, with the comment before it. */
    private static final Pattern TOP = Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@[^\n]*\\s+)*"
            + "(?:(?:public|final|abstract|sealed|non-sealed) )*(?:class|record|interface|enum|@interface) ", Pattern.DOTALL);

    private static final Pattern FIELD =
            Pattern.compile("(?m)^ {4}(?!static|.* static |return|throw)[A-Za-z][\\w<>\\[\\], .?]* \\w+(?: =.*|;)$");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .flatMap(SizesTest::below)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
        }
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean isOfType(Path file) {
        String name = file.getFileName().toString();
        return !name.equals("package-info.java") && !name.equals("module-info.java");
    }

    /** Returns what is wrong with a class; empty if nothing is. */
    private static String fault(Path file, String text) {
        Matcher top = TOP.matcher(text);
        String comment = top.find() ? top.group(1) : "";
        long lines = text.lines().count();
        long fields = FIELD.matcher(text).results().count();
        return lines > MOST_LINES && !comment.contains("long")
                ? file + " has " + lines + " lines and no reason for it"
                : fields > MOST_FIELDS && !comment.contains("fields")
                        ? file + " has " + fields + " fields and no reason for it"
                        : "";
    }

    @Test
    void aClassOfManyLinesOrFieldsSaysWhy() throws IOException {
        for (Path file : sources()) {
            if (isOfType(file)) {
                assertThat(fault(file, Files.readString(file))).isEmpty();
            }
        }
    }

    @Test
    void aPackageOfManyTypesSaysWhy() throws IOException {
        for (Path file : sources()) {
            if (file.endsWith("package-info.java")) {
                try (Stream<Path> types = Files.list(file.getParent())) {
                    long count = types.filter(Files::isRegularFile).filter(SizesTest::isOfType).count();
                    assertThat(count <= MOST_TYPES || Files.readString(file).contains("more types"))
                            .as("%s has %s types and no reason for it", file.getParent(), count)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void noticesWhatIsTooLarge() {
        String many = "/** A class. */\nclass Many {\n" + "    private final double value = 1;\n".repeat(MOST_FIELDS + 1);
        String with = many.replace("A class.", "A class with more fields than most, because all are constants.");

        assertThat(fault(Path.of("Many.java"), many)).isEqualTo("Many.java has 21 fields and no reason for it");
        assertThat(fault(Path.of("Many.java"), with)).isEmpty();
        assertThat(fault(Path.of("Many.java"), many.replace("private", "private static"))).isEmpty();
        assertThat(fault(Path.of("Long.java"), "/** A class. */\nclass Long {\n" + "\n".repeat(MOST_LINES)))
                .isEqualTo("Long.java has 402 lines and no reason for it");
    }
}
