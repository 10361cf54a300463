package dev.starling.study;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Holdout;
import dev.starling.loss.Logistic;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Range;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudyTest {

    private static Map<String, Object> column(Object... members) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int k = 0; k < members.length; k += 2) {
            map.put(members[k].toString(), members[k + 1]);
        }
        return map;
    }

    private static Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("label", column("column", "y", "classes", List.of("no", "yes")));
        members.put(
                "columns",
                List.of(
                        column(
                                "name",
                                "age",
                                "kind",
                                "numeric",
                                "unit",
                                "years",
                                "missing",
                                "median",
                                "range",
                                List.of("0", "128")),
                        column("name", "town", "kind", "categorical", "levels", List.of("Gap", "Nice"))));
        members.put("lambda", "1e-3");
        members.put("standardize", "true");
        return members;
    }

    private static Study changed(String key, Object value) {
        Map<String, Object> members = members();
        members.put(key, value);
        return Study.of(members);
    }

    private static Table table(String text) {
        return TableReader.standard().read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "mine.csv");
    }

    @Test
    void holdsSettingsAndColumns() {
        Study study = Study.of(members());
        assertThat(study.settings().lambda()).isEqualTo(1e-3);
        assertThat(study.settings().intercept()).isTrue();
        assertThat(study.settings().scaling()).isEqualTo(Scaling.STANDARDIZE);
        assertThat(study.settings().labels()).containsExactly(0.0, 1.0);
        assertThat(study.units()).containsExactly(Map.entry("age", "years"));
        assertThat(study.ranges()).containsExactly(Map.entry("age", new Range(0, 128)));
        assertThat(study.recipe().columns().get(0).indicator()).isTrue();
        assertThat(study.recipe().columns().get(1).reference()).hasValue("Gap");
    }

    @Test
    void refusesConstantsThatComeFromTheRowsOfOneSite() {
        for (String function : List.of(
                "ns(age, df = 3)",
                "ns(age, df = 3, at = c(17, 30, 40, 76))",
                "bs(age, knots = c(40))",
                "poly(age, 2)",
                "scale(age)",
                "cut(age, 4)")) {
            assertThatThrownBy(() -> changed("formula", "y ~ town + " + function))
                    .as(function)
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("takes constants from rows")
                    .hasMessageContaining("sites have to name them, as in");
        }
        for (String function : List.of(
                "ns(age, knots = c(40, 60), Boundary.knots = c(0, 100))",
                "poly(age, 2, raw = TRUE)",
                "scale(age, center = 50, scale = 10)",
                "cut(age, c(0, 50, 100))")) {
            assertThat(changed("formula", "y ~ town + " + function).recipe().features())
                    .as(function)
                    .hasSizeGreaterThan(1);
        }
        assertThatRefused(() -> changed("formula", "cbind(y, age) ~ town"));
    }

    @Test
    void isReadBackFromItsMap() {
        Study study = Study.of(members());
        assertThat(Study.of(study.toMap())).isEqualTo(study);
        assertThat(Study.of(study.toMap()).digest()).isEqualTo(study.digest());
    }

    @Test
    void equalStudiesHaveTheSameDigestHoweverWritten() {
        Map<String, Object> other = members();
        other.remove("standardize");
        other.put("scaling", "standardize");
        other.put("lambda", "0.001");
        other.put("loss", "logistic");
        other.put("intercept", "true");
        assertThat(Study.of(other).digest()).isEqualTo(Study.of(members()).digest());
        assertThat(Study.of(other).recipe()).isEqualTo(Study.of(members()).recipe());
    }

    @Test
    void anyDifferenceChangesTheDigest() {
        String digest = Study.of(members()).digest();
        assertThat(changed("lambda", "1e-4").digest()).isNotEqualTo(digest);
        assertThat(changed("loss", "squared-hinge").digest()).isNotEqualTo(digest);
        assertThat(changed("intercept", "false").digest()).isNotEqualTo(digest);
        assertThat(changed("formula", "y ~ age").digest()).isNotEqualTo(digest);
        assertThat(changed("label", column("column", "y", "classes", List.of("yes", "no")))
                        .digest())
                .isNotEqualTo(digest);
    }

    @Test
    void refusesSettingsThatDependOnRows() {
        assertRefused("label", column("column", "y"), "label column 'y' needs a list of at least two classes");
        assertRefused(
                "columns",
                List.of(column("name", "town", "kind", "categorical")),
                "column 'town' is categorical; list all its levels");
        assertRefused(
                "columns",
                List.of(column("name", "age", "kind", "numeric", "missing", "median")),
                "column 'age' needs a range");
        assertRefused(
                "columns",
                List.of(column("name", "age", "kind", "numeric", "range", List.of("5", "5"))),
                "column 'age': range 5 to 5 must go from a number to a larger one");
        assertRefused(
                "columns",
                List.of(column("name", "age", "kind", "numeric", "range", "wide")),
                "column 'age': range wide must be two numbers, such as [0, 100]");
        assertRefused("loss", "squared", "has classes, but the loss squared predicts numbers");
        assertRefused("scaling", "scale", "standardize and scaling scale are both given; leave one out");
        assertRefused("lamda", "1", "unknown member of the study 'lamda'; did you mean 'lambda'?");
        assertRefused(
                "columns",
                List.of(column("name", "age", "kind", "numeric", "rnage", "1")),
                "unknown member of column age of the study 'rnage'; did you mean 'range'?");
    }

    private static void assertRefused(String key, Object value, String message) {
        assertThatRefused(() -> changed(key, value)).hasMessageContaining(message);
    }

    @Test
    void showsNoLevelInItsBriefOutline() {
        Study study = Study.of(members());
        assertThat(StudyOutline.of(study).text()).contains("Nice").contains("kind of column 'age'\tnumeric");
        assertThat(StudyOutline.brief(study).text())
                .doesNotContain("Nice")
                .doesNotContain("yes")
                .contains("kind of column 'age'\tnumeric", "levels of column 'town'\t#");
    }

    @Test
    void comparesOutlinesGivenAsText() {
        StudyOutline one =
                StudyOutline.parse(StudyOutline.brief(Study.of(members())).text());
        StudyOutline other =
                StudyOutline.parse(StudyOutline.brief(changed("lambda", "1e-4")).text());
        assertThat(one.differences(other, "here", "there")).containsExactly("lambda: 0.001 here, 1.0E-4 there");
        assertThat(one.differences(one, "here", "there")).isEmpty();
        assertThat(StudyOutline.parse("nonsense\n\n\t").differences(one, "here", "there"))
                .contains("column 'age' exists only there");
    }

    @Test
    void proposesNoLocalSettingAndNoValueOfARow() {
        StringBuilder text = new StringBuilder("age,town,y\n");
        for (int row = 0; row < 40; row++) {
            text.append(row == 3 ? "?" : String.valueOf(17.25 + row))
                    .append(row % 2 == 0 ? ",Gap,no\n" : ",Nice,yes\n");
        }
        Table mine = table(text.toString());
        RecipeBuilder wanted = Recipe.builder().label("y").missing("age", Missing.MEDIAN);
        Survey survey = Survey.of(mine);
        Study study = Study.proposed(wanted.learn(survey, "y"), survey, Settings.of(new Logistic()));
        assertThat(study.ranges()).containsExactly(Map.entry("age", new Range(0, 100)));
        assertThat(study.recipe().columns().get(0).fill()).isEmpty();
        assertThat(study.recipe().columns().get(0).indicator()).isTrue();
        assertThat(study.toMap().toString()).doesNotContain("17.25").doesNotContain("56.25");
        assertThat(StudyCheck.of(study, mine, 10).fits()).isTrue();
    }

    @Test
    void namesFrequentLevelsAndCountsTheOthers() {
        Study study = Study.of(members());
        Table mine = table("town,age,y,note\nLyon,1,no,a\nLyon,2,yes,b\nParis,3,no,c\nGap,4,no,d\n");
        StudyCheck check = StudyCheck.of(study, mine, 2);
        assertThat(check.differences())
                .containsExactly("column 'town' has levels that the study does not list: 'Lyon', and 1 that are not"
                        + " named here");
        assertThat(check.ignored()).containsExactly("note");
    }

    @Test
    void agreesOnTheObjectiveOnly() {
        assertThat(Study.of(members()).agreed())
                .containsExactly(
                        Map.entry("loss", "logistic"),
                        Map.entry("lambda", "0.001"),
                        Map.entry("l1", "0.0"),
                        Map.entry("bias", "0.0"),
                        Map.entry("intercept", "true"),
                        Map.entry("scaling", "standardize"),
                        Map.entry("precision", "exact"),
                        Map.entry("standard-errors", "none"),
                        Map.entry("heterogeneity", "false"),
                        Map.entry("curves", ""),
                        Map.entry("proportional-hazards", "none"),
                        Map.entry("one-versus-rest", "false"));
        assertThat(changed("lambda-path", "50").agreed())
                .containsEntry("lambda-path", "50")
                .containsKey("l1-ratios")
                .doesNotContainKeys("cv", "cv-columns", "cv-rule", "gap", "seed", "holdout", "labels");
        Map<String, Object> folded = members();
        folded.putAll(Map.of("lambda-path", "50", "cv", "5", "cv-columns", "town"));
        assertThat(Study.of(folded).agreed()).containsEntry("cv", "5").containsEntry("cv-columns", "town");
    }

    private static StudyRows rows(String formula, String loss, String errors) {
        return rows(formula, loss, errors, "n,age,patient\n1,30,a\n2,40,b\n3,35,a\n1,33,c\n0,51,b\n2,44,c\n");
    }

    private static StudyRows rows(String formula, String loss, String errors, String text) {
        Map<String, Object> members = new LinkedHashMap<>(Map.of(
                "label",
                Map.of("column", "n"),
                "columns",
                List.of(column("name", "age", "kind", "numeric")),
                "formula",
                formula,
                "loss",
                loss,
                "lambda",
                "0"));
        members.put("standard-errors", errors);
        Study study = Study.of(members);
        return new StudyRows(study, study.settings(), table(text), 1, true);
    }

    @Test
    void rowsAreGroupedAsTheFormulaSays() {
        assertThat(rows("n ~ age + cluster(patient)", "poisson", "CR1")
                        .written()
                        .keys())
                .hasSize(6)
                .satisfies(keys ->
                        assertThat(Arrays.stream(keys).distinct().count()).isEqualTo(3));
        assertThat(rows("n ~ age + cluster(site)", "poisson", "CR1").written().keys())
                .containsExactly(new long[6]);
        assertThat(rows("n ~ age", "poisson", "model").written().keys()).isEmpty();
    }

    /** They are not one more group, of people who have nothing in common. */
    @Test
    void rowsWithoutAGroupAreRefused() {
        String text = "n,age,patient\n1,30,a\n2,40,\n3,35,a\n1,33,NA\n0,51,b\n";

        assertThatThrownBy(() -> rows("n ~ age + cluster(patient)", "poisson", "CR1", text))
                .hasMessageContaining("column 'patient' has 2 missing values, which the study refuses");
        assertThatThrownBy(() -> rows("n ~ age + strata(patient)", "stratified(poisson)", "model", text))
                .hasMessageContaining("column 'patient' has 2 missing values, which the study refuses");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            n ~ age                              | poisson | n,age,g;1,30,a;-2,40,b    | label column 'n' has 1 number that the loss poisson does not take
            n ~ age                              | gamma   | n,age,g;0,30,a;0,40,b     | label column 'n' has 2 numbers that the loss gamma does not take
            Surv(t, n) ~ age + strata(g)         | cox     | t,n,age,g;1,2,30,a;3,1,4,b | label column 'n' has 1 number that the loss cox does not take
            Surv(t, n) ~ age + strata(g)         | cox     | t,n,age,g;0,0,30,a;3,1,4,b | label column 't' has 1 number that the loss cox does not take
            Surv(t, n) ~ age + strata(g)         | cox     | t,n,age,g;1,0,30,;3,1,4,b  | column 'g' has 1 missing values, which the study refuses
            Surv(t, n) ~ age + strata(ward)      | cox     | t,n,age;1,0,30;3,1,4       | column of strata or clusters 'ward' is missing
            """)
    void checksSayWhatRunsWouldRefuse(String formula, String loss, String rows, String difference) {
        String label = formula.startsWith("n") ? "n" : "Surv(t, n)";
        Study study = Study.of(Map.of(
                "label",
                Map.of("column", label),
                "columns",
                List.of(column("name", "age", "kind", "numeric")),
                "formula",
                formula,
                "loss",
                loss,
                "lambda",
                "0"));

        StudyCheck check = StudyCheck.of(study, table(rows.replace(';', '\n') + "\n"), 1);

        assertThat(check.differences()).containsExactly(difference);
        assertThat(check.ignored()).doesNotContain("t");
    }

    @Test
    void groupsThatNothingUsesAreRefusedAndRandomInterceptsAreWrittenAsClusters() {
        assertThatRefused(() -> rows("n ~ age + cluster(patient)", "poisson", "model"))
                .hasMessage("the study has cluster(patient), which standard-errors model does not know; use"
                        + " standard-errors CR1, CR2 or random-intercept");
        assertThatRefused(() -> rows("n ~ age", "poisson", "CR1"))
                .hasMessageContaining("add cluster(patient), or cluster(site)");
        assertThatRefused(() -> rows("n ~ age + strata(site)", "poisson", "model"))
                .hasMessageContaining("the study has strata(site), which the loss poisson does not know");
        assertThatRefused(() -> rows("n ~ age + (1 | patient)", "poisson", "model"))
                .hasMessageContaining(
                        "between sites, write cluster(patient) and give standard-errors random-intercept");
        assertThatRefused(() -> Recipe.builder()
                        .formula("n ~ age + cluster(patient)")
                        .regression()
                        .learn(table("n,age,patient\n1,30,a\n2,40,b\n")))
                .hasMessageContaining("on one machine, give glm --cluster patient");
    }

    /** Who is registered must be who is trained on, whichever way the rows were read. */
    @Test
    void rowsWithoutFeaturesAreAboutTheSamePeople() {
        Map<String, Object> members = members();
        members.put("ids", List.of("who"));
        Study study = Study.of(members);
        StringBuilder text = new StringBuilder("who,age,town,y\n");
        for (int k = 0; k < 60; k++) {
            text.append("P").append(k / 2).append(k % 7 == 0 ? ",NA," : "," + k + ",");
            text.append(k % 3 == 0 ? "Gap" : "Nice").append(k % 2 == 0 ? ",no\n" : ",yes\n");
        }
        Table table = TableReader.standard()
                .read(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)), "rows");
        Settings settings = Settings.of(new Logistic()).with(Setting.HOLDOUT, 0.3);
        StudyRows whole = new StudyRows(study, settings, table, 1, true);
        StudyRows only = new StudyRows(study, settings, table, 1, false);
        assertThat(only.kept()).isEqualTo(whole.kept());
        assertThat(only.identities()).isEqualTo(whole.identities());
        assertThat(Holdout.parts(settings, only.written(), 0, 3))
                .isEqualTo(Holdout.parts(settings, whole.written(), 0, 3))
                .contains(Holdout.HELD_OUT, 0);
        assertThat(only.written().data().labels())
                .isEqualTo(whole.written().data().labels());
        assertThat(only.addend()).as("what replacements are learnt from").isEqualTo(whole.addend());
    }
}
