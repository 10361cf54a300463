package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoxCommandTest {

    @TempDir
    private Path folder;

    private Path trial() {
        return Cli.file(
                folder,
                "trial.csv",
                "from,time,died,drug,age,clinic,coded",
                "0,1,1,0,61,a,2",
                "0,3,1,1,54,a,2",
                "1,4,0,1,70,a,1",
                "0,5,1,0,58,b,2",
                "2,6,1,1,66,b,2",
                "0,7,0,0,49,b,1",
                "0,8,1,1,63,a,2",
                "3,9,1,0,52,b,2");
    }

    /**
     * Three events, each among two rows of which one has the drug: the partial likelihood is that of a coin, with two
     * events under the drug.
     */
    @Test
    void eventsInPairsHaveTheirClosedForm() {
        Path pairs = Cli.file(
                folder, "pairs.csv", "t,d,drug,pair", "1,1,1,a", "2,0,0,a", "1,1,1,b", "2,0,0,b", "1,1,0,c", "2,0,1,c");

        Cli found = Cli.ok("cox", pairs, "Surv(t,d)~drug+strata(pair)", "--json");
        assertThat(found.number("estimate")).isCloseTo(Math.log(2), within(1e-12));
        assertThat(found.number("se")).isCloseTo(Math.sqrt(3 / 2.0), within(1e-12));
        assertThat(found.number("logLik")).isCloseTo(2 * Math.log(2 / 3.0) + Math.log(1 / 3.0), within(1e-12));
        assertThat(found.number("strata")).isEqualTo(3);
        assertThat(found.number("events")).isEqualTo(3);
    }

    @Test
    void hazardRatiosHaveATableATestAndABaseline() throws IOException {
        Path baseline = folder.resolve("baseline.csv");

        Cli found =
                Cli.ok("cox", trial(), "Surv(from,time,died)~drug+age+strata(clinic)", "--exp --baseline " + baseline);
        assertThat(found.out())
                .contains(
                        "rows              8, events 6, strata 2",
                        "ties              efron",
                        "likelihood ratio",
                        "proof");
        assertThat(Files.readAllLines(baseline))
                .startsWith("stratum,time,hazard")
                .hasSize(7);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            age~drug                | does not begin with Surv(time, status) ~
            Surv(time)~drug         | expected ',' and the column that says whether the event was seen
            Surv(time,died)~strata(clinic) | the formula names no feature
            Surv(time,dead)~drug    | unknown column 'dead'
            Surv(time,coded)~drug   | line 2: column 'coded' is '2', which does not say whether there was an event; write 1
            Surv(age,time,died)~drug | line 2: column 'time' is 1.0, which is not after the start 61.0
            Surv(time,from)~age     | line 6: column 'from' is '2'
            """)
    void badInputGetsOneLine(String formula, String message) {
        Cli found = Cli.ended(2, "cox", trial(), formula);
        assertThat(found.err()).contains(message).hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            cox      | Surv(time,died)~drug+strata(clinic) | has missing values in 'clinic' (1); drop the rows where it is missing (--missing 'clinic=drop')
            cox      | Surv(time,died)~drug+strata(ward)   | has missing values in 'ward' (1)
            cox      | Surv(time,ward)~drug                | line 3: column 'ward' is 'NA', a missing value, so the row has no status; name one, or leave such rows out with --missing drop
            survival | Surv(time,died)~1+strata(clinic)    | line 4: column 'clinic' is empty, so the row has no stratum
            survival | Surv(time,died)~ward                | line 3: column 'ward' is 'NA', a missing value, so the row has no group
            cox      | Surv(time,died)~same                | no feature differs among the rows
            cox      | Surv(time,died)~drug+factor(same)   | determine same, which has no estimate; leave it out of the formula, or give --drop-aliased
            glm      | age~drug+factor(same)               | determine same, which has no estimate; leave it out of the formula, or give --drop-aliased
            cox      | Surv(time,never)~drug               | no row ends with an event
            cox      | Surv(time,died)~1                   | the formula names no feature
            cox      | Surv(time,died)~drug+offset(o)      | line 2: column 'o' holds the offset 'inf', which must be a finite number
            survival | Surv(time,died)~.                   | unknown column '.'
            survival | Surv(time,died)~log(age)            | unknown column 'log(age)'
            survival | Surv(time,never)~drug               | no row ends with an event
            glm      | age~drug+offset(o)                  | line 2: column 'o' holds the offset 'inf', which must be a finite number
            """)
    void rowsWithoutAnAnswerGetOneLine(String command, String formula, String message) {
        Path file = Cli.file(
                folder,
                "rows.csv",
                "time,died,never,drug,age,clinic,same,o,ward",
                "1,1,0,0,61,a,5,inf,1",
                "3,1,0,1,54,a,5,1,NA",
                "4,0,0,1,70,,5,1,2",
                "5,1,0,0,58,b,5,1,2");

        Cli found = Cli.ended(2, command, file, formula);
        assertThat(found.err()).contains(message).hasLineCount(1);
        assertThat(found.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', textBlock = """
            cox      ! Surv(t,s)~x+strata(g)  ! --digits 9
            cox      ! Surv(e,t,s)~x          ! --digits 9
            survival ! Surv(t,s)~g            ! --level 0.9
            survival ! Surv(t,s)~1+strata(g)  ! --level 0.9
            glm      ! t~x                    ! --cluster g
            glm      ! t~x+(1|g)              ! --digits 9
            """)
    void rowsWithoutAGroupAreLeftOutIfAsked(String command, String formula, String more) {
        List<String> complete = List.of(
                "0,1,1,2,u", "0,2,1,1,u", "0,3,1,4,u", "1,4,1,3,v", "1,5,0,3,v", "1,6,1,1,v", "0,7,1,2,w", "0,8,1,1,w");
        List<String> all = new ArrayList<>(complete);
        all.addAll(3, List.of("-9,3,1,7,", "-9,4,0,9,NA", "-9,-9,1,8,-9", "-9,9,NA,5,?"));
        Path some = Cli.file(folder, "some.csv", "e,t,s,x,g", String.join("\n", all));
        Path others = Cli.file(folder, "others.csv", "e,t,s,x,g", String.join("\n", complete));

        Cli dropped = Cli.ok(command, some, formula, more + " --missing drop --missing-token -9");
        assertThat(dropped.err()).contains(" with missing values ", "left out");
        assertThat(dropped.out())
                .isEqualTo(Cli.run(command, others, formula, more).out());
    }

    @Test
    void constantColumnsAreRefusedOrLeftOutByName() {
        Path file = Cli.file(folder, "same.csv", "time,died,same,age", "1,1,5,6", "3,1,5,4", "4,0,5,7", "5,1,5,5");

        Cli refused = Cli.ended(2, "cox", file, "Surv(time,died)~age+same");
        assertThat(refused.err()).contains("determine same, which").hasLineCount(1);

        Cli found = Cli.ok("cox", file, "Surv(time,died)~age+same", "--drop-aliased");
        assertThat(found.err())
                .contains("left out because other columns determine them: same")
                .hasLineCount(1);
    }

    /** The concordance of a model's file on its own rows is the one of its fit. */
    @Test
    void aModelOfTimesIsEvaluatedByItsConcordance() {
        Path model = folder.resolve("cox.json");
        String formula = "Surv(time,died)~drug+age";
        Cli.ok(
                "train",
                trial(),
                "--formula " + formula + " --loss cox --lambda 0 --standard-errors model --model " + model);

        Cli evaluated = Cli.ok("evaluate", model, trial(), "--json");
        Cli fitted = Cli.run("cox", trial(), formula, "--json");
        assertThat(evaluated.number("concordant")).isEqualTo(fitted.number("concordant"));
        assertThat(evaluated.number("discordant")).isEqualTo(fitted.number("discordant"));
        assertThat(Cli.run("evaluate", model, trial()).out()).contains("concordance");
        assertThat(Cli.run("show", model).out()).contains("hazard ratio").doesNotContain("rate ratio");
        Cli refused = Cli.ended(2, "evaluate", model, trial(), "--by clinic");
        assertThat(refused.err()).contains("evaluated by its concordance").hasLineCount(1);
    }

    @Test
    void survivalCurvesOfGroupsAreEstimatedAndCompared() throws IOException {
        Path curves = folder.resolve("curves.csv");

        Cli found = Cli.ok("survival", trial(), "Surv(from,time,died)~drug+strata(clinic)", "--curves " + curves);
        assertThat(found.out()).contains("drug=0", "drug=1", "log-rank");
        assertThat(Files.readAllLines(curves))
                .startsWith("group,time,at risk,events,survival,lower,upper")
                .hasSize(7);
        assertThat(Cli.run("survival", trial(), "Surv(time,died)~1", "--json").out())
                .startsWith("{\"groups\":[{\"group\":\"all\",\"rows\":8,\"events\":6,\"median\":");
        assertThat(Cli.run("survival", trial(), "Surv(time,died)~dose").err()).contains("unknown column 'dose'");
    }

    /** Counted by hand: log-rank (3 − 2)²/(3/7 + 1/4 + 1/4). */
    @Test
    void timesMayCountAsEndsOfIntervals() {
        Path file = Cli.file(
                folder,
                "arms.csv",
                "time,status,arm",
                "5,1,a",
                "12,1,a",
                "20,0,a",
                "33,1,a",
                "45,1,b",
                "50,0,b",
                "7,1,b",
                "61,1,b");
        Cli found = Cli.ok("survival", file, "Surv(time, status) ~ arm", "--intervals 10,30,50 --json");
        assertThat(found.out())
                .contains("{\"time\":10.0,\"atRisk\":4,\"events\":1,\"survival\":0.75,")
                .contains("{\"time\":50.0,\"atRisk\":1,\"events\":1,\"survival\":0.0,")
                .contains("\"observed\":[3.0,2.0],\"expected\":[2.0,3.0]");
        assertThat(found.number("statistic")).isCloseTo(14 / 13.0, within(1e-12));
        for (String wrong : new String[] {"10,x", "30,10", "0,5"}) {
            Cli refused = Cli.ended(2, "survival", file, "Surv(time, status) ~ arm", "--intervals " + wrong);
            assertThat(refused.err()).contains("intervals cannot end at").hasLineCount(1);
        }
        Cli.run("train", file, "--label-column status --quiet --model", folder.resolve("model.json"));
        Cli without = Cli.ended(2, "survival", folder.resolve("model.json"));
        assertThat(without.err()).contains("curves").hasLineCount(1);
    }
}
