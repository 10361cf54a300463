package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between the pages of the documentation lead to files and headings that are there. */
class LinksTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");

    static Stream<Path> pages() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsSomewhere(Path page) {
        assertThat(broken(page)).isEmpty();
    }

    @Test
    void everyPageIsInAnIndex() throws IOException {
        Path docs = ROOT.resolve("docs");
        List<Path> indices = List.of(
                docs.resolve("README.md"),
                docs.resolve("research").resolve("README.md"),
                docs.resolve("decisions").resolve("README.md"));
        Set<Path> listed = indices.stream()
                .flatMap(index -> LINK.matcher(prose(index))
                        .results()
                        .map(link -> index.resolveSibling(link.group(1)).normalize()))
                .collect(Collectors.toSet());
        assertThat(listed)
                .containsAll(pages().filter(page -> page.startsWith(docs))
                        .filter(page -> !page.equals(docs.resolve("README.md")))
                        .toList());
    }

    @Test
    void brokenLinksToFilesAndHeadingsAreFound(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("b.md"), "# One's `two` words\n");
        Path page = Files.writeString(folder.resolve("a.md"), """
                ## Here
                [x](b.md#ones-two-words) [y](#here) [z](https://example.org)
                [p](c.md) [q](b.md#two) [r](#there)
                ```
                [s](nowhere.md)
                ```
                """);
        assertThat(broken(page)).containsExactly("c.md", "b.md#two", "#there");
    }

    private static List<String> broken(Path page) {
        return LINK.matcher(prose(page))
                .results()
                .filter(link -> !link.group(1).contains(":"))
                .filter(link -> !isThere(page, link))
                .map(link -> link.group().substring(2, link.group().length() - 1))
                .toList();
    }

    private static boolean isThere(Path page, MatchResult link) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        return Files.exists(target) && (link.group(2) == null || anchors(target).contains(link.group(2)));
    }

    /** The names that headings can be linked to by, as GitHub makes them. */
    private static Set<String> anchors(Path page) {
        return HEADING.matcher(prose(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    private static String prose(Path page) {
        try {
            return CODE.matcher(Files.readString(page)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
