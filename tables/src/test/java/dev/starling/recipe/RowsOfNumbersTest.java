package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowKeys;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of nothing but numbers is read in parallel, and becomes the same rows as if it were read as text. */
class RowsOfNumbersTest {

    @TempDir
    private Path folder;

    /** What a reader handed over: rows and their label, or a table. */
    private static final class Taken implements TableReader.Encoder {
        private Recipe recipe;
        private boolean asText;

        @Override
        public Dataset encode(Table table) {
            asText = true;
            recipe = Recipe.builder().label("y").learn(table);
            return recipe.encode(table).rows();
        }

        @Override
        public Dataset encode(Dataset rows, String label, String decimals) {
            recipe = Recipe.ofNumbers("rows", rows, label, decimals, true);
            return rows;
        }
    }

    private Dataset read(Path file, Taken taken) {
        return TableReader.standard().rows(file, DatasetReader.standard().labelColumn("y"), taken);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b,y,a\n1.5,0,2\n2.5,1,0\n-0,1,1e3\n",
                "y;z;a\n\"1\";2.0;\" 3 \"\n0;-0.5;+4\n",
                "z,y,a\n0.12345678901234567890,1,00000000000000000012\n-123456789012345683968,-1,7\n",
                "y\ta\tb\n1.0\t0\t0\n2.0\t0\t5\n\n3.0\t1e-300\t0\n",
                "y,x\n0.5,1\n1.25,2\n"
            })
    void theyAreTheRowsOfTheTable(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("numbers.csv"), text);
        Taken taken = new Taken();
        Dataset fast = read(file, taken);
        assertThat(taken.asText).isFalse();
        Table table = TableReader.standard().read(file);
        Recipe recipe = Recipe.builder().label("y").learn(table);
        Dataset slow = recipe.encode(table).rows();

        assertThat(taken.recipe).isEqualTo(recipe);
        assertThat(fast.names()).isEqualTo(slow.names());
        assertThat(fast.isDense()).isEqualTo(slow.isDense());
        assertThat(fast.rows()).isEqualTo(slow.rows());
        for (int row = 0; row < fast.rows(); row++) {
            assertThat(RowKeys.ofContent(fast, row)).isEqualTo(RowKeys.ofContent(slow, row));
            assertThat(fast.label(row)).isEqualTo(slow.label(row));
            for (int k = fast.start(row); k < fast.end(row); k++) {
                assertThat(fast.value(row, k)).isEqualTo(slow.value(row, k));
            }
        }
    }

    @Test
    void theyHaveTheSameKeysInEveryPieceOfALargeFile() throws IOException {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder("w,y,a\n");
        for (int row = 0; row < 60_000; row++) {
            text.append(random.nextGaussian()).append(',').append(row % 2).append(',');
            text.append(random.nextInt(1000)).append('\n');
        }
        Path file = Files.writeString(folder.resolve("large.csv"), text);
        Dataset fast = read(file, new Taken());
        Table table = TableReader.standard().read(file);
        Dataset slow = Recipe.builder().learn(table).encode(table).rows();
        assertThat(fast.isKeyed()).isTrue();
        for (int row = 0; row < fast.rows(); row++) {
            assertThat(RowKeys.ofContent(fast, row)).isEqualTo(RowKeys.ofContent(slow, row));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1", "01", "1.00", "1.0"})
    void labelsInUnusualOrDifferentSpellingsAreKeptAsTheyAreWritten(String label) throws IOException {
        Path file = Files.writeString(folder.resolve("spelt.csv"), "y,x\n0,1\n" + label + ",2\n");
        Taken taken = new Taken();
        read(file, taken);
        assertThat(taken.asText).isTrue();
        assertThat(taken.recipe.target().classes()).containsExactly("0", label);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?", "red", "NaN", "1e999"})
    void aCellThatIsNoNumberMakesItATableOfText(String cell) throws IOException {
        Path file =
                Files.writeString(folder.resolve("late.csv"), "y,x\n" + "0,1\n1,2\n".repeat(500) + "1," + cell + "\n");
        Taken taken = new Taken();
        try {
            read(file, taken);
        } catch (InvalidInputException e) {
            assertThat(e).hasMessageContaining("'x'");
        }
        assertThat(taken.asText).isTrue();
    }
}
