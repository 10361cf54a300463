package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.starling.model.LinearModel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No number that is printed is farther from the one that Newton's method finds with 50 digits than its bound says. */
class FiftyDigitsTest {

    private static final int DIGITS = 12;

    @TempDir
    private Path folder;

    @Test
    void noNumberOfAFewProblemsIsOutsideItsBound() throws IOException, InterruptedException {
        assertThat(verdict(problems(0, 30), 1)).endsWith(", 0 outside");
    }

    /** The check itself can fail: a thousandth of the bounds is too little for some numbers. */
    @Test
    void boundsAreNotMuchTooWide() throws IOException, InterruptedException {
        assertThat(verdict(problems(0, 30), 1e-3)).doesNotEndWith(", 0 outside");
    }

    @Test
    @Tag("thorough")
    void noNumberOfManyProblemsIsOutsideItsBound() throws IOException, InterruptedException {
        assertThat(verdict(problems(30, 500), 1)).endsWith(", 0 outside");
    }

    private static String problems(int from, int count) {
        StringBuilder text = new StringBuilder();
        int fitted = 0;
        Set<String> families = new HashSet<>();
        for (int number = from; number < from + count; number++) {
            RandomFits problem = RandomFits.of(number);
            Optional<LinearModel> model = problem.fitted();
            if (model.isPresent()) {
                write(text, number, problem, GlmTable.of(model.get(), 0.95));
                fitted++;
                families.add(problem.family());
            }
        }
        assertThat(fitted).isGreaterThan(count * 9 / 10);
        assertThat(families).containsAll(RandomFits.FAMILIES);
        return text.toString();
    }

    private static void write(StringBuilder text, int number, RandomFits problem, GlmTable table) {
        text.append("P\t" + number + '\t' + problem.family() + '\t')
                .append(problem.kind().text() + '\t' + problem.intercept() + '\n');
        for (int i = 0; i < problem.rows().rows(); i++) {
            text.append("R\t" + problem.rows().label(i) + '\t' + problem.rows().weight(i) + '\t')
                    .append(problem.rows().offset(i))
                    .append('\t')
                    .append(problem.clusters()[i]);
            double[] row = new double[problem.rows().features()];
            problem.rows().addTo(i, 1, row);
            for (double value : row) {
                text.append('\t').append(value);
            }
            text.append('\n');
        }
        List<Coefficient> lines = table.coefficients();
        for (int k = 0; k < lines.size(); k++) {
            Coefficient line = lines.get(k);
            number(text, "estimate " + k, line.estimate());
            number(text, "se " + k, line.se());
            number(text, "statistic " + k, line.statistic());
            number(text, "p " + k, line.p());
            number(text, "lower " + k, line.lower());
            number(text, "upper " + k, line.upper());
        }
        number(text, "dispersion", table.dispersion());
        number(text, "deviance", table.deviance());
        number(text, "nullDeviance", table.nullDeviance());
        number(text, "logLik", table.logLik());
        number(text, "aic", table.aic());
        number(text, "bic", table.bic());
        table.explained().forEach((name, value) -> number(text, name, value));
        text.append("E\n");
    }

    private static void number(StringBuilder text, String name, Proven number) {
        if (number.exists()) {
            text.append("N\t" + name + '\t' + number.value() + '\t' + number.error() + '\t')
                    .append(number.text(DIGITS) + '\n');
        }
    }

    private String verdict(String problems, double factor) throws IOException, InterruptedException {
        Path input = Files.writeString(folder.resolve("problems.tsv"), problems);
        Path script = folder.resolve("fifty.py");
        try (InputStream in = FiftyDigitsTest.class.getResourceAsStream("fifty.py")) {
            Files.copy(in, script);
        }
        Path python = Path.of("/usr/bin/python3");
        assumeTrue(Files.isExecutable(python), "Python is not installed (apt-get install python3-mpmath)");
        Path output = folder.resolve("verdict");
        Process process = new ProcessBuilder(
                        python.toString(), script.toString(), input.toString(), Double.toString(factor))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(900, TimeUnit.SECONDS)).isTrue();
        assumeTrue(process.exitValue() != 3, "mpmath is not installed (apt-get install python3-mpmath)");
        String said = Files.readString(output).strip();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
