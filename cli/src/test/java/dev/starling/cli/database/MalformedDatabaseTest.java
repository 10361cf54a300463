package dev.starling.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Databases that cannot be used: one line that says why, exit code 2, nothing written, and no password shown. */
class MalformedDatabaseTest {

    private static final String URL = "jdbc:h2:mem:malformed;USER=ada;PASSWORD=s3cret";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            --table t FILE                             | both the file
            -                                          | --jdbc needs --query or --table
            --table t --query select_1                 | --jdbc needs only one of --query or --table
            --table t;drop_table_t                     | is not a plain name, as in people or census.people
            --table strangers                          | Table "STRANGERS" not found
            --query selec_*_from_t                     | Syntax error in SQL statement
            --query delete_from_t                      | jdbc:h2:mem:malformed: Method is only allowed for a query
            --query select_y_from_t_where_false        | jdbc:h2:mem:malformed holds no rows
            --query select_y,_a,_a_from_t              | two columns are called 'A'
            --query select_y,_a_as_""_from_t           | column 2 has no name
            --query select_y,_a_from_t                  | has missing values in 'A' (1)
            --query select_y,_1_/_(a_-_2)_as_x_from_t  | Division by zero
            --query select_y,_bytes_from_t             | column 'BYTES' is of type BINARY VARYING, which is not a number
            --query select_y,_list_from_t              | column 'LIST' is of type INTEGER ARRAY, which is not a number
            --query select_y,_d_from_t                 | row 2: column 'D' holds NaN, which is not finite
            --query select_y,_birth_from_t             | row 2: column 'BIRTH' holds +12024-01-01, which is not finite
            --query select_*_from_good --label-column Z | unknown label column 'Z'
            --query select_*_from_good --column-names a,b | --column-names names the columns of a file
            --table t --fetch-size 0                   | --fetch-size 0 must be 1 or more
            --table t --driver-jar nowhere.jar         | nowhere.jar is not a file; give the jar of a JDBC driver
            --table t --driver-jar TEXT                | has no driver for jdbc:h2:mem:malformed; give the jar of one
            --table t --password-file nowhere          | nowhere does not exist; write the password into it
            --table t --password-file OPEN             | a password must be readable by its owner only
            --table t --jdbc postgresql://db/x         | --jdbc must be the address of a database, as in jdbc:
            --table t --jdbc jdbc:nothing:x?password=s3cret | the class path has no driver for jdbc:nothing:x; give
            --table t --jdbc jdbc:h2:tcp://127.0.0.1:1/x;PASSWORD=s3cret | Connection is broken
            """)
    void isRefusedInOneLineAndNothingIsWritten(String options, String message) throws Exception {
        Path file = Files.writeString(folder.resolve("rows.csv"), "y,a\n1,2\n");
        Path open = Files.createFile(
                folder.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
        Path model = folder.resolve("model.json");
        List<String> arguments = new ArrayList<>(List.of("train", "--model", model.toString()));
        if (options == null || !options.contains("--jdbc")) {
            arguments.addAll(List.of("--jdbc", URL));
        }
        if (options != null) {
            Arrays.stream(options.split(" "))
                    .map(word -> switch (word) {
                        case "FILE", "TEXT" -> file.toString();
                        case "OPEN" -> open.toString();
                        default -> word.replace('_', ' ');
                    })
                    .forEach(arguments::add);
        }
        try (Connection keepsItAlive = DriverManager.getConnection(URL)) {
            fill(keepsItAlive);
            refuses(message, arguments);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(file, open);
        }
    }

    private static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table t (y integer, a integer, b integer, d double precision, birth date,"
                    + " bytes varbinary, list integer array)");
            statement.execute("insert into t values (1, 2, 3, 0.5, date '2024-01-01', x'00', array[1])");
            statement.execute(
                    "insert into t values (0, null, null, cast('NaN' as double), date '+12024-01-01', null, null)");
            statement.execute("create table good (y integer, a integer)");
            statement.execute("insert into good values (1, 2), (0, 3)");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            describe                 | there is no data; give a file, or --jdbc with --query
            train --query select_1   | --query needs --jdbc; give the address of a database
            train --user a --table t | --table, --user need --jdbc; give the address of a database
            split --nodes 2          | there is no data; give a file, or --jdbc with --query
            split --nodes 2 --jdbc jdbc:h2:mem:x | --jdbc needs --query, as in 'select * from people order by id'
            split --nodes 2 --jdbc jdbc:h2:mem:x --table t | --table keeps the lines of a CSV file and takes no name
            split --nodes 2 --jdbc jdbc:h2:mem:x --query select_1 t | both the file t and --jdbc; give one of them
            """)
    void anIncompleteCommandIsRefused(String command, String message) throws IOException {
        refuses(message, List.of(command.split(" ")));
    }

    private static void refuses(String message, List<String> arguments) {
        Cli result = Cli.run(arguments.toArray());
        assertThat(result.err()).contains(message).doesNotContain("s3cret");
        assertThat(result.err().strip().lines()).hasSize(1);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
    }
}
