package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that differ from the one a model was trained on: predicted right, or refused by name, never wrong. */
class PredictByNameTest {

    private static final String HEADER = "age,sex,town,smoker,since,income\n";
    private static final String ANN = "31,f,Lyon,yes,2020-01-05,high\n";
    private static final String BOB = "52,m,Nice,no,2021-03-01,low\n";

    @TempDir
    private static Path folder;

    private static Path model;
    private static Path numbers;
    private static String expected;

    @BeforeAll
    static void train() throws IOException {
        StringBuilder rows = new StringBuilder(HEADER);
        StringBuilder plain = new StringBuilder("y,a,b\n");
        for (int i = 0; i < 60; i++) {
            rows.append(20 + i % 37)
                    .append(i % 3 == 0 ? ",f," : ",m,")
                    .append(new String[] {"Lyon", "Nice", "Paris"}[i % 4 % 3])
                    .append(i % 5 < 2 ? ",yes," : ",no,")
                    .append("2020-0" + (1 + i % 9) + "-1" + i % 7)
                    .append((i * 7 + i / 5) % 11 < 5 ? ",high\n" : ",low\n");
            plain.append((i * 7) % 3 - 1)
                    .append(',')
                    .append(i % 10)
                    .append(',')
                    .append(i % 7 - 3)
                    .append('\n');
        }
        model = trained("people", rows.toString(), "--label-column income --standardize");
        numbers = trained("numbers", plain.toString(), "--loss squared");
        Path base = file("base.csv", HEADER + ANN + BOB);
        Cli result = Cli.ok("predict", model, base, "--scores --quiet");
        expected = result.out();
        assertThat(expected.lines().skip(1).distinct()).hasSize(2);
    }

