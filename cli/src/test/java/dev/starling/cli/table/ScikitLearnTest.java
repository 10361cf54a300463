package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.support.ScikitLearn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline of scikit-learn that does the same predicts the same; skipped where Debian's package is not installed. */
class ScikitLearnTest {

    /** Standardised features are floats here and doubles there. */
    private static final double ROUNDING = 1e-6;

    @TempDir
    private Path folder;

    @Test
    void aPipelineOfScikitLearnPredictsTheSame() throws IOException, InterruptedException {
        Path people = folder.resolve("people.csv");
        Path model = folder.resolve("model.json");
        String lambda = "0.001";
        Cli.ok("generate", people, "--table --rows 2000");
        Cli.ok(
                "train",
                people,
                "--label-column income --missing most-frequent --standardize --lambda",
                lambda,
                "--gap 1e-13 --runtime simulator --model",
                model);
        List<String> ours = Cli.run("predict", model, people, "--probabilities")
                .out()
                .lines()
                .skip(1)
                .toList();

        List<String> theirs = ScikitLearn.run(ScikitLearnTest.class, "pipeline.py", folder, people, lambda);
        assertThat(theirs).hasSize(2000).hasSameSizeAs(ours);
        for (int row = 0; row < theirs.size(); row++) {
            String[] our = ours.get(row).split(" ");
            String[] their = theirs.get(row).split(" ");
            assertThat(Double.parseDouble(our[2])).isCloseTo(Double.parseDouble(their[1]), within(ROUNDING));
            assertThat(our[0]).isEqualTo(their[0]);
        }
    }
}
