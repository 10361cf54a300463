package dev.starling.spark;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.runtime.Simulator;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.SparkException;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DataFrames of raw columns are learnt from, predicted and judged as files of the same rows are in one process. */
class TableEstimatorTest {

    private static final String FORMULA = "income ~ age*sex + log(wage) + town + smoker + joined";
    private static final String POLICY = "most-frequent,age=median,wage=mean,joined=drop";

    /** More than are predicted at a time. */
    private static final int ROWS = 1100;

    @TempDir
    private static Path folder;

    private static SparkSession spark;
    private static Path file;
    private static Table table;

    /** One partition. */
    private static Dataset<Row> frame;

    private static Recipe recipe;
    private static StarlingTableModel fitted;

    @BeforeAll
    static void start() throws IOException {
        spark = SharedSpark.session();
        file = folder.resolve("people.csv");
        Files.write(file, people(ROWS, 1));
        table = TableReader.standard().read(file);
        frame = read(file).cache();
        // Males are the reference, which nobody would infer.
        String described =
                estimator().describe(frame).replace("\"reference\" : \"Female\"", "\"reference\" : \"Male\"");
        recipe = RecipeJson.read(described, "described");
        fitted = plain().setRecipe(described).fit(frame);
    }

    private static Dataset<Row> read(Path csv) {
        return spark.read()
                .option("header", true)
                .option("inferSchema", true)
                .csv(csv.toUri().toString());
    }

    /** Words, numbers, truths and days, some missing; some towns are rare. */
    private static List<String> people(int count, long seed) {
        Random random = new Random(seed);
        String[] towns = {"Lyon", "Nice", "Gap", "Apt", "Lyon", "Nice", "Lyon", "Brest", "Brest", "Nice"};
        List<String> lines = new ArrayList<>(List.of("id,age,sex,wage,town,smoker,joined,weight,income"));
        for (int i = 0; i < count; i++) {
            int age = 18 + random.nextInt(50);
            boolean male = random.nextBoolean();
            double wage = Math.rint(1e4 * Math.exp(random.nextGaussian())) / 100;
            String town = random.nextInt(40) == 0 ? "Ax" : towns[random.nextInt(random.nextInt(30) == 0 ? 10 : 3)];
            double score = 0.08 * (age - 40) + (male ? 0.5 : -0.5) + 0.5 * Math.log(wage / 100) + random.nextGaussian();
            lines.add(String.join(
                    ",",
                    Integer.toString(i),
                    random.nextInt(12) == 0 ? "" : Integer.toString(age),
                    male ? "Male" : "Female",
                    random.nextInt(15) == 0 ? "" : Double.toString(wage),
                    random.nextInt(20) == 0 ? "?" : town,
                    Boolean.toString(random.nextInt(3) == 0),
                    random.nextInt(60) == 0
                            ? ""
                            : "20" + (10 + random.nextInt(14)) + "-0" + (1 + random.nextInt(9)) + "-15",
                    Integer.toString(1 + random.nextInt(3)),
                    score > 0 ? ">50K" : "<=50K"));
        }
        return lines;
    }

    private static StarlingTableEstimator plain() {
        return new StarlingTableEstimator()
                .setStandardization(false)
                .setRegParam(1e-3)
                .setTol(1e-8)
                .setNodes(2);
    }

    private static StarlingTableEstimator estimator() {
        return plain().setFormula(FORMULA).setMissing(POLICY).setRareBelow(40).setWeightCol("weight");
    }

    private static Recipe learntInOneProcess() {
        return Recipe.builder()
                .formula(FORMULA)
                .missing(Missing.MOST_FREQUENT)
                .missing("age", Missing.MEDIAN)
                .missing("wage", Missing.MEAN)
                .missing("joined", Missing.DROP)
                .rareBelow(40)
                .weights("weight")
                .learn(table);
    }

    private static Fit fitInOneProcess(Trainer trainer, Recipe made, Table rows, double delay) {
        return trainer.lambda(1e-3)
                .gap(1e-8)
                .nodes(2)
                .maxEpochs(1000)
                .intercept(made.intercept())
                .delay(delay)
                .runner(new Simulator())
                .fit(made.encode(rows).rows())
                .with(made);
    }

