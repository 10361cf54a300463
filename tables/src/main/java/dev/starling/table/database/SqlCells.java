package dev.starling.table.database;

import dev.starling.data.InvalidInputException;
import dev.starling.table.TableBuilder;
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

/** How the values of a database column are written as the cells of a table. */
enum SqlCells {
    /** Text, whatever it looks like. */
    TEXT(ResultSet::getString, text -> true),
    /** Whole and decimal numbers, with all their digits. */
    NUMBER(ResultSet::getString, SqlCells::isNumber),
    /** Floating-point numbers, with as many digits as are needed to tell them apart. */
    FLOAT(ResultSet::getDouble, SqlCells::isNumber),
    /** Floating-point numbers of single precision. */
    SHORT_FLOAT(ResultSet::getFloat, SqlCells::isNumber),
    /** Booleans. */
    BOOLEAN(ResultSet::getBoolean, text -> true),
    /** Dates. */
    DATE((rows, column) -> rows.getObject(column, LocalDate.class), SqlCells::isInFourDigitYear),
    /** Dates with a time, without a time zone. */
    TIME((rows, column) -> rows.getObject(column, LocalDateTime.class), SqlCells::isInFourDigitYear),
    /** Instants: dates with a time in UTC, whatever the time zone of the session. */
    INSTANT(SqlCells::timeInUtc, SqlCells::isInFourDigitYear);

    private static final Pattern A_NUMBER = Pattern.compile("[+-]?[0-9.]+([eE][+-]?[0-9]+)?");
    private static final Pattern YEAR_OF_FOUR_DIGITS = Pattern.compile("[0-9]{4}-.*");

    /** Returns how to write the values of a column, by its type. */
    static SqlCells of(ResultSetMetaData columns, int column, String source) throws SQLException {
        String type = columns.getColumnTypeName(column);
        return switch (columns.getColumnType(column)) {
            case Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.DECIMAL -> NUMBER;
            case Types.DOUBLE, Types.FLOAT -> FLOAT;
            case Types.REAL -> SHORT_FLOAT;
            case Types.BOOLEAN -> BOOLEAN;
            case Types.BIT -> columns.getPrecision(column) <= 1 ? BOOLEAN : TEXT;
            case Types.DATE -> DATE;
            // PostgreSQL reports timestamps with and without a time zone as the same type.
            case Types.TIMESTAMP -> type.equalsIgnoreCase("timestamptz") ? INSTANT : TIME;
            case Types.TIMESTAMP_WITH_TIMEZONE -> INSTANT;
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
                        + ", which is not a number, text, boolean or date; name the other columns in the query");
            default -> TEXT;
        };
    }

    /**
     * Reads a value of the current row, as an object whose string is the cell; for an SQL null the result is ignored.
     */
    private interface Reader {
        Object read(ResultSet rows, int column) throws SQLException;
    }

    @SuppressWarnings("ImmutableEnumChecker") // stateless functions
    private final Reader reader;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Predicate<String> usable;

    SqlCells(Reader reader, Predicate<String> usable) {
        this.reader = reader;
        this.usable = usable;
    }

    /** Adds the value of the current row to a table. */
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
