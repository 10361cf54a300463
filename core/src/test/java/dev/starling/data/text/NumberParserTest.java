package dev.starling.data.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumberParserTest {

    private final NumberParser parser = new NumberParser();

    private void assertSameBits(String text) {
        byte[] bytes = ("x" + text + "\n").getBytes(StandardCharsets.US_ASCII);
        double expected = Double.parseDouble(text);
        assertThat(Double.doubleToRawLongBits(parser.parseDouble(bytes, 1)))
                .as("double %s", text)
                .isEqualTo(Double.doubleToRawLongBits(expected));
        assertThat(parser.end()).as("end of %s", text).isEqualTo(bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "+1",
                "-1",
                "1.",
                ".5",
                "-.5e3",
                "00012.500",
                "1e0",
                "1E+05",
                "1e-22",
                "1e22",
                "1e23",
                "9007199254740992",
                "9007199254740993",
                "9007199254740993.0000000000000000000000000001",
                "123456789012345678901234567890",
                "1000000000000000000000000000000000",
                "0.000000000000000000000000000000000000000000001",
                "4.9e-324",
                "2.4703282292062327e-324",
                "2.4703282292062328e-324",
                "2.2250738585072011e-308",
                "1.7976931348623157e308",
                "1.7976931348623159e308",
                "1e400",
                "-1e400",
                "1e-400",
                "1e999999999999",
                "0e999999999999",
                "1e-999999999999",
                "3.4028235e38",
                "3.4028235677973366e38",
                "3.40282356779733661637539395458142568447e38",
                "1.4e-45",
                "7e-46",
                "7.1e-46",
                "1.500000000000000000e+00",
                "0.100000001490116119384765625",
                "1.00000017881393432617187499",
                "1.00000017881393432617187500",
                "1.00000017881393432617187501",
                "8589934591.99999999999",
                "16777217",
                "16777217.0000000001",
                "0.1",
                "0.3333333333333333148296162562473909929395"
            })
    void agreesWithTheJdkOnAwkwardNumbers(String text) {
        assertSameBits(text);
    }

    @Test
    void agreesWithTheJdkOnRandomNumbersOfEveryLengthAndSize() {
        Random random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
            int digits = 1 + random.nextInt(i % 10 == 0 ? 40 : 20);
            int point = random.nextInt(digits + 1);
            for (int k = 0; k < digits; k++) {
                if (k == point) {
                    text.append('.');
                }
                text.append((char) ('0' + random.nextInt(10)));
            }
            if (random.nextInt(3) == 0) {
                text.append('e').append(random.nextInt(i % 7 == 0 ? 700 : 60) - (i % 7 == 0 ? 350 : 30));
            }
            assertSameBits(text.toString());
        }
    }

    @Test
    void agreesWithTheJdkOnPrintedDoublesAndFloats() {
        Random random = new Random(8);
        for (int i = 0; i < 20_000; i++) {
            double value = random.nextGaussian() * 100;
            assertSameBits(Double.toString(value));
            assertSameBits(Float.toString((float) value));
            assertSameBits(String.format(Locale.ROOT, "%.18e", value));
        }
    }

    @Test
    void agreesWithTheJdkHalfwayBetweenFloatsAndNearby() {
        Random random = new Random(9);
        for (int i = 0; i < 5_000; i++) {
            float low = random.nextFloat() * 1000;
            BigDecimal middle =
                    new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.valueOf(2));
            assertSameBits(middle.toPlainString());
            assertSameBits(middle.add(new BigDecimal("1e-25")).toPlainString());
            assertSameBits(middle.subtract(new BigDecimal("1e-25")).toPlainString());
            assertSameBits(middle.add(new BigDecimal("1e-17")).toPlainString());
        }
    }

    @Test
    void readsLongRunsOfZerosBalancedByAnExponent() {
        assertSameBits("0." + "0".repeat(99_990) + "1e100000");
        assertSameBits("0." + "0".repeat(99_990) + "1e999999999");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+", "-", ".", "e5", "1e", "1e+", "abc", "+-1", "nan", "Infinity"})
    void acceptsNothingElseAsANumber(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(parser.parseDouble(bytes, 0)).isNaN();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1d", "1f", "0x10", "1.2.3", "1,5", "1-2"})
    void stopsBeforeWhatDoesNotBelongToTheNumber(String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.US_ASCII);
        assertThat(parser.parseDouble(bytes, 0)).isFinite();
        assertThat(parser.end()).isLessThan(text.length());
    }
}
