package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import dev.starling.support.RScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models that formulas describe have the coefficients that R's lm and glm find. */
class FormulasBesideRTest {

    private static final double DIGITS = 1e-10;

    @TempDir
    private Path folder;

    @Test
    void formulasGiveTheCoefficientsOfR() throws IOException, InterruptedException {
        RScript.run(FormulasBesideRTest.class, "formulas.R", folder);
        int cases = 0;
        while (Files.exists(folder.resolve((cases + 1) + ".csv"))) {
            compare(++cases);
        }
        assertThat(cases).isEqualTo(8);
    }

    private void compare(int k) throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve(k + ".txt"));
        Path data = folder.resolve(k + ".csv");
        Path file = folder.resolve(k + ".json");
        String loss = lines.get(1).equals("gaussian") ? "squared" : "logistic";
        Cli run = Cli.run(
                "train", data, "--formula", lines.get(0), "--lambda 0 --gap 1e-12 --loss", loss, "--model", file);
        assertThat(run.code()).as(lines.get(0) + ": " + run.err()).isZero();
        LinearModel model = LinearModel.load(file);
        List<String> ours =
                model.names().stream().map(FormulasBesideRTest::bare).toList();
        assertThat(ours).as(lines.get(0)).hasSize(lines.size() - 3);
        for (String line : lines.subList(2, lines.size())) {
            String[] words = line.split("\t");
            double theirs = Double.parseDouble(words[1].strip());
            double found =
                    words[0].equals("(Intercept)") ? model.intercept(0) : model.weight(0, ours.indexOf(bare(words[0])));
            assertThat(found)
                    .as(lines.get(0) + ": " + words[0])
                    .isCloseTo(theirs, within(DIGITS * Math.abs(theirs)));
        }
        for (String command : List.of("evaluate", "verify")) {
            Cli judged = Cli.run(command, file, data);
            assertThat(judged.code()).as(lines.get(0) + ": " + judged.err()).isZero();
        }
        Cli predicted = Cli.run("predict", file, data);
        assertThat(predicted.out().lines().count())
                .isEqualTo(Files.readAllLines(data).size() - 1);
    }

    private static String bare(String name) {
        return name.replace("=", "").replace(" ", "");
    }
}
