package dev.starling.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerifyCommandTest {

    private static final String HOLDS = "the certificate holds: gap at most ";

    @TempDir
    private Path folder;

    /** Dense rows of four features far from mean 0, the last constant, whose label is a class or a number. */
    private Path rows(int classes) {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            double a = 3 + random.nextGaussian();
            double b = -20 + 8 * random.nextGaussian();
            double c = random.nextGaussian() / 10;
            double score = a - 3 + (b + 20) / 10 + random.nextGaussian();
            String label = classes == 0
                    ? String.valueOf(50 + 4 * score)
                    : String.valueOf(Math.min(classes, Math.max(1, (int) Math.floor(score) + 2)));
            lines.add(label + " 1:" + a + " 2:" + b + " 3:" + c + " 4:2");
        }
        return Cli.file(folder, "rows.txt", lines.toArray(String[]::new));
    }

    private Path train(Path rows, String... options) {
        Path model = folder.resolve("model.json");
        List<Object> words = new ArrayList<>(List.of("train", rows, "--model", model, "--quiet", "--nodes", 3));
        Collections.addAll(words, (Object[]) options);
        Cli.ok(words.toArray());
        return model;
    }

    @Test
    void saysThatRowsAreMissing() throws IOException {
        Path rows = rows(2);
        Path model = train(rows);
        List<String> all = Files.readAllLines(rows);
        Path half = Cli.file(folder, "half.txt", all.subList(0, all.size() / 2).toArray(String[]::new));
        Cli verified = Cli.run("verify", model, half);
        assertRefused(verified, "the objective is ");
        assertThat(verified.out())
                .contains("the model was trained on " + all.size() + " rows, and " + all.size() / 2 + " were given");
        assertThat(Cli.run("verify", model, rows).out()).doesNotContain("were given");
    }

    private static void assertHolds(Cli verified) {
        assertThat(verified.out() + verified.err()).startsWith(HOLDS).contains(", proven independently\nproblem: ");
        assertThat(verified.code()).isZero();
    }

    private static void assertRefused(Cli verified, String reason) {
        assertThat(verified.out() + verified.err()).startsWith("the certificate does not hold: " + reason);
        assertThat(verified.code()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--loss logistic --method newton --bias 1",
                "--loss logistic --method adfs --bias 0.5 --standardize",
                "--loss logistic --l1 1e-3 --bias",
                "--loss logistic --intercept --gap 1e-12",
                "--loss logistic --intercept --lambda 0",
                "--loss logistic --lambda 0 --gap 1e-10 --class-weight 1=3",
                "--loss squared-hinge --intercept --standardize --class-weight 1=3",
                "--loss smoothed-hinge --intercept --lambda 1e-2",
                "--loss logistic --intercept --class-weight balanced",
                "--loss logistic --holdout 0.3 --seed 5 --class-weight balanced --standardize",
                "--loss logistic --gap 1e-12 --standardize",
                "--loss squared-hinge --class-weight 1=3 --bias --lambda 1e-2",
                "--loss squared-hinge --method adfs --standardize --l1 1e-2 --bias",
                "--loss smoothed-hinge --method adfs --standardize --class-weight 2=0.1",
                "--loss hinge --standardize --bias --lambda 1e-2 --gap 1e-4",
                "--loss hinge --standardize --intercept --lambda 1e-2 --gap 1e-4",
                "--loss logistic --intercept --l1 1e-3 --standardize",
                "--loss squared-hinge --intercept --l1 1e-2 --lambda 1e-2",
                "--loss logistic --intercept --l1 1e-2 --lambda 0 --standardize",
                "--loss logistic --l1 1e-2 --lambda 0 --gap 1e-9"
            })
    void classifiersAreConfirmed(String options) {
        Path rows = rows(2);
        assertHolds(Cli.run("verify", train(rows, options.split(" ")), rows));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--loss squared --method newton --bias",
                "--loss squared --method adfs --standardize --bias",
                "--loss squared --standardize --l1 0.01",
                "--loss squared --intercept --gap 1e-12",
                "--loss squared --intercept --lambda 0 --standardize",
                "--loss squared --lambda 0",
                "--loss squared --lambda 1e-18 --gap 1e-12",
                "--loss huber --intercept",
                "--loss squared-epsilon-insensitive --standardize --intercept",
                "--loss huber --standardize",
                "--loss squared-epsilon-insensitive --standardize --bias",
                "--loss absolute --standardize --bias --lambda 1e-2 --gap 1e-4",
                "--loss epsilon-insensitive --standardize --lambda 1e-2 --gap 1e-4",
                "--loss quantile --quantile 0.8 --standardize --lambda 1e-2 --gap 1e-4",
                "--loss quantile --quantile 0.8 --standardize --intercept --lambda 1e-2 --gap 1e-4",
                "--loss absolute --standardize --intercept --lambda 1e-2 --gap 1e-4",
                "--loss epsilon-insensitive --standardize --intercept --lambda 1e-2 --gap 1e-4",
                "--loss huber --intercept --l1 0.01 --standardize",
                "--loss squared --intercept --l1 0.1 --lambda 0 --standardize"
            })
    void regressionsAreConfirmed(String options) {
        Path rows = rows(0);
        assertHolds(Cli.run("verify", train(rows, options.split(" ")), rows));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--lambda 1e-60",
                "--lambda 1e45",
                "--l1 1e-60",
                "--l1 1e45",
                "--class-weight 1=1e-60 --class-weight 2=1e-60",
                "--class-weight 1=1e45 --class-weight 2=1e45",
                "--loss smoothed-hinge(1e3)",
                "--bias 1e-15"
            })
    void theSmallestAndLargestSettingsThatTrainingTakesAreConfirmed(String options) {
        Path rows = rows(2);
        assertHolds(Cli.run("verify", train(rows, options.split(" ")), rows));
    }

    @ParameterizedTest
    @CsvSource({
        "1e-42, 1, --lambda 0",
        "1e-42, 1, --standardize",
        "1e-42, 1e35, --lambda 0",
        "1e42, 1, --lambda 0",
        "1e42, 1, --standardize",
        "1, 1e-35, --loss huber(1e-35) --intercept --lambda 0.01",
        "1, 1e35, --loss huber(1e35) --intercept --lambda 0.01"
    })
    void theSmallestAndLargestUnitsThatTrainingTakesAreConfirmed(double column, double target, String options) {
        Random random = new Random(3);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            double x = random.nextGaussian();
            double z = random.nextGaussian();
            lines.add(target * (x + z + random.nextGaussian()) + " 1:" + column * x + " 2:" + z);
        }
        Path rows = Cli.file(folder, "units.txt", lines.toArray(String[]::new));
        String loss = options.contains("--loss") ? options : "--loss squared " + options;
        assertHolds(Cli.run("verify", train(rows, loss.split(" ")), rows));
    }

    /** Few passes, and little of a ridge: slopes of rows at kinks have to be found together. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--loss hinge --lambda 1e-5",
                "--loss hinge --lambda 1e-6 --standardize --intercept",
                "--loss hinge --lambda 1e-6 --standardize --intercept --l1 1e-3",
                "--loss hinge --lambda 1e-3 --standardize --gap 1e-5 --method ns-adfs",
                "--loss absolute --lambda 1e-6 --standardize --intercept",
                "--loss absolute --lambda 1e-6 --standardize --l1 1e-3 --gap 1e-9",
                "--loss epsilon-insensitive --lambda 1e-7 --standardize",
                "--loss epsilon-insensitive --lambda 1e-5 --standardize --intercept --l1 1e-3",
                "--loss quantile --quantile 0.9 --lambda 1e-5 --standardize --l1 1e-3",
                "--loss quantile --quantile 0.9 --lambda 1e-7 --standardize --intercept"
            })
    void lossesWithKinksAreConfirmedInFewPasses(String options) {
        Path rows = rows(options.contains("hinge") ? 2 : 0);
        assertHolds(Cli.run("verify", train(rows, options.split(" ")), rows, "--passes 300"));
    }

    /** What is stated is a little more than the true gap, a little less, and a tenth of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--loss hinge",
                "--loss hinge --l1 1e-2 --standardize",
                "--loss absolute --standardize",
                "--loss epsilon-insensitive --standardize --l1 1e-2",
                "--loss quantile --quantile 0.8 --standardize"
            })
    void aGapThatIsTooSmallIsNeverConfirmed(String options) throws IOException {
        Path rows = rows(options.contains("hinge") ? 2 : 0);
        String[] tight = (options + " --lambda 1e-3 --gap 1e-11").split(" ");
        double optimum = Cli.run("verify", train(rows, tight), rows, "--json").number("objective");
        String[] loose = (options + " --lambda 1e-3 --gap 1e-2 --method ns-adfs").split(" ");
        Path model = train(rows, loose);
        double objective = Cli.run("verify", model, rows, "--json").number("objective");
        double gap = (objective - optimum) / objective;
        assertThat(gap).isGreaterThan(1e-7);
        assertHolds(Cli.run("verify", stating(model, objective, 1.01 * gap), rows));
        assertRefused(Cli.run("verify", stating(model, objective, 0.99 * gap), rows), "the gap is at least ");
        assertRefused(Cli.run("verify", stating(model, objective, 0.1 * gap), rows), "the gap is at least ");
    }

    /** The model with another objective and gap. */
    private Path stating(Path model, double objective, double gap) throws IOException {
        String number = "[-+.eE0-9]+";
        Path objectiveForged = forged(model, "\"objective\":" + number, "\"objective\":" + objective + "0");
        Path dualForged = forged(objectiveForged, "\"dual\":" + number, "\"dual\":" + objective * (1 - gap));
        return forged(dualForged, "\"gap\":(?=[0-9])" + number, "\"gap\":" + gap);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--loss hinge --bias", "--loss hinge --intercept", "--loss hinge --l1 1e-3 --intercept"})
    void aChangedWeightWithItsTrueObjectiveIsNeverConfirmed(String options) throws IOException {
        Path rows = rows(2);
        Path model = train(rows, (options + " --lambda 1e-3 --standardize").split(" "));
        Path moved = retouched(model, 0, 1e-3, 0);
        double objective = Cli.run("verify", moved, rows, "--json").number("objective");
        assertRefused(Cli.run("verify", stating(moved, objective, 1e-6), rows), "the gap is at least ");
    }

    @Test
    void aLassoIsConfirmed() throws IOException {
        Path rows = rows(0);
        Path model = train(rows, "--lambda 0 --l1 0.1 --loss squared --intercept --standardize");
        Path moved = retouched(model, 0, 1e-3, 0);
        double objective = Cli.run("verify", moved, rows, "--json").number("objective");
        assertRefused(Cli.run("verify", stating(moved, objective, 1e-9), rows), "the gap is at least ");
        // Slopes at the margins of this model prove much less.
        assertHolds(Cli.run("verify", stating(moved, objective, 1e-4), rows));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--method newton", "--method adfs", "--l1 1e-3", "--loss hinge --lambda 1e-2 --gap 1e-4"})
    void threeClassesAreConfirmedTogether(String options) {
        Path rows = rows(3);
        String[] all = (options + " --standardize --bias --class-weight 3=2").split(" ");
        assertHolds(Cli.run("verify", train(rows, all), rows));
    }

    @Test
    void everyValueOfAPathIsChecked() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--lambda-path 1e-1,1e-2,1e-3 --l1-ratios 0.5 --intercept");
        Cli verified = Cli.run("verify", model, rows);
        assertThat(verified.out()).startsWith(HOLDS).endsWith("path: the certificates of all 3 values hold\n");
        assertThat(verified.code()).isZero();

        Path forged = forged(model, "(?s)(\"path\":.*?\"objective\":)[-+.eE0-9]+", "$10.25");
        Cli refused = Cli.run("verify", forged, rows);
        assertThat(refused.out())
                .startsWith(HOLDS)
                .contains("path: lambda 0.1, l1 0.1: the certificate does not hold: the objective is 0.");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(Cli.run("verify", forged, rows, "--json").out()).contains("\"path\"", "\"verdict\":\"false\"");
    }

    @Test
    void sparseRowsAreScaledWithoutBeingCentred() {
        Path rows = folder.resolve("sparse.txt");
        Cli.run("generate", rows, "--rows 300 --features 40 --density 0.1");
        assertHolds(Cli.run("verify", train(rows, "--standardize --bias"), rows));
    }

    @Test
    void weightsOfRowsAreUsed() {
        Path rows = rows(2);
        String[] weights = new String[200];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = String.valueOf(0.1 + i % 7);
        }
        Path file = Cli.file(folder, "weights.txt", weights);
        Path model = train(rows, "--weights", file.toString(), "--bias");
        assertHolds(Cli.run("verify", model, rows, "--weights", file));
        assertRefused(Cli.run("verify", model, rows), "the objective is ");
    }

    /** The model with what follows a member replaced. */
    private Path forged(Path model, String pattern, String replacement) throws IOException {
        String text = Files.readString(model);
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).isTrue();
        String changed = matcher.replaceFirst(replacement);
        assertThat(changed).isNotEqualTo(text);
        return Files.writeString(folder.resolve("forged.json"), changed);
    }

    /** The model with another first or last weight or another intercept, and a hash to match. */
    private Path retouched(Path file, int feature, double more, double moreIntercept) {
        LinearModel model = LinearModel.load(file);
        double[] weights = model.weights(0).clone();
        weights[feature] += more;
        LinearModel changed = new LinearModel(
                model.loss(),
                model.classes(),
                new double[][] {weights},
                new double[] {model.intercept(0) + moreIntercept},
                model.provenance());
        Path target = folder.resolve("retouched.json");
        changed.save(target);
        return target;
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "hinge"})
    void aChangedWeightIsDetected(String loss) {
        Path rows = rows(2);
        Path model = train(rows, "--loss", loss, "--bias --standardize --lambda 1e-2 --gap 1e-4");
        assertRefused(Cli.run("verify", retouched(model, 0, 1e-3, 0), rows), "the objective is ");
        assertRefused(Cli.run("verify", retouched(model, 1, -1e-3, 0), rows), "the objective is ");
        assertRefused(Cli.run("verify", retouched(model, 0, 0, 1e-3), rows), "the objective is ");
        assertHolds(Cli.run("verify", retouched(model, 0, 0, 0), rows));
    }

    @Test
    void aChangedFreeInterceptIsDetected() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--intercept --lambda 1e-2");
        Path moved = retouched(model, 0, 0, 0.1);
        assertRefused(Cli.run("verify", moved, rows), "the objective is ");
        double objective = Cli.run("verify", moved, rows, "--json").number("objective");
        Path stated = forged(moved, "\"objective\":[-+.eE0-9]+", "\"objective\":" + objective);
        assertRefused(Cli.run("verify", stated, rows), "the gap is at least ");
    }

    @Test
    void errorsWithoutRegularisationAreDetected() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--intercept --lambda 0");
        Path moved = retouched(model, 0, 0.1, 0);
        assertRefused(Cli.run("verify", moved, rows), "the objective is ");
        double objective = Cli.run("verify", moved, rows, "--json").number("objective");
        Path stated = forged(moved, "\"objective\":[-+.eE0-9]+", "\"objective\":" + objective);
        assertRefused(Cli.run("verify", stated, rows), "the gap is at least ");
        Path leftOut = forged(model, "\"aliased\":\\[3", "\"aliased\":[2,3");
        assertRefused(
                Cli.run("verify", leftOut, rows),
                "feature 3 is left out, yet has a weight or does not follow from others");
        Path noneLeftOut = forged(model, "\"aliased\":\\[3\\],", "");
        assertRefused(Cli.run("verify", noneLeftOut, rows), "some features depend on others, yet none is left out");
    }

    /** The bound by curvature is that of two losses, whatever a file states. */
    @Test
    void curvatureProvesNothingForOtherLosses() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--loss squared-hinge --lambda 1e-3");
        Path other = forged(model, "\"lambda\":\"[^\"]*\"", "\"lambda\":\"0.0\"");
        assertRefused(
                Cli.run("verify", other, rows),
                "a model with the loss squared-hinge cannot be proven without a regulariser");
    }

    @Test
    void aModelWithATinyLambdaIsProvenByCurvature() throws IOException {
        Path model = train(rows(0), "--loss squared --lambda 1e-18 --gap 1e-12");
        assertThat(Files.readString(model)).contains("\"coefficientError\"");
    }

    @Test
    void impossibleWeightsAndInterceptsAreDetected() {
        Path rows = rows(2);
        Path model = train(rows, "--standardize");
        assertRefused(Cli.run("verify", retouched(model, 0, 0, 1e-3), rows), "the intercept ");
        assertRefused(
                Cli.run("verify", retouched(model, 3, 0.25, 0), rows),
                "feature 4 is the same in all rows, yet has the weight 0.25");
    }

    @Test
    void forgedNumbersAreDetected() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--bias --method adfs --gap 1e-3 --standardize --lambda 1e-2");
        String number = "[-+.eE0-9]+";
        Path lambda = forged(model, "\"lambda\":\"" + number, "\"lambda\":\"1.1e-2");
        assertRefused(Cli.run("verify", lambda, rows), "the objective is ");
        double objective = Cli.run("verify", model, rows, "--json").number("statedObjective");
        Path better = forged(model, "\"objective\":" + number, "\"objective\":" + objective * (1 - 1e-9));
        assertRefused(Cli.run("verify", better, rows), "the objective is 0.");
        for (String claim : List.of("\"gap\":1e-13", "\"dual\":" + objective)) {
            String name = claim.substring(0, claim.indexOf(':') + 1);
            Cli refused = Cli.run("verify", forged(model, name + "(?=[0-9])" + number, claim), rows);
            assertRefused(refused, "the gap is at least ");
            assertThat(refused.out()).contains("there is a model with objective ");
        }
    }

    @Test
    void otherDataAreDetected() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--bias");
        List<String> lines = Files.readAllLines(rows);
        List<String> changed = new ArrayList<>(lines);
        changed.set(17, changed.get(17).replace("4:2", "4:2.01"));
        assertRefused(
                Cli.run("verify", model, Cli.file(folder, "changed.txt", changed.toArray(String[]::new))),
                "the objective is ");
        List<String> fewer = lines.subList(0, 199);
        assertRefused(
                Cli.run("verify", model, Cli.file(folder, "fewer.txt", fewer.toArray(String[]::new))),
                "the objective is ");
        assertRefused(
                Cli.run("verify", model, Cli.file(folder, "wide.txt", "1 1:1 5:2", "2 2:1")),
                "the data have 5 features, the model 4");
        assertRefused(
                Cli.run("verify", model, Cli.file(folder, "other.txt", "1 1:1", "3 2:1")),
                "row 2 has the label 3, which is none of the model's classes");
    }

    @Test
    void aProofThatIsNotFoundIsNotReported() {
        Path rows = rows(2);
        Path model = train(rows, "--loss hinge --standardize --lambda 1e-2 --gap 1e-4");
        Cli unconfirmed = Cli.ended(1, "verify", model, rows, "--passes 0");
        assertThat(unconfirmed.out())
                .startsWith("the certificate cannot be confirmed: the best dual point found bounds the gap by ")
                .contains("; this does not refute it: a longer search (--passes) may prove it\n");
    }

    @Test
    void jsonHasTheNumbers() {
        Path rows = rows(2);
        Cli verified = Cli.ok("verify", train(rows, "--bias"), rows, "--json");
        assertThat(verified.value("verdict")).isEqualTo("holds");
        assertThat(verified.number("gap")).isBetween(0.0, verified.number("statedGap") + 1e-14);
        assertThat(verified.number("dual")).isLessThanOrEqualTo(verified.number("objective"));
        assertThat(verified.number("rows")).isEqualTo(200);
    }

    @Test
    void aModelWithoutACertificateIsRefused() {
        Path model = Cli.file(
                folder,
                "m.model",
                "solver_type L2R_LR",
                "nr_class 2",
                "label 1 2",
                "nr_feature 1",
                "bias -1",
                "w",
                "1");
        Cli refused = Cli.ended(2, "verify", model, rows(2));
        assertThat(refused.err()).contains("m.model states no certificate; take a JSON model");
        Cli negative = Cli.ended(2, "verify", model, rows(2), "--passes -1");
        assertThat(negative.err()).contains("--passes -1 must be 0 or more");
    }

    /** A model with the weights 0 whose file states a small gap, and otherwise nothing that is false. */
    private Path nothingLearned(Path rows) throws IOException {
        Path model = train(rows, "--loss logistic --lambda 1e-3");
        Path bare = forged(model, "\"hash\":\"[^\"]*\",", "");
        Path zero = forged(bare, "\"weights\":\\[\\s*\\[[^]]*\\]", "\"weights\":[[0,0,0,0]");
        return stating(zero, StrictMath.log(2), 1e-9);
    }

    @Test
    void aFileThatStatesTwoGapsIsRefused() throws IOException {
        Path rows = rows(2);
        Cli refused = Cli.ended(2, "verify", forged(nothingLearned(rows), "\"gap\":", "\"gap\":0.5,\"gap\":"), rows);
        assertThat(refused.err())
                .contains("Duplicate", "take the file that training wrote")
                .hasLineCount(1);
    }

    @Test
    void aGapThatIsNotANumberIsRefused() throws IOException {
        Path rows = rows(2);
        Path model = nothingLearned(rows);
        assertRefused(Cli.run("verify", model, rows), "the gap is at least ");
        Cli refused = Cli.ended(2, "verify", forged(model, "\"gap\":\"[^\"]*\"", "\"gap\":\"NaN\""), rows);
        assertThat(refused.err()).contains("the setting gap is 'NaN'").hasLineCount(1);
    }

    @Test
    void tinyClassWeightsProveNothing() throws IOException {
        Path rows = rows(2);
        Path model = nothingLearned(rows);
        String weights = "\"class-weights\":\"";
        Cli refused = Cli.ended(2, "verify", forged(model, weights, weights + "1.0=1e-300,2.0=1e-300"), rows);
        assertThat(refused.err()).contains("the setting class-weights is '1.0=1e-300'");
        assertRefused(
                Cli.run("verify", forged(nothingLearned(rows), weights, weights + "1.0=1e-50,2.0=1e-50"), rows),
                "the gap is at least ");
    }

    /** The second column is the first plus 2e-5 of the label, or far from zero: both determine the label. */
    @ParameterizedTest
    @ValueSource(doubles = {2e-5, 2e-6})
    void aColumnThatTellsMoreMayNotBeLeftOut(double part) throws IOException {
        Random random = new Random(1);
        List<String> lines = new ArrayList<>(List.of("a,b,y"));
        for (int i = 0; i < 100; i++) {
            double a = random.nextGaussian();
            double y = random.nextGaussian();
            lines.add(part > 1e-5 ? a + "," + (a + part * y) + "," + y : a + "," + (1 / part + y) + "," + y);
        }
        Path both = Cli.file(folder, "both.csv", lines.toArray(String[]::new));
        lines.replaceAll(line -> line.replaceFirst(",[^,]*,", ","));
        Path alone = Cli.file(folder, "alone.csv", lines.toArray(String[]::new));
        Path model = train(alone, "--label-column y --loss squared --lambda 0");
        Path bare = forged(model, "(?s)\"names\".*?(?=\"training\")", "\"names\":[\"a\",\"b\"],");
        Path spread = forged(bare, "\"deviations\":\\[[^]]*\\],", "");
        Path wider = forged(forged(spread, "\"features\":1", "\"features\":2"), "\"hash\":\"[^\"]*\",", "");
        Path weights = forged(wider, "(\"weights\":\\[\\s*\\[)([^]]*)\\]", "$1$2,0.0]");
        Path aliased = forged(weights, "\"certified\"", "\"aliased\":[1],\"certified\"");
        assertRefused(
                Cli.run("verify", aliased, both, "--label-column y"),
                "feature 2 is left out, yet has a weight or does not follow from others");
    }

    /** With a ridge, the best model shares a weight between equal columns. */
    @Test
    void noColumnIsLeftOutBesideARidge() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--lambda 1e-3 --intercept");
        assertRefused(
                Cli.run("verify", forged(model, "\"certified\"", "\"aliased\":[3],\"certified\""), rows),
                "features are left out, which only a model without regularisation can do");
    }

    @Test
    void statedExactnessOfCoefficientsIsChecked() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--lambda 1e-2 --intercept --gap 1e-3");
        Cli stated =
                Cli.ended(1, "verify", forged(model, "\"certified\"", "\"coefficientError\":1e-9,\"certified\""), rows);
        assertThat(stated.out()).startsWith("the certificate cannot be confirmed: curvature bounds ");
    }

    /** What rounding may have hidden is part of the gap that is stated. */
    @Test
    void theErrorCountsAsPartOfTheGap() throws IOException {
        Path rows = rows(0);
        Path model = train(rows, "--loss absolute --lambda 1e-2 --l1 1e-2 --intercept --standardize --gap 1e-6");
        double objective = LinearModel.load(model).provenance().certificate().objective();
        Path equal = forged(model, "\"dual\":[-+.eE0-9]+", "\"dual\":" + objective);
        Path withError = forged(equal, "\"error\":[-+.eE0-9]+", "\"error\":" + 1e-6 * objective);
        assertHolds(Cli.run("verify", forged(withError, "\"gap\":[0-9][-+.eE0-9]*", "\"gap\":1e-6"), rows));
        Path unknown = forged(withError, "\"error\":[-+.eE0-9]+", "\"error\":null");
        Path open = forged(unknown, "\"gap\":[0-9][-+.eE0-9]*", "\"gap\":null");
        Cli nothing = Cli.ended(1, "verify", forged(open, "\"certified\":true", "\"certified\":false"), rows);
        assertThat(nothing.out())
                .startsWith("the certificate cannot be confirmed: the file states no gap; it is at most ");
    }

    @Test
    void aBoundAboveTheOptimumIsRefused() throws IOException {
        Path rows = rows(2);
        double optimum = LinearModel.load(train(rows, "--lambda 1e-2 --bias --gap 1e-12"))
                .provenance()
                .certificate()
                .objective();
        Path model = train(rows, "--lambda 1e-2 --bias --method adfs --gap 1e-3");
        Certificate loose = LinearModel.load(model).provenance().certificate();
        assertThat(optimum).isBetween(loose.bound(), loose.objective());
        String bound = "\"bound\":[-+.eE0-9]+";
        assertHolds(Cli.run("verify", forged(model, bound, "\"bound\":" + (optimum - 1e-12)), rows));
        assertHolds(Cli.run("verify", forged(model, bound + ",", ""), rows));
        assertRefused(
                Cli.run("verify", forged(model, bound, "\"bound\":" + (optimum + loose.objective()) / 2), rows),
                "the optimum is not at least ");
        assertRefused(
                Cli.run("verify", forged(model, bound, "\"bound\":" + Math.nextUp(loose.objective())), rows),
                "the objective is ");
    }

    @Test
    void theProblemIsPrinted() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--lambda 1e-2 --intercept --holdout 0.3 --seed 5 --class-weight 1=3 --standardize");
        Cli verified = Cli.run("verify", model, rows);
        assertThat(verified.out())
                .contains("problem: logistic loss, lambda 0.01, l1 0.0, free intercept, scaling standardize, class"
                        + " weights 1=3; ")
                .containsPattern("; \\d+ of 200 rows \\(\\d+ held out\\), without weights, 4 features\n");
        Cli json = Cli.run("verify", model, rows, "--json");
        assertThat(json.value("loss")).isEqualTo("logistic");
        assertThat(json.number("lambda")).isEqualTo(0.01);
        assertThat(json.number("rowsGiven")).isEqualTo(200);
        assertThat(json.number("rowsHeldOut"))
                .isEqualTo(200 - json.number("rows"))
                .isPositive();
        assertThat(json.value("classWeights")).isEqualTo("1=3");
        Cli none = Cli.ended(2, "verify", forged(model, "\"holdout\":\"0.3\"", "\"holdout\":\"0.9999999\""), rows);
        assertThat(none.err()).contains("leaves none of 200 rows to train on").hasLineCount(1);
    }

    @Test
    void columnsLeftOutAreNamed() {
        Path rows = rows(2);
        assertThat(Cli.run("verify", train(rows, "--intercept --lambda 0"), rows)
                        .out())
                .contains("4 features of which left out: 4\n");
    }

    @Test
    void whatAFileSaysOfItsRowsIsChecked() throws IOException {
        Path rows = rows(2);
        Path model = train(rows, "--lambda 1e-2 --intercept --holdout 0.3 --seed 5");
        Cli verified = Cli.ok("verify", model, rows);
        assertThat(verified.out()).contains("\nnot checked: how well it predicts (evaluation); how training went (");
        assertThat(Cli.ok("verify", model, rows, "--json").out()).contains("\"unchecked\":[\"how well it predicts");
        int trained = (int) Cli.ok("verify", model, rows, "--json").number("rows");
        assertRefused(
                Cli.run("verify", forged(model, "(\"certified\".*?\"rows\":)\\d+", "$1777"), rows),
                "the rows that were given are " + trained + " to train on, not 777 as stated");
        assertRefused(
                Cli.run("verify", forged(model, "(\"deviations\":\\[)[-+.E0-9]+", "$10.125"), rows),
                "the standard deviation of feature 1 is ");
        for (String absurd : List.of("-1", "0", "1.5", "1e308", "null", "\"many\"")) {
            Cli refused = Cli.ended(2, "verify", forged(model, "(\"certified\".*?\"rows\":)\\d+", "$1" + absurd), rows);
            assertThat(refused.err()).contains("\"rows\": '").hasLineCount(1);
        }
        for (String member : List.of("tau", "epochs", "steps")) {
            Cli refused = Cli.ended(
                    2, "verify", forged(model, "\"" + member + "\":[-+.E0-9]+", "\"" + member + "\":-5"), rows);
            assertThat(refused.err())
                    .contains("\"" + member + "\": '-5", "must be 0 or more")
                    .hasLineCount(1);
        }
    }

    /** No sum of a constant such as 0.1 divides evenly, so its deviation is not quite 0 in any arithmetic. */
    @Test
    void aConstantColumnOfDoublesHasNoDeviation() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(rows(2)));
        lines.replaceAll(line -> line.replace("4:2", "4:0.1"));
        Path rows = Cli.file(folder, "constant.txt", lines.subList(0, 193).toArray(String[]::new));
        Path model = train(rows, "--standardize --lambda 1e-2");
        assertHolds(Cli.run("verify", model, rows));
        assertRefused(
                Cli.run("verify", retouched(model, 3, 0.25, 0), rows),
                "feature 4 is the same in all rows, yet has the weight 0.25");
    }
}
