package dev.starling.recipe;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
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
            y ~ 1                        |                           | true
            y ~ a + 1                    | a                         | true
            y ~ (a + b)^2                | a b a:b                   | true
            y ~ (a + b + c)^2            | a b c a:b a:c b:c         | true
            y ~ (a + b + c)^3 - a:b:c    | a b c a:b a:c b:c         | true
            y ~ .^2 - b                  | a c a:b a:c b:c           | true
            y ~ (a + b):c                | a:c b:c                   | true
            y ~ (a + b)*c - (a + b):c    | a b c                     | true
            y ~ a %in% b                 | a:b                       | true
            y ~ a^2                      | a                         | true
            y ~ . + offset(c)            | a b                       | true
            y ~ offset(log(c)) + a - 1   | a                         | false
            y ~ factor(a) * b            | factor(a) b factor(a):b   | true
            log(y) ~ a                   | a                         | true
            """)
    void isASumOfTerms(String text, String terms, boolean intercept) {
        Formula formula = Formula.parse(text);
        assertThat(formula.label()).isEqualTo("y");
        assertThat(formula.terms(List.of("a", "b", "c", "y")).stream()
                        .map(Formula.Term::toString)
                        .collect(Collectors.joining(" ")))
                .isEqualTo(terms == null ? "" : terms);
        assertThat(formula.intercept()).isEqualTo(intercept);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            y              | character 2: expected '~' after the column of the label, but found the end
            y ~            | character 4: expected a column
            ~ a            | character 1: expected the column of the label
            y ~ a +        | character 8: expected a column
            y ~ a b        | character 7: expected '+', '-', ':', '*', '^' or the end, but found 'b'
            y ~ log(a      | character 10: expected ')', but found the end
            y ~ log(a + 1) | character 11: expected ')', but found '+'; log takes one column, so make a column
            y ~ sin(a)     | character 5: there is no function 'sin'; there are log, sqrt, exp, scale, poly, ns, bs, cut, factor, offset and powers such as I(x^2)
            y ~ a:offset(b) | character 7: an offset can only be added, as in y ~ a + offset(b)
            y ~ a - offset(b) | character 9: an offset can only be added
            y ~ offset(ns(a, 2)) | character 5: offset(ns(a, 2)) is not a number
            y ~ poly(a)    | character 5: poly(a) is not complete, or not possible; write it as in poly(x, 2)
            y ~ ns(a)      | character 5: ns(a) is not complete, or not possible; write it as in ns(x, df = 4)
            y ~ cut(a)     | character 5: cut(a) is not complete, or not possible; write it as in cut(x, 4) or cut(x, c(0, 50, 100))
            y ~ ns(a, x)   | character 11: expected a number, TRUE, FALSE or c(…), but found 'x'
            y ~ ns(a, 2, 3) | character 14: ns() takes a column and df, knots, Boundary.knots, intercept, each once
            y ~ poly(a, 0) | character 5: poly(a, 0) is not complete, or not possible
            y ~ poly(a, 1.5) | character 5: poly(a, 1.5) is not complete, or not possible
            y ~ ns(a, df = -1) | character 5: ns(a, df = -1) is not complete, or not possible
            y ~ ns(a, 2, Boundary.knots = 3) | character 5: ns(a, 2, Boundary.knots = 3) is not complete
            y ~ ns(a, knots = c(3, 2)) | character 5: ns(a, knots = c(3, 2)) is not complete, or not possible
            y ~ bs(a, 2)   | character 5: bs(a, 2) is not complete, or not possible; write it as in bs(x, df = 4)
            y ~ cut(a, 1)  | character 5: cut(a, 1) is not complete, or not possible
            y ~ cut(a, 2.5) | character 5: cut(a, 2.5) is not complete, or not possible
            y ~ cut(a, c(3, 1)) | character 5: cut(a, c(3, 1)) is not complete, or not possible
            y ~ scale(a, scale = 0) | character 5: scale(a, scale = 0) is not complete, or not possible
            y ~ scale(a, 5) | character 14: scale() takes a column and center, scale, each once
            y ~ ns(a, df = 2, at = c(1)) | character 5: ns(a, df = 2): 'at' is for what training learns; leave it out
            y ~ poly(a, 2, at = c(1, 2, 3, 4, -5)) | character 5: poly(a, 2): 'at' is for what training learns
            y ~ scale(a, at = 1) | character 5: scale(a): 'at' is for what training learns
            y ~ cut(a, 2, at = c(1, 0, 3)) | character 5: cut(a, 2): 'at' is for what training learns
            y ~ log(a, 2)  | character 12: log() takes nothing but a column
            cbind(a) ~ b   | character 8: expected ',' and the column of failures, but found ')'
            cut(y, 2) ~ b  | character 1: cut(y, 2) cannot be predicted; a column, its log, sqrt or exp
            y ~ I(a)       | character 8: expected '^' and a whole power
            y ~ I(a^x)     | character 9: expected a power from 1 to 9, but found 'x'
            y ~ `a         | character 5: this backtick is not closed
            y ~ (a + b:c   | character 13: expected '+', '-', ':', '*', '^' or ')', but found the end
            y ~ (a - 1)    | character 10: expected a column
            y ~ (a + b)^x  | character 13: expected a power from 1 to 9, but found 'x'
            """)
    void errorsNameTheCharacter(String text, String problem) {
        assertThatRefused(() -> Formula.parse(text))
                .hasMessageStartingWith("formula '" + text + "', ")
                .hasMessageContaining(problem);
    }

    @Test
    void whatIsLearntIsWrittenIntoTheTextAndCanBeLeftOutAgain() {
        String text = "y ~ ns(a, df = 2):poly(b, 1) + scale(`c d`) + log(a)";
        Formula formula = Formula.parse(text);
        String fixed = formula.fixed(
                factor -> factor.column().equals("c d") ? new double[] {-1, 2.5} : new double[] {-1, 2.5, 3});
        assertThat(fixed)
                .isEqualTo("y ~ ns(a, df = 2, at = c(-1, 2.5, 3)):poly(b, 1, at = c(-1, 2.5, 3))"
                        + " + scale(`c d`, at = c(-1, 2.5)) + log(a)");
        assertThat(Formula.parse(fixed).open()).isEmpty();
        assertThat(Formula.parse(fixed).terms(List.of()).toString())
                .isEqualTo(formula.terms(List.of()).toString());
        assertThat(Formula.withoutLearnt(fixed)).isEqualTo(text);
    }
}
