package dev.starling.table.parquet;

import dev.starling.data.InvalidInputException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * What a column holds, and how its values are written as text.
 *
 * @param physical how values are stored, as numbered in parquet.thrift
 * @param length length in bytes of values that have a fixed length
 * @param meaning what the values stand for
 * @param scale for decimals, the number of digits after the point; for timestamps, the unit is 10 to the minus this
 *     power of a second
 */
record ParquetType(int physical, int length, Meaning meaning, int scale) {

    static final int BOOLEAN = 0;
    static final int INT32 = 1;
    static final int INT64 = 2;
    static final int INT96 = 3;
    static final int FLOAT = 4;
    static final int DOUBLE = 5;
    static final int BYTE_ARRAY = 6;
    static final int FIXED_LENGTH = 7;

    private static final long JULIAN_DAY_OF_1970 = 2_440_588;
    private static final long NANOS = 1_000_000_000;

    /** What values stand for. */
    enum Meaning {
        /** Numbers and booleans, as they are stored. */
        PLAIN,
        /** Whole numbers without a sign. */
        UNSIGNED,
        /** Text in UTF-8. */
        WORDS,
        /** Whole multiples of a power of ten. */
        DECIMAL,
        /** Days since 1970. */
        DATE,
        /** Time since 1970, in some unit. */
        TIMESTAMP
    }

    /**
     * The type that a column declares.
     *
     * @throws InvalidInputException if it is not one that can be learnt from
     */
    static ParquetType of(Thrift.Struct column, String where) {
        int physical = (int) column.number(1);
        int length = (int) column.number(2, 0);
        int scale = (int) column.number(7, 0);
        Meaning meaning = converted((int) column.number(6, -1));
        if (column.has(10)) {
            Thrift.Struct logical = column.struct(10);
            if (logical.has(8)) {
                Thrift.Struct unit = logical.struct(8).struct(2);
                meaning = Meaning.TIMESTAMP;
                scale = unit.has(1) ? 3 : unit.has(2) ? 6 : 9;
            } else if (logical.has(7) || logical.has(14) || logical.has(15)) {
                meaning = null;
            }
        } else if (meaning == Meaning.TIMESTAMP) {
            scale = column.number(6) == 9 ? 3 : 6;
        }
        boolean bytes = physical == BYTE_ARRAY || physical == FIXED_LENGTH;
        if (physical == INT96) {
            meaning = Meaning.TIMESTAMP;
        }
        boolean known = meaning != null && physical >= BOOLEAN && physical <= FIXED_LENGTH;
        boolean binary = bytes && meaning == Meaning.PLAIN;
        if (!known || binary || (physical == FIXED_LENGTH && (length < 1 || meaning != Meaning.DECIMAL))) {
            throw new InvalidInputException(where + " holds "
                    + (binary ? "bytes that are not declared to be text" : "times," + " identifiers or short floats")
                    + "; write the file without it, or with a number, text, a boolean"
                    + " or a date in its place");
        }
        return new ParquetType(physical, length, meaning, scale);
    }

    /** Null for types that cannot be learnt from. */
    private static Meaning converted(int type) {
        return switch (type) {
            case 0, 4, 19 -> Meaning.WORDS;
            case 5 -> Meaning.DECIMAL;
            case 6 -> Meaning.DATE;
            case 9, 10 -> Meaning.TIMESTAMP;
            case 11, 12, 13, 14 -> Meaning.UNSIGNED;
            case -1, 15, 16, 17, 18 -> Meaning.PLAIN;
            default -> null;
        };
    }

    /** Whether a number is finite, or the year of a date has four digits. */
    boolean isUsable(String text) {
        return switch (meaning) {
            case PLAIN -> !text.equals("NaN") && !text.endsWith("Infinity");
            case DATE, TIMESTAMP -> text.charAt(0) != '+' && text.charAt(0) != '-';
            default -> true;
        };
    }

    /** Takes the next value of a page of plain values; booleans are stored differently. */
    String next(Bytes values) {
        return switch (physical) {
            case INT32 -> whole(values.fixed(Integer.BYTES));
            case INT64 -> whole(values.fixed(Long.BYTES));
            case INT96 -> {
                long nanos = values.fixed(Long.BYTES);
                long day = values.fixed(Integer.BYTES) - JULIAN_DAY_OF_1970;
                yield LocalDate.ofEpochDay(day).atStartOfDay().plusNanos(nanos).toString();
            }
            case FLOAT -> Float.toString(Float.intBitsToFloat((int) values.fixed(Float.BYTES)));
            case DOUBLE -> Double.toString(Double.longBitsToDouble(values.fixed(Double.BYTES)));
            default -> text(values.take(physical == FIXED_LENGTH ? length : (int) values.fixed(Integer.BYTES)));
        };
    }

    /** The text of a value that is stored as bytes. */
    String text(byte[] value) {
        return meaning == Meaning.DECIMAL
                ? new BigDecimal(new BigInteger(value), scale).toString()
                : new String(value, StandardCharsets.UTF_8);
    }

    /** How many bytes each value takes; 0 if that varies or is not supported. */
    int width() {
        return switch (physical) {
            case INT32, FLOAT -> Integer.BYTES;
            case INT64, DOUBLE -> Long.BYTES;
            case FIXED_LENGTH -> length;
            default -> 0;
        };
    }

    /** The text of a value that is stored as a whole number; only the lower half counts if the type has 32 bits. */
    String whole(long stored) {
        boolean half = physical == INT32;
        long value = half ? (int) stored : stored;
        return switch (meaning) {
            case DECIMAL -> BigDecimal.valueOf(value, scale).toString();
            case DATE -> LocalDate.ofEpochDay(value).toString();
            case TIMESTAMP -> {
                long unit = 1;
                for (int k = 0; k < scale; k++) {
                    unit *= 10;
                }
                int nanos = (int) (Math.floorMod(value, unit) * (NANOS / unit));
                yield LocalDateTime.ofEpochSecond(Math.floorDiv(value, unit), nanos, ZoneOffset.UTC)
                        .toString();
            }
            case UNSIGNED -> half ? Integer.toUnsignedString((int) value) : Long.toUnsignedString(value);
            default -> Long.toString(value);
        };
    }
}
