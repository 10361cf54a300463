package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
        port = FreePorts.first(2);
        Path data = folder.resolve("data.libsvm");
        Cli.ok("generate", data, "--rows 60 --features 5 --seed 2");
        Cli.ok("keys", "init", "--dir", folder.resolve("keys"));
        Cli.ok("keys", "site", "a", "b", "--dir", folder.resolve("keys"));
        assertThat(Cli.run("split", data, "--names a,b --dir", folder).out()).contains("a.libsvm", "30 rows");
        assertThat(Cli.run("network", "new", "--sites a,b --topology line --lambda 1e-2 --port", port, "--dir", folder)
                        .out())
                .contains("a.yaml", "b.yaml");
        for (String site : new String[] {"a.yaml", "b.yaml"}) {
            allowFewRows(file(site));
        }
        assertThat(Cli.run("cohort", "register", file("a.yaml"), file("b.yaml")).out())
                .contains("is new: it knows of no earlier run of site b", "run run-1: 30 people, 0 of them known");
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
    void refusesTwoSitesUnlessBothAcceptThat() throws Exception {
        for (String site : new String[] {"a.yaml", "b.yaml"}) {
            Files.writeString(file(site), Files.readString(file(site)).replace("  two-sites: accept\n", ""));
        }
        CompletableFuture<Cli> second = CompletableFuture.supplyAsync(() -> Cli.run("peer", file("b.yaml")));
        Cli first = Cli.ended(2, "peer", file("a.yaml"));
        assertThat(first.err()).contains("a run with two sites", "needs 'two-sites: accept' under policy:");
        assertThat(second.get(60, TimeUnit.SECONDS).code()).isEqualTo(2);
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    @Test
    void trainsTheModelOfOneProcessAndPrintsTheSameObject() throws Exception {
        CompletableFuture<Cli> second =
                CompletableFuture.supplyAsync(() -> Cli.run("peer", file("b.yaml"), "--json --quiet"));
        Cli first = Cli.ok("peer", file("a.yaml"), "--json --quiet --page");
        Cli alone = Cli.run(
                "train",
                file("data.libsvm"),
                "--nodes 2 --topology line --lambda 1e-2 --runtime simulator --tau",
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
        assertThat(first.value("latency")).as("messages do not tell it").isEqualTo("null");
        assertThat(first.value("site")).isEqualTo("a");
        assertThat(first.value("recoveries")).isEqualTo("0");
        assertThat(first.number("bytesSent")).isPositive();
        assertThat(first.number("tauMeasuredMicros")).isPositive();
        assertThat(folder.resolve("state-a/run-1/page.html"))
                .content()
                .contains("\"outcome\":\"done: certified\"")
                .contains("\"told\":[{\"kind\":\"presence\",\"sums\":1,");
        assertThat(Files.getPosixFilePermissions(folder.resolve("state-a/run-1")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        try (Stream<Path> files = Files.list(folder.resolve("state-a/run-1"))) {
            assertThat(files)
                    .hasSizeGreaterThan(2)
                    .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                            .isEqualTo(PosixFilePermissions.fromString("rw-------")));
        }
        Cli.ok("predict", file("model-a.json"), file("data.libsvm"));
        Cli shown = Cli.ok("ledger", "show", file("a.yaml"));
        assertThat(shown.out()).contains("gradient", "numbers over 30 rows", "intact: ");
        Cli replayed = Cli.ok("replay", file("a.yaml"));
        assertThat(replayed.out())
                .contains("true  ", "the totals are those that 2 sites have signed", "true: what left the site")
                .doesNotContain("FALSE");
        assertThat(Cli.run("replay", file("a.yaml"), "--json").value("isTrue")).isEqualTo("true");
        Files.writeString(file("b.libsvm"), Files.readString(file("b.libsvm")).replaceFirst("(?m)^-1 ", "1 "));
        Cli otherRows = Cli.ended(1, "replay", file("b.yaml"));
        assertThat(otherRows.out()).contains("FALSE this site's rows differ from those in the run", "FALSE: what left");
        Path ledger = folder.resolve("state-a").resolve("run-1").resolve("ledger");
        Files.writeString(ledger, Files.readString(ledger).replaceFirst("rows=30", "rows=31"));
        Cli altered = Cli.ended(2, "ledger", "verify", file("a.yaml"));
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
    void distinguishesAMissingNeighbourFromAWrongOne() throws IOException {
        Cli check = Cli.ended(75, "peer", file("a.yaml"), "--check");
        assertThat(check.out())
                .contains("ok    data a.libsvm has 30 rows")
                .contains("later neighbour b at 127.0.0.1")
                .contains("is not started yet");
        assertThat(check.err()).contains("this site is ready; 1 of the sites it connects to is not there yet");
        assertThat(check.out())
                .contains("ok    its rules let the site take part")
                .contains("tells the other site learns totals over both, and therefore this site's own part")
                .contains("tells every sum covers at least 1 of the site's 30 rows")
                .contains(
                        "tells during training with newton, at most 300 sums at a point, of at most 14 numbers each; or, with"
                                + " Hessians, at most 60, of which at most 10 include one");
        Cli asJson = Cli.ok("peer", file("b.yaml"), "--check --json");
        assertThat(asJson.out()).contains("\"tells\":{\"sites\":2,\"masks\":true,\"method\":\"newton\"");
        Files.writeString(
                file("b.yaml"), Files.readString(file("b.yaml")).replace("fewest-rows: 1", "fewest-rows: 31"));
        assertThat(Cli.run("peer", file("b.yaml"), "--check").out())
                .contains("WRONG this site has 30 rows, but its rules require at least 31 in every sum");
        Files.writeString(
                file("b.yaml"), Files.readString(file("b.yaml")).replace("fewest-rows: 31", "fewest-rows: 1"));
        Cli.ok("peer", file("b.yaml"), "--check");
        // Somebody who listens there but knows nothing of TLS.
        try (ServerSocket other = new ServerSocket(port + 1, 5, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> {
                try (Socket caller = other.accept()) {
                    caller.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    return;
                }
            });
            closing.start();
            Cli wrong = Cli.ended(2, "peer", file("a.yaml"), "--check");
            assertThat(wrong.out()).contains("WRONG neighbour b at 127.0.0.1").contains("is not usable");
        }
    }

    @Test
    void checksEverythingThatARunNeedsAtThisSite() throws IOException {
        Files.writeString(
                file("b.yaml"),
                Files.readString(file("b.yaml")).replace("model: model-b.json", "model: nowhere/model.json"));
        Cli check = Cli.ended(2, "peer", file("b.yaml"), "--check");
        assertThat(check.out())
                .containsPattern(
                        "ok    certificate b.pem .* valid until \\S+ \\(in 82[45] days\\); the authority until")
                .containsPattern("ok    disk of state state-b has \\d+ MB free, and checkpoints take at most 192 MB")
                .contains("ok    state state-b can be written, by its owner only")
                .containsPattern(
                        "WRONG model \\S*nowhere/model.json cannot be written: the folder \\S*nowhere does not");
    }

    @Test
    void checkReportsWhatARunWouldRefuse() throws IOException {
        String whole = Files.readString(file("b.yaml"));
        Files.writeString(file("b.yaml"), whole.replace("two-sites: accept", "masks: on"));
        Cli alone = Cli.ended(2, "peer", file("b.yaml"), "--check");
        assertThat(alone.out())
                .contains("WRONG a run with two sites, in which each can compute the other's sums, needs");
        Files.writeString(file("b.yaml"), whole.replaceFirst("(?m)^  gap: .*$", "$0\n  labels: [0, 1]"));
        Cli labels = Cli.ended(2, "peer", file("b.yaml"), "--check");
        assertThat(labels.out())
                .contains("WRONG data b.libsvm has label -1.0, which is not one of the classes [0.0, 1.0];"
                        + " correct training: labels");
        Files.writeString(
                file("b.yaml"),
                whole.replace("estimates: accept", "estimates: refuse").replace("method: auto", "method: adfs"));
        assertThat(Cli.run("peer", file("b.yaml"), "--check").out())
                .contains("WRONG method adfs lets neighbours see estimates, from which rows can be computed, and this"
                        + " site's rules refuse that; choose another method, or say 'estimates: accept'");
    }

    @Test
    void refusesACertificateOfAnotherAuthorityWithTheSameName() throws IOException {
        Cli.ok("keys", "init", "--dir", file("other"));
        Cli.ok("keys", "site", "b", "--dir", file("other"));
        Files.writeString(file("b.yaml"), Files.readString(file("b.yaml")).replace(" keys/b.", " other/b."));
        assertThat(Cli.run("peer", file("b.yaml"), "--check").out())
                .containsPattern("WRONG the certificate is signed by \\S.*, whose key is not that of tls.authority;"
                        + " give the certificate of the authority that signed it");
    }

    @Test
    void saysThatACertificateHasExpiredOrSoonWill() throws IOException {
        Cli.ok("keys", "init", "--dir", file("short"), "--days 1");
        Cli.ok("keys", "site", "b", "--dir", file("short"), "--days 1");
        String pinned =
                Cli.run("keys", "show", file("short").resolve("b.pem")).out().replaceAll("(?s).*b: (\\w+).*", "$1");
        Files.writeString(
                file("b.yaml"),
                Files.readString(file("b.yaml"))
                        .replace(" keys/", " short/")
                        .replaceAll("(?m)^  b: \\w{64}$", "  b: " + pinned));
        assertThat(Cli.run("peer", file("b.yaml"), "--check").out())
                .containsPattern("note  certificate b.pem .*in 2[34] hours.*renew it before it expires");
    }

    @Test
    void refusesAKeyThatOthersCanRead() throws IOException {
        Files.setPosixFilePermissions(file("keys").resolve("a.key"), PosixFilePermissions.fromString("rw-r--r--"));
        Cli peer = Cli.ended(2, "peer", file("a.yaml"));
        assertThat(peer.err()).contains("a.key has permissions rw-r--r--");
    }

    @Test
    void writesTheRequestedMethodIntoEverySitesFile() {
        Path other = folder.resolve("other");
        Cli.ok("network", "new", "--sites a,b --method adfs --dir", other);
        assertThat(other.resolve("a.yaml")).content().contains("\n  method: adfs\n");
        assertThat(other.resolve("b.yaml")).content().contains("\n  method: adfs\n");
        assertThat(file("a.yaml")).content().contains("\n  method: auto\n");
    }

    @Test
    void doesNotReplaceKeysOrSiteFiles() {
        assertThat(Cli.run("keys", "init", "--dir", file("keys")).err()).contains("authority.key exists");
        assertThat(Cli.run("network", "new", "--sites a,b --dir", folder).err()).contains("a.yaml exists");
    }
}
