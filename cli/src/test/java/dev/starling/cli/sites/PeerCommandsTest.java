package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerCommandsTest {

    @TempDir
    private Path folder;

    private int port;

    /** Two sites on a line, ready to start. */
    @BeforeEach
    void setUp() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = probe.getLocalPort() - 1;
        }
        Path data = folder.resolve("data.libsvm");
        assertThat(Cli.run("generate", data, "--rows", 60, "--features", 5, "--seed", 2)
                        .code())
                .isZero();
        assertThat(Cli.run("keys", "init", "--dir", folder.resolve("keys")).code())
                .isZero();
        assertThat(Cli.run("keys", "site", "a", "b", "--dir", folder.resolve("keys"))
                        .code())
                .isZero();
        assertThat(Cli.run("split", data, "--names", "a,b", "--dir", folder).out())
                .contains("a.libsvm", "30 rows");
        assertThat(Cli.run(
                                "network",
                                "new",
                                "--sites",
                                "a,b",
                                "--topology",
                                "line",
                                "--lambda",
                                "1e-2",
                                "--port",
                                port,
                                "--dir",
                                folder)
                        .out())
                .contains("a.yaml", "b.yaml");
        for (String site : new String[] {"a.yaml", "b.yaml"}) {
            allowFewRows(file(site));
        }
    }

    /** Two sites with so few rows must say that they accept it. */
    private static void allowFewRows(Path yaml) throws IOException {
        Files.writeString(
                yaml,
                Files.readString(yaml)
                        .replaceFirst(
                                "(?m)^policy:$",
                                "policy:\n  two-sites: accept\n  estimates: accept\n  fewest-rows: 1\n"
                                        + "  released-part: 100\n  leverage: 1"));
    }

    @Test
    void shouldRefuseTwoSitesThatHaveNotAcceptedThat() throws Exception {
        for (String site : new String[] {"a.yaml", "b.yaml"}) {
            Files.writeString(file(site), Files.readString(file(site)).replace("  two-sites: accept\n", ""));
        }
        CompletableFuture<Cli> second = CompletableFuture.supplyAsync(() -> Cli.run("peer", file("b.yaml")));
        Cli first = Cli.run("peer", file("a.yaml"));
        assertThat(first.code()).isEqualTo(2);
        assertThat(first.err()).contains("a run of two sites", "needs 'two-sites: accept' under policy:");
        assertThat(second.get(60, TimeUnit.SECONDS).code()).isEqualTo(2);
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    @Test
    void shouldTrainTheModelThatOneProcessTrainsAndPrintTheSameObject() throws Exception {
        CompletableFuture<Cli> second =
                CompletableFuture.supplyAsync(() -> Cli.run("peer", file("b.yaml"), "--json", "--quiet"));
        Cli first = Cli.run("peer", file("a.yaml"), "--json", "--quiet");
        assertThat(first.code()).as(first.err()).isZero();
        Cli alone = Cli.run(
                "train",
                file("data.libsvm"),
                "--nodes",
                2,
                "--topology",
                "line",
                "--lambda",
                "1e-2",
                "--runtime",
                "simulator",
                "--tau",
                first.value("tau"),
                "--model",
                file("model.json"),
                "--json");
        Cli other = second.get(60, TimeUnit.SECONDS);
        for (Cli peer : new Cli[] {first, other}) {
            for (String key : new String[] {"modelHash", "objective", "gap", "method", "updates"}) {
                assertThat(peer.value(key)).as(key).isEqualTo(alone.value(key));
            }
        }
        // Each site has its own; in one process they are those of the last one.
        for (String key : new String[] {"rounds", "idealisedTime"}) {
            assertThat(Math.max(first.number(key), other.number(key))).as(key).isEqualTo(alone.number(key));
        }
        assertThat(first.value("site")).isEqualTo("a");
        assertThat(first.value("recoveries")).isEqualTo("0");
        assertThat(first.number("bytesSent")).isPositive();
        assertThat(first.number("tauMeasuredMicros")).isPositive();
        assertThat(Cli.run("predict", file("model-a.json"), file("data.libsvm")).code())
                .isZero();
        Cli shown = Cli.run("ledger", "show", file("a.yaml"));
        assertThat(shown.code()).isZero();
        assertThat(shown.out()).contains("gradient", "numbers over 30 rows", "whole: ");
        Path ledger = folder.resolve("state-a").resolve("run-1").resolve("ledger");
        Files.writeString(ledger, Files.readString(ledger).replaceFirst("rows=30", "rows=31"));
        Cli altered = Cli.run("ledger", "verify", file("a.yaml"));
        assertThat(altered.code()).isEqualTo(2);
        assertThat(altered.err()).contains("altered");
        Cli verified = Cli.run("verify", file("model-a.json"), file("data.libsvm"), "--site", file("b.yaml"));
        assertThat(verified.out())
                .contains("signed by site a with its pinned key", "signed by site b with its pinned key");
        assertThat(verified.code()).as(verified.out()).isZero();
        assertThat(Cli.run("verify", file("model-a.json"), file("data.libsvm"), "--json")
                        .out())
                .contains("\"signatures\"", "good: with the key");
        Path forged = Files.writeString(
                file("forged.json"),
                Files.readString(file("model-a.json")).replaceFirst("\"site\": ?\"b\"", "\"site\":\"x\""));
        Cli missing = Cli.run("verify", forged, file("data.libsvm"), "--site", file("b.yaml"));
        assertThat(missing.out()).contains("NOT signed by site b: its signature is missing");
        assertThat(missing.code()).isEqualTo(1);
    }

    @Test
    void shouldCheckWithoutTrainingAndNameWhatIsNotReached() {
        Cli check = Cli.run("peer", file("a.yaml"), "--check");
        assertThat(check.code()).isEqualTo(1);
        assertThat(check.out()).contains("ok    data a.libsvm has 30 rows").contains("WRONG neighbour b at 127.0.0.1");
        assertThat(Cli.run("peer", file("b.yaml"), "--check").code()).isZero();
    }

    @Test
    void shouldRefuseAKeyThatOthersMayRead() throws IOException {
        Files.setPosixFilePermissions(
                file("keys").resolve("a.key"), java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Cli peer = Cli.run("peer", file("a.yaml"));
        assertThat(peer.code()).isEqualTo(2);
        assertThat(peer.err()).contains("a.key has permissions rw-r--r--");
    }

    @Test
    void shouldWriteTheMethodThatIsAskedForIntoTheFileOfEverySite() {
        Path other = folder.resolve("other");
        assertThat(Cli.run("network", "new", "--sites", "a,b", "--method", "adfs", "--dir", other)
                        .code())
                .isZero();
        assertThat(other.resolve("a.yaml")).content().contains("\n  method: adfs\n");
        assertThat(other.resolve("b.yaml")).content().contains("\n  method: adfs\n");
        assertThat(file("a.yaml")).content().contains("\n  method: auto\n");
    }

    @Test
    void shouldNotReplaceKeysOrFilesOfSites() {
        assertThat(Cli.run("keys", "init", "--dir", file("keys")).err()).contains("authority.key exists");
        assertThat(Cli.run("network", "new", "--sites", "a,b", "--dir", folder).err())
                .contains("a.yaml exists");
    }
}
