package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What was trained stands in two lines before the numbers, and what was guessed or left out on stderr. */
class WhatTrainSaysTest {

    @TempDir
    private Path folder;

    private Path model;

    @BeforeEach
    void nameTheModel() {
        model = folder.resolve("model.json");
    }

    private Path table(String header, int rows, String cells) {
        String[] lines = new String[rows + 1];
        lines[0] = header;
        List<String> kinds = List.of("No", "Yes", "no", "yes");
        for (int k = 0; k < rows; k++) {
            String line = cells.replace("row", "" + k)
                    .replace("part", "" + k % 7)
                    .replace("half", "" + k % 2)
                    .replace("third", "" + k % 3)
                    .replace("ring", "" + k % 28);
            lines[k + 1] = line.replace("word", kinds.get(k % kinds.size()));
        }
        return Cli.file(folder, "t.csv", lines);
    }

    private Cli train(Path file, String options) {
        return Cli.run("train", file, "--model", model, ("--nodes 1 " + options).strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --label-column half                            | logistic regression of half: 1 against 0 | 60 rows, 3 features of 3 columns; ridge, lambda 1e-4; free intercept
            --label-column half --lambda 0 --drop row      | logistic regression of half: 1 against 0 | 60 rows, 2 features of 2 columns; no penalty; free intercept
            --label-column part --loss squared --l1 0.1    | linear regression of part                | 60 rows, 3 features of 3 columns; elastic net, lambda 1e-4, l1 0.1; free intercept
            --label-column part --loss huber(0.5) --no-intercept | Huber regression (0.5) of part     | 60 rows, 3 features of 3 columns; ridge, lambda 1e-4; no intercept
            --formula sqrt(row)~part --loss squared        | linear regression of sqrt(row)           | 60 rows, 1 feature of 1 column; ridge, lambda 1e-4; free intercept
            --label-column third                           | multinomial logistic regression of third: 3 classes (0, 1, 2), all at once | 60 rows, 3 features of 3 columns; ridge, lambda 1e-4; free intercept
            """)
    void twoLinesSayWhatWasTrained(String options, String first, String second) {
        Cli run = train(table("half,part,third,row", 60, "half,part,third,row"), options);
        assertThat(run.out().lines().limit(3)).as(run.err()).startsWith(first, second);
        assertThat(run.out().lines().skip(2).findFirst().orElseThrow()).startsWith("objective");
    }

    @Test
    void aLabelThatIsGuessedIsNamed() {
        Cli guessed = train(table("survived,class,age", 60, "half,third,part"), "--loss softmax --bias 1");
        assertThat(guessed.err()).contains("t.csv: column 'class' is the label, judging by its name");
        assertThat(guessed.out()).startsWith("multinomial logistic regression of class: 3 classes (0, 1, 2)");
        Path file = table("survived,class,age", 60, "half,third,part");
        assertThat(train(file, "--label-column survived").err()).doesNotContain("judging");
        assertThat(train(file, "--formula survived~age").err()).doesNotContain("judging");
    }

    @Test
    void aFewNumbersAreClassesWithARemarkAndManyAreNot() {
        Path few = table("x,y", 90, "part,third");
        assertThat(train(few, "").err())
                .contains("the 3 different numbers in column 'y' are taken for classes; --loss squared");
        assertThat(train(few, "--kind y=categorical").err()).doesNotContain("taken for classes");
        assertThat(train(table("x,y", 90, "part,half"), "").err()).doesNotContain("taken for classes");
        Cli many = train(table("x,rings", 90, "part,ring"), "--label-column rings");
        assertThat(many.code()).isEqualTo(2);
        assertThat(many.err()).contains("label column 'rings' holds 28 different numbers; --loss squared");
    }

    @Test
    void valuesThatAreRoundedAreMentioned() {
        Path file = table("x,y", 60, "part,half");
        assertThat(train(file, "--precision float").out()).contains("; values rounded to floats");
        assertThat(train(file, "").out()).doesNotContain("rounded");
    }

    /** A perfect fit has standard errors of next to nothing, of which coefficients may be off by many. */
    @Test
    void boundsOnErrorsThatSayNothingAreNotPrinted() {
        StringBuilder text = new StringBuilder("x,x2,x3,x4,x5,y");
        for (long x = 0; x <= 20; x++) {
            text.append('\n')
                    .append(x)
                    .append(',')
                    .append(x * x)
                    .append(',')
                    .append(x * x * x)
                    .append(',');
            text.append(x * x * x * x).append(',').append(x * x * x * x * x).append(',');
            text.append(1 + x + x * x + x * x * x + x * x * x * x + x * x * x * x * x);
        }
        Path file = Cli.file(folder, "wampler.csv", text.toString());
        Cli run = train(file, "--label-column y --loss squared --lambda 0");
        assertThat(run.out()).contains("certified").doesNotContain("exact to");
        assertThat(train(table("part,half", 60, "part,half"), "--label-column half --lambda 0")
                        .out())
                .contains("exact to");
    }

    /** Its intercept, 25 quadrillions, has no digits left for the target. */
    @Test
    void aModelThatCannotBeWrittenExactlyHasStalledInsteadOfMeetingALimit() {
        StringBuilder text = new StringBuilder("id,y");
        for (int k = 0; k < 90; k++) {
            text.append('\n').append(12345678901234567L + k).append(',').append(2 * k + k * 7 % 11 * 0.1);
        }
        Cli run = train(Cli.file(folder, "far.csv", text.toString()), "--loss squared --lambda 0 --kind id=numeric");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("stalled: ", "subtract a constant from columns")
                .doesNotContain("max-epochs");
        String near = text.toString().replace("123456789012", "");
        assertThat(train(Cli.file(folder, "near.csv", near), "--loss squared --lambda 0")
                        .out())
                .contains("certified");
    }

    @Test
    void spellingsOfOneClassAreSeenAtOnce() {
        assertThat(train(table("x,y", 80, "part,word"), "").out()).contains("4 classes (No, Yes, no, yes)");
    }

    @Test
    void aModelThatIsReplacedIsNamed() {
        Path file = table("x,y", 60, "part,half");
        assertThat(train(file, "").err()).doesNotContain("already");
        assertThat(train(file, "--loss squared").err())
                .contains(model + " was a model already, logistic regression of y: 1 against 0; it is replaced");
        assertThat(train(file, "-q").err()).isEmpty();
    }

    @Test
    void refusalsAreASingleLine() {
        Cli refused = train(table("x,y", 60, "part,1"), "");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).hasLineCount(1).contains("only one class");
    }

    @Test
    void aCrossValidationThatEndsEarlySaysHowManyValuesAreMissing() {
        Path rows = model.resolveSibling("rows.txt");
        Cli.run("generate", rows, "--rows 20000");
        Cli ended = train(rows, "--lambda-path 1000 --cv 10 --max-seconds 1");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err())
                .containsPattern("[1-9]\\d{0,2} of 1000 values of lambda were solved: --max-seconds 1 came first\n")
                .doesNotContain("of the path has the smallest loss");
    }

    @Test
    void tooManyHeldOutRowsAreNamed() {
        Cli refused = train(table("x,y", 60, "part,half"), "--holdout 0.999");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--holdout 0.999");
    }

    @Test
    void indicatorsOfMissingValuesCanBeLeftOut() {
        String[] lines = new String[61];
        lines[0] = "x,z,y";
        for (int k = 0; k < 60; k++) {
            lines[k + 1] = (k % 9 == 0 ? "" : k % 7) + "," + k % 5 + "," + k % 2;
        }
        Path file = Cli.file(folder, "gaps.csv", lines);
        assertThat(train(file, "--missing median").out()).contains("60 rows, 3 features of 2 columns");
        assertThat(train(file, "--missing median --no-indicators").out()).contains("60 rows, 2 features of 2 columns");
        assertThat(Cli.run("predict", model, file).out().lines()).hasSize(60);
    }

    @Test
    void predictAndEvaluateAgreeOnWeightedRowsAndLeaveOutThoseOfWeightZero() {
        String[] lines = new String[81];
        lines[0] = "x,w,y";
        for (int k = 0; k < 80; k++) {
            lines[k + 1] = k % 7 + "," + k % 4 + "," + (k % 7 > 3 ^ k % 5 == 0 ? 1 : 0);
        }
        Path file = Cli.file(folder, "weighted.csv", lines);
        Cli trained = train(file, "--weights-column w");
        assertThat(trained.err()).contains("20 rows with weight 0 are left out");
        Cli predicted = Cli.run("predict", model, file, "--json");
        Cli evaluated = Cli.run("evaluate", model, file, "--json");
        assertThat(predicted.number("rows")).isEqualTo(80);
        for (String measure : List.of("accuracy", "auc")) {
            assertThat(predicted.number(measure)).isEqualTo(evaluated.number(measure));
        }
        Path alone = Cli.file(folder, "alone.csv", "x,y", "1,0", "5,1");
        assertThat(Cli.run("predict", model, alone).err()).contains("no column 'w' with weights; all rows count alike");
    }

    @Test
    void rowsOfWeightZeroInAFileAreLeftOut() {
        Path file = table("x,y", 60, "part,half");
        String[] weights = new String[60];
        for (int k = 0; k < 60; k++) {
            weights[k] = k < 10 ? "0" : "1";
        }
        Path perRow = Cli.file(folder, "weights.txt", weights);
        Cli trained = Cli.run("train", file, "--weights", perRow, "--cv 3 --lambda-path 3 --model", model);
        assertThat(trained.err()).contains("10 rows with weight 0 are left out");
        assertThat(trained.out()).contains("50 rows,");
    }
}
