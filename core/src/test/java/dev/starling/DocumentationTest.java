package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.support.Snippets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the library's documentation shows is there to be called. */
class DocumentationTest {

    private static final Path SOURCES = Path.of("src", "main", "java");

    private final Snippets snippets = new Snippets().javadoc(SOURCES);

    @Test
    void everySnippetCompiles(@TempDir Path output) {
        String fields = "Path file; Dataset data; Dataset rows; NodeProgram program; double[][] messages;";
        assertThat(snippets.complaints(fields, output)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "data", "evaluation", "loss", "model", "network"})
    void publicPackagesHaveASnippet(String name) {
        assertThat(snippets.files()).contains(SOURCES.resolve(Path.of("dev", "starling", name, "package-info.java")));
    }

    @Test
    void aSnippetThatDoesNotCompileIsNamedByFileAndLine(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "One\n\n```java\nint x = \"a\";\n```\n");
        assertThat(new Snippets().page(page).complaints("", folder))
                .startsWith(page + ", line 2: ")
                .contains("incompatible types");
        assertThat(new Snippets().page(page).files()).isEqualTo(List.of(page));
    }
}