    @Tag("thorough")
    @Test
    void recipesLearntFromPartitionsAreThoseLearntFromAFile() {
        Map<String, Object> expected = learntInOneProcess().toMap();

        assertThat(RecipeJson.read(estimator().describe(frame.repartition(3)), "described")
                        .toMap())
                .isEqualTo(expected);
        assertThat(expected.toString()).contains("rare=[", "fill=", "indicator=");
        // Even without a word about it, as 'describe' does.
        assertThat(RecipeJson.read(
                                new StarlingTableEstimator()
                                        .setLabelCol("income")
                                        .setMissing("drop")
                                        .describe(frame.drop("id")),
                                "described")
                        .columns())
                .isEqualTo(Recipe.builder()
                        .label("income")
                        .missing(Missing.DROP)
                        .drop(List.of("id"))
                        .learn(table)
                        .columns());
    }

    @Test
    void theMostFrequentNumberOfAllPartitionsIsFound() {
        Recipe expected = Recipe.builder()
                .label("income")
                .keep(List.of("age", "wage"))
                .missing(Missing.MOST_FREQUENT)
                .learn(table);

        assertThat(new StarlingTableEstimator()
                        .setLabelCol("income")
                        .setInputCols(new String[] {"age", "wage"})
                        .setMissing("most-frequent")
                        .describe(frame.repartition(3)))
                .isEqualTo(RecipeJson.indented(expected));
    }

    @Test
    void theModelHasTheBitsOfOneProcess() {
        LinearModel expected = fitInOneProcess(
                        Trainer.logistic(), recipe, table, fitted.summary().delay())
                .model();

        assertThat(fitted.linearModel().names())
                .contains(
                        "sex=Female",
                        "age:sex=Female",
                        "age=(missing)",
                        "wage=(missing)",
                        "town=(rare)",
                        "smoker=true");
        assertThat(fitted.linearModel().hash()).isEqualTo(expected.hash());
        assertThat(fitted.linearModel().intercept(0)).isNotZero();
        assertThat(fitted.summary().certified()).isTrue();
        assertThat(fitted.summary().rows())
                .isEqualTo(recipe.encode(table).kept().size())
                .isLessThan(ROWS);
        assertThat(fitted.labels()).containsExactly("<=50K", ">50K");
    }

