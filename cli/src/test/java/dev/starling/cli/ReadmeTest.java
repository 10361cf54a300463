package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what runs. */
class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));

    @TempDir
    private Path folder;

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }

    @Test
    void theSnippetTrainsACertifiedModel() {
        Path file = folder.resolve("rows.txt");
        Cli.run("generate", file, "--rows 300");
        // snippet begins
        Dataset data = DatasetReader.standard().read(file);
        Fit fit = Trainer.logistic()
                .lambda(1e-4)
                .nodes(4)
                .topology("ring")
                .gap(1e-6)
                .fit(data);
        double gap = fit.gap(); // at most 1e-6, proven
        double label = fit.model().predict(data, 0); // of the first row, as written in the file
        String hash = fit.model().hash(); // the same on every machine
        // snippet ends
        assertThat(fit.isCertified()).isTrue();
        assertThat(gap).isBetween(0.0, 1e-6);
        assertThat(label).isIn(-1.0, 1.0);
        assertThat(hash).hasSize(64);
    }

    @Test
    void theSnippetIsTheOneInTheReadme() throws IOException {
        Path source = ROOT.resolve("cli/src/test/java/dev/starling/cli/ReadmeTest.java");
        Matcher mine =
                Pattern.compile("(?s)// snippet begins\n(.*?) *// snippet ends").matcher(Files.readString(source));
        Matcher shown =
                Pattern.compile("(?s)## As a library\n\n```java\n(.*?)```").matcher(readme());
        assertThat(mine.find()).isTrue();
        assertThat(shown.find()).isTrue();
        assertThat(shown.group(1)).isEqualTo(mine.group(1).replaceAll("(?m)^ {8}", ""));
    }

    @Test
    void thePictureHasTheNumbersOfTheDemo() throws IOException {
        Matcher demo = Pattern.compile("objective (\\S+); gap (\\S+);").matcher(readme());
        assertThat(demo.find()).isTrue();
        assertThat(Files.readString(ROOT.resolve("docs/images/ring.svg")))
                .contains("objective " + demo.group(1))
                .contains(String.format(Locale.ROOT, "gap %.1e, proven", Double.parseDouble(demo.group(2))));
    }
}
