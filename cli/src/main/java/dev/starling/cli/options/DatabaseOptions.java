package dev.starling.cli.options;

import dev.starling.cli.database.Database;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import dev.starling.peer.keys.OwnerOnly;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A table or a query of a database, in place of a file. */
public final class DatabaseOptions {

    /** The variable of the environment that holds the password where no file does. */
    static final String PASSWORD_VARIABLE = "STARLING_JDBC_PASSWORD";

    private static final String NAME = "[\\p{L}_][\\p{L}\\p{N}_$]*";

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            description = "Take the rows from a database instead of a file, as in jdbc:postgresql://localhost/people.")
    private String url;

    @Option(names = "--query", paramLabel = "SQL", description = "The query whose rows to take.")
    private String query;

    @Option(names = "--table", paramLabel = "NAME", description = "The table whose rows to take, all of them.")
    private String table;

    @Option(names = "--user", paramLabel = "NAME", description = "The user to connect as.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file whose first line is the user's password (default: what " + PASSWORD_VARIABLE
                    + " is in the environment).")
    private Path passwordFile;

    @Option(
            names = "--driver-jar",
            paramLabel = "JAR",
            description = "The database's JDBC driver, unless it is on the class path; may be repeated.")
    private List<Path> driverJars = List.of();

    @Option(
            names = "--fetch-size",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Rows to fetch at a time (default: ${DEFAULT-VALUE}).")
    private int fetchSize;

    /** Whether rows come from a database. */
    boolean isGiven() {
        return url != null;
    }

    /** Refuses options that do not go together. */
    void check(Map<String, String> environment) {
        if (!isGiven()) {
            List<String> idle = new ArrayList<>();
            Optional.ofNullable(query).ifPresent(given -> idle.add("--query"));
            Optional.ofNullable(table).ifPresent(given -> idle.add("--table"));
            Optional.ofNullable(user).ifPresent(given -> idle.add("--user"));
            Optional.ofNullable(passwordFile).ifPresent(given -> idle.add("--password-file"));
            if (!driverJars.isEmpty()) {
                idle.add("--driver-jar");
            }
            if (!idle.isEmpty()) {
                throw new InvalidInputException(
                        String.join(", ", idle) + " goes with --jdbc; give the address of a database");
            }
            return;
        }
        if ((query == null) == (table == null)) {
            throw new InvalidInputException(
                    "--jdbc needs " + (query == null ? "" : "only one of ") + "--query or --table; give one of them");
        }
        if (table != null && !table.matches(NAME + "(\\." + NAME + ")*")) {
            throw new InvalidInputException("--table '" + table
                    + "' is not a plain name, as in people or census.people; write a --query instead");
        }
        if (fetchSize < 1) {
            throw new InvalidInputException("--fetch-size " + fetchSize + " must be 1 or more");
        }
        database(password(environment));
    }

    /** What to call the database in messages. */
    String name() {
        return database("").name();
    }

    /** Asks the database. */
    Table read(Map<String, String> environment) {
        return database(password(environment)).read(query == null ? "select * from " + table : query, fetchSize);
    }

    private Database database(String password) {
        return new Database(url, Optional.ofNullable(user), password, driverJars);
    }

    private String password(Map<String, String> environment) {
        if (passwordFile == null) {
            return environment.getOrDefault(PASSWORD_VARIABLE, "");
        }
        byte[] text = OwnerOnly.read(passwordFile, "a password", "write the password into it");
        return new String(text, StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElseThrow(() -> new InvalidInputException(passwordFile + " has no password in its first line"));
    }
}
