package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlmCommandTest {

    @TempDir
    private Path folder;

    /** Two groups, whose estimates and standard errors have closed forms. */
    private Path visits() {
        return Cli.file(
                folder,
                "visits.csv",
                "visits,drug,years,ward,sex",
                "3,0,1,a,f",
                "5,0,2,a,m",
                "2,0,1,b,f",
                "6,1,1,b,m",
                "9,1,2,c,m",
                "8,1,1,c,f",
                "4,1,1,d,m",
                "1,0,2,d,f");
    }

    private static Cli ok(Cli result) {
        assertThat(result.code()).as(result.err()).isZero();
        return result;
    }

    @Test
    void countsOfTwoGroupsHaveTheirClosedForm() {
        Cli found = ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --json"));
        assertThat(found.out())
                .startsWith("{\"family\":\"poisson\",\"link\":\"log\",\"n\":8,\"coefficients\":[{\"name\":"
                        + "\"(Intercept)\",\"estimate\":");
        assertThat(found.number("estimate")).isCloseTo(Math.log(11 / 4.0), within(found.number("error")));
        assertThat(found.number("se")).isCloseTo(Math.sqrt(1 / 11.0), within(1e-11));
        String drug = found.out().substring(found.out().indexOf("\"drug\""));
        Cli ofDrug = new Cli(0, drug, "");
        assertThat(ofDrug.number("estimate")).isCloseTo(Math.log(27 / 11.0), within(ofDrug.number("error")));
        assertThat(ofDrug.number("se")).isCloseTo(Math.sqrt(1 / 11.0 + 1 / 27.0), within(1e-11));
        assertThat(found.number("dfResidual")).isEqualTo(6);
        assertThat(found.number("standardErrors")).isPositive().isLessThan(1e-9);
    }

    @Test
    void offsetsAreExposures() {
        Cli found = ok(Cli.run("glm", visits(), "visits~drug+offset(log(years))", "--family poisson --json"));
        assertThat(found.number("estimate")).isCloseTo(Math.log(11 / 6.0), within(found.number("error")));
        // 38 visits in 11 years
        double[] visits = {3, 5, 2, 6, 9, 8, 4, 1};
        double[] years = {1, 2, 1, 1, 2, 1, 1, 2};
        double deviance = 0;
        for (int k = 0; k < visits.length; k++) {
            double mean = years[k] * 38 / 11;
            deviance += 2 * (visits[k] * Math.log(visits[k] / mean) - visits[k] + mean);
        }
        assertThat(found.number("nullDeviance")).isCloseTo(deviance, within(1e-12));
    }

    @Test
    void ratiosAreExponentialsAndNodesChangeNothingThatIsPrinted() {
        Cli one = ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --exp --csv"));
        assertThat(one.out().lines().skip(2).findFirst().orElseThrow()).startsWith("drug,2.45455,");
        assertThat(Cli.run("glm", visits(), "visits~drug", "--family poisson --exp --csv --nodes 3")
                        .out())
                .isEqualTo(one.out());
    }

    @Test
    void countsOfTwoOutcomesAreSharesOfTheirSum() {
        Path doses = Cli.file(folder, "doses.csv", "ill,well,dose", "1,9,1", "4,6,2", "8,2,3", "9,1,4");
        Path shares =
                Cli.file(folder, "shares.csv", "share,trials,dose", "0.1,10,1", "0.4,10,2", "0.8,10,3", "0.9,10,4");
        Cli counts = ok(Cli.run("glm", doses, "cbind(ill,well)~dose", "--family binomial --json"));
        Cli weighted = ok(Cli.run("glm", shares, "share~dose", "--family binomial --weights-column trials --json"));
        assertThat(weighted.out()).isEqualTo(counts.out());
        assertThat(counts.number("n")).isEqualTo(4);
    }

    @Test
    void classesWithNamesAreSuccessesAndFailures() {
        Cli named = ok(Cli.run("glm", visits(), "sex~visits", "--family binomial --json"));
        assertThat(named.value("family")).isEqualTo("binomial");
        assertThat(named.number("n")).isEqualTo(8);
    }

    @Test
    void columnsThatDependOnOthersAreRefusedByName() {
        Path page = folder.resolve("page.html");
        Path model = folder.resolve("model.json");
        Cli found =
                Cli.ended(2, "glm", visits(), "visits~drug+I(drug^2)+years", "--model " + model + " --page " + page);
        assertThat(found.err())
                .contains("determine I(drug^2), which has no estimate; leave it out", "--drop-aliased")
                .hasLineCount(1);
        assertThat(found.out()).isEmpty();
        assertThat(page).doesNotExist();
        assertThat(model).doesNotExist();
    }

    @Test
    void constantColumnsAreRefusedByName() {
        Path rows = Cli.file(folder, "same.csv", "y,a,same", "1,2,5", "3,4,5", "2,7,5", "5,1,5");
        Cli found = Cli.ended(2, "glm", rows, "y~a+same");
        assertThat(found.err()).contains("determine same, which").hasLineCount(1);
    }

    @Test
    void rowsWithOneLabelAreRefusedInWords() {
        Path rows = Cli.file(folder, "ones.csv", "y,a", "1,2", "1,4", "1,7", "1,1");
        Cli found = Cli.ended(2, "glm", rows, "y~a", "--family binomial");
        assertThat(found.err()).contains("the labels are all alike").hasLineCount(1);
    }

    @Test
    void levelsOfAFactorAreCompared() {
        Cli found = ok(Cli.run("glm", visits(), "visits~years+factor(drug)", "--contrasts drug"));
        assertThat(found.out()).containsPattern("differences between levels of drug.*\n.*\n1 - 0 ");
    }

    @Test
    void ratiosAreCalledWhatTheyAre() {
        assertThat(ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --exp"))
                        .out())
                .contains("rate ratio");
        assertThat(ok(Cli.run("glm", visits(), "drug~visits", "--family binomial --exp"))
                        .out())
                .contains("odds ratio");
        assertThat(ok(Cli.run("glm", visits(), "drug~visits", "--family binomial --link probit --exp"))
                        .out())
                .contains("e^estimate");
    }

    @Test
    void thePageHasEveryLineOfTheTable() throws IOException {
        Path page = folder.resolve("page.html");
        ok(Cli.run("glm", visits(), "visits~drug+years", "--family poisson --page " + page));
        assertThat(Files.readString(page))
                .contains(
                        "\"feature\":\"(intercept)\"", "\"feature\":\"drug\"", "\"rateRatio\":", "\"null deviance\":");
    }

    @Test
    void columnsThatDependOnOthersAreLeftOutByNameIfAsked() {
        Cli found = ok(Cli.run("glm", visits(), "visits~drug+I(drug^2)+years", "--drop-aliased"));
        assertThat(found.err()).contains("left out because other columns determine them: I(drug^2)");
        assertThat(found.out()).containsPattern("I\\(drug\\^2\\) +left out");
    }

    @Test
    void theModelKeepsWhatItsTableFollowsFrom() {
        Path model = folder.resolve("m.json");
        ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --robust HC3 --model", model));
        assertThat(model).content().contains("\"inference\":{\"standardErrors\":\"HC3\"");
        Cli.ok("predict", model, visits());
        assertThat(ok(Cli.run("glm", model, "--exp")).out())
                .isEqualTo(ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --robust HC3 --exp"))
                        .out());
        Path plain = folder.resolve("plain.json");
        ok(Cli.run("train", visits(), "--loss poisson --label-column visits --lambda 1 --quiet --model", plain));
        assertThat(Cli.run("glm", plain).err()).contains("the model has no standard errors");
    }

    @Test
    void firthHasAnEstimateWhereTheLikelihoodHasNone() {
        Path told = Cli.file(folder, "told.csv", "y,x", "0,1", "0,2", "0,3", "1,4", "1,5", "1,6");
        Cli none = Cli.ended(2, "glm", told, "y~x", "--family binomial");
        assertThat(none.err())
                .contains("there is no best model without regularisation")
                .contains("by x;");
        Cli firth = ok(Cli.run("glm", told, "y~x", "--family binomial --firth"));
        assertThat(firth.out()).contains("of a local optimum");
        assertThat(Cli.run("glm", told, "y~x", "--firth").err()).contains("--firth goes with --family binomial");
    }

    /** Nobody who says no more than the name of a family has to guess which one was taken. */
    @Test
    void theParameterOfAFamilyIsNamed() {
        Path counts = Cli.file(folder, "spread.csv", "y,x", "0,0", "1,0", "9,0", "2,0", "0,1", "14,1", "3,1", "1,1");
        assertThat(ok(Cli.run("glm", counts, "y~x", "--family tweedie")).out())
                .containsPattern("family +tweedie[(]1.5[)], link log");
        assertThat(ok(Cli.run("glm", counts, "y~x", "--family negative-binomial(2)"))
                        .out())
                .containsPattern("family +negative-binomial[(]2[)], link log");
    }

    @Test
    void theSizeOfANegativeBinomialIsEstimated() {
        Path counts = Cli.file(
                folder, "counts.csv", "y,x", "0,0", "1,0", "9,0", "2,0", "0,1", "14,1", "3,1", "1,1", "22,1", "0,0");
        Cli found = ok(Cli.run("glm", counts, "y~x", "--family negative-binomial --json"));
        assertThat(found.number("size")).isBetween(0.1, 3.0);
        String given = "negative-binomial(" + found.value("size") + ")";
        Cli again = ok(Cli.run("glm", counts, "y~x", "--json --family", given));
        assertThat(again.number("estimate")).isEqualTo(found.number("estimate"));
        assertThat(found.value("family")).matches("negative-binomial\\([0-9.]{3,10}\\)");
        assertThat(found.number("aic")).isCloseTo(again.number("aic") + 2, within(1e-9));
        assertThat(ok(Cli.run("glm", counts, "y~x", "--family poisson --profile"))
                        .out())
                .isNotEqualTo(
                        ok(Cli.run("glm", counts, "y~x", "--family poisson")).out());
    }

    /** The mean of a group is that of its counts, with a variance of their sum over the squared size. */
    @Test
    void effectOfALevelIsTheDifferenceOfMeans() {
        Cli found = ok(Cli.run("glm", visits(), "visits~factor(drug)", "--family poisson --margins --json"));
        Cli effect = new Cli(0, found.out().substring(found.out().indexOf("\"margins\"")), "");
        assertThat(effect.value("name")).isEqualTo("factor(drug)=1");
        assertThat(effect.number("estimate")).isCloseTo(4, within(effect.number("error")));
        assertThat(effect.number("se")).isCloseTo(Math.sqrt(27 / 16.0 + 11 / 16.0), within(1e-11));
        Cli slope = ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --margins --json"));
        Cli ofSlope = new Cli(0, slope.out().substring(slope.out().indexOf("\"margins\"")), "");
        assertThat(ofSlope.number("estimate"))
                .isCloseTo(38 / 8.0 * Math.log(27 / 11.0), within(ofSlope.number("error")));
        Cli linear = ok(Cli.run("glm", visits(), "visits~years+drug", "--margins --csv"));
        // A linear effect is the coefficient, here in a second table of the same form.
        assertThat(linear.out().lines().filter(line -> line.startsWith("years,")))
                .hasSize(2);
    }

    /** A row that stands for three is three rows, in every number of the table. */
    @Test
    void frequenciesAreRowsThatAreRepeated() {
        Path counted =
                Cli.file(folder, "counted.csv", "y,x,k,n", "3,0,a,3", "5,0,b,1", "8,1,a,2", "2,1,b,2", "9,1,c,0");
        Path whole = Cli.file(
                folder, "whole.csv", "y,x,k", "3,0,a", "3,0,a", "3,0,a", "5,0,b", "8,1,a", "8,1,a", "2,1,b", "2,1,b");
        for (String options :
                new String[] {"--level 0.9", "--family gamma --robust HC3", "--family poisson --cluster k"}) {
            assertThat(ok(Cli.run("glm", counted, "y~x", options + " --frequencies n --json"))
                            .out())
                    .isEqualTo(ok(Cli.run("glm", whole, "y~x", options + " --json"))
                            .out());
        }
        Path model = folder.resolve("counted.json");
        ok(Cli.run("glm", counted, "y~x", "--frequencies n --robust HC3 --model", model));
        assertThat(ok(Cli.run("verify", model, counted)).out()).contains("the certificate holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--family multinomial", "--family ordinal --levels k=a,b,c"})
    void frequenciesOfClassesAreRowsThatAreRepeated(String options) {
        Path counted = Cli.file(folder, "counted.csv", "k,x,n", "a,0,3", "b,0,1", "c,1,2", "a,1,1", "b,2,2", "c,2,1");
        Path whole = Cli.file(
                folder, "whole.csv", "k,x", "a,0", "a,0", "a,0", "b,0", "c,1", "c,1", "a,1", "b,2", "b,2", "c,2");

        assertThat(ok(Cli.run("glm", counted, "k~x", options + " --frequencies n --json"))
                        .out())
                .isEqualTo(ok(Cli.run("glm", whole, "k~x", options + " --json")).out());
    }

    @Test
    void rowsWithoutAFormulaSayWhatIsMissing() {
        assertThat(Cli.run("glm", ofTwoClasses(false)).err())
                .contains("a formula after rows")
                .hasLineCount(1);
    }

    private static final String[] TWO_CLASSES = {
        "0,1,2", "0,2,1", "1,2.5,0", "1,3,1", "0,2.7,2", "1,4,2", "0,3.5,0", "1,1.5,1", "1,3.6,0"
    };

    private Path ofTwoClasses(boolean named) {
        return Cli.file(
                folder,
                named ? "named.csv" : "numbers.csv",
                Stream.concat(Stream.of("y,x,z"), Stream.of(TWO_CLASSES))
                        .map(line -> named ? line.replaceFirst("^0", "no").replaceFirst("^1", "yes") : line)
                        .toArray(String[]::new));
    }

    /** Two classes with names are failures and successes, in the order of their levels. */
    @ParameterizedTest
    @CsvSource({"y~x,", "y~x,--firth", "y~x,--profile", "y~x+(1|z),", "y~x,--robust HC3", "y~x,--margins"})
    void namesOfTwoClassesAreNoughtsAndOnes(String formula, String options) {
        String more = "--family binomial" + (options == null ? "" : " " + options);
        String[] tables = Stream.of(false, true)
                .map(named -> ok(Cli.run("glm", ofTwoClasses(named), formula, more))
                        .out()
                        .replaceAll("(?m)^proof .*$", ""))
                .toArray(String[]::new);

        assertThat(tables[1]).isEqualTo(tables[0]);
    }

    @Test
    void raosTestOfNamedClassesIsThatOfNoughtsAndOnes() {
        Path small = folder.resolve("small.json");
        Path large = folder.resolve("large.json");
        String[] tests = Stream.of(false, true)
                .map(named -> {
                    Path file = ofTwoClasses(named);
                    ok(Cli.run("glm", file, "y~x", "--family binomial --model", small));
                    ok(Cli.run("glm", file, "y~x+z", "--family binomial --model", large));
                    return ok(Cli.run("anova", small, large, "--rao", file)).out();
                })
                .toArray(String[]::new);

        assertThat(tests[1]).isEqualTo(tests[0]);
    }

    /** The checker has definitions of its own, so a model whose coefficients were changed is not confirmed. */
    @ParameterizedTest
    @CsvSource({"poisson", "gamma", "negative-binomial(2)", "quasi-poisson"})
    void changedModelsAreRefuted(String family) throws IOException {
        Path model = folder.resolve("model.json");
        ok(Cli.run("glm", visits(), "visits~drug", "--model " + model + " --family", family));
        assertThat(Cli.run("verify", model, visits()).out()).contains("the certificate holds");
        String text = Files.readString(model).replaceFirst("\"hash\":\"[0-9a-f]*\",", "");
        Matcher weight = Pattern.compile("\"weights\":\\[\\s*\\[([-0-9.E]+)").matcher(text);
        assertThat(weight.find()).isTrue();
        double changed = Double.parseDouble(weight.group(1)) + 0.01;
        Path forged = folder.resolve("forged.json");
        Files.writeString(forged, text.substring(0, weight.start(1)) + changed + text.substring(weight.end(1)));
        Cli refuted = Cli.ended(1, "verify", forged, visits());
        assertThat(refuted.out() + refuted.err()).doesNotContain("the certificate holds");
    }

    /** For counts in two groups, Rao's statistic is Pearson's: both groups have 19 of 38 expected. */
    @Test
    void scoresOfCountsInGroupsArePearsons() {
        Path small = folder.resolve("none.json");
        Path large = folder.resolve("drug.json");
        ok(Cli.run("glm", visits(), "visits~1", "--family poisson --model", small));
        ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --model", large));
        Cli rao = ok(Cli.run("anova", small, large, "--json --rao", visits()));
        assertThat(rao.value("test")).isEqualTo("RAO");
        assertThat(rao.number("statistic")).isCloseTo(128 / 19.0, within(1e-12));
        Path others = Cli.file(folder, "others.csv", "visits,drug", "3,0", "5,1");
        assertThat(Cli.run("anova", small, large, "--rao", others).err()).contains("give the file that the models");
    }

    /** In a balanced design, restricted maximum likelihood gives the estimators of the analysis of variance. */
    @Test
    void clustersHaveRandomIntercepts() {
        Path file = Cli.file(
                folder, "wards.csv", "y,who", "3,a", "5,a", "9,b", "11,b", "4,c", "8,c", "1,d", "2,d", "7,e", "7,e");
        Cli found = ok(Cli.run("glm", file, "y~1+(1|who)", "--json"));
        double within = (2 + 2 + 8 + 0.5) / 5;
        double[] means = {4, 10, 6, 1.5, 7};
        double between = 0;
        for (double mean : means) {
            between += 2 * (mean - 5.7) * (mean - 5.7) / 4;
        }
        assertThat(found.number("estimate")).isCloseTo(5.7, within(1e-12));
        assertThat(found.number("residual")).isCloseTo(Math.sqrt(within), within(1e-12));
        assertThat(found.number("deviation")).isCloseTo(Math.sqrt((between - within) / 2), within(1e-12));
        assertThat(found.value("method")).isEqualTo("restricted maximum likelihood");
        assertThat(ok(Cli.run("glm", visits(), "visits~drug+(1|ward)", "--family poisson"))
                        .out())
                .contains("random intercept  ward, 4 clusters")
                .contains("steps have converged");
        assertThat(Cli.run("train", file, "--quiet --formula", "y~1+(1|who)").err())
                .contains("random intercepts are written (1 | patient) for glm");
    }

    @Test
    void nestedModelsAreComparedAndPredictWithIntervals() {
        Path small = folder.resolve("small.json");
        Path large = folder.resolve("large.json");
        ok(Cli.run("glm", visits(), "visits~1", "--family poisson --model", small));
        ok(Cli.run("glm", visits(), "visits~drug", "--family poisson --model", large));
        Cli compared = ok(Cli.run("anova", large, small, "--json"));
        // The deviance between two groups of counts
        double mean = 38 / 8.0;
        double between = 2 * (11 * Math.log(11 / (4 * mean)) + 27 * Math.log(27 / (4 * mean)));
        assertThat(compared.number("statistic")).isCloseTo(between, within(1e-10));
        assertThat(compared.value("test")).isEqualTo("LR");
        Cli predicted = ok(Cli.run("predict", large, visits(), "--interval 0.95 --quiet"));
        String[] first =
                predicted.out().lines().skip(1).findFirst().orElseThrow().split(" ");
        double half = 1.959963984540054 * Math.sqrt(1 / 11.0);
        assertThat(Double.parseDouble(first[1])).isCloseTo(11 / 4.0 * Math.exp(-half), within(1e-10));
        assertThat(Double.parseDouble(first[2])).isCloseTo(11 / 4.0 * Math.exp(half), within(1e-10));
        assertThat(ok(Cli.run("show", large)).out()).contains("std. error");
        assertThat(Cli.run("anova", large, large).err()).contains("the same number of coefficients");
    }

    /** Rao's statistic does not depend on clusters, so their column may be gone. */
    @Test
    void theScoreTestNeedsNoColumnOfClusters() {
        Path small = folder.resolve("small.json");
        Path large = folder.resolve("large.json");
        Path named = Cli.file(folder, "named.csv", "y,x,who", "2,0,a", "5,1,a", "1,0,b", "7,1,c", "3,0,c", "4,1,b");
        Path bare = Cli.file(folder, "bare.csv", "y,x", "2,0", "5,1", "1,0", "7,1", "3,0", "4,1");
        ok(Cli.run("glm", named, "y~1", "--family poisson --cluster who --model", small));
        ok(Cli.run("glm", named, "y~x", "--family poisson --cluster who --model", large));

        Cli compared = ok(Cli.run("anova", small, large, "--json --rao", bare));
        // Two groups of three rows: (16 − 6)²/(16 + 6).
        assertThat(compared.number("statistic")).isCloseTo(100 / 22.0, within(1e-9));
        assertThat(Cli.run("glm", bare, "y~x", "--cluster who").err()).contains("no column 'who'");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            -1,0,1 2,1,1 3,0,2       ! y~x --family poisson               ! row 1 has the label -1.0; the loss poisson takes a count
            1.5,0,1 2,1,1 3,0,2      ! y~x --family poisson               ! row 1 has the label 1.5; the loss poisson takes a count
            1,0,1 0,1,1 3,0,2        ! y~x --family gamma                 ! row 2 has the label 0.0; the loss gamma takes a number greater than 0
            0.5,0,1 1,1,1 0,0,2      ! y~x --family binomial              ! row 1 has the label 0.5 and the weight 1.0; the loss binomial takes 0, 1, or the share
            1,0,1 2,1,1 2,0,2        ! y~x --family binomial              ! row 2 has the label 2.0
            1,0,1 2,1,1 2,0,2        ! y~x+z+I(z^2)                       ! 3 rows for 4 coefficients
            1,0,1                    ! y~x                                ! 1 row for 2 coefficients
            1,0,1 2,1,1              ! y~x                                ! 2 rows for as many coefficients leave none over
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x                                ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family gamma                 ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family inverse-gaussian      ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family tweedie(1.5)          ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family quasi-poisson         ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --cluster z                    ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,2 1,2,1 ! y~x+(1|z)                     ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family quasi-binomial        ! the labels are all alike
            1,0,1 1,1,1 1,0,2 1,3,3  ! y~x --family multinomial           ! holds only one class, 1
            1,1,1 3,2,1 5,3,2 7,4,3  ! y~x                                ! columns determine them exactly
            1,1,1 3,2,1 5,3,2 7,4,2 9,5,1 ! y~x+(1|z)                     ! columns determine them exactly
            1,1,0 3,2,0 5,3,0 7,4,0  ! y~x --weights-column z             ! no row with a positive weight
            1,0,0 2,1,1 2,0,2        ! y~x+offset(log(z)) --family poisson ! must be a finite number
            1,0,1 2,1,1 2,0,2        ! y~x --family poison                ! unknown family 'poison'; did you mean 'poisson'?
            1,0,1 2,1,1 2,0,2        ! y~x --family gamma --link probit   ! the link probit does not go with gamma; it takes log
            1,0,1 2,1,1 2,0,2        ! y~x --family tweedie(2.5)          ! the power of the mean must be between 1 and 2
            1,0,1 2,1,1 2,0,2        ! y~x --robust HC9                   ! there are: HC0, HC1, HC2, HC3, CR1, CR2
            1,0,1 2,1,1 2,0,2        ! y~x --robust model                 ! there are: HC0, HC1, HC2, HC3, CR1, CR2
            1,0,1 0,1,1 1,2,1 0,3,1  ! y~x+z --family binomial --firth    ! bad.csv: other columns, or the intercept, determine z
            1,0,1 2,1,1 2,0,1 3,4,1  ! y~x --cluster z                    ! all rows have the same 'z'
            1,0,1 2,1,1 2,0,2        ! y~x --robust CR2                   ! name their column with --cluster
            1,0,1 2,1,1 2,0,2        ! y~x --robust HC1 --cluster z       ! with clusters there are CR1 and CR2
            1,0,1 2,1,1 2,0,2        ! y~x --level 95                     ! it must be between 0 and 1
            1,0,1 2,1,1 2,0,2        ! y~x+(x|z)                          ! random effects other than one intercept
            1,0,1 2,1,1 2,0,2        ! y~x+(1|z) --cluster z              ! leave one of them out
            1,0,1 2,1,1 2,0,2        ! y~x+(1|w)                          ! has no column 'w'
            1,0,1 2,1,1 2,0,2        ! y~x+(1|z) --family gamma           ! not with gamma
            1,0,1 2,1,1 2,0,2        ! y~x+(1|z) --nodes 2                ! leave these out
            1,0,1 2,1,1 2,0,2        ! y~x --quadrature 5                 ! the formula has none
            1.5,0,1 2.5,1,1 2,0,2    ! y~x --family ordinal               ! column 'y' holds numbers that are no classes
            n,0,1 y,1,1 y,0,2        ! y~x --family binomial --link probit ! write successes as 1 and failures as 0
            1,0,1 2,1,2 2,0,2 3,1,1 3,1,2 ! y~x+(1|z) --quadrature 0 --family poisson ! 0 nodes
            1,0,1 2,1,1 2,2,2 3,5,1  ! y~x+I(x^2) --margins               ! one term of its own
            1,0,1.5 2,1,1 2,0,2      ! y~x --frequencies z                ! --frequencies takes counts
            1,0,1 2,1,1 2,0,2        ! y~x --frequencies z --weights-column z ! give one of them
            0,0,1 0,0,1 5,1,2 6,1,1  ! y~x --family poisson               ! there is no best model without regularisation
            0,1,0 0,2,0 1,3,0 1,5,0  ! y~x --family binomial              ! told apart, if only for some rows, by x; leave it out
            0,1,0 0,2,0 1,3,0 1,5,0  ! y~x --family binomial --link probit ! told apart, if only for some rows, by x; leave it out
            0,1,0 0,2,0 1,3,0 1,5,0  ! y~x --family binomial --link cloglog ! told apart, if only for some rows, by x; leave it out
            0,1,0 0,2,0 1,2,0 1,5,0 0,1.5,0 1,4,0 ! y~x --family binomial --link cloglog ! told apart, if only for some rows, by x
            0,1,1 0,2,1 0,1.5,2 1,3,2 1,5,3 1,4,3 ! y~x+(1|z) --family binomial ! told apart, if only for some rows, by x
            0,1,1 0,2,1 0,1.5,2 0,3,2 0,5,3 0,4,3 ! y~x+(1|z) --family poisson ! the labels are all alike
            1,1,1 2,3,1000 3,1,2 0,5,3 ! y~x+offset(z) --family poisson   ! offsets
            """)
    void badInputIsRefusedInOneLine(String cells, String options, String message) {
        Path file = Cli.file(folder, "bad.csv", ("y,x,z " + cells.strip()).split(" "));
        String[] formula = options.strip().split(" ", 2);
        Cli refused =
                formula.length == 1 ? Cli.run("glm", file, formula[0]) : Cli.run("glm", file, formula[0], formula[1]);
        assertThat(refused.err()).contains(message);
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).isEmpty();
    }
}
