package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.table.Table;
import dev.starling.table.database.Database;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A query of a database, instead of a file. */
@Under(Section.DATABASE)
public class QueryOptions {

    /** The environment variable that holds the password if no file does. */
    static final String PASSWORD_VARIABLE = "STARLING_JDBC_PASSWORD";

    @Option(
            names = "--jdbc",
            paramLabel = "URL",
            description = "Database to read, as in jdbc:postgresql://localhost/people.")
    private String url;

    @Option(names = "--query", paramLabel = "SQL", description = "SQL query that returns the rows.")
    private String query;

    @Option(names = "--user", paramLabel = "NAME", description = "User to connect as.")
    private String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the user's password (default: the environment variable "
                    + PASSWORD_VARIABLE + ").")
    private Path passwordFile;

    @Option(
            names = "--driver-jar",
            paramLabel = "JAR",
            description = "Jar file of the database's JDBC driver, unless it is on the class path; may be repeated.")
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
                throw new InvalidInputException(String.join(", ", idle) + (idle.size() == 1 ? " needs" : " need")
                        + " --jdbc; give the address of a database");
            }
            return;
        }
        requireRows();
        if (fetchSize < 1) {
            throw new InvalidInputException("--fetch-size " + fetchSize + " must be 1 or more");
        }
        database(password(environment));
    }

    /** The given options that need an address. */
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

    /** Refuses an address without a query. */
    void requireRows() {
        if (query == null) {
            throw new InvalidInputException("--jdbc needs --query, as in 'select * from people order by id'");
        }
    }

    /** The query; null if none was given. */
    String query() {
        return query;
    }

    /** What to call the database in messages. */
    String name() {
        return database("").name();
    }

    /** Runs the query. */
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
