package dev.starling.recipe;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.model.LinearModel;
import dev.starling.support.Stored;
import dev.starling.table.CellParsing;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecipeTest {

    private static final String PEOPLE = """
            id,age,sex,town,smoker,since,weight,income
            a,30,m,Lyon,yes,2020-01-01,1,high
            b,40,f,Nice,no,2020-01-02,2,low
            c,50,f,Paris,No,2020-01-03,1,high
            d,?,m,Lyon,YES,2020-01-04,3,low
            """;

    private static Table table(String text) {
        return TableReader.standard()
                .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "people.csv");
    }

    private static RecipeBuilder people() {
        return Recipe.builder().label("income").ids(List.of("id")).weights("weight");
    }

    private static double[][] matrix(Dataset rows) {
        Dataset dense = rows.laidOut(true);
        double[][] matrix = new double[rows.rows()][rows.features()];
        for (int i = 0; i < rows.rows(); i++) {
            for (int j = 0; j < rows.features(); j++) {
                matrix[i][j] = Stored.value(dense, i, j);
            }
        }
        return matrix;
    }

    @Test
    void rowsOfATableAreTrainedWithAnInterceptUnlessToldOtherwise() {
        Table table = table(PEOPLE);
        Recipe recipe = people().missing(Missing.MEAN).learn(table);
        Dataset rows = recipe.encode(table).rows();

        assertThat(recipe.intercept()).isTrue();
        assertThat(Trainer.logistic().fit(rows).model().intercept(0)).isNotZero();
    }

    @Test
    void aModelHasNoInterceptThatItsFormulaRemoves() {
        Table table = table(PEOPLE);
        Recipe recipe =
                people().missing(Missing.MEAN).formula("income ~ age - 1").learn(table);
        Dataset rows = recipe.encode(table).rows();

        assertThat(recipe.intercept()).isFalse();
        assertThat(Trainer.logistic()
                        .intercept(recipe.intercept())
                        .fit(rows)
                        .model()
                        .with(recipe)
                        .hasIntercept())
                .isFalse();
        LinearModel another = Trainer.logistic().fit(rows).model();
        assertThatRefused(() -> another.with(recipe)).hasMessageContaining("removes; train it without one");
    }

    @Test
    void columnsAreEncodedByTheirKind() {
        Table table = table(PEOPLE);
        Recipe recipe = people().missing(Missing.MEAN).learn(table);
        Dataset rows = recipe.encode(table).rows();
        assertThat(rows.names())
                .containsExactly("age", "sex=m", "town=Nice", "town=Paris", "smoker=yes", "since", "age=(missing)");
        assertThat(matrix(rows)).isDeepEqualTo(new double[][] {
            {30, 1, 0, 0, 1, 18262, 0},
            {40, 0, 1, 0, 0, 18263, 0},
            {50, 0, 0, 1, 0, 18264, 0},
            {40, 1, 0, 0, 1, 18265, 1}
        });
        assertThat(rows.labels()).containsExactly(0, 1, 0, 1);
        assertThat(List.of(rows.weight(0), rows.weight(3))).containsExactly(1.0, 3.0);
        assertThat(recipe.target().spelling(1)).isEqualTo("low");
    }

    /** A level may spell what another column's feature is called; both are features all the same. */
    @Test
    void rowsWithoutKeysAreTheSameRows() {
        Table table = table(PEOPLE);
        Recipe recipe = people().missing(Missing.DROP).learn(table);
        Encoded keyed = recipe.encode(table);
        Encoded plain = recipe.encodeWithoutKeys(table);

        assertThat(keyed.rows().isKeyed()).isTrue();
        assertThat(plain.rows().isKeyed()).isFalse();
        assertThat(Fingerprint.of(plain.rows())).isEqualTo(Fingerprint.of(keyed.rows()));
        assertThat(plain.kept()).isEqualTo(keyed.kept());
    }

    @Test
    void aReplacementThatIsNoNumberIsRefusedByName() {
        Table table = table("y,a\n1,1\n2,\n3,2\n");
        Recipe learnt = Recipe.builder().regression().missing(Missing.MEAN).learn(table);
        Recipe broken = learnt.withColumns(learnt.columns().stream()
                .map(column -> column.fill("many", false))
                .toList());

        assertThatThrownBy(() -> broken.encode(table)).hasMessageContaining("makes a NaN");
    }

    @Test
    void featuresOfDifferentColumnsMayShareAName() {
        Table table = table("""
                a,a=b,y
                b=c,d,yes
                x,c,no
                x,d,yes
                """);
        Recipe recipe = Recipe.builder()
                .label("y")
                .reference("a", "x")
                .reference("a=b", "d")
                .learn(table);
        Dataset rows = recipe.encode(table).rows();
        assertThat(rows.names()).containsExactly("a=b=c", "a=b=c");
        assertThat(matrix(rows)).isDeepEqualTo(new double[][] {{1, 0}, {0, 1}, {0, 0}});
    }

    @Test
    void missingValuesAreCountedAndRefusedByDefault() {
        Table table = table(PEOPLE.replace("Nice", "NA").replace("Paris", ""));
        assertThatThrownBy(() -> people().learn(table).encode(table))
                .hasMessage("people.csv has missing values in 'age' (1), 'town' (2);"
                        + " drop such rows, impute the values, or leave the columns out");
        Encoded dropped = people().missing(Missing.DROP).learn(table).encode(table);
        assertThat(dropped.kept()).containsExactly(0);
        Recipe median = people().missing(Missing.MEDIAN).learn(table);
        assertThat(median.columns().get(0).fill()).contains("40");
        assertThat(median.columns().get(2).fill()).contains("Lyon");
    }

    @Test
    void aFormulaMakesProductsAndFunctions() {
        Table table = table("y,a,b,g\n1,2,3,u\n0,4,5,v\n1,9,2,w\n");
        Dataset rows = Recipe.builder()
                .formula("y ~ sqrt(a) + I(b^2) + g + a:g")
                .learn(table)
                .encode(table)
                .rows();
        assertThat(rows.names()).containsExactly("sqrt(a)", "I(b^2)", "g=v", "g=w", "a:g=u", "a:g=v", "a:g=w");
        assertThat(matrix(rows)).isDeepEqualTo(new double[][] {
            {Math.sqrt(2), 9, 0, 0, 2, 0, 0}, {2, 25, 1, 0, 0, 4, 0}, {3, 4, 0, 1, 0, 0, 9}
        });
    }

    @Test
    void orderedLevelsAreEncodedCumulatively() {
        Table table = table("y,size\n1,small\n0,large\n1,medium\n");
        Dataset rows = Recipe.builder()
                .kind("size", Kind.ORDERED)
                .levels("size", List.of("small", "medium", "large"))
                .learn(table)
                .encode(table)
                .rows();
        assertThat(rows.names()).containsExactly("size>=medium", "size>=large");
        assertThat(matrix(rows)).isDeepEqualTo(new double[][] {{0, 0}, {1, 1}, {1, 0}});
    }

    @Test
    void rareLevelsShareAFeatureAndUnknownOnesMayBeTheReference() {
        Table table = table("y,g\n1,a\n0,a\n1,b\n0,b\n1,c\n0,d\n");
        Recipe recipe = Recipe.builder().rareBelow(2).unknownIsReference(true).learn(table);
        assertThat(recipe.features()).containsExactly("g=b", "g=(rare)");
        Table more = table("g,z\nb,1\nd,1\nnew,1\na,1\n");
        assertThat(matrix(recipe.encodeToPredict(more).rows()))
                .isDeepEqualTo(new double[][] {{1, 0}, {0, 1}, {0, 0}, {0, 0}});
        assertThat(recipe.encodeToPredict(more).ignored()).containsExactly("z");
    }

    @Test
    void wideCategoriesAreHashedOnRequestWithFixedHashes() {
        Table table = table("y,g\n1,Lyon\n0,Nice\n1,Paris\n");
        Recipe recipe = Recipe.builder().hash("g", 4).learn(table);
        assertThat(recipe.features()).containsExactly("g#0", "g#1", "g#2", "g#3");
        double[][] rows = matrix(recipe.encode(table).rows());
        for (double[] row : rows) {
            assertThat(row).containsOnlyOnce(1);
        }
        assertThat(List.of(CellParsing.bucket("Lyon", 1000), CellParsing.bucket("", 1000)))
                .isEqualTo(List.of(bucketByHand("Lyon"), bucketByHand("")));
    }

    /** FNV-1a and MurmurHash3's finaliser, in arbitrary precision. */
    private static int bucketByHand(String text) {
        BigInteger size = BigInteger.TWO.pow(64);
        BigInteger hash = new BigInteger("cbf29ce484222325", 16);
        for (int i = 0; i < text.length(); i++) {
            hash = hash.xor(BigInteger.valueOf(text.charAt(i)))
                    .multiply(new BigInteger("100000001b3", 16))
                    .mod(size);
        }
        for (String factor : List.of("ff51afd7ed558ccd", "c4ceb9fe1a85ec53")) {
            hash = hash.xor(hash.shiftRight(33))
                    .multiply(new BigInteger(factor, 16))
                    .mod(size);
        }
        return hash.xor(hash.shiftRight(33)).mod(BigInteger.valueOf(1000)).intValue();
    }

    @Test
    void classesKeepTheirSpelling() {
        Recipe numbers = Recipe.builder().learn(table("y,a\n1.0,2\n2.0,3\n1.0,4\n"));
        assertThat(numbers.target().classes()).containsExactly("1.0", "2.0");
        assertThat(numbers.target().label("2")).isEqualTo(2);
        assertThat(numbers.target().spelling(2)).isEqualTo("2.0");
        Recipe words = Recipe.builder().learn(table("y,a\n>50K,2\n<=50K,3\n"));
        assertThat(words.target().label(">50K")).isEqualTo(1);
        assertThat(words.target().label("50K")).isNaN();
    }

    @Test
    void numbersInLevelsAreOrderedAsNumbers() {
        Recipe recipe =
                Recipe.builder().learn(table("y,g\n0,40-79\n1,120+\n0,0-39g\n1,80-119\n1,v10\n0,v9\n1,0.25\n0,0.5\n"));
        assertThat(recipe.columns().get(0).levels())
                .containsExactly("0-39g", "0.25", "0.5", "40-79", "80-119", "120+", "v9", "v10");
    }

    @Test
    void rowsOfWeightZeroAreLeftOut() {
        Table table = table("y,x,w\n0,1,1\n1,2,0\n1,3,2.5\n");
        Encoded encoded = Recipe.builder().weights("w").learn(table).encode(table);
        assertThat(encoded.kept()).containsExactly(0, 2);
        assertThat(encoded.rows().weight(1)).isEqualTo(2.5);
        assertThat(encoded.leftOut(table)).hasSize(1).first().asString().endsWith("1 row with weight 0 is left out");
    }

    @Test
    void countsOfTwoOutcomesAreTwoWeightedRowsWithOneKey() {
        Table table = table("ill,well,x\n3,1,5\n0,2,6\n0,0,7\n4,0,8\n");
        Recipe recipe = Recipe.builder().formula("cbind(ill, well) ~ x").learn(table);
        assertThat(recipe.target().classes()).containsExactly("well", "ill");
        Encoded encoded = recipe.encode(table);
        assertThat(encoded.kept()).containsExactly(0, 0, 1, 3);
        assertThat(encoded.rows().labels()).containsExactly(0, 1, 0, 1);
        assertThat(encoded.rows().weight(0)).isEqualTo(1);
        assertThat(encoded.rows().weight(1)).isEqualTo(3);
        assertThat(RowKeys.ofContent(encoded.rows(), 0)).isEqualTo(RowKeys.ofContent(encoded.rows(), 1));
        assertThat(encoded.leftOut(table)).hasSize(1).first().asString().contains("1 row with weight 0");
        assertThat(recipe.encodeToPredict(table("x\n5\n")).rows().rows()).isEqualTo(1);
    }

    @Test
    void constantsFromRowsAreRefusedWhereRowsAreNotAtHand() {
        assertThatThrownBy(() -> Recipe.of(Map.of(
                                "label",
                                Map.of("column", "y"),
                                "columns",
                                List.of(Map.of("name", "x", "kind", "numeric")),
                                "formula",
                                "y ~ ns(x, df = 3)"))
                        .features())
                .hasMessageContaining("ns(x, df = 3) takes constants from all rows")
                .hasMessageContaining("ns(x, knots = c(40, 60), Boundary.knots = c(0, 100))");
        assertThatThrownBy(() -> Recipe.builder()
                        .formula("y ~ x + factor(x)")
                        .learn(table("y,x\n0,1\n1,2\n"))
                        .features())
                .hasMessageContaining("column 'x' can be used as a number or as a factor, but not as both");
    }

    @Test
    void columnsAreFoundByNameInAnyOrder() {
        Table table = table(PEOPLE);
        Recipe recipe = people().missing(Missing.MEAN).learn(table);
        Table other = table("town,since,smoker,sex,age\nNice,2020-01-02,no,f,40\n");
        Encoded encoded = recipe.encodeToPredict(other);
        assertThat(matrix(encoded.rows())).isDeepEqualTo(new double[][] {{40, 0, 1, 0, 0, 18263, 0}});
        assertThat(encoded.labelled()).isFalse();
    }

    @Test
    void aRecipeIsReadBackUnchanged() {
        Recipe recipe = people().missing(Missing.MEDIAN)
                .rareBelow(2)
                .unknownIsReference(true)
                .formula("income ~ age * sex + town + smoker")
                .learn(table(PEOPLE));
        assertThat(Recipe.of(recipe.toMap())).isEqualTo(recipe);
    }

    @Test
    void aRecipeFromAFileLearnsItsOpenParts() {
        Recipe given = Recipe.of(Map.of(
                "label",
                Map.of("column", "income"),
                "columns",
                List.of(
                        Map.of("name", "age", "kind", "numeric", "missing", "mean"),
                        Map.of("name", "sex", "kind", "categorical", "reference", "m"))));
        Recipe learnt = given.learnt(Survey.of(table(PEOPLE)), true);
        assertThat(learnt.features()).containsExactly("age", "sex=f", "age=(missing)");
        assertThat(learnt.target().classes()).containsExactly("high", "low");
    }

    @Test
    void theMeanIsThatOfTheExactSum() {
        ColumnSurvey survey =
                Survey.of(table("y,a\n1,1e16\n1,1\n1,-1e16\n1,1\n")).column("a");
        assertThat(survey.mean()).isEqualTo(0.5);
        assertThat(survey.median()).isEqualTo(1);
        assertThat(survey.mostFrequent()).isEqualTo("1");
    }
}
