package dev.starling.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Models whose losses are proven by curvature alone are confirmed, and refused when a number of the model or a claim is
 * forged: the objective of the forged model is then stated as it is, so that only its distance from the optimum tells.
 */
class ForgedLikelihoodsTest {

    private static final String WEIGHT = "(\"weights\":\\[\\s*\\[)([^,\\]]*)";
    private static final String INTERCEPT = "(\"intercepts\":\\[[^\\]]*,)([^,\\]]*)\\]";

    @TempDir
    private Path folder;

    private Path rows() {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>(List.of("success,amount,time,seen,kind,level,a,b,came"));
        for (int i = 0; i < 60; i++) {
            double a = random.nextGaussian();
            double b = random.nextInt(3);
            double score = 0.6 * a - 0.3 * b;
            lines.add(String.join(
                    ",",
                    Integer.toString(score + random.nextGaussian() > 0 ? 1 : 0),
                    Double.toString(Math.exp(score + 0.5 * random.nextGaussian())),
                    Integer.toString(1 + random.nextInt(12)),
                    Integer.toString(random.nextInt(4) > 0 ? 1 : 0),
                    "k" + random.nextInt(3),
                    Integer.toString(Math.max(0, Math.min(3, (int) Math.floor(score + 1.5 + random.nextGaussian())))),
                    Double.toString(a),
                    Double.toString(b),
                    Double.toString(i % 3 == 0 ? 0 : i % 2 == 0 ? 0.5 : -1)));
        }
        return Cli.file(folder, "rows.csv", lines.toArray(String[]::new));
    }

    private Path forged(Path model, String pattern, String replacement) throws IOException {
        String text = Files.readString(model);
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
        String changed = matcher.replaceFirst(replacement).replaceFirst("\"hash\":\"[^\"]*\",", "");
        return Files.writeString(folder.resolve("forged.json"), changed);
    }

    private Path trained(String label, String loss, String options) {
        Path model = folder.resolve("model.json");
        Cli.ok("train", rows(), "--formula " + label + "~a+b --loss " + loss + " --quiet --model " + model + options);
        return model;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "success ! probit ! --lambda 0 ! binomial(cloglog)",
                "success ! cloglog ! --lambda 0 ! binomial(probit)",
                "success ! probit ! --lambda 1e-2 --no-intercept ! binomial(cloglog)",
                "success ! cloglog ! --lambda 1e-2 ! binomial",
                "amount ! tweedie(1.4) ! --lambda 0 ! tweedie(1.5)",
                "amount ! tweedie(1.4) ! --lambda 1e-2 --no-intercept ! gamma",
                "amount ! inverse-gaussian ! --lambda 0 ! gamma",
                "Surv(time,seen) ! cox ! --lambda 0 ! cox(breslow)",
                "Surv(time,seen) ! cox(breslow) ! --lambda 0 ! cox",
                "Surv(time,seen) ! cox ! --lambda 1e-2 ! cox(breslow)",
                "Surv(came,time,seen) ! cox(breslow) ! --lambda 1e-2 ! cox",
                "Surv(came,time,seen) ! cox ! --lambda 0 ! cox(breslow)",
                "kind ! multinomial ! --lambda 0 ! ordinal",
                "level ! ordinal ! --lambda 0 ! softmax"
            })
    void trueFilesAreConfirmedAndForgedOnesAreNot(String label, String loss, String options, String other)
            throws IOException {
        Path model = trained(label, loss, " " + options);
        Path rows = rows();
        Cli confirmed = Cli.ok("verify", model, rows);
        assertThat(confirmed.out()).contains("proven independently");

        boolean classes = label.equals("kind") || label.equals("level");
        Path moved = forged(model, classes ? INTERCEPT : WEIGHT, classes ? "$14.25]" : "$10.25");
        refused(moved, rows);
        double objective = Cli.run("verify", moved, rows, "--json").number("objective");
        Path stated = forged(
                moved,
                "\"objective\":[-+.eE0-9]+,\"dual\":[-+.eE0-9]+",
                "\"objective\":" + objective + ",\"dual\":" + objective);
        refused(stated, rows);

        refused(forged(model, "\"objective\":[-+.eE0-9]+", "\"objective\":0.1"), rows);
        Path renamed = forged(model, "\"loss\":\"[^\"]*\"", "\"loss\":\"" + other + "\"");
        refused(
                forged(renamed, "\"settings\":\\{\"loss\":\"[^\"]*\"", "\"settings\":{\"loss\":\"" + other + "\""),
                rows);
        if (options.equals("--lambda 0")) {
            refused(forged(model, "\"coefficientError\":[-+.eE0-9]+", "\"coefficientError\":1e-40"), rows);
            refused(forged(model, "\"lambda\":\"0.0\"", "\"lambda\":\"0.5\""), rows);
        }
    }

    private static void refused(Path model, Path rows) {
        Cli found = Cli.run("verify", model, rows);
        assertThat(found.code()).as(found.out()).isNotZero();
        assertThat(found.err()).doesNotContain("should not have happened");
    }

    /** Thresholds that do not rise, or weights that differ between them, are no model of an order. */
    @Test
    void scoresOfAnOrderMustBeInOrder() throws IOException {
        Path model = trained("level", "ordinal", " --lambda 0");
        Cli swapped = Cli.run(
                "verify", forged(model, "\"intercepts\":\\[([^,]*),([^,]*),", "\"intercepts\":[$2,$1,"), rows());
        assertThat(swapped.out()).contains("rising thresholds");
        Cli differing = Cli.run("verify", forged(model, WEIGHT, "$10.5"), rows());
        assertThat(differing.code()).isNotZero();
    }

    @Test
    void aLocalOptimumIsCalledOne() {
        Path model = trained("amount", "inverse-gaussian", " --lambda 0");
        assertThat(Cli.run("verify", model, rows()).out()).contains("the one local optimum near");
    }
}
