package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.cohort.CohortRegister;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is shipped to run sites as services: the command lines of the systemd unit and of the container file, started as
 * an unprivileged user in a mount namespace that has what they expect and in which nothing else can be written.
 */
@EnabledOnOs(OS.LINUX)
@Tag("thorough")
class ServiceIT {

    private static final Path ROOT =
            Path.of(System.getProperty("starling.root")).toAbsolutePath();
    private static final Path UNIT = ROOT.resolve("examples/peer/starling-peer@.service");
    private static final int NOBODY = 65534;
    private static final int CONTAINER_USER = 10001;

    /**
     * Gives a command a file system as the unit's ProtectSystem, PrivateTmp and ReadWritePaths do, and no privileges.
     */
    private static final String CONFINED = """
            set -e
            mount --bind "$1/opt" /opt
            mount --bind "$1/etc" /etc
            mount --bind "$1/varlib" /var/lib
            mount --bind /var/lib/starling /var/lib/starling
            mount -t tmpfs tmpfs /tmp
            mount -o remount,ro,bind /opt
            mount -o remount,ro,bind /etc
            mount -o remount,ro,bind /var/lib
            mount -o remount,ro,bind /
            umask 0077
            user=$2
            shift 2
            cd /
            exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all "$@"
            """;

    @TempDir
    private Path folder;

    private Path prepared;

    private record Outcome(int code, String out, String err) {}

