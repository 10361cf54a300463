package dev.starling.cli.database;

import dev.starling.data.InvalidInputException;
import dev.starling.data.TableBuilder;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** How the values of a column of a database are spelt in a table. */
enum SqlCells {
    /** Words, whatever they look like. */
    WORDS(ResultSet::getString, text -> true),
    /** Whole and decimal numbers, with all their digits. */
    NUMBER(ResultSet::getString, SqlCells::isNumber),
    /** Floating-point numbers, in as many digits as tell them apart. */
    FLOAT(ResultSet::getDouble, SqlCells::isNumber),
    /** Floating-point numbers of single precision. */
    SHORT_FLOAT(ResultSet::getFloat, SqlCells::isNumber),
    /** Truths. */
    TRUTH(ResultSet::getBoolean, text -> true),
    /** Days. */
    DATE((rows, column) -> rows.getObject(column, LocalDate.class), SqlCells::isInFourDigitYear),
    /** Days with a time, wherever that is. */
    TIME((rows, column) -> rows.getObject(column, LocalDateTime.class), SqlCells::isInFourDigitYear),
    /** Moments: days with a time in UTC, whatever zone the session has. */
    MOMENT(SqlCells::timeInUtc, SqlCells::isInFourDigitYear);

    private static final Pattern A_NUMBER = Pattern.compile("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
    private static final Pattern YEAR_OF_FOUR_DIGITS = Pattern.compile("[0-9]{4}-.*");

    /** The way for a column, by its type. */
    static SqlCells of(ResultSetMetaData columns, int column, String source) throws SQLException {
        String type = columns.getColumnTypeName(column);
        return switch (columns.getColumnType(column)) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL -> NUMBER;
            case Types.DOUBLE, Types.FLOAT -> FLOAT;
            case Types.REAL -> SHORT_FLOAT;
            case Types.BOOLEAN -> TRUTH;
            case Types.BIT -> columns.getPrecision(column) <= 1 ? TRUTH : WORDS;
            case Types.DATE -> DATE;
            // PostgreSQL calls both kinds the same.
            case Types.TIMESTAMP -> type.equalsIgnoreCase("timestamptz") ? MOMENT : TIME;
            case Types.TIMESTAMP_WITH_TIMEZONE -> MOMENT;
            case Types.BINARY,
                    Types.VARBINARY,
                    Types.LONGVARBINARY,
                    Types.BLOB,
                    Types.ARRAY,
                    Types.STRUCT,
                    Types.REF,
                    Types.JAVA_OBJECT ->
                throw new InvalidInputException(source + ": column '"
                        + columns.getColumnLabel(column) + "' is of type " + type
                        + ", which is neither number, word, truth nor date; name the other columns in the query");
            default -> WORDS;
        };
    }

    /** Reads a value of the row that is current, as something that prints as it is spelt; null or any for a null. */
    private interface Reader {
        Object read(ResultSet rows, int column) throws SQLException;
    }

    @SuppressWarnings("ImmutableEnumChecker") // functions without a state
    private final Reader reader;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Predicate<String> usable;

    SqlCells(Reader reader, Predicate<String> usable) {
        this.reader = reader;
        this.usable = usable;
    }

    /** Adds the value of the row that is current. */
    void add(ResultSet rows, int column, TableBuilder table) throws SQLException {
        Object value = reader.read(rows, column);
        if (value == null || rows.wasNull()) {
            table.addMissing();
        } else if (usable.test(value.toString())) {
            table.add(value.toString());
        } else {
            throw table.problem(
                    "holds " + value + ", which is not finite; leave such rows out of the query, or make them null");
        }
    }

    private static Object timeInUtc(ResultSet rows, int column) throws SQLException {
        OffsetDateTime moment = rows.getObject(column, OffsetDateTime.class);
        return moment == null
                ? null
                : moment.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
    }

    private static boolean isNumber(String text) {
        return A_NUMBER.matcher(text).matches();
    }

    private static boolean isInFourDigitYear(String text) {
        return YEAR_OF_FOUR_DIGITS.matcher(text).matches();
    }
}
