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
import java.util.Optional;
import java.util.regex.Pattern;

/** How the values of a column of a database are spelt in a table. */
enum SqlCells {
    /** Words, whatever they look like. */
    WORDS {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            return Optional.ofNullable(rows.getString(column));
        }
    },
    /** Whole and decimal numbers, with all their digits. */
    NUMBER {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            return Optional.ofNullable(rows.getString(column));
        }

        @Override
        boolean fits(String text) {
            return A_NUMBER.matcher(text).matches();
        }
    },
    /** Floating-point numbers, in as many digits as tell them apart. */
    FLOAT {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            double value = rows.getDouble(column);
            return rows.wasNull() ? Optional.empty() : Optional.of(Double.toString(value));
        }

        @Override
        boolean fits(String text) {
            return NUMBER.fits(text);
        }
    },
    /** Floating-point numbers of single precision. */
    SHORT_FLOAT {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            float value = rows.getFloat(column);
            return rows.wasNull() ? Optional.empty() : Optional.of(Float.toString(value));
        }

        @Override
        boolean fits(String text) {
            return NUMBER.fits(text);
        }
    },
    /** Truths. */
    TRUTH {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            boolean value = rows.getBoolean(column);
            return rows.wasNull() ? Optional.empty() : Optional.of(Boolean.toString(value));
        }
    },
    /** Days. */
    DATE {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            return Optional.ofNullable(rows.getObject(column, LocalDate.class)).map(LocalDate::toString);
        }

        @Override
        boolean fits(String text) {
            return isInFourDigitYear(text);
        }
    },
    /** Days with a time, wherever that is. */
    TIME {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            return Optional.ofNullable(rows.getObject(column, LocalDateTime.class))
                    .map(LocalDateTime::toString);
        }

        @Override
        boolean fits(String text) {
            return isInFourDigitYear(text);
        }
    },
    /** Moments: days with a time in UTC, whatever zone the session has. */
    MOMENT {
        @Override
        Optional<String> text(ResultSet rows, int column) throws SQLException {
            return Optional.ofNullable(rows.getObject(column, OffsetDateTime.class))
                    .map(moment -> moment.withOffsetSameInstant(ZoneOffset.UTC)
                            .toLocalDateTime()
                            .toString());
        }

        @Override
        boolean fits(String text) {
            return isInFourDigitYear(text);
        }
    };

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

    /** Adds the value of the row that is current. */
    void add(ResultSet rows, int column, TableBuilder table) throws SQLException {
        Optional<String> text = text(rows, column);
        if (text.isEmpty()) {
            table.addMissing();
        } else if (fits(text.get())) {
            table.add(text.get());
        } else {
            throw table.problem("holds " + text.get()
                    + ", which is not finite; leave such rows out of the query, or make them null");
        }
    }

    /** The value of the row that is current; empty if it is null. */
    abstract Optional<String> text(ResultSet rows, int column) throws SQLException;

    /** Whether a value can be used. */
    boolean fits(String text) {
        return true;
    }

    private static boolean isInFourDigitYear(String text) {
        return YEAR_OF_FOUR_DIGITS.matcher(text).matches();
    }
}
