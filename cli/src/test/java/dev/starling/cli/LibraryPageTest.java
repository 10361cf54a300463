package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.model.LinearModel;
import dev.starling.support.Snippets;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/library.md shows is a program that runs. */
class LibraryPageTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));

    @Test
    void thePageIsAProgramThatRuns(@TempDir Path folder, @TempDir Path output)
            throws ReflectiveOperationException, IOException {
        Cli.run("generate", folder.resolve("rows.txt"), "--rows", 300, "--features", 5);
        Cli.run("generate", folder.resolve("people.csv"), "--table", "--rows", 300);
        Snippets page = new Snippets()
                .using(
                        "dev.starling",
                        "dev.starling.certificate",
                        "dev.starling.data",
                        "dev.starling.evaluation",
                        "dev.starling.loss",
                        "dev.starling.model",
                        "dev.starling.network",
                        "dev.starling.recipe",
                        "dev.starling.settings",
                        "dev.starling.table")
                .page(ROOT.resolve("docs/library.md"));

        assertThat(page.run(folder, output)).isEmpty();

        assertThat(LinearModel.load(folder.resolve("model.json")).recipe()).isPresent();
    }
}
