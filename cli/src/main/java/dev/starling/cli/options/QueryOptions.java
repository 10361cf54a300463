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

/** A query of a database, in place of a file. */
public class QueryOptions {

    /** The variable of the environment that holds the password where no file does. */
    static final String PASSWORD_VARIABLE = "STARLING_JDBC_PASSWORD";

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            description = "Take the rows from a database instead of a file, as in jdbc:postgresql://localhost/people.")
    private String url;

    @Option(names = "--query", paramLabel = "SQL", description = "The query whose rows to take.")
    private String query;

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
            List<String> idle = given();
            if (!idle.isEmpty()) {
                throw new InvalidInputException(
                        String.join(", ", idle) + " goes with --jdbc; give the address of a database");
            }
            return;
        }
        requireRows();
        if (fetchSize < 1) {
            throw new InvalidInputException("--fetch-size " + fetchSize + " must be 1 or more");
        }
        database(password(environment));
    }

    /** Which of the options that go with an address were given. */
    List<String> given() {
        List<String> given = new ArrayList<>();
        Optional.ofNullable(query).ifPresent(any -> given.add("--query"));
        Optional.ofNullable(user).ifPresent(any -> given.add("--user"));
        Optional.ofNullable(passwordFile).ifPresent(any -> given.add("--password-file"));
        if (!driverJars.isEmpty()) {
            given.add("--driver-jar");
        }
        return given;
    }

    /** Refuses an address without what to ask for there. */
    void requireRows() {
        if (query == null) {
            throw new InvalidInputException("--jdbc needs --query, as in 'select * from people order by id'");
        }
    }

    /** What to ask the database; null if nothing was given. */
    String query() {
        return query;
    }

    /** What to call the database in messages. */
    String name() {
        return database("").name();
    }

    /** Asks the database. */
    Table read(Map<String, String> environment) {
        return database(password(environment)).read(query(), fetchSize);
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
