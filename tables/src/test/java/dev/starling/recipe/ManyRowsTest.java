package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.cores.Cores;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of so many rows that several threads find, survey and encode their cells. */
class ManyRowsTest {

    private static final int ROWS = 150_000;

    private static Table table(IntFunction<String> row) {
        StringBuilder text = new StringBuilder("y,x,town,w\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(row.apply(i)).append('\n');
        }
        return TableReader.standard()
                .read(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)), "many.csv");
    }

    private static <T> T with(int threads, Supplier<T> work) {
        return new Cores(threads).call(work);
    }

    /** Every third row has no town, every fifth no weight; late values need doubles, late towns have line ends. */
    private static String row(int i) {
        String x = i < ROWS - 1000 ? String.valueOf(i % 7) : "0.1";
        String late = i > ROWS / 2 && i % 4 == 0 ? "\"New\n\"\"York\"\"\"" : i % 2 == 0 ? "Ulm" : "Bern";
        String town = i % 3 == 0 ? "" : late;
        return i + "," + x + "," + town + "," + (i % 5 == 0 ? 0 : 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void everyRowIsEncodedInItsPlace(int threads) {
        Encoded encoded = with(threads, () -> {
            Table table = table(ManyRowsTest::row);
            return Recipe.builder()
                    .formula("y ~ x + town")
                    .weights("w")
                    .missing(Missing.DROP)
                    .regression()
                    .learn(table)
                    .encode(table);
        });

        Dataset rows = encoded.rows();
        assertThat(rows.names()).containsExactly("x", "town=New\n\"York\"", "town=Ulm");
        int at = 0;
        int weightless = 0;
        for (int i = 0; i < ROWS; i++) {
            if (i % 3 == 0 || i % 5 == 0) {
                weightless += i % 3 == 0 ? 0 : 1;
                continue;
            }
            double[] row = new double[3];
            rows.addTo(at, 1, row);
            boolean york = i > ROWS / 2 && i % 4 == 0;
            assertThat(row)
                    .as("row %d", i)
                    .containsExactly(i < ROWS - 1000 ? i % 7 : 0.1, york ? 1 : 0, !york && i % 2 == 0 ? 1 : 0);
            assertThat(rows.label(at)).isEqualTo(i);
            assertThat(rows.weight(at)).isEqualTo(2);
            assertThat(encoded.kept().get(at)).isEqualTo(i);
            at++;
        }
        assertThat(rows.rows()).isEqualTo(at);
        assertThat(encoded.weightless()).isEqualTo(weightless);
        assertThat(encoded.kept()).hasSize(at);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void theFirstWrongCellIsNamedWhicheverThreadFindsOne(int threads) {
        Recipe recipe = Recipe.builder()
                .formula("y ~ x + town")
                .regression()
                .learn(table(i -> i + ",1," + (i % 2 == 0 ? "Ulm" : "Bern") + ",1"));
        Table wrong =
                table(i -> i + ",1," + (i == 60_000 || i == 90_000 ? "Rome" : i % 2 == 0 ? "Ulm" : "Bern") + ",1");

        assertThatThrownBy(() -> with(threads, () -> recipe.encode(wrong)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("many.csv, line 60002: column 'town' holds 'Rome'");
        assertThatThrownBy(() -> with(
                        threads, () -> table(i -> i == 100_000 || i == 140_000 ? "1,2,a\"b,1" : "1,\"2\n\",\"a,b\",1")))
                .hasMessageContaining("many.csv, line 200002: a double quote within a cell");
        assertThatThrownBy(() -> with(threads, () -> table(i -> i == 100_000 ? "1,2" : "1,2,a,1")))
                .hasMessageContaining("many.csv, line 100002: 2 fields");
        assertThatThrownBy(() -> with(threads, () -> table(i -> i == 100_000 ? "1,2,\"a,1" : "1,2,a,1")))
                .hasMessageContaining("many.csv, line 100002: ");
    }

    @Test
    void rowsOfNothingAreRows() {
        Survey survey = Survey.of(table(i -> ",,,"));

        assertThat(survey.rows()).isEqualTo(ROWS);
        assertThat(survey.columns()).allMatch(column -> column.missing() == ROWS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void everyRowIsCountedOnce(int threads) {
        Survey survey =
                with(threads, () -> Survey.of(table(i -> i == 70_000 ? "1,?,Ulm,x" : row(i).replace('\n', ' '))));

        assertThat(survey.column("town").missing()).isEqualTo(ROWS / 3);
        assertThat(survey.column("town").levels().values().stream().mapToLong(count -> count))
                .allMatch(count -> count > 0)
                .satisfies(counts -> assertThat(
                                counts.stream().mapToLong(count -> count).sum())
                        .isEqualTo(ROWS - ROWS / 3));
        assertThat(survey.column("w").firstTextPlace()).isEqualTo("line 70002");
        assertThat(survey.column("x").missing()).isEqualTo(1);
    }
}
