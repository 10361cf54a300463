package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvenTest {

    @ParameterizedTest
    @CsvSource({
        "3.14159265, 1e-9, 6, 3.14159",
        "3.14159265, 1e-3, 6, 3.14",
        "3.14159265, 0.2, 6, 3",
        "3.14159265, 4, 6, ?",
        "3.14159265, Infinity, 6, ?",
        "0.00012345678, 1e-12, 4, 0.0001235",
        "0.0000012345678, 1e-15, 4, 1.235e-6",
        "-0.456, 1e-9, 2, -0.46",
        "123456789, 1, 4, 1.235e8",
        "100, 1e-9, 6, 100.000",
        "1, 0, 6, 1",
        "1e-12, 1e-6, 6, ?"
    })
    void printsNoMoreDigitsThanAreProven(double value, double error, int most, String text) {
        assertThat(new Proven(value, error).text(most)).isEqualTo(text);
    }
}