    @Test
    void rowsArePredictedByNameAndDroppedRowsHaveNoPrediction() {
        Encoded encoded = recipe.encodeToPredict(table);
        LinearModel model = fitted.linearModel();
        Dataset<Row> shuffledColumns = frame.select("joined", "wage", "id", "town", "smoker", "age", "sex");

        List<Row> rows = fitted.transform(shuffledColumns).collectAsList();

        assertThat(rows).hasSize(ROWS);
        int next = 0;
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            assertThat(row.<Integer>getAs("id")).isEqualTo(i);
            if (next == encoded.kept().size() || encoded.kept().get(next) > i) {
                assertThat(row.isNullAt(row.fieldIndex("prediction"))).isTrue();
                assertThat(row.isNullAt(row.fieldIndex("probability"))).isTrue();
                continue;
            }
            assertThat(row.<String>getAs("prediction")).isEqualTo(model.spelling(model.predict(encoded.rows(), next)));
            assertThat(row.<Vector>getAs("probability").toArray()).isEqualTo(model.probabilities(encoded.rows(), next));
            assertThat(row.<Vector>getAs("rawPrediction").apply(1)).isEqualTo(model.score(encoded.rows(), next, 0));
            next++;
        }
        assertThat(next).isEqualTo(encoded.kept().size()).isLessThan(ROWS);
    }

    @Test
    void modelsSavedHereOrByTheCommandLineLoadTheSame() throws IOException {
        String path = folder.resolve("saved").toUri().toString();
        fitted.copy(org.apache.spark.ml.param.ParamMap.empty())
                .setPredictionCol("guess")
                .write()
                .overwrite()
                .save(path);

        StarlingTableModel loaded = StarlingTableModel.load(path);
        LinearModel file = LinearModel.load(folder.resolve("saved").resolve("model.json"));
        fitted.linearModel().save(folder.resolve("own.json"));
        StarlingTableModel read =
                StarlingTableModel.ofFile(folder.resolve("own.json").toUri().toString());

        assertThat(file.hash()).isEqualTo(fitted.linearModel().hash());
        assertThat(file.recipe()).contains(recipe);
        assertThat(loaded.uid()).isEqualTo(fitted.uid());
        assertThat(loaded.getPredictionCol()).isEqualTo("guess");
        assertThat(loaded.summary()).isEqualTo(fitted.summary());
        assertThat(read.hasSummary()).isFalse();
        assertThat(loaded.transform(frame).select("guess").collectAsList())
                .isEqualTo(fitted.transform(frame).select("prediction").collectAsList())
                .isEqualTo(read.transform(frame).select("prediction").collectAsList());
        StarlingTableEstimator estimator =
                estimator().setUnknownLevels("reference").setInputCols(new String[] {"age"});
        String saved = folder.resolve("estimator").toUri().toString();
        estimator.write().overwrite().save(saved);
        StarlingTableEstimator again = StarlingTableEstimator.load(saved);
        assertThat(List.of(again.uid(), again.getFormula(), again.getMissing(), again.getUnknownLevels()))
                .containsExactly(estimator.uid(), FORMULA, POLICY, "reference");
        assertThat(again.getInputCols()).containsExactly("age");
        assertThat(again.getRareBelow()).isEqualTo(40);
    }

    @Tag("thorough")
    @Test
    void evaluationsEqualThoseOfOneProcess() throws IOException {
        Path others = folder.resolve("others.csv");
        Files.write(others, people(200, 2));
        Table otherTable = TableReader.standard().read(others);
        StarlingTableModel model =
                plain().setRecipe(RecipeJson.text(recipe)).setHoldout(0.3).fit(frame);
        Fit expected = fitInOneProcess(
                Trainer.logistic().holdout(0.3), recipe, table, model.summary().delay());

        assertThat(model.linearModel().hash()).isEqualTo(expected.model().hash());
        assertSame(model.judgement().orElseThrow(), expected.evaluation().orElseThrow());
        assertThat(fitted.judgement()).isEmpty();
        Measures exact =
                Evaluation.of(model.linearModel(), recipe.encode(otherTable).rows());
        // All in one partition, then in several, which sum up apart.
        assertThat(model.evaluate(read(others)).values()).isEqualTo(exact.values());
        assertSame(model.evaluate(read(others).repartition(3)), exact);
    }

    private static void assertSame(Measures actual, Measures expected) {
        assertThat(actual.rows()).isEqualTo(expected.rows());
        expected.values()
                .forEach((name, value) -> assertThat(actual.values().get(name))
                        .as(name)
                        .isCloseTo(value, within(1e-12 * Math.abs(value))));
        if (expected instanceof ClassMeasures classes) {
            assertThat(((ClassMeasures) actual).confusion()).isDeepEqualTo(classes.confusion());
            assertThat(((ClassMeasures) actual).curves().get(0).area().standardError())
                    .isCloseTo(classes.curves().get(0).area().standardError(), within(1e-12));
        }
    }

    @Tag("thorough")
    @Test
    void numbersArePredictedAndEvaluated() {
        Recipe numbers = Recipe.builder()
                .formula("age ~ sex + town - 1")
                .missing(Missing.DROP)
                .regression()
                .learn(table);
        StarlingTableModel model = plain().setLoss("squared")
                .setFormula("age ~ sex + town - 1")
                .setMissing("drop")
                .setHoldout(0.2)
                .fit(frame);
        Fit expected = fitInOneProcess(
                Trainer.of(new Squared()).holdout(0.2),
                numbers,
                table,
                model.summary().delay());

        assertThat(model.linearModel().hash()).isEqualTo(expected.model().hash());
        assertSame(model.judgement().orElseThrow(), expected.evaluation().orElseThrow());
        assertThat(model.transform(frame)
                        .schema()
                        .apply("prediction")
                        .dataType()
                        .typeName())
                .isEqualTo("double");
    }

    @Test
    void invalidColumnsAndSettingsAreRefusedByName() {
        assertRefused(
                () -> plain().setLabelCol("income")
                        .setInputCols(new String[] {"age", "town"})
                        .fit(frame),
                "the DataFrame has missing values in 'age' (" + missing("age") + "), 'town' (" + missing("town")
                        + "); set missing to drop, mean, median or most-frequent, for all columns or as in 'age=median',"
                        + " or leave the columns out of inputCols");
        assertRefused(
                () -> plain().setLabelCol("incme").fit(frame),
                "the DataFrame: unknown column 'incme'; did you mean 'income'? there are: "
                        + String.join(", ", frame.columns()));
        assertRefused(
                () -> plain().setLabelCol("income")
                        .setInputCols(new String[] {"parts"})
                        .fit(frame.withColumn("parts", functions.array(functions.col("age")))),
                "column 'parts' is of type array<int>, which is not a number, string, boolean or date; cast it to one of"
                        + " these, or leave it out");
        assertRefused(
                () -> plain().setLabelCol("income")
                        .setInputCols(new String[] {"bad"})
                        .fit(frame.withColumn("bad", functions.expr("if(id = 2, double('NaN'), 1.5D)"))),
                "partition 0 of the DataFrame, row 3: column 'bad' holds NaN, which is not finite; make it null, or"
                        + " filter such rows out");
        assertRefused(
                () -> estimator().setRecipe(RecipeJson.text(recipe)).fit(frame),
                "recipe determines what columns mean, but formula, missing, rareBelow, weightCol are set as well; change"
                        + " the recipe instead, or clear one of them");
        assertRefused(
                () -> plain().setRecipe(RecipeJson.text(recipe))
                        .setClassWeights(">5OK=2")
                        .fit(frame),
                "classWeights: unknown class '>5OK'; did you mean '>50K'? there are: <=50K, >50K");
        assertRefused(
                () -> plain().setRecipe("nowhere.json").fit(frame),
                "nowhere.json does not exist; give a recipe in JSON or YAML, or the file that holds it");
        assertRefused(
                () -> fitted.transform(frame.drop("wage").withColumnRenamed("town", "Town")),
                "the DataFrame has no column 'wage', 'town'; columns are matched by name, and there are: "
                        + "id, age, sex, Town, smoker, joined, weight, income");
        assertRefused(
                () -> fitted.transform(frame.withColumn("prediction", functions.lit(1))),
                "the DataFrame already has a column 'prediction'; drop it, or set predictionCol to another name");
        assertRefused(
                () -> fitted.evaluate(frame.withColumn("income", functions.lit("rich"))),
                "partition 0 of the DataFrame, row 1: column 'income' holds 'rich', which is not one of the classes"
                        + " <=50K, >50K");
    }

    private static long missing(String column) {
        return frame.filter(column + " is null or string(" + column + ") = '?'").count();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable refused, String message) {
        assertThatRefused(refused).hasMessage(message);
    }

    @Test
    void unknownLevelsAreRefusedOrTreatedAsTheReference() {
        Dataset<Row> strangers =
                frame.filter("town = 'Nice' and joined is not null").limit(5).withColumn("town", functions.lit("Oz"));
        StarlingTableModel tolerant = StarlingTableModel.of(fitInOneProcess(
                        Trainer.logistic(),
                        RecipeJson.read(
                                estimator().setUnknownLevels("reference").describe(frame), "described"),
                        table,
                        1)
                .model());

        assertThatThrownBy(() -> fitted.transform(strangers).collectAsList())
                .isInstanceOf(SparkException.class)
                .rootCause()
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("partition 0 of the DataFrame, row 1: column 'town' holds 'Oz', which is not a known level;"
                        + " there are: "
                        + String.join(", ", recipe.columns().get(3).levels()));
        String reference = tolerant.recipe().columns().get(3).reference().orElseThrow();
        assertThat(tolerant.transform(strangers).select("probability").collectAsList())
                .isEqualTo(tolerant.transform(strangers.withColumn("town", functions.lit(reference)))
                        .select("probability")
                        .collectAsList());
    }
}
