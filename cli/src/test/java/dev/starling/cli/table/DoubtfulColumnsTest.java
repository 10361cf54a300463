package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Column;
import dev.starling.recipe.Recipe;
import dev.starling.table.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns that are almost numbers or dates: they are read as such, or refused with remedies that work. */
class DoubtfulColumnsTest {

    private static final int ROWS = 80;

    @TempDir
    private Path folder;

    private Path file(IntFunction<String> cell) {
        StringBuilder text = new StringBuilder("x\tz\ty");
        for (int row = 0; row < ROWS; row++) {
            text.append('\n')
                    .append(cell.apply(row))
                    .append('\t')
                    .append(row % 7)
                    .append('\t');
            text.append(row * 7 % 11 > 5 ? "yes" : "no");
        }
        return Cli.file(folder, "table.tsv", text + "\n");
    }

    private Cli train(Path file, Object... options) {
        Object[] all = new Object[options.length + 5];
        System.arraycopy(
                new Object[] {"train", file, "--lambda 0.1 -q --model", folder.resolve("m.json")}, 0, all, 0, 4);
        all[4] = "--standardize";
        System.arraycopy(options, 0, all, 5, options.length);
        return Cli.run(all);
    }

    private Column trained(Path file, Object... options) {
        Cli run = train(file, options);
        assertThat(run.code()).as(run.err()).isZero();
        return Recipe.of(LinearModel.load(folder.resolve("m.json")))
                .orElseThrow()
                .columns()
                .get(0);
    }

