package dev.starling.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.support.Snippets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation of the researcher's tools shows is there to be called. */
class DocumentationTest {

    @Test
    void everySnippetCompiles(@TempDir Path output) {
        Snippets snippets = new Snippets()
                .using("dev.starling.data", "dev.starling.loss", "dev.starling.network", "dev.starling.runtime")
                .javadoc(Path.of("src", "main", "java"))
                .page(Path.of("..", "docs", "research", "general-functions.md"));
        String fields = "Dataset rows; Network network; List<ProximalFunction> functionsOfFirstNode,"
                + " functionsOfSecondNode; int dimension; double sigma, delay; long seed; dev.starling.runtime.Observer observer;"
                + " StopSignal signal;";
        assertThat(snippets.files()).hasSizeGreaterThan(2);
        assertThat(snippets.complaints(fields, output)).isEmpty();
    }
}