    @BeforeEach
    void prepareAFileSystem() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                run(List.of("unshare", "--mount", "true")).code() == 0, "mount namespaces are not permitted here");
        prepared = Files.createDirectory(folder.resolve("prepared"));
        Path program = Files.createDirectories(prepared.resolve("opt/starling"));
        Path target = ROOT.resolve("cli/target");
        Files.copy(ROOT.resolve("starling"), program.resolve("starling"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(target.resolve("starling.jar"), program.resolve("starling.jar"));
        succeed(
                "cp",
                "-rL",
                target.resolve("lib").toString(),
                program.resolve("lib").toString());
        succeed("cp", "-a", "/etc", prepared.resolve("etc").toString());
        Files.createDirectories(prepared.resolve("etc/starling"));
        Files.createDirectories(prepared.resolve("varlib/starling"));
        succeed("chmod", "755", folder.toString(), prepared.toString());
    }

    private static Outcome run(List<String> command) throws IOException, InterruptedException {
        try {
            return outcome(new ProcessBuilder(command));
        } catch (IOException e) {
            return new Outcome(-1, "", e.getMessage());
        }
    }

    private static Outcome outcome(ProcessBuilder builder) throws IOException, InterruptedException {
        Path out = Files.createTempFile("service", ".out");
        Path err = Files.createTempFile("service", ".err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static void succeed(String... command) throws IOException, InterruptedException {
        Outcome outcome = run(List.of(command));
        assertThat(outcome.code())
                .as(String.join(" ", command) + "\n" + outcome.err())
                .isZero();
    }

    private ProcessBuilder confined(int user, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "unshare", "--mount", "sh", "-c", CONFINED, "confined", prepared.toString(), Integer.toString(user)));
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("STARLING_NO_BUILD", "1");
        return builder;
    }

    private static List<String> execStart(String site) throws IOException {
        Matcher line = Pattern.compile("(?m)^ExecStart=(.*)$").matcher(Files.readString(UNIT));
        assertThat(line.find()).isTrue();
        return List.of(line.group(1).replace("%i", site).split(" "));
    }

    /** Two sites of a network, laid out as the unit expects them. */
    private void layOutSites() throws IOException, InterruptedException {
        Path state = prepared.resolve("varlib/starling");
        Path data = state.resolve("data.libsvm");
        Cli.ok("generate", data, "--rows", 200, "--features", 5, "--seed", 2);
        Cli.ok("keys", "init", "--dir", state.resolve("keys"));
        Cli.ok("keys", "site", "a", "b", "--dir", state.resolve("keys"));
        Cli.ok("split", data, "--names", "a,b", "--dir", state);
        Path files = prepared.resolve("etc/starling");
        Cli.ok(
                "network",
                "new",
                "--sites",
                "a,b",
                "--topology",
                "line",
                "--lambda",
                "1e-2",
                "--port",
                17610,
                "--dir",
                files);
        for (String site : new String[] {"a", "b"}) {
            CohortRegister.create(state.resolve("register-" + site));
            Path file = files.resolve(site + ".yaml");
            Files.writeString(
                    file,
                    Files.readString(file)
                            .replace(" keys/", " /var/lib/starling/keys/")
                            .replace("file: " + site, "file: /var/lib/starling/" + site)
                            .replace("state: state", "state: /var/lib/starling/state")
                            .replace("register: register", "register: /var/lib/starling/register")
                            .replace("model: model", "model: /var/lib/starling/model")
                            .replaceFirst("(?m)^policy:$", "policy:\n  two-sites: accept"));
        }
        succeed("chown", "-R", NOBODY + ":" + NOBODY, state.toString());
        succeed("chmod", "-R", "a+rX", files.toString());
    }

    @Test
    void theUnitsCommandTrainsWithOnlyItsStateWritable() throws Exception {
        layOutSites();
        Process other = confined(NOBODY, execStart("b"))
                .redirectOutput(folder.resolve("b.out").toFile())
                .redirectError(folder.resolve("b.err").toFile())
                .start();
        try {
            Outcome first = outcome(confined(NOBODY, execStart("a")));
            assertThat(first.code()).as(first.err()).isZero();
            assertThat(first.out()).contains("\"certified\":true", "\"site\":\"a\"");
            // Newer Javas warn, in lines of their own, of what libraries do.
            assertThat(first.err().lines().filter(line -> !line.isEmpty() && !line.startsWith("WARNING: ")))
                    .isNotEmpty()
                    .allMatch(line -> line.startsWith("{\"time\":"));
            assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(other.exitValue()).isZero();
        } finally {
            other.destroyForcibly();
        }
        Path state = prepared.resolve("varlib/starling");
        assertThat(state.resolve("model-a.json")).exists();
        assertThat(Files.getPosixFilePermissions(state.resolve("state-a/run-1")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aModelOutsideTheStateFolderIsRefusedBeforeTraining() throws Exception {
        layOutSites();
        Path file = prepared.resolve("etc/starling/a.yaml");
        Files.writeString(
                file, Files.readString(file).replace("model: /var/lib/starling/model", "model: /opt/starling/model"));
        Outcome refused = outcome(confined(NOBODY, execStart("a")));
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("/opt/starling/model-a.json cannot be written");
    }

    /** 75 is for what passes: only that, and a crash, are worth another start. */
    @Test
    void theUnitRestartsASiteOnlyAfterTemporaryFailures() throws IOException {
        assertThat(Files.readAllLines(UNIT))
                .contains(
                        "Restart=always",
                        "RestartPreventExitStatus=" + Main.DONE + " " + Main.UNCERTIFIED + " " + Main.BAD_INPUT,
                        "SuccessExitStatus=" + Main.TRY_AGAIN);
    }

    @Test
    void systemdAcceptsTheUnitAndFindsLittleExposed() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "systemd-analyze is not installed");
        Path copy = folder.resolve(UNIT.getFileName());
        Files.writeString(copy, Files.readString(UNIT).replace("/opt/starling/starling", "/bin/true"));
        Outcome verified = run(List.of("systemd-analyze", "verify", copy.toString()));
        assertThat(verified.code()).as(verified.err()).isZero();
        assertThat(verified.err()).isEmpty();
        // Tenths of its measure, which ends at 100.
        Outcome judged =
                run(List.of("systemd-analyze", "security", "--offline=true", "--threshold=25", copy.toString()));
        assertThat(judged.code()).as(judged.out()).isZero();
    }

    @Test
    void theContainersCommandStartsAsItsUserOnAReadOnlySystem() throws Exception {
        String file = Files.readString(ROOT.resolve("Containerfile"));
        Matcher entry = Pattern.compile("(?m)^ENTRYPOINT \\[\"(.*)\"]$").matcher(file);
        assertThat(entry.find()).isTrue();
        assertThat(file).contains("\nUSER " + CONTAINER_USER + ":" + CONTAINER_USER + "\n", "\nSTOPSIGNAL SIGTERM\n");
        Outcome outcome = outcome(confined(CONTAINER_USER, List.of(entry.group(1), "--version")));
        assertThat(outcome.out()).as(outcome.err()).matches("starling \\S+\n");
        assertThat(outcome.code()).isZero();
    }
}
