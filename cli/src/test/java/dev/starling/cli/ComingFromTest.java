package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.model.LinearModel;
import dev.starling.support.RScript;
import dev.starling.support.ScikitLearn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/coming-from.md says about penalties holds: scikit-learn and glmnet find the same models. */
class ComingFromTest {

    private static final int ROWS = 150;
    private static final Path PAGE = Path.of(System.getProperty("starling.root"), "docs/coming-from.md");

    @TempDir
    private Path folder;

    private double deviation;

    @BeforeEach
    void makeNumbers() throws IOException {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder("a,b,c,number,yes,count\n");
        double[] targets = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextGaussian();
            double b = 1 + 2 * random.nextGaussian();
            double c = random.nextDouble();
            targets[i] = Math.round(1e6 * (2 + 3 * a - b + (i % 11 == 0 ? 10 : 2) * random.nextGaussian())) / 1e6;
            int yes = random.nextDouble() < 1 / (1 + Math.exp(b / 2 - a)) ? 1 : 0;
            int count = (int) (3 * random.nextDouble() * Math.exp(0.4 * a + 0.2 * c));
            text.append(String.format(Locale.ROOT, "%.6f,%.6f,%.6f,%.6f,%d,%d%n", a, b, c, targets[i], yes, count));
        }
        Files.writeString(folder.resolve("numbers.csv"), text);
        double mean = Arrays.stream(targets).average().orElseThrow();
        deviation = Math.sqrt(Arrays.stream(targets)
                .map(y -> (y - mean) * (y - mean))
                .average()
                .orElseThrow());
    }

    @Test
    void scikitLearnFindsTheSameModels() throws IOException, InterruptedException {
        Map<String, double[]> theirs = read(ScikitLearn.run(ComingFromTest.class, "coming-from.py", folder, folder));
        double scale = theirs.get("scale_")[0];
        Map<String, String> options = new LinkedHashMap<>();
        options.put("LogisticRegression", "yes --c 0.5");
        options.put("Ridge", "number --loss squared --lambda " + 3.0 / ROWS);
        options.put("Lasso", "number --loss squared --lambda 0 --l1 0.2");
        options.put("ElasticNet", "number --loss squared --lambda " + 0.3 * (1 - 0.4) + " --l1 " + 0.3 * 0.4);
        options.put("LinearSVC", "yes --loss squared-hinge --c 0.05 --bias 1");
        options.put("PoissonRegressor", "count --loss poisson --lambda 0.1");
        options.put("QuantileRegressor", "number --loss quantile(0.8) --lambda 1e-9 --l1 0.01");
        options.put("HuberRegressor", "number --loss huber(" + 1.35 * scale + ") --lambda " + 0.5 * scale / ROWS);
        for (Map.Entry<String, String> one : options.entrySet()) {
            assertThat(Files.readString(PAGE)).contains("`" + one.getKey() + "(");
            compare(one.getKey(), one.getValue(), theirs.get(one.getKey()));
        }
    }

    @Test
    void glmnetFindsTheSameModels() throws IOException, InterruptedException {
        RScript.run(ComingFromTest.class, "coming-from.R", folder);
        Map<String, double[]> theirs = read(Files.readAllLines(folder.resolve("glmnet.txt")));
        Assumptions.assumeFalse(theirs.isEmpty(), "glmnet is not installed (apt-get install r-cran-glmnet)");
        assertThat(theirs).hasSize(12);
        theirs.forEach((name, coefficients) -> {
            List<String> words = List.of(name.split("-"));
            boolean gaussian = words.get(0).equals("gaussian");
            boolean standardize = words.get(2).equals("TRUE");
            double alpha = Double.parseDouble(words.get(1));
            double ridge = 0.1 * (1 - alpha) / (gaussian ? deviation : 1);
            double l1 = 0.1 * alpha / (gaussian && standardize ? deviation : 1);
            compare(
                    name,
                    (gaussian ? "number --loss squared" : "yes") + (standardize ? " --standardize" : "") + " --lambda "
                            + ridge + " --l1 " + l1,
                    coefficients);
        });
    }

    private void compare(String name, String options, double[] expected) {
        Path file = folder.resolve("model.json");
        Cli run = Cli.run(
                "train",
                folder.resolve("numbers.csv"),
                "--keep a,b,c --gap 1e-10 --model",
                file,
                "-q --label-column " + options);
        assertThat(run.code()).as(name + ": " + run.err()).isZero();
        LinearModel model = LinearModel.load(file);
        assertThat(model.intercept(0)).as(name).isCloseTo(expected[0], within(2e-5));
        for (int k = 0; k < 3; k++) {
            assertThat(model.weight(0, k)).as(name).isCloseTo(expected[k + 1], within(2e-5));
        }
    }

    private static Map<String, double[]> read(List<String> lines) {
        Map<String, double[]> found = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.strip().split(" +");
            found.put(
                    words[0],
                    Arrays.stream(words)
                            .skip(1)
                            .mapToDouble(Double::parseDouble)
                            .toArray());
        }
        return found;
    }
}
