package dev.starling.cli.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShowCommandTest {

    private static final int ROWS = 60;

    @TempDir
    private Path folder;

    private Path model;

    private static double age(int row) {
        return 20 + row * 7 % 31;
    }

    private Path people() {
        String[] lines = new String[ROWS + 1];
        lines[0] = "age,town,months,visits,income,kind";
        for (int i = 0; i < ROWS; i++) {
            boolean rich = age(i) + i % 5 * 4 > 42;
            String town = i % 3 == 0 ? "Nice" : i % 3 == 1 ? "Lyon" : "Brest, port";
            lines[i + 1] = String.join(
                    ",",
                    "" + age(i),
                    '"' + town + '"',
                    "" + 12 * age(i),
                    "" + (i % 4 + i % 3),
                    rich ? ">50K" : "<=50K",
                    i * 7 % 11 < 4 ? "a" : i * 7 % 11 < 8 ? "b" : "c");
        }
        return Cli.file(folder, "people.csv", lines);
    }

    private Cli trained(String options) {
        model = folder.resolve("m.json");
        Cli trained = Cli.ok("train", people(), options, "--quiet --model", model);
        return trained;
    }

    private static Cli ok(Cli result) {
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    /** The lines of CSV output by the name of the feature. */
    private static Map<String, String[]> lines(Cli csv) {
        Map<String, String[]> lines = new HashMap<>();
        csv.out().lines().skip(1).forEach(line -> {
            String[] cells = line.split(",(?=[^,]*$|[^,]*,[^,]*$|[^,]*,[^,]*,[^,]*$)", -1);
            lines.put(cells[0].replace("\"", ""), cells);
        });
        return lines;
    }

    @Test
    void coefficientsArePerDeviationAndOddsRatiosToo() {
        trained("--label-column income --drop months,visits,kind");
        Cli csv = ok(Cli.run("show", model, "--csv"));
        assertThat(csv.out()).startsWith("feature,coefficient,perDeviation,oddsRatio\n(intercept),");
        LinearModel read = LinearModel.load(model);
        Map<String, Double> weights = read.coefficients();
        double mean = 0;
        for (int i = 0; i < ROWS; i++) {
            mean += age(i) / ROWS;
        }
        double squares = 0;
        for (int i = 0; i < ROWS; i++) {
            squares += (age(i) - mean) * (age(i) - mean) / ROWS;
        }
        String[] age = lines(csv).get("age");
        assertThat(Double.parseDouble(age[1])).isEqualTo(weights.get("age"));
        assertThat(Double.parseDouble(age[2])).isCloseTo(weights.get("age") * Math.sqrt(squares), within(1e-12));
        assertThat(Double.parseDouble(age[3])).isCloseTo(Math.exp(weights.get("age")), within(1e-12));
        // A third of the rows are of each town.
        String[] nice = lines(csv).get("town=Nice");
        assertThat(Double.parseDouble(nice[2])).isCloseTo(weights.get("town=Nice") * Math.sqrt(2.0 / 9), within(1e-12));
        Cli text = ok(Cli.run("show", model));
        assertThat(text.out())
                .startsWith("logistic regression of income: >50K against <=50K\n")
                .containsPattern("trained on +60 rows, 3 features of 2 columns\n")
                .containsPattern("penalty +ridge, lambda 1e-4\n")
                .containsPattern("intercept +free\n")
                .containsPattern("reference +town=Brest, port\n")
                .containsPattern("\nfeature +coefficient +per deviation +odds ratio\n\\(intercept\\) +-\\d")
                .containsPattern("\ntown=Lyon +-?\\d");
        assertThat(ok(Cli.run("summary", model)).out()).isEqualTo(text.out());
        assertThat(ok(Cli.run("coefficients", model)).out()).isEqualTo(text.out());
    }

    @Test
    void jsonHasTheQuestionAndEveryNumber() {
        trained("--label-column income --drop months,visits,kind");
        Cli json = ok(Cli.run("show", model, "--json"));
        assertThat(json.value("question")).isEqualTo("logistic regression of income: >50K against <=50K");
        assertThat(json.number("trainingRows")).isEqualTo(ROWS);
        assertThat(json.out())
                .contains("\"references\":{\"town\":\"Brest, port\"}")
                .contains("{\"feature\":\"age\",\"coefficient\":"
                        + LinearModel.load(model).weight(0, 0) + ",\"perDeviation\":");
        Cli.ended(2, "show", model, "--json --csv");
    }

    @Test
    void featuresThatDependOnOthersAreNamedAsLeftOut() {
        trained("--formula income~age+months --lambda 0");
        assertThat(ok(Cli.run("show", model)).out())
                .containsPattern("penalty +none\n")
                .containsPattern("left out +months: depends on the others\n")
                .contains("1 of 2 coefficients are 0; --all lists them")
                .doesNotContainPattern("\nmonths ");
        assertThat(ok(Cli.run("show", model, "--all")).out()).containsPattern("\nmonths +0 ");
    }

    @Test
    void numbersHaveNoRatiosAndCountsHaveRates() {
        trained("--formula visits~age+town --loss squared");
        assertThat(ok(Cli.run("show", model)).out())
                .startsWith("linear regression of visits\n")
                .contains("per deviation")
                .doesNotContain("ratio");
        trained("--formula visits~age+town --loss poisson");
        String[] age = lines(ok(Cli.run("show", model, "--csv"))).get("age");
        assertThat(Double.parseDouble(age[3])).isCloseTo(Math.exp(Double.parseDouble(age[1])), within(1e-12));
        assertThat(ok(Cli.run("show", model)).out())
                .startsWith("Poisson regression of visits\n")
                .contains("rate ratio");
    }

    @Test
    void everyClassHasItsCoefficients() {
        trained("--formula kind~age+town --one-versus-rest");
        Cli text = ok(Cli.run("show", model));
        assertThat(text.out())
                .startsWith("logistic regression of kind: 3 classes (a, b, c), each against the rest\n")
                .containsPattern("(?s)\nclass a\n.*\nclass b\n.*\nclass c\n.*odds ratio");
        trained("--formula kind~age+town");
        assertThat(ok(Cli.run("show", model)).out())
                .startsWith("multinomial logistic regression of kind: 3 classes (a, b, c), all at once\n")
                .doesNotContain("odds ratio")
                .contains("The difference of a feature's coefficients for two classes");
        Cli csv = ok(Cli.run("show", model, "--csv"));
        assertThat(csv.out()).startsWith("class,feature,coefficient");
        assertThat(csv.out().lines().filter(line -> line.startsWith("b,")))
                .map(line -> line.split(",", -1)[1])
                .containsExactly("(intercept)", "age", "town=Lyon", "town=Nice");
    }

    @Test
    void aPathIsShownByLambda() {
        trained("--formula income~age+town --lambda-path 1,1e-3 --l1-ratios 0.9");
        assertThat(ok(Cli.run("show", model)).out()).containsPattern("path +one of 2 models; --lambda shows another\n");
        LinearModel read = LinearModel.load(model);
        String[] strong = lines(ok(Cli.run("show", model, "--lambda 1 --csv"))).get("age");
        assertThat(Double.parseDouble(strong[1])).isEqualTo(read.path().get(0).weight(0, 0));
        assertThat(ok(Cli.run("show", model, "--lambda 1")).out())
                .containsPattern("penalty +elastic net, lambda 1, l1 9\n");
    }

    @Test
    void whatTheModelDoesNotHoldIsSaidAndNotInvented() {
        Path other = Cli.file(
                folder,
                "m.model",
                "solver_type L2R_LR",
                "nr_class 2",
                "label 7 3",
                "nr_feature 1",
                "bias -1",
                "w",
                "1");
        assertThat(ok(Cli.run("show", other)).out())
                .startsWith("logistic regression: 7 against 3\n")
                .containsPattern("trained on +1 feature\n")
                .doesNotContain("penalty")
                .contains("feature    coefficient  odds ratio\n")
                .contains("Per standard deviation: not known");
    }

    @Test
    void markdownEscapesWhatWouldBeMarkup() {
        Path rows = Cli.file(folder, "odd.csv", "a|b,y", "1,1", "2,2", "3,3.5");
        model = folder.resolve("odd.json");
        ok(Cli.run("train", rows, "--loss squared --label-column y --quiet --model", model));
        assertThat(ok(Cli.run("show", model, "--markdown")).out())
                .contains("| feature | coefficient | per deviation |\n|---|---:|---:|\n")
                .contains("\n| a\\|b | ");
    }

    @Test
    void thePageHoldsTheCoefficients() throws IOException {
        trained("--label-column income --drop months,visits,kind");
        Path page = folder.resolve("m.html");
        ok(Cli.run("show", model, "--page", page));
        assertThat(Files.readString(page))
                .contains("\"question\":\"logistic regression of income: >50K against \\u003c=50K\"")
                .contains("\"feature\":\"town=Nice\"")
                .doesNotContain("@DATA@");
        assertThat(Cli.run("show", model, "--page", model).err()).contains("would be overwritten");
    }
}
