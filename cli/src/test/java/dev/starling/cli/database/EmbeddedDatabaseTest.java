package dev.starling.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
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
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables and queries of H2, in this process. */
class EmbeddedDatabaseTest {

    @TempDir
    private Path folder;

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection(url);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private void sql(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    private Cli run(String command, Object... options) {
        List<Object> all = new ArrayList<>(List.of(command, "--jdbc", url));
        all.addAll(Arrays.asList(options));
        return Cli.run(all.toArray());
    }

    @Test
    void aTableGivesTheModelOfItsCsvFile() throws Exception {
        Path csv = folder.resolve("people.csv");
        Cli.ok("generate", csv, "--table --rows 300");
        Copies.people(csv, connection);
        Object[] options = {"--label-column", "income", "--missing", "most-frequent", "--runtime", "simulator"};
        List<Object> ofFile = new ArrayList<>(List.of("train", csv, "--model", folder.resolve("file.json")));
        ofFile.addAll(Arrays.asList(options));
        Cli.ok(ofFile.toArray());
        List<Object> ofTable = new ArrayList<>(List.of(
                "train", "--jdbc", url, "--table", "people", "--fetch-size", 7, "--model", folder.resolve("db.json")));
        ofTable.addAll(Arrays.asList(options));
        Cli.ok(ofTable.toArray());
        assertThat(LinearModel.load(folder.resolve("db.json")).hash())
                .isEqualTo(LinearModel.load(folder.resolve("file.json")).hash());

        assertThat(Cli.run("verify", folder.resolve("db.json"), "--jdbc", url, "--table people")
                        .out())
                .contains("the certificate holds");
        Cli judged = Cli.ok("evaluate", folder.resolve("db.json"), "--jdbc", url, "--table people");
        assertThat(judged.out())
                .isEqualTo(Cli.run("evaluate", folder.resolve("db.json"), csv).out());
        Cli ofRows = Cli.run("predict", folder.resolve("db.json"), csv, "--scores");
        Cli byQuery = Cli.ok(
                "predict", folder.resolve("file.json"), "--jdbc", url, "--query", "select * from people", "--scores");
        assertThat(byQuery.out()).isEqualTo(ofRows.out()).hasLineCount(301);
    }

    /** With this database in place of the one that is named there. */
    @Test
    void theCommandOfTheDocumentationTrainsOnTheTableOfTheDocumentation() throws Exception {
        Path csv = folder.resolve("people.csv");
        Cli.ok("generate", csv, "--table --rows 300");
        Copies.people(csv, connection);
        Matcher command = Pattern.compile(
                        "starling train --jdbc \\S+ --query '([^']+)'.*?--driver-jar \\S+ ([^\n]+)", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/data-formats.md")));
        assertThat(command.find()).isTrue();
        Cli trained = run("train", "--query", command.group(1), command.group(2), "--no-model");
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(trained.out()).contains("logistic regression of income", "(certified");
    }

    @Test
    void compareAndPlanReadATable() throws Exception {
        List<String> lines = new ArrayList<>(List.of("X,Y"));
        sql("create table t (x double precision, y integer)");
        for (int row = 0; row < 20; row++) {
            sql("insert into t values (" + row + ", " + row / 3 % 2 + ")");
            lines.add(row + "," + row / 3 % 2);
        }
        Path csv = Cli.file(folder, "t.csv", lines.toArray(new String[0]));
        Cli planned = run("plan", "--table t --label-column Y --nodes 4");
        assertThat(planned.code()).as(planned.err()).isZero();
        assertThat(planned.out())
                .isEqualTo(Cli.run("plan", csv, "--label-column Y --nodes 4").out());
        Cli compared =
                run("compare", "--query", "select * from t", "--label-column Y --nodes 2 --algorithms adfs --json -q");
        assertThat(compared.code()).as(compared.err()).isZero();
        assertThat(compared.value("data")).isEqualTo(url);
        assertThat(compared.value("objective"))
                .isEqualTo(Cli.run("compare", csv, "--label-column Y --nodes 2 --algorithms adfs --json -q")
                        .value("objective"));
    }

    @Test
    void rowsOfAQueryAreSplitLikeThoseOfItsCsvFile() throws Exception {
        Path csv = Cli.file(folder, "t.csv", "ID,NAME,N", "1,\"Lovelace, Ada\",0.5", "2,,-1", "3,Kay,7", "4,Al,");
        sql(
                "create table t (id integer, name varchar(20), n double precision)",
                "insert into t values (4, 'Al', null), (3, 'Kay', 7), (1, 'Lovelace, Ada', 0.5), (2, null, -1)");
        Path ofFile = folder.resolve("file");
        Path ofQuery = folder.resolve("query");
        Cli.ok("split", csv, "--table --names a,b,c --dir", ofFile);
        Cli split = run("split", "--query", "select * from t order by id", "--names a,b,c --dir", ofQuery);
        assertThat(split.code()).as(split.err()).isZero();
        assertThat(split.out()).contains("a.csv  2 rows", "b.csv  1 rows", "c.csv  1 rows");
        for (String part : List.of("a.csv", "b.csv", "c.csv")) {
            List<String> expected = Files.readAllLines(ofFile.resolve(part)).stream()
                    .map(line -> line.replace(",7", ",7.0").replace(",-1", ",-1.0"))
                    .toList();
            assertThat(ofQuery.resolve(part)).hasContent(String.join("\n", expected));
        }
    }

    @Test
    void columnKindsFollowFromSqlTypes() throws Exception {
        sql(
                "create table t (zip varchar(9), n numeric(40, 20), r real, d double precision, b boolean,"
                        + " birth date, at timestamp(9), moment timestamp with time zone, y integer)",
                "insert into t values ('01234', 12345678901234567890.5, 0.1, 1e-300, true, date '2024-02-29',"
                        + " timestamp '2024-02-29 12:00:00.5', timestamp with time zone '2024-03-01 01:00:00+02:00', 1)",
                "insert into t values ('99999', -1, 7, 2, false, date '1969-12-31', timestamp '1970-01-01 00:00:00',"
                        + " timestamp with time zone '1970-01-01 00:00:00+00:00', 0)",
                "insert into t values (null, null, null, null, null, null, null, null, 1)");
        Cli described = run("describe", "--table t --json");
        assertThat(described.code()).as(described.err()).isZero();
        assertThat(described.out())
                .contains("\"data\":\"" + url + "\",\"rows\":3,\"columns\"")
                .contains("{\"name\":\"ZIP\",\"kind\":\"categorical\",\"missing\":1")
                .contains(
                        "{\"name\":\"N\",\"kind\":\"numeric\",\"missing\":1,\"label\":false,\"remarks\":[],\"smallest\":-1.0,\"largest\":1.2345678901234567E19")
                .contains(
                        "{\"name\":\"R\",\"kind\":\"numeric\",\"missing\":1,\"label\":false,\"remarks\":[],\"smallest\":0.1,\"largest\":7.0")
                .contains(
                        "{\"name\":\"D\",\"kind\":\"numeric\",\"missing\":1,\"label\":false,\"remarks\":[],\"smallest\":1.0E-300")
                .contains("{\"name\":\"B\",\"kind\":\"boolean\",\"missing\":1")
                .contains("{\"name\":\"BIRTH\",\"kind\":\"date\",\"missing\":1")
                .contains("{\"name\":\"AT\",\"kind\":\"date\",\"missing\":1")
                .contains("2024-02-29T12:00:00.500")
                .contains("{\"name\":\"MOMENT\",\"kind\":\"date\",\"missing\":1")
                .contains("2024-02-29T23:00");
    }

    @Test
    void aQueryMayNotChangeAnything() throws Exception {
        sql("create table t (y integer, a integer)", "insert into t values (1, 2), (0, 3)");
        Cli refused = run("describe", "--query", "delete from t");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(run("describe", "--table t").out()).contains(url + ": 2 rows, 2 columns\n");
    }

    @Test
    void aDriverIsLoadedFromAJarAndAPasswordFromAFile() throws Exception {
        Path jar = Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        String file = "jdbc:h2:file:" + folder.resolve("data");
        try (Connection first = DriverManager.getConnection(file, "ada", "pass word");
                Statement statement = first.createStatement()) {
            statement.execute("create table t (y integer, a integer)");
            statement.execute("insert into t values (1, 2), (0, 3), (1, 4)");
        }
        Path password = Files.createFile(
                folder.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(password, "pass word\n");
        Path model = folder.resolve("model.json");
        Object[] asked = {"--jdbc", file, "--table", "t", "--driver-jar", jar, "--user", "ada"};
        List<Object> command = new ArrayList<>(List.of("train", "--model", model, "--password-file", password));
        command.addAll(Arrays.asList(asked));
        Cli.ok(command.toArray());
        assertThat(Files.readString(model)).doesNotContain("pass word").doesNotContain("jdbc:");

        Files.writeString(password, "guessed\n");
        Cli refused = Cli.ended(2, command.toArray());
        assertThat(refused.err()).contains("Wrong user name or password").doesNotContain("guessed");
    }
}
