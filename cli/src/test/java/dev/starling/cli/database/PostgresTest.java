package dev.starling.cli.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of a PostgreSQL server of this test's own; skipped where Debian's packages of it are not installed. */
class PostgresTest {

    private static final Path DRIVER = Path.of("/usr/share/java/postgresql.jar");
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
    private static final String PASSWORD = "s3cret of ada";

    @TempDir
    private static Path folder;

    private static Path programs;
    private static String cluster;
    private static int port;
    private static Path passwordFile;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                Files.exists(DRIVER) && Files.isDirectory(VERSIONS),
                "PostgreSQL is not installed (apt-get install postgresql libpostgresql-jdbc-java)");
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            Optional<Path> newest = versions.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Path::compareTo);
            Assumptions.assumeTrue(
                    newest.isPresent(), "PostgreSQL's server is not installed (apt-get install postgresql)");
            programs = newest.get();
        }
        cluster = run("mktemp", "-d", "/tmp/starling-postgres-XXXXXX").strip();
        passwordFile = Files.createFile(
                folder.resolve("password"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, PASSWORD + "\n");
        port = FreePorts.first(1);
        run("bash", "-c", "echo '" + PASSWORD + "' > " + cluster + "/pw");
        run(
                programs.resolve("initdb").toString(),
                "-D",
                cluster + "/data",
                "-U",
                "ada",
                "-A",
                "scram-sha-256",
                "--pwfile=" + cluster + "/pw",
                "--no-sync",
                "-E",
                "UTF8");
        String settings = "-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -p " + port;
        run(
                programs.resolve("pg_ctl").toString(),
                "-D",
                cluster + "/data",
                "-l",
                cluster + "/log",
                "-w",
                "-t",
                "60",
                "-o",
                settings,
                "start");
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            run(programs.resolve("pg_ctl").toString(), "-D", cluster + "/data", "-m", "immediate", "-w", "stop");
            run("rm", "-rf", cluster);
        }
    }

    /** Runs a program as somebody who is not root, which PostgreSQL refuses to be. */
    private static String run(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            words.addAll(List.of("runuser", "-u", "postgres", "--"));
        }
        words.addAll(Arrays.asList(command));
        Path out = Files.createTempFile(folder, "out", ".txt");
        Process process = new ProcessBuilder(words)
                .directory(Path.of("/tmp").toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        boolean ended = process.waitFor(120, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended && process.exitValue() == 0)
                .as(String.join(" ", words) + ": " + Files.readString(out))
                .isTrue();
        return Files.readString(out);
    }

    private static void sql(String... statements) throws Exception {
        Path script = folder.resolve("script.sql");
        Files.writeString(script, String.join(";\n", statements) + ";\n");
        Path out = folder.resolve("psql.txt");
        ProcessBuilder psql = new ProcessBuilder(
                        programs.resolve("psql").toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        "" + port,
                        "-U",
                        "ada",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-f",
                        script.toString(),
                        "postgres")
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        psql.environment().put("PGPASSWORD", PASSWORD);
        Process process = psql.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    }

    private static Cli asked(Object... words) {
        List<Object> all = new ArrayList<>(Arrays.asList(words));
        all.addAll(List.of(
                "--jdbc",
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres",
                "--driver-jar",
                DRIVER,
                "--user",
                "ada",
                "--password-file",
                passwordFile));
        return Cli.run(all.toArray());
    }

    @Test
    void aTableGivesTheModelOfItsCsvFile() throws Exception {
        Path csv = folder.resolve("people.csv");
        Cli.ok("generate", csv, "--table --rows 500");
        String columns = Stream.of(Files.readAllLines(csv).get(0).split(","))
                .map(name ->
                        '"' + name + "\" " + (List.of("age", "hours-per-week").contains(name) ? "integer" : "text"))
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
        sql("create table people (" + columns + ")", "\\copy people from '" + csv + "' csv header null '?'\n");
        Object[] options = {"--label-column", "income", "--missing", "most-frequent", "--runtime", "simulator"};
        List<Object> ofFile = new ArrayList<>(List.of("train", csv, "--model", folder.resolve("file.json")));
        ofFile.addAll(Arrays.asList(options));
        Cli.ok(ofFile.toArray());
        List<Object> ofTable = new ArrayList<>(
                List.of("train", "--table", "public.people", "--fetch-size", 50, "--model", folder.resolve("db.json")));
        ofTable.addAll(Arrays.asList(options));
        Cli trained = asked(ofTable.toArray());
        assertThat(trained.code()).as(trained.err()).isZero();
        assertThat(LinearModel.load(folder.resolve("db.json")).hash())
                .isEqualTo(LinearModel.load(folder.resolve("file.json")).hash());
    }

    @Test
    void columnKindsFollowFromSqlTypes() throws Exception {
        sql(
                "create type mood as enum ('good', 'bad')",
                "create table kinds (zip text, n numeric, r real, b boolean, m mood, u uuid, day date, at timestamp,"
                        + " moment timestamptz, i bigint)",
                "insert into kinds values ('01234', 0.1, 0.1, true, 'good', gen_random_uuid(), '2024-02-29',"
                        + " '2024-02-29 12:00', '2024-03-01 01:00+02', 9007199254740993)",
                "insert into kinds values ('99', 1e-30, -1e30, false, 'bad', gen_random_uuid(), '1969-12-31',"
                        + " '1970-01-01', '1970-01-01 00:00+00', -1)",
                "insert into kinds values (null, null, null, null, null, null, null, null, null, null)");
        Cli described = asked("describe", "--table kinds");
        assertThat(described.code()).as(described.err()).isZero();
        assertThat(described.out())
                .containsPattern("zip +categorical +1 ")
                .containsPattern("n +numeric +1  1e-30 to 0.1,")
                .containsPattern("r +numeric +1  -1e30 to 0.1,")
                .containsPattern("b +boolean +1 ")
                .containsPattern("m +categorical +1  2 levels: bad 1, good 1")
                .containsPattern("u +categorical +1 ")
                .containsPattern("day +date +1  1969-12-31 to 2024-02-29")
                .containsPattern("at +date +1  1970-01-01T00:00 to 2024-02-29T12:00")
                .containsPattern("moment +date +1  1970-01-01T00:00 to 2024-02-29T23:00")
                .containsPattern("i +numeric +1 ");
    }

    @Test
    void unusableTablesAreRefusedInOneLine() throws Exception {
        sql("create table odd (n numeric, d date, bytes bytea)", "insert into odd values ('NaN', 'infinity', '\\x00')");
        refuses("row 1: column 'n' holds NaN, which is not finite", "--query", "select n from odd");
        refuses("row 1: column 'd' holds +999999999-12-31", "--query", "select d from odd");
        refuses("column 'bytes' is of type bytea", "--table odd");
        refuses("relation \"strangers\" does not exist", "--table strangers");
        refuses("invalid input syntax", "--query", "select 'x'::integer");
        Files.writeString(passwordFile, "guessed\n");
        try {
            refuses("password authentication failed for user \"ada\"", "--table odd");
        } finally {
            Files.writeString(passwordFile, PASSWORD + "\n");
        }
    }

    private static void refuses(String message, String... options) {
        List<Object> words = new ArrayList<>(List.of("describe"));
        words.addAll(Arrays.asList(options));
        Cli refused = asked(words.toArray());
        assertThat(refused.err()).contains(message).doesNotContain("guessed").doesNotContain(PASSWORD);
        assertThat(refused.err().strip().lines()).hasSize(1);
        assertThat(refused.code()).isEqualTo(2);
    }
}
