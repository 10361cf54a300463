package dev.starling.table;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What parts of a table say, added up, is what the whole says. */
class PartialSurveyTest {

    private static final List<String> NAMES = List.of("y", "age", "town", "smoker", "zip", "many");
    private static final List<String> TOKENS = Recipe.builder().missingTokens();

    private static Table table(int from, int to) {
        TableBuilder builder = new TableBuilder("rows", NAMES).words("zip").after(from);
        for (int i = from; i < to; i++) {
            Random random = new Random(i);
            builder.add(random.nextBoolean() ? "yes" : "no");
            builder.add(random.nextInt(9) == 0 ? "NA" : Double.toString(random.nextInt(60) + random.nextInt(4) / 8.0));
            builder.add(random.nextInt(15) == 0 ? "?" : random.nextInt(40) == 0 ? "Ax" : "town" + random.nextInt(3));
            builder.add(Boolean.toString(random.nextBoolean()));
            builder.add("0" + random.nextInt(4));
            builder.add(i == 700 ? "word" : Integer.toString(i));
        }
        return builder.build();
    }

    private static Survey whole(int... cuts) {
        List<Table> parts = new ArrayList<>();
        for (int k = 1; k < cuts.length; k++) {
            parts.add(table(cuts[k - 1], cuts[k]));
        }
        PartialSurvey sum = new PartialSurvey(parts.get(0), TOKENS);
        for (Table part : parts) {
            PartialSurvey own = new PartialSurvey(part, TOKENS);
            own.add(part, new BitSet());
            sum.add(own);
        }
        return sum.whole("rows", name -> new NumberOrder() {
            private double[] sorted() {
                return parts.stream()
                        .flatMapToDouble(part -> Arrays.stream(PartialSurvey.numbers(part, name, TOKENS, new BitSet())))
                        .sorted()
                        .toArray();
            }

            @Override
            public double at(long rank) {
                return sorted()[(int) rank];
            }

            @Override
            public long upTo(double bound) {
                return Arrays.stream(sorted()).filter(number -> number <= bound).count();
            }

            @Override
            public double mostFrequent() {
                return new NumberList(this::sorted).mostFrequent();
            }
        });
    }

    private static RecipeBuilder builder(Missing ofAge) {
        return Recipe.builder()
                .missing(Missing.MOST_FREQUENT)
                .missing("age", ofAge)
                .drop(List.of("many"))
                .rareBelow(50);
    }

    @Test
    void theSameRecipeIsLearntHoweverRowsAreSplit() {
        Survey parts = whole(0, 10, 11, 600, 900, 1400);

        assertThat(parts.rows()).isEqualTo(1400);
        for (Missing policy : List.of(Missing.MEAN, Missing.MEDIAN, Missing.MOST_FREQUENT)) {
            Recipe learnt = builder(policy).learn(parts, "y");
            assertThat(learnt).isEqualTo(builder(policy).learn(table(0, 1400)));
            assertThat(learnt.columns().get(0).fill()).isPresent();
            assertThat(learnt.columns().get(3).kind()).isEqualTo(Kind.CATEGORICAL);
        }
    }

    @Test
    void levelsAreCountedOverAllPartsAndTheFirstTextIsFound() {
        Survey parts = whole(0, 600, 900, 1400);

        assertThatRefused(() -> Recipe.builder().keep(List.of("many")).learn(parts, "y"))
                .hasMessageContaining("column 'many' holds numbers except for 'word' in row 701");
        assertThatRefused(() -> Recipe.builder()
                        .keep(List.of("many"))
                        .kind("many", Kind.CATEGORICAL)
                        .learn(parts, "y"))
                .hasMessageContaining(
                        "column 'many' has over 1000 different values, the first text 'word' in row 701;");
    }

    @Test
    void numbersOfOtherPartsCannotBeEnumerated() {
        ColumnSurvey age = whole(0, 50).column("age");

        assertThat(age.median()).isEqualTo(Survey.of(table(0, 50)).column("age").median());
        assertThatThrownBy(age::deviation)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the numbers of column 'age' are elsewhere");
    }
}