    /** Beyond 2^53 two people may become one, and a slope is that of other rows. */
    @Test
    void wholeNumbersThatDoublesCannotHoldAreRoundedOnlyIfAsked() {
        Path file = file(row -> "" + (10_000_000_000_000_000L + row));
        Cli refused = train(file);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err().strip())
                .endsWith(
                        "column 'x' holds whole numbers that doubles cannot hold, the first '10000000000000001' in line 3;"
                                + " leave it out (--drop 'x') if it only tells rows apart, subtract a constant, or round it"
                                + " (--kind 'x=numeric')");
        assertThat(Cli.run("describe", file).out()).contains("'10000000000000001' in line 3");
        Path ofNumbers = Cli.file(folder, "numbers.csv", "x,y", "10000000000000000,0.5", "10000000000000001,1.5");
        assertThat(train(ofNumbers, "--loss squared --label-column y").err())
                .contains("the first '10000000000000001' in line 3; leave it out (--drop 'x')");
        assertThat(trained(file, "--drop", "x").name()).isEqualTo("z");
        assertThat(trained(file, "--kind", "x=numeric", "--gap", "1").kind()).isEqualTo(Kind.NUMERIC);
        assertThat(trained(file(row -> "" + (10_000_000_000_000_000L + 2L * row)), "--gap", "1")
                        .kind())
                .as("even numbers that need 54 bits are held")
                .isEqualTo(Kind.NUMERIC);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            unknown | numbers except for 'unknown' in line 19; give --missing-token 'unknown'
            -       | numbers except for '-' in line 19; give --missing-token '-'
            45%     | numbers, but not as plain decimals: '45%' in line 19
            $12     | numbers, but not as plain decimals: '$12' in line 19
            1,234   | numbers, but not as plain decimals: '1,234' in line 19
            −5      | numbers, but not as plain decimals: '−5' in line 19
            0 days 00:05:30 | numbers, but not as plain decimals: '0 days 00:05:30' in line 19
            """)
    void refusesAColumnOfNumbersWithOneStrayCell(String stray, String message) {
        Path file = file(row -> row == 17 ? stray : "" + (20 + row % 40));
        Cli refused = train(file);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("column 'x' holds " + message).contains("--kind 'x=categorical'");
        assertThat(refused.err().strip().lines()).hasSize(1);
        assertThat(trained(file, "--kind", "x=categorical").kind()).isEqualTo(Kind.CATEGORICAL);
        assertThat(trained(file, "--missing-token", stray, "--missing", "median")
                        .kind())
                .isEqualTo(Kind.NUMERIC);
        assertThat(Cli.run("describe", file).out()).contains("column 'x' holds " + message, "--kind 'x=categorical'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NA", "?", "NULL", "null", "N/A", "n/a", "NaN", "nan", "None", "na", "#N/A", "."})
    void theUsualTokensAreMissingValues(String token) {
        Path file = file(row -> row % 8 == 0 ? token : "" + row);
        assertThat(train(file).err()).contains("has missing values in 'x' (10)");
        assertThat(trained(file, "--missing", "median").kind()).isEqualTo(Kind.NUMERIC);
    }

    @Test
    void readsDecimalCommasIfAsked() {
        Path file = file(row -> row / 10 + "," + row % 10);
        assertThat(train(file).err()).contains("'0,0' in line 2").contains("--decimal ,");
        assertThat(trained(file, "--decimal ,").kind()).isEqualTo(Kind.NUMERIC);
        String hash = LinearModel.load(folder.resolve("m.json")).hash();
        assertThat(trained(file(row -> row / 10 + "." + row % 10)).kind()).isEqualTo(Kind.NUMERIC);
        assertThat(LinearModel.load(folder.resolve("m.json")).hash()).isEqualTo(hash);
        Path thousands = file(row -> "1." + (100 + row) + ",5");
        assertThat(train(thousands).err()).contains("'1.100,5' in line 2; write plain decimals, or --kind");
        assertThat(train(thousands, "--decimal ,").err())
                .contains("plain decimals")
                .doesNotContain("--decimal");
        assertThat(train(file, "--decimal x").err()).contains("--decimal 'x'");
    }

    @Test
    void datesInAllCommonFormsGiveTheSameModel() {
        List<String> forms = List.of(
                "%1$d-%2$02d-%3$02d",
                "%3$02d.%2$02d.%1$d",
                "%3$d/%2$d/%1$d",
                "%2$02d/%3$02d/%1$d",
                "%1$d-%2$02d-%3$02dT00:00:00Z",
                "%1$d-%2$02d-%3$02d 01:00:00+01:00",
                "%1$d/%2$d/%3$d",
                "%1$d.%2$02d.%3$02d",
                "%3$02d-%2$02d-%1$d");
        List<Kind> kinds = List.of(
                Kind.DATE,
                Kind.DATE,
                Kind.DATE_DMY,
                Kind.DATE_MDY,
                Kind.DATE,
                Kind.DATE,
                Kind.DATE,
                Kind.DATE,
                Kind.DATE_DMY);
        double weight = Double.NaN;
        for (int k = 0; k < forms.size(); k++) {
            String form = forms.get(k);
            Path file = file(row -> form.formatted(2024, 1 + row % 12, 1 + row % 28));
            assertThat(trained(file).kind()).as(form).isEqualTo(kinds.get(k));
            double found = LinearModel.load(folder.resolve("m.json")).weights(0)[0];
            assertThat(k == 0 ? found : weight).isEqualTo(found);
            weight = found;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%3$02d-Feb-%1$d",
                "%3$02d MARCH %1$d",
                "Sept %3$d, %1$d",
                "%3$02dJAN24",
                "%2$d/%3$d/24",
                "%2$d/%3$d/%1$d 8:00:00 AM",
                "%1$d-%2$02d-%3$02dT080000Z"
            })
    void datesThatAreNotReadAreNotTakenForCategories(String form) {
        Path file = file(row -> form.formatted(2024, 1 + row % 12, 1 + row % 28));
        Cli refused = train(file);
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(
                        "column 'x' holds dates in a form that is not read, the first '", "write them as in 2024-02-29")
                .hasLineCount(1);
        assertThat(trained(file, "--kind x=categorical").kind()).isEqualTo(Kind.CATEGORICAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-%02d", "%02d-40-77", "1.2.%d", "Q%d 2024", "May %d"})
    void codesAndMonthsAreCategories(String form) {
        assertThat(trained(file(row -> form.formatted(1 + row % 12))).kind()).isEqualTo(Kind.CATEGORICAL);
    }

    @Test
    void asksWhetherTheDayOrTheMonthComesFirst() {
        Path file = file(row -> "%02d/%02d/2024".formatted(1 + row % 12, 1 + row * 5 % 12));
        assertThat(train(file).err())
                .contains("'01/01/2024' in line 2, which may begin with the day or with the month")
                .contains("--kind 'x=date-dmy' or 'x=date-mdy'");
        assertThat(trained(file, "--kind x=date-dmy").kind()).isEqualTo(Kind.DATE_DMY);
        assertThat(trained(file, "--kind x=date-mdy").kind()).isEqualTo(Kind.DATE_MDY);
    }

    @Test
    void refusesDatesWithAStrayWordOrInSeveralForms() {
        Path stray = file(row -> row == 5 ? "soon" : "2024-01-%02d".formatted(1 + row % 28));
        assertThat(train(stray).err()).contains("holds dates except for 'soon' in line 7");
        assertThat(trained(stray, "--missing-token soon --missing drop").kind()).isEqualTo(Kind.DATE);
        Path mixed = file(row -> (row % 2 == 0 ? "2024-01-%02d" : "%02d/01/2024").formatted(13 + row % 14));
        assertThat(train(mixed).err()).contains("holds dates in different forms, the first '2024-01-13' in line 2");
    }

    @Test
    void refusesAStrayWordAmongNumericLabels() {
        StringBuilder text = new StringBuilder("x,y");
        for (int row = 0; row < 50; row++) {
            text.append('\n').append(row).append(',').append(row == 30 ? "lost" : "" + row % 2);
        }
        Path file = Cli.file(folder, "labels.csv", text.toString());
        assertThat(train(file).err()).contains("column 'y' holds numbers except for 'lost' in line 32");
        assertThat(train(file, "--missing-token lost --missing drop").code()).isZero();
        assertThat(train(file, "--kind y=categorical").code()).isZero();
    }
}
