package dev.starling.recipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormulaTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            y ~ a                        | a                         | true
            y ~ a + b + a                | a b                       | true
            y~a:b+c                      | c a:b                     | true
            y ~ a*b                      | a b a:b                   | true
            y ~ a*b*c                    | a b c a:b a:c b:c a:b:c   | true
            y ~ a*b - a:b                | a b                       | true
            y ~ a*b - b:a                | a b                       | true
            y ~ . - b                    | a c                       | true
            y ~ . + log(a)               | a b c log(a)              | true
            y ~ a - 1                    | a                         | false
            y ~ 0 + a                    | a                         | false
            y ~ log(a) + sqrt(b):exp(c)  | log(a) sqrt(b):exp(c)     | true
            y ~ I(a^2) + I(b^1)          | I(a^2) b                  | true
            y ~ `a b`:c                  | a b:c                     | true
            """)
    void isASumOfTerms(String text, String terms, boolean intercept) {
        Formula formula = Formula.parse(text);
        assertThat(formula.label()).isEqualTo("y");
        assertThat(formula.terms(List.of("a", "b", "c", "y")).stream()
                        .map(Formula.Term::toString)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(terms);
        assertThat(formula.intercept()).isEqualTo(intercept);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            y              | character 2: expected '~' after the column of the label, but found the end
            y ~            | character 4: expected a column
            ~ a            | character 1: expected the column of the label
            y ~ a +        | character 8: expected a column
            y ~ a b        | character 7: expected '+', '-', ':', '*' or the end, but found 'b'
            y ~ log(a      | character 10: expected ')', but found the end
            y ~ sin(a)     | character 5: there is no function 'sin'; there are log, sqrt, exp
            y ~ offset(a)  | character 5: offset() is not a term; leave it out and name the column as the offset
            y ~ I(a)       | character 8: expected '^' and a whole power
            y ~ I(a^x)     | character 9: expected a power from 1 to 9, but found 'x'
            y ~ `a         | character 5: this backtick is not closed
            y ~ (a + b):c  | character 5: expected a column
            """)
    void errorsNameTheCharacter(String text, String problem) {
        assertThatThrownBy(() -> Formula.parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("formula '" + text + "', ")
                .hasMessageContaining(problem);
    }
}
