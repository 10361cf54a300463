package dev.starling.table.database;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** A database to query for a table. It is never changed: whatever a query does is rolled back. */
public final class Database {

    private static final int LOGIN_SECONDS = 30;

    private final DatabaseUrl url;
    private final Optional<String> user;
    private final String password;
    private final List<Path> driverJars;

    /**
     * Creates a database without connecting to it.
     *
     * @param url the JDBC address
     * @param user the user to connect as; empty if the address names one or none is needed
     * @param password the user's password; empty if none is needed
     * @param driverJars the jars of the driver; empty if it is on the class path
     * @throws InvalidInputException if the address is malformed
     */
    public Database(String url, Optional<String> user, String password, List<Path> driverJars) {
        this.url = new DatabaseUrl(url);
        this.user = user;
        this.password = password;
        this.driverJars = List.copyOf(driverJars);
    }

    /** The name of the database in messages: its address without settings, user and password. */
    public String name() {
        return url.shown();
    }

    /**
     * Runs a query and returns its rows.
     *
     * @param fetchSize the number of rows that the driver should fetch at a time
     * @throws InvalidInputException if the database cannot be reached, the query fails, or its result is no table
     */
    public Table read(String query, int fetchSize) {
        try (URLClassLoader loader = Drivers.loader(driverJars);
                Connection connection = connect(Drivers.accepting(url, loader, driverJars))) {
            try {
                return read(connection, query, fetchSize);
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw problem(e);
        } catch (IOException e) {
            throw new InvalidInputException("the driver of " + name() + " cannot be closed: " + e.getMessage(), e);
        }
    }

    private Connection connect(Driver driver) throws SQLException {
        Properties properties = new Properties();
        user.ifPresent(name -> properties.setProperty("user", name));
        if (!password.isEmpty()) {
            properties.setProperty("password", password);
        }
        DriverManager.setLoginTimeout(LOGIN_SECONDS);
        Connection connection = driver.connect(url.text(), properties);
        if (connection == null) {
            throw new SQLException("the driver does not know this address");
        }
        // Some drivers fetch rows in portions, rather than all at once, only within a transaction.
        connection.setAutoCommit(false);
        return connection;
    }

    private Table read(Connection connection, String query, int fetchSize) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(fetchSize);
            try (ResultSet rows = statement.executeQuery(query)) {
                ResultSetMetaData columns = rows.getMetaData();
                List<String> names = new ArrayList<>();
                List<SqlCells> cells = new ArrayList<>();
                for (int c = 1; c <= columns.getColumnCount(); c++) {
                    names.add(columns.getColumnLabel(c));
                    cells.add(SqlCells.of(columns, c, name()));
                }
                TableBuilder table = new TableBuilder(name(), names);
                for (int c = 0; c < cells.size(); c++) {
                    if (cells.get(c) == SqlCells.TEXT) {
                        table.words(names.get(c));
                    }
                }
                while (rows.next()) {
                    for (int c = 0; c < cells.size(); c++) {
                        cells.get(c).add(rows, c + 1, table);
                    }
                }
                return table.build();
            }
        }
    }

    /** Returns the driver's message without secrets; if it contained any, the cause is dropped too. */
    private InvalidInputException problem(SQLException e) {
        String said = String.valueOf(e.getMessage());
        String clean = url.withoutSecrets(said, password);
        String message = name() + ": " + clean;
        return clean.equals(said) ? new InvalidInputException(message, e) : new InvalidInputException(message);
    }
}
