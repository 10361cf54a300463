package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against values that were computed with 30 digits. */
class DistributionsTest {

    private static void assertSame(double found, double expected, double relative) {
        assertThat(found).isCloseTo(expected, within(relative * expected));
    }

    @ParameterizedTest
    @CsvSource({
        "0.1, 3, 0.92665234880080582",
        "2.5, 26, 0.019057472753248117",
        "12, 4, 0.00027642854850297295",
        "1.96, 1000000, 0.049996067585269791",
        "3.3, 9999, 0.00097023158300996341",
        "3.3, 10001, 0.00097023090571040613",
        "8, 10001, 1.3821064050174886e-15"
    })
    void studentsTailsAndQuantilesAreThoseOfThirtyDigits(double t, double degrees, double tails) {
        assertSame(Distributions.tTails(t, degrees), tails, 1e-12);
        assertSame(Distributions.tQuantile(tails, degrees), t, 1e-11);
    }

    @ParameterizedTest
    @CsvSource({
        "0.3, 2, 10, 0.74725817286605718",
        "5, 3, 40, 0.0048771714431924219",
        "80, 7, 139, 1.3237527487787556e-45"
    })
    void tailsOfTheFDistributionAreThoseOfThirtyDigits(double f, double numerator, double denominator, double tail) {
        assertSame(Distributions.fTail(f, numerator, denominator), tail, 1e-12);
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 1, 0.92034432544594204",
        "3.1456772815893963, 2, 0.20745545422440549",
        "700, 3, 2.0991308534204088e-151",
        "95, 100, 0.62257929187817353",
        "1300, 1000, 3.8897364994868525e-10"
    })
    void tailsOfTheChiSquareDistributionAreThoseOfThirtyDigits(double x, double degrees, double tail) {
        assertSame(Distributions.chiSquareTail(x, degrees), tail, 2e-13);
    }

    @ParameterizedTest
    @CsvSource({
        "0.01, 0.99202128737073679",
        "0.5, 0.61707507745197379",
        "1.96, 0.049995790296440872",
        "6, 1.9731752900753963e-9",
        "20, 5.5072482372124674e-89",
        "37, 1.1451142445049154e-299"
    })
    void normalTailsAndQuantilesAreThoseOfThirtyDigits(double z, double tails) {
        assertSame(Distributions.normalTails(z), tails, 1e-14);
        assertSame(Distributions.normalQuantile(tails), z, 1e-13);
    }
}
