package dev.starling.recipe;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Labels;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import dev.starling.table.TableReader;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FillSearchTest {

    private static final String HEADER = "mean,median,town,y\n";

    private static Table table(List<String> lines) {
        return TableReader.standard()
                .read(
                        new ByteArrayInputStream(
                                (HEADER + String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8)),
                        "rows");
    }

    private static Recipe recipe(Missing ofNumbers) {
        return new Recipe(
                List.of(
                        Column.of("mean", Kind.NUMERIC).missing(Missing.MEAN),
                        Column.of("median", Kind.NUMERIC).missing(ofNumbers),
                        Column.of("town", Kind.CATEGORICAL)
                                .levels(List.of("b", "a", "c"), List.of())
                                .missing(Missing.MOST_FREQUENT)),
                Target.number("y"),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                MissingTokens.USUAL,
                Optional.empty(),
                false);
    }

    private static FillSearch search() {
        return new FillSearch(recipe(Missing.MEDIAN), Map.of("median", new Range(0, 1024)));
    }

    /** Numbers of very different size, so that any rounding on the way shows. */
    private static List<String> lines(int rows) {
        Random random = new Random(5);
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            double number = random.nextGaussian() * Math.pow(10, random.nextInt(30) - 15);
            lines.add((random.nextInt(9) == 0 ? "?" : String.valueOf(number))
                    + ","
                    + (random.nextInt(9) == 0 ? "?" : String.valueOf(random.nextInt(1000)))
                    + ","
                    + (random.nextInt(9) == 0 ? "?" : List.of("a", "b", "c").get(random.nextInt(3)))
                    + ",1");
        }
        return lines;
    }

    private static Recipe found(List<List<String>> parts) {
        FillSearch search = search();
        List<Survey> surveys =
                parts.stream().map(FillSearchTest::table).map(Survey::of).toList();
        int rounds = search.roundsLeft();
        int numbers = search.numbersLeft();
        while (search.numbers() > 0) {
            double[] totals = new double[search.numbers()];
            for (Survey survey : surveys) {
                double[] addend = search.addend(survey);
                for (int k = 0; k < totals.length; k++) {
                    totals[k] += addend[k];
                }
            }
            rounds--;
            numbers -= totals.length;
            search.told(totals);
        }
        assertThat(rounds).isZero();
        assertThat(numbers).isZero();
        return search.recipe();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40})
    void findsTheSameFillsHoweverRowsAreDealtOut(int parts) {
        List<String> lines = lines(400);
        List<List<String>> dealt = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            dealt.add(lines.subList(part * 400 / parts, (part + 1) * 400 / parts));
        }
        assertThat(found(dealt)).isEqualTo(search().over(Survey.of(table(lines))));
    }

    @Test
    void findsTheMeanTheMedianAndTheMostFrequentLevel() {
        List<String> lines = lines(401);
        List<Column> columns = search().over(Survey.of(table(lines))).columns();
        double[] numbers = column(lines, 0);
        BigDecimal sum = Arrays.stream(numbers).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
        assertThat(columns.get(0).fill()).hasValue(Labels.text(sum.doubleValue() / numbers.length));
        double[] sorted = column(lines, 1);
        Arrays.sort(sorted);
        // Whole numbers on a range of 1,024 steps: the median itself, the lower of two.
        assertThat(columns.get(1).fill()).hasValue(Labels.text(sorted[(sorted.length - 1) / 2]));
        assertThat(List.of("a", "b", "c"))
                .extracting(level -> lines.stream()
                        .filter(line -> line.contains("," + level + ","))
                        .count())
                .allSatisfy(count -> assertThat(count)
                        .isLessThanOrEqualTo(lines.stream()
                                .filter(line -> line.contains(
                                        "," + columns.get(2).fill().orElseThrow() + ","))
                                .count()));
    }

    private static double[] column(List<String> lines, int at) {
        return lines.stream()
                .map(line -> line.split(",")[at])
                .filter(cell -> !cell.equals("?"))
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    @Test
    void takesTheAlphabeticallyFirstOfEquallyFrequentLevels() {
        assertThat(found(List.of(List.of("1,1,c,1", "1,1,b,1"), List.of("1,1,?,1", "1,1,a,1")))
                        .columns()
                        .get(2)
                        .fill())
                .hasValue("a");
    }

    @Test
    void clampsAMedianToTheEndOfItsRange() {
        assertThat(found(List.of(List.of("1,5000,a,1", "1,7000,a,1", "1,3,a,1")))
                        .columns()
                        .get(1)
                        .fill())
                .hasValue("1024");
    }

    @Test
    void refusesFillsThatSumsCannotFind() {
        assertThatRefused(() -> new FillSearch(recipe(Missing.MEDIAN), Map.of()))
                .hasMessage("column 'median' needs a range, such as [0, 100], for its median to be found by counting");
        assertThatRefused(() -> new FillSearch(recipe(Missing.MOST_FREQUENT), Map.of()))
                .hasMessageContaining("use the mean or the median of numbers");
        assertThatRefused(() -> found(List.of(List.of("?,1,a,1"), List.of("?,2,a,1"))))
                .hasMessage("column 'mean' has no value in any row; leave it out");
        assertThatRefused(() -> found(List.of(List.of("1e200,1,a,1"))))
                .hasMessage("column 'mean' holds numbers that are too large to take the mean of");
    }
}
