package dev.starling.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.support.Snippets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablesDocumentationTest {

    @Test
    void everySnippetCompiles(@TempDir Path output) {
        Snippets snippets = new Snippets()
                .using("dev.starling", "dev.starling.data", "dev.starling.loss", "dev.starling.model")
                .javadoc(Path.of("src", "main", "java"))
                .page(Path.of("..", "README.md"))
                .page(Path.of("..", "docs", "tables.md"));
        assertThat(snippets.complaints("Table table; LinearModel model; Path file; Dataset data;", output))
                .isEmpty();
    }
}
