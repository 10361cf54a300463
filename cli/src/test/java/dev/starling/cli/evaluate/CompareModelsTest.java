package dev.starling.cli.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several models on the same rows. */
class CompareModelsTest {

    @TempDir
    private Path folder;

    private Path people;

    @BeforeEach
    void writeRows() {
        Random random = new Random(3);
        List<String> lines = new ArrayList<>(List.of("age,town,gap,hours,income,kind"));
        for (int i = 0; i < 240; i++) {
            double age = 20 + random.nextInt(40);
            double hours = 10 + random.nextInt(50);
            boolean rich = age / 10 + hours / 20 + random.nextGaussian() > 6;
            lines.add(age + "," + (i % 2 == 0 ? "Lyon" : "Nice") + "," + (i % 10 == 0 ? "" : "" + i % 7) + "," + hours
                    + "," + (rich ? ">50K" : "<=50K") + "," + "abc".charAt(random.nextInt(3)));
        }
        people = Cli.file(folder, "people.csv", lines.toArray(String[]::new));
    }

    private Path trained(String name, String formula, String options) {
        Path model = folder.resolve(name);
        Cli.ok("train", people, "--formula", formula, ("--quiet " + options).strip(), "--model", model);
        return model;
    }

    private static Cli ok(Cli run) {
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    /** A member of the difference of a measure between the first two models. */
    private static double number(Cli run, String measure, String member) {
        Matcher found = Pattern.compile("\"measure\":\"" + measure + "\"[^}]*\"" + member + "\":([^,}]*)")
                .matcher(run.out());
        assertThat(found.find()).as(run.out()).isTrue();
        return Double.parseDouble(found.group(1));
    }

    @Test
    void measuresStandSideBySideAndDifferencesHaveIntervals() {
        Path small = trained("small.json", "income~town", "");
        Path large = trained("large.json", "income~age+hours", "");
        Cli both = ok(Cli.run("evaluate", small, large, people, "--json"));
        for (String measure : List.of("accuracy", "auc", "logLoss", "brier")) {
            double first = ok(Cli.run("evaluate", small, people, "--json")).number(measure);
            double second = ok(Cli.run("evaluate", large, people, "--json")).number(measure);
            assertThat(number(both, measure, "ofFirst")).isCloseTo(first, within(1e-12));
            assertThat(number(both, measure, "difference")).isCloseTo(second - first, within(1e-12));
        }
        assertThat(number(both, "auc", "lower")).isPositive();
        assertThat(both.out())
                .containsPattern("\"measure\":\"auc\"[^}]*\"moreThanChance\":true,\"better\":\"large.json\"");
        Cli text = ok(Cli.run("evaluate", small, large, people));
        assertThat(text.out())
                .contains("240, the same for all models")
                .containsPattern(" +small.json +large.json\naccuracy +0")
                .containsPattern("large.json - small.json +accuracy +\\+0")
                .containsPattern("\n +auc +\\+0.* large.json +yes\n");
        assertThat(text.err()).contains("holds the rows that small.json was trained on");
    }

    @Test
    void aModelIsNoBetterThanItself() {
        Path model = trained("a.json", "income~age", "");
        Cli both = ok(Cli.run("evaluate", model, trained("b.json", "income~age", ""), people, "--json"));
        assertThat(number(both, "auc", "difference")).isZero();
        assertThat(both.out()).doesNotContain("\"moreThanChance\":true", "\"better\"");
    }

    @Test
    void rowsThatOneModelLeavesOutAreLeftOutForAll() {
        Path all = trained("all.json", "income~age", "");
        Path some = trained("some.json", "income~age+gap", "--missing drop");
        Cli both = ok(Cli.run("evaluate", all, some, people));
        assertThat(both.out()).contains("216, the same for all models");
        assertThat(both.err()).contains("24 rows that another of the models leaves out are left out");
    }

    @Test
    void onlyHeldOutRowsAreTakenIfAskedFor() {
        Path small = trained("small.json", "income~town", "--holdout 0.3");
        Path large = trained("large.json", "income~age+hours", "--holdout 0.3");
        Cli kept = ok(Cli.run("evaluate", large, "--json"));
        Cli held = ok(Cli.run("evaluate", large, people, "--held-out --json"));
        assertThat(held.number("rows")).isEqualTo(kept.number("rows")).isLessThan(120);
        assertThat(held.number("auc")).isCloseTo(kept.number("auc"), within(1e-12));
        assertThat(ok(Cli.run("evaluate", small, large, people, "--held-out")).out())
                .contains((int) kept.number("rows") + ", the same for all models");
        assertThat(ok(Cli.run("evaluate", small, large)).out()).contains("held out   the same rows for all models");
        Path other = trained("other.json", "income~age", "");
        assertThat(Cli.run("evaluate", other, people, "--held-out").err()).contains("held no rows out");
    }

    @Test
    void aThresholdMovesPredictionsOnly() {
        Path model = trained("m.json", "income~age+hours", "");
        Cli usual = ok(Cli.run("evaluate", model, people, "--json"));
        Cli half = ok(Cli.run("evaluate", model, people, "--threshold 0.5 --json"));
        Cli low = ok(Cli.run("evaluate", model, people, "--threshold 0.1 --json"));
        assertThat(half.number("accuracy")).isEqualTo(usual.number("accuracy"));
        assertThat(low.number("auc")).isEqualTo(usual.number("auc"));
        // The probability that predict prints decides.
        Cli predicted = ok(Cli.run("predict", model, people, "--probabilities"));
        long above = predicted
                .out()
                .lines()
                .skip(1)
                .filter(line -> Double.parseDouble(line.split(" ")[2]) > 0.1)
                .count();
        assertThat(low.out()).containsPattern("\"label\":\">50K\",\"weight\":[\\d.]+,\"predicted\":" + above + "\\.0,");
        assertThat(ok(Cli.run("evaluate", model, people, "--threshold 0.1")).out())
                .contains("threshold  probability of class >50K above 0.1\n");
        assertThat(Cli.run("evaluate", model, people, "--threshold 30").err()).contains("between 0 and 1");
        Path three = trained("three.json", "kind~age", "");
        assertThat(Cli.run("evaluate", three, people, "--threshold 0.3").err())
                .contains("--threshold 0.3 tells two classes apart, but the model has 3 classes");
    }

    @Test
    void groupsAreEvaluatedOnTheirOwn() throws IOException {
        Path small = trained("small.json", "income~age", "");
        Path large = trained("large.json", "income~age+hours", "");
        List<String> lines = Files.readAllLines(people);
        Path lyon = Cli.file(
                folder,
                "lyon.csv",
                lines.stream()
                        .filter(line -> line.contains("Lyon") || line.contains("town"))
                        .toArray(String[]::new));
        double alone = ok(Cli.run("evaluate", small, lyon, "--json")).number("auc");
        Cli groups = ok(Cli.run("evaluate", small, people, "--by town --json"));
        assertThat(groups.out()).containsPattern("\"group\":\"Lyon\",\"rows\":120,[^}]*\"auc\":" + alone);
        assertThat(ok(Cli.run("evaluate", small, large, people, "--by town")).out())
                .containsPattern("\nLyon +small.json +120 .*\n +large.json +120 .*\nNice +small.json +120 ");
        assertThat(Cli.run("evaluate", small, people, "--by twon").err()).contains("did you mean 'town'?");
    }

    @Test
    void modelsOfSeveralClassesAndOfNumbersAreComparedToo() {
        Path one = trained("one.json", "kind~age", "");
        Path other = trained("other.json", "kind~age+hours", "--loss softmax");
        Cli classes = ok(Cli.run("evaluate", one, other, people, "--json"));
        assertThat(number(classes, "auc", "standardError")).isPositive();
        assertThat(classes.out()).doesNotContain("\"measure\":\"loss\"");
        Path line = trained("line.json", "hours~age", "--loss squared");
        Path counts = trained("counts.json", "hours~age+town", "--loss poisson");
        Cli numbers = ok(Cli.run("evaluate", line, counts, people, "--json"));
        assertThat(number(numbers, "rmse", "ofFirst"))
                .isCloseTo(ok(Cli.run("evaluate", line, people, "--json")).number("rmse"), within(1e-12));
        assertThat(number(numbers, "mae", "lower")).isLessThan(number(numbers, "mae", "upper"));
    }

    @Test
    void modelsOfDifferentColumnsAreRefused() {
        Path income = trained("income.json", "income~age", "");
        Path kind = trained("kind.json", "kind~age", "");
        Cli run = Cli.ended(2, "evaluate", income, kind, people);
        assertThat(run.err()).contains("income.json and kind.json: the models do not predict the same labels");
    }

    @Test
    void crossValidatedModelsAreComparedFoldByFold() {
        Path small = trained("small.json", "income~town", "--cv 5 --lambda-path 1e-1,1e-2");
        Path large = trained("large.json", "income~age+hours", "--cv 5 --lambda-path 1e-1,1e-2");
        Cli run = ok(Cli.run("evaluate", small, large, "--json"));
        double first = number(run, "error", "ofFirst");
        assertThat(run.out())
                .containsPattern(
                        "\"error\":\\{\"mean\":" + String.valueOf(first).substring(0, 12));
        assertThat(number(run, "loss", "upper")).isNegative();
        assertThat(ok(Cli.run("evaluate", small, large)).out())
                .contains("cross-validation, fold by fold\n", "folds      the same for all models\n");
        Path other = trained("other.json", "income~age", "--cv 5 --lambda-path 1e-1,1e-2 --seed 9");
        Cli apart = ok(Cli.run("evaluate", small, other));
        assertThat(apart.out())
                .contains("folds      not the same for all models")
                .doesNotContain("fold by fold\ncompared");
    }

    @Test
    void thePageComparesModels() throws IOException {
        Path page = folder.resolve("page.html");
        Path small = trained("small.json", "income~town", "");
        ok(Cli.run("evaluate", small, trained("large.json", "income~age", ""), people, "--by town --page", page));
        assertThat(Files.readString(page))
                .contains("\"differences\":[{\"first\":\"small.json\"", "\"trainedOnThese\":true")
                .doesNotContain("@DATA@");
    }
}