    private static Path trained(String name, String text, String... options) throws IOException {
        Path target = folder.resolve(name + ".json");
        Object[] arguments = new Object[options.length + 8];
        Object[] first = {
            "train", file(name + ".csv", text), "--model", target, "--runtime", "simulator", "--lambda", "0.01"
        };
        System.arraycopy(first, 0, arguments, 0, first.length);
        System.arraycopy(options, 0, arguments, first.length, options.length);
        Cli.ok(arguments);
        return target;
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    /** A hash stands for a line end, a tilde for a tab. */
    private static Cli predict(Path by, String text, Object... options) throws IOException {
        Object[] arguments = new Object[options.length + 4];
        arguments[0] = "predict";
        arguments[1] = by;
        arguments[2] = file("case.csv", text.replace('#', '\n').replace('~', '\t'));
        arguments[3] = "--scores";
        System.arraycopy(options, 0, arguments, 4, options.length);
        return Cli.run(arguments);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '^', textBlock = """
            as it was            ! age,sex,town,smoker,since,income#31,f,Lyon,yes,2020-01-05,high#52,m,Nice,no,2021-03-01,low
            swapped              ! sex,age,town,smoker,since,income#f,31,Lyon,yes,2020-01-05,high#m,52,Nice,no,2021-03-01,low
            reversed             ! income,since,smoker,town,sex,age#high,2020-01-05,yes,Lyon,f,31#low,2021-03-01,no,Nice,m,52
            without a label      ! age,sex,town,smoker,since#31,f,Lyon,yes,2020-01-05#52,m,Nice,no,2021-03-01
            label renamed        ! age,sex,town,smoker,since,pay#31,f,Lyon,yes,2020-01-05,high#52,m,Nice,no,2021-03-01,low
            labels missing       ! age,sex,town,smoker,since,income#31,f,Lyon,yes,2020-01-05,?#52,m,Nice,no,2021-03-01,
            labels unknown       ! age,sex,town,smoker,since,income#31,f,Lyon,yes,2020-01-05,rich#52,m,Nice,no,2021-03-01,poor
            an extra at the end  ! age,sex,town,smoker,since,note#31,f,Lyon,yes,2020-01-05,?#52,m,Nice,no,2021-03-01,x y
            an extra in front    ! id,age,sex,town,smoker,since#7,31,f,Lyon,yes,2020-01-05#8,52,m,Nice,no,2021-03-01
            extra that is empty  ! age,none,sex,town,smoker,since#31,,f,Lyon,yes,2020-01-05#52,,m,Nice,no,2021-03-01
            semicolons           ! age;sex;town;smoker;since#31;f;Lyon;yes;2020-01-05#52;m;Nice;no;2021-03-01
            tabs                 ! age~sex~town~smoker~since#31~f~Lyon~yes~2020-01-05#52~m~Nice~no~2021-03-01
            bars                 ! age|sex|town|smoker|since#31|f|Lyon|yes|2020-01-05#52|m|Nice|no|2021-03-01
            quotes               ! "age","sex","town","smoker","since"#"31","f","Lyon","yes","2020-01-05"#"52","m","Nice","no","2021-03-01"
            blanks               ! age , sex , town,smoker , since# 31 , f , Lyon ,yes , 2020-01-05# 52 , m , Nice , no , 2021-03-01
            blank lines          ! age,sex,town,smoker,since##31,f,Lyon,yes,2020-01-05###52,m,Nice,no,2021-03-01##
            other numbers        ! age,sex,town,smoker,since#31.0,f,Lyon,yes,2020-01-05#+5.2e1,m,Nice,no,2021-03-01
            truths in capitals   ! age,sex,town,smoker,since#31,f,Lyon,YES,2020-01-05#52,m,Nice,No,2021-03-01
            midnight             ! age,sex,town,smoker,since#31,f,Lyon,yes,2020-01-05T00:00#52,m,Nice,no,2021-03-01 00:00:00
            """)
    void columnsAreFoundByName(String name, String text) throws IOException {
        Cli result = predict(model, text);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '!', quoteCharacter = '^', textBlock = """
            one missing          ! sex,town,smoker,since#f,Lyon,yes,2020-01-05     ! has no column 'age'
            two missing          ! town,smoker,since#Lyon,yes,2020-01-05           ! has no column 'age', 'sex'
            another case         ! Age,sex,town,smoker,since#31,f,Lyon,yes,2020-01-05 ! has no column 'age'; columns are matched by name, and there are: Age, sex, town, smoker, since (is 'Age' the same?)
            renamed              ! age,sex,city,smoker,since#31,f,Lyon,yes,2020-01-05 ! has no column 'town'
            twice                ! age,age,sex,town,smoker,since#31,3,f,Lyon,yes,2020-01-05 ! two columns are called 'age'
            nameless             ! age,,sex,town,smoker,since#31,3,f,Lyon,yes,2020-01-05 ! column 2 has no name
            no names             ! 31,f,Lyon,yes,2020-01-05                        ! the columns have no names
            word for a number    ! age,sex,town,smoker,since#old,f,Lyon,yes,2020-01-05 ! line 2: column 'age' holds 'old', which is not a number
            comma for a point    ! age;sex;town;smoker;since#3,1;f;Lyon;yes;2020-01-05 ! line 2: column 'age' holds '3,1', which is not a number
            empty                ! age,sex,town,smoker,since#,f,Lyon,yes,2020-01-05 ! has missing values in 'age' (1)
            not available        ! age,sex,town,smoker,since#NA,?,Lyon,yes,2020-01-05 ! has missing values in 'age' (1), 'sex' (1)
            other tokens         ! age,sex,town,smoker,since#-,f,Lyon,yes,2020-01-05 ! line 2: column 'age' holds '-', which is not a number
            tokens as levels     ! age,sex,town,smoker,since#31,null,Lyon,yes,2020-01-05 ! has missing values in 'sex' (1)
            NaN                  ! age,sex,town,smoker,since#NaN,f,Lyon,yes,2020-01-05 ! has missing values in 'age' (1)
            too large            ! age,sex,town,smoker,since#1e999,f,Lyon,yes,2020-01-05 ! line 2: column 'age' holds '1e999'
            new level            ! age,sex,town,smoker,since#31,f,Rome,yes,2020-01-05 ! line 2: column 'town' holds 'Rome', which is not a known level; there are: Lyon, Nice, Paris
            level's case         ! age,sex,town,smoker,since#31,F,Lyon,yes,2020-01-05 ! column 'sex' holds 'F', which is not a known level
            level's blanks       ! age,sex,town,smoker,since#31,f," Lyon",yes,2020-01-05 ! column 'town' holds ' Lyon', which is not a known level
            number for a level   ! age,sex,town,smoker,since#31,1,Lyon,yes,2020-01-05 ! column 'sex' holds '1', which is not a known level
            neither yes nor no   ! age,sex,town,smoker,since#31,f,Lyon,maybe,2020-01-05 ! column 'smoker' holds 'maybe', which is not a known level
            true for yes         ! age,sex,town,smoker,since#31,f,Lyon,true,2020-01-05 ! column 'smoker' holds 'true', which is not a known level
            another date         ! age,sex,town,smoker,since#31,f,Lyon,yes,05/01/2020 ! column 'since' holds '05/01/2020', which is not a date
            30 February          ! age,sex,town,smoker,since#31,f,Lyon,yes,2020-02-30 ! column 'since' holds '2020-02-30', which is not a date
            number for a date    ! age,sex,town,smoker,since#31,f,Lyon,yes,18266   ! column 'since' holds '18266', which is not a date
            columns exchanged    ! sex,age,town,smoker,since#31,f,Lyon,yes,2020-01-05 ! line 2: column 'age' holds 'f', which is not a number
            short row            ! age,sex,town,smoker,since#31,f,Lyon,yes          ! line 2: 4 fields; there are 5 columns
            LIBSVM               ! 1 1:31 2:1                                      ! is LIBSVM text, whose columns have no names
            one column           ! age#31                                          ! has no column 'sex', 'town', 'smoker', 'since'
            """)
    void unusableColumnsAreRefusedByName(String name, String text, String message) throws IOException {
        Path output = folder.resolve("refused.txt");
        Cli result = predict(model, text, "--output", output);
        assertThat(result.err()).contains(message);
        assertThat(result.err().strip().lines()).hasSize(1);
        assertThat(result.code()).isEqualTo(2);
        assertThat(output).doesNotExist();
    }

    @Test
    void unusedColumnsAreNamedOrRefusedInStrictMode() throws IOException {
        String text = "id,note," + HEADER + "1,x," + ANN;
        assertThat(predict(model, text).err()).contains("does not know, which are ignored: id, note");
        Cli strict = predict(model, text, "--strict");
        assertThat(strict.code()).isEqualTo(2);
        assertThat(strict.err()).contains("columns that the model does not know: id, note");
    }

    @Test
    void predictionsAreAppendedToTheTableAsItWasWritten() throws IOException {
        Cli result = predict(model, HEADER + "\"31\", f,Lyon,yes,2020-01-05,high\n" + BOB, "--append --probabilities");
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().lines().toList()).hasSize(3).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo(HEADER.strip() + ",prediction,score,probability(high),probability(low)");
            assertThat(lines.get(1)).startsWith("\"31\", f,Lyon,yes,2020-01-05,high,");
            assertThat(lines.get(2).split(",")).hasSize(10);
        });
        Cli again = predict(model, "prediction," + HEADER + "x," + ANN, "--append");
        assertThat(again.code()).isEqualTo(2);
        assertThat(again.err()).contains("already has a column 'prediction'");
    }

    @Test
    void knownLabelsAreComparedWithPredictions() throws IOException {
        assertThat(predict(model, HEADER + ANN + BOB).err()).contains("accuracy");
        assertThat(predict(model, "age,sex,town,smoker,since#31,f,Lyon,yes,2020-01-05")
                        .err())
                .isEmpty();
    }

    @Test
    void namesCanBeGivenForAFileWithoutNames() throws IOException {
        Cli result = predict(model, ANN + BOB, "--column-names", HEADER.strip());
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out()).isEqualTo(expected);
    }

    @Test
    void aRegressionModelFindsItsColumnsByName() throws IOException {
        String straight = predict(numbers, "y,a,b#1,2,-1#0,5,3").out();
        assertThat(straight.lines().skip(1).distinct()).hasSize(2);
        assertThat(predict(numbers, "b,y,a#-1,1,2#3,0,5").out()).isEqualTo(straight);
        assertThat(predict(numbers, "b,a#-1,2#3,5").out()).isEqualTo(straight);
        assertThat(predict(numbers, "1 1:2 2:-1#0 1:5 2:3").out()).isEqualTo(straight);
        assertThat(predict(numbers, "y,a,c#1,2,-1").err()).contains("has no column 'b'");
        assertThat(predict(numbers, "1,2,-1#0,5,3").err()).contains("the columns have no names");
    }

    @Test
    void droppedRowsHaveNoPrediction() throws IOException {
        Path dropping = trained(
                "dropping",
                Files.readString(folder.resolve("people.csv")) + "?,f,Lyon,yes,2020-01-05,high\n",
                "--label-column income --missing drop");
        Cli result = predict(dropping, HEADER + ANN + "?,f,Lyon,yes,2020-01-05,high\n" + BOB, "--append");
        assertThat(result.out().lines().toList().get(2)).isEqualTo("?,f,Lyon,yes,2020-01-05,high,NA,NA");
        assertThat(result.out().lines()).hasSize(4);
    }
}
