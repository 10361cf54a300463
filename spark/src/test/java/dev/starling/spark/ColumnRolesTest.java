package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.evaluation.Evaluation;
import dev.starling.internal.JsonTree;
import dev.starling.model.LinearModel;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.recipe.RecipeJson;
import dev.starling.settings.Folds;
import dev.starling.settings.Scaling;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import dev.starling.support.SettingTexts;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets, ids and groups of rows, and recipes in YAML, mean on Spark what they mean in one process, bit for bit. */
@Tag("thorough")
class ColumnRolesTest {

    private static final String LAMBDAS = "1e-1,1e-2,1e-3";

    private static final String STUDY = """
            label: {column: ill, classes: ['no', 'yes']}
            columns:
            - {name: age, kind: numeric, unit: years, missing: median, range: [0, 128]}
            - {name: dose, kind: numeric, missing: mean}
            - {name: town, kind: categorical, levels: [Apt, Ax, Gap], reference: Gap}
            offset: risk
            ids: [visit]
            """;

    @TempDir
    private static Path folder;

    private static Visits visits;
    private static Table table;
    private static Dataset<Row> frame;

    @BeforeAll
    static void start() throws IOException {
        visits = Visits.in(folder);
        table = visits.table();
        frame = visits.frame();
    }

    private static StarlingTableEstimator plain() {
        return new StarlingTableEstimator()
                .setStandardization(false)
                .setRegParam(1e-3)
                .setTol(1e-8)
                .setNodes(2);
    }

    /** What the rows are to be learnt from; the label is ill. */
    private static StarlingTableEstimator estimator() {
        return plain().setLabelCol("ill")
                .setInputCols(new String[] {"age", "dose", "town"})
                .setMissing("median");
    }

    private static RecipeBuilder recipe() {
        return Recipe.builder()
                .label("ill")
                .keep(List.of("age", "dose", "town"))
                .missing(Missing.MEDIAN);
    }

    @Test
    void offsetsAreAddedInTrainingPredictionAndEvaluation() {
        StarlingTableModel fitted = estimator().setOffsetCol("risk").fit(frame);
        Recipe recipe = recipe().offset("risk").learn(table);
        LinearModel expected = visits.fitInOneProcess(
                        trainer -> trainer, recipe, fitted.summary().delay())
                .model();

        assertThat(fitted.recipe()).isEqualTo(recipe);
        assertThat(fitted.linearModel().hash()).isEqualTo(expected.hash());
        assertThat(expected.hash())
                .isNotEqualTo(visits.fitInOneProcess(
                                trainer -> trainer,
                                recipe().drop(List.of("risk")).learn(table),
                                fitted.summary().delay())
                        .model()
                        .hash());
        Encoded encoded = recipe.encode(table);
        List<Row> predicted = fitted.transform(frame).select("rawPrediction").collectAsList();
        for (int i = 0; i < predicted.size(); i++) {
            assertThat(predicted.get(i).<Vector>getAs(0).apply(1)).isEqualTo(expected.score(encoded.rows(), i, 0));
        }
        assertThat(fitted.evaluate(frame).values())
                .isEqualTo(Evaluation.of(expected, encoded.rows()).values());
    }

    @Test
    void aRecipeIsReadFromYamlAsOnTheCommandLine() throws IOException {
        Recipe recipe = recipe().offset("risk").ids(List.of("visit")).learn(table);
        Path file = folder.resolve("recipe.yaml");
        WordFile.writeRecipe(recipe, file);
        StarlingTableModel ofFile = plain().setRecipe(file.toUri().toString()).fit(frame);
        LinearModel expected = visits.fitInOneProcess(
                        trainer -> trainer, recipe, ofFile.summary().delay())
                .model();

        assertThat(ofFile.recipe()).isEqualTo(recipe);
        assertThat(ofFile.linearModel().hash()).isEqualTo(expected.hash());
        assertThat(plain().setRecipe(Files.readString(file)).describe(frame))
                .isEqualTo(plain().setRecipe(file.toUri().toString()).describe(frame));
    }

    @Test
    void foldsAreMadeByGroupsOrIds() {
        StarlingTableEstimator folded = estimator().setCv("3").setLambdaPath(LAMBDAS);
        StarlingTableModel byPatient = folded.copy(ParamMap.empty())
                .setCvGroupsCol("patient")
                .setIdCols(new String[] {"visit"})
                .fit(frame);
        assertSameFolds(byPatient, recipe().ids(List.of("visit", "patient")).learn(table), "patient");
        // A column that is learnt from unless it tells rows apart.
        StarlingTableModel byVisitAndDose =
                folded.setIdCols(new String[] {"visit", "dose"}).fit(frame);
        assertSameFolds(byVisitAndDose, recipe().ids(List.of("visit", "dose")).learn(table), "visit", "dose");
        assertThat(byVisitAndDose.linearModel().names()).doesNotContain("dose");
    }

    private static void assertSameFolds(StarlingTableModel fitted, Recipe recipe, String... columns) {
        assertSameFolds(fitted, recipe, trainer -> trainer, columns);
    }

    private static void assertSameFolds(
            StarlingTableModel fitted, Recipe recipe, UnaryOperator<Trainer> more, String... columns) {
        Fit expected = visits.fitInOneProcess(
                trainer -> more.apply(trainer)
                        .lambdaPath(SettingTexts.path(LAMBDAS, ""))
                        .crossValidation(Folds.of(3).by(columns)),
                recipe,
                fitted.summary().delay(),
                columns);

        assertThat(fitted.recipe()).isEqualTo(recipe);
        assertThat(fitted.summary().crossValidation())
                .isEqualTo(JsonTree.text(expected.validation().orElseThrow().toMap()));
        // In one process the models of the other lambdas are kept as well.
        assertThat(fitted.linearModel().weightsHash())
                .isEqualTo(expected.model().weightsHash());
    }

    @Test
    void nothingIsLearntFromHeldOutRows() {
        StarlingTableModel fitted =
                estimator().setHoldout(0.4).setOffsetCol("risk").fit(frame.repartition(1));
        Recipe ofAll = recipe().offset("risk").learn(table);
        Settings settings = Trainer.logistic().holdout(0.4).settings();
        Recipe ofSome = ofAll.refilled(
                Survey.of(table, ofAll.missingTokens(), ofAll.encode(table).in(settings.heldOut())), Set.of());

        assertThat(ofSome).isNotEqualTo(ofAll);
        assertThat(fitted.recipe()).isEqualTo(ofSome);
        // A value that a recipe gives stays.
        assertThat(plain().setRecipe(RecipeJson.text(ofAll))
                        .setHoldout(0.4)
                        .fit(frame)
                        .recipe())
                .isEqualTo(ofAll);
        StarlingTableModel dealt =
                estimator().setHoldout(0.4).setOffsetCol("risk").fit(frame);
        Fit expected = visits.fitInOneProcess(
                trainer -> trainer.holdout(0.4), ofSome, dealt.summary().delay());
        assertThat(dealt.linearModel().hash()).isEqualTo(expected.model().hash());
        // Sums of losses are rounded in another order.
        assertThat(dealt.judgement().orElseThrow().values().get("logLoss"))
                .isCloseTo(expected.evaluation().orElseThrow().values().get("logLoss"), within(1e-14));
    }

    @Test
    void aStudyDefinesColumnsAndObjective() throws IOException {
        String text = STUDY + "lambda-path: [1e-1, 1e-2, 1e-3]\ncv: 3\ncv-columns: [patient]\nscaling: standardize\n";
        StarlingTableModel fitted = new StarlingTableEstimator()
                .setStudy(text)
                .setTol(1e-8)
                .setNodes(2)
                .fit(frame);
        Study study = WordFile.study(text, "study");
        Recipe recipe = study.learnt(Survey.of(table, study.recipe().missingTokens()));

        assertSameFolds(fitted, recipe, trainer -> trainer.scaling(Scaling.STANDARDIZE), "patient");
        assertThat(fitted.linearModel().provenance().settings())
                .containsAllEntriesOf(Map.of("cv-columns", "patient", "scaling", "standardize", "intercept", "true"));

        Path file = Files.writeString(folder.resolve("study.yaml"), STUDY + "lambda: 1e-3\nintercept: false\n");
        StarlingTableModel held = new StarlingTableEstimator()
                .setStudy(file.toUri().toString())
                .setHoldout(0.4)
                .setTol(1e-8)
                .setNodes(2)
                .fit(frame);
        Study ofFile = WordFile.readStudy(file);
        Encoded all = recipe.encode(table);
        Recipe ofSome = ofFile.learnt(Survey.of(
                table,
                recipe.missingTokens(),
                all.in(Trainer.logistic().holdout(0.4).settings().heldOut())));
        assertThat(held.recipe()).isEqualTo(ofSome);
        assertThat(ofSome.columns()).isNotEqualTo(recipe.columns());
        assertThat(held.linearModel().hash())
                .isEqualTo(visits.fitInOneProcess(
                                trainer -> trainer.intercept(false).holdout(0.4),
                                ofSome,
                                held.summary().delay())
                        .model()
                        .hash());
    }

    @Test
    void invalidSettingsAreRefusedByName() {
        String names = String.join(", ", frame.columns());
        assertRefused(
                () -> estimator().setOffsetCol("risks").fit(frame),
                "the DataFrame: unknown column 'risks'; did you mean 'risk'? there are: " + names);
        assertRefused(
                () -> estimator()
                        .setOffsetCol("risk")
                        .fit(frame.withColumn("risk", functions.expr("if(visit = 'v2', null, risk)"))),
                "partition 0 of the DataFrame, row 3: column 'risk' holds the offset '', which must be a finite"
                        + " number");
        assertRefused(
                () -> estimator().setOffsetCol("dose").setFormula("ill ~ dose").fit(frame),
                "column 'dose' is the offset; it cannot be the label or a feature as well");
        assertRefused(
                () -> estimator().setOffsetCol("risk").setLoss("hinge").fit(frame),
                "the rows have offsets, which method multipliers cannot take; those that can, with a loss without"
                        + " kinks: newton, proximal-newton");
        assertRefused(
                () -> estimator().setIdCols(new String[] {"visit", "visit"}).fit(frame),
                "idCols names column 'visit' twice; name it once");
        assertRefused(
                () -> estimator().setIdCols(new String[] {"ill"}).fit(frame),
                "column 'ill' is the label; it cannot identify rows as well, so name another column in idCols or"
                        + " cvGroupsCol");
        assertRefused(
                () -> estimator().setCvGroupsCol("patient").fit(frame),
                "cvGroupsCol 'patient' is for cross-validation; set cv too, for example to 10");
        assertRefused(
                () -> estimator().setCv("sites").setCvGroupsCol("patient").fit(frame),
                "cv sites makes each node's rows a fold, whatever column patient says; leave it out");
        assertRefused(
                () -> plain().setRecipe("label: {column: ill}\ncolumns: [{name: dose, kind: numeric}]\noffest: risk")
                        .fit(frame),
                "recipe: unknown member of the recipe 'offest'; did you mean 'offset'? there are: columns, formula, ids, label,"
                        + " missingTokens, offset, standardize, weights");
        assertRefused(
                () -> plain().setRecipe("label: {ill\n").fit(frame),
                "recipe, line 2: this is not YAML: expected ',' or '}', but got <stream end>");
        assertRefused(
                () -> plain().setStudy(STUDY).setMissing("drop").fit(frame),
                "study determines what columns mean and what is minimised, but missing, regParam, standardization are set"
                        + " as well; change the study instead, or clear one of them");
        StarlingTableEstimator studied = new StarlingTableEstimator().setStudy(STUDY);
        assertRefused(
                () -> studied.fit(
                        frame.withColumn("dose", functions.lit("much")).withColumn("town", functions.lit("Oz"))),
                "the DataFrame does not fit the study: column 'dose' is categorical here, numeric in the study; column"
                        + " 'town' has levels that the study does not list: 'Oz'");
        assertRefused(
                () -> new StarlingTableEstimator()
                        .setStudy(STUDY + "lambda-path: 50\ncv: 3\n")
                        .setCv("5")
                        .fit(frame),
                "study determines how folds are made, but cv is set as well; change the study instead, or clear one of them");
        assertRefused(
                () -> studied.copy(ParamMap.empty()).setStudy("none.yaml").fit(frame),
                "none.yaml does not exist; give a study in JSON or YAML, or the file that holds it");
    }

    @Test
    void aStudyMayHaveAPathFromWhichNothingIsChosen() {
        StarlingTableModel model = new StarlingTableEstimator()
                .setStudy(STUDY + "lambda-path: [1e-2, 1e-3]\n")
                .fit(frame);
        assertThat(model.linearModel().path()).hasSize(2);
        assertThat(model.linearModel().weightsHash())
                .isEqualTo(model.linearModel().path().get(1).weightsHash());
    }

    private static void assertRefused(ThrowingCallable refused, String message) {
        assertThatRefused(refused).hasMessage(message);
    }
}
