package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites that leave and join, with everybody's signature and the consent of the one concerned. */
@Tag("thorough")
class ChangeCommandTest {

    @TempDir
    private Path folder;

    private int port;

    @BeforeEach
    void fourSites() throws IOException {
        port = FreePorts.first(5);
        ok(Cli.run("generate", file("data.libsvm"), "--rows 1200 --features 8 --noise 0.1 --seed 2"));
        ok(Cli.run("keys", "init", "--dir", file("keys")));
        ok(Cli.run("keys", "site", "a", "b", "c", "d", "e", "--dir", file("keys")));
        ok(Cli.run("split", file("data.libsvm"), "--names a,b,c,d,e --dir", folder));
        ok(network(folder, "a,b,c,d", "run-1"));
    }

    private Cli network(Path directory, String sites, String run) {
        return Cli.run(
                "network",
                "new",
                "--sites",
                sites,
                "--lambda 1e-5 --gap 1e-9 --port",
                port,
                "--run",
                run,
                "--dir",
                directory);
    }

    private static Cli ok(Cli cli) {
        assertThat(cli.code()).as(cli.out() + cli.err()).isZero();
        return cli;
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs sites to their end; what each printed. */
    private List<Cli> run(String... files) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Cli>> running = new ArrayList<>();
            for (String name : files) {
                ok(Cli.run("cohort", "register", file(name)));
                running.add(
                        CompletableFuture.supplyAsync(() -> Cli.run("peer", file(name), "--json --quiet"), threads));
            }
            List<Cli> ended = new ArrayList<>();
            for (CompletableFuture<Cli> one : running) {
                ended.add(ok(one.get(60, TimeUnit.SECONDS)));
            }
            return ended;
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertSameModel(List<Cli> ended, String hash) {
        assertThat(ended).extracting(one -> one.value("modelHash")).containsOnly(hash);
        assertThat(ended).extracting(one -> one.value("certified")).containsOnly("true");
    }

    @Test
    void refusesToProposeNeighboursWhoseAddressIsNotKnown() {
        Path ring = file("ring");
        ok(Cli.run("keys", "init", "--dir", ring.resolve("keys")));
        ok(Cli.run("keys", "site", "a", "b", "c", "d", "--dir", ring.resolve("keys")));
        ok(Cli.run("network", "new", "--sites a,b,c,d --topology ring --port", port, "--dir", ring));
        Cli refused = Cli.ended(2, "network", "change", ring.resolve("a.yaml"), "--remove d --cold");
        assertThat(refused.err())
                .contains("the address of site c, a new neighbour of site a, is not known here; give it: --address c=");
        assertThat(ring.resolve("change-run-2.txt")).doesNotExist();
        String address = "--address c=127.0.0.1:" + (port + 2);
        assertThat(Cli.run("network", "change", ring.resolve("a.yaml"), "--remove d --cold", address)
                        .err())
                .doesNotContain("is not known here");
    }

    @Test
    void refusesToRemoveASiteWithoutItsConsent() throws Exception {
        run("a.yaml", "b.yaml", "c.yaml", "d.yaml");
        Cli refused = Cli.ended(2, "network", "change", file("a.yaml"), file("b.yaml"), file("d.yaml"), "--remove c");
        assertThat(refused.err())
                .contains("refused: site c leaves: ", "differ by their sums alone", "site c has not consented");
        assertThat(file("change-run-2.txt")).doesNotExist();
        assertThat(file("a-run-2.yaml")).doesNotExist();
        // That of another site is not that of the one concerned.
        ok(Cli.run("network", "consent", file("d.yaml")));
        Files.writeString(
                file("forged.txt"), Files.readString(file("consent-d.txt")).replace("consented d ", "consented c "));
        Cli forged = Cli.ended(2, "network", "change", file("a.yaml"), "--remove c --consent", file("forged.txt"));
        assertThat(forged.err()).contains("what was signed in the name of site c");
        // Whoever keeps the authority can make a certificate for c, but it is not for the key that all have pinned.
        Files.createDirectories(file("other"));
        for (String name : new String[] {"authority.pem", "authority.key"}) {
            Files.copy(file("keys").resolve(name), file("other").resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        }
        ok(Cli.run("keys", "site", "c", "--dir", file("other")));
        String asC = Files.readString(file("c.yaml")).replace(" keys/c.", " other/c.");
        Files.writeString(file("forged.yaml"), asC);
        Cli own = Cli.ended(2, "network", "consent", file("forged.yaml"), "--output", file("forged.txt"));
        assertThat(own.err()).contains("is for the public key", "but 'keys' says that site c has");
        String pin = Cli.run("keys", "show", file("other/c.pem")).out().replaceAll("(?s).*?([0-9a-f]{64}).*", "$1");
        Files.writeString(file("forged.yaml"), asC.replaceFirst("(?m)^  c: [0-9a-f]{64}$", "  c: " + pin));
        ok(Cli.run("network", "consent", file("forged.yaml"), "--output", file("forged.txt")));
        Cli accepted = Cli.run("network", "change", file("a.yaml"), "--remove c --cold --consent", file("forged.txt"));
        assertThat(accepted.code()).as(accepted.out()).isEqualTo(2);
        assertThat(accepted.err()).contains("what was signed in the name of site c");
    }

    /** Nobody approves a change in which whoever keeps the authority takes the place of a site that stays. */
    @Test
    void refusesAnotherKeyForASiteThatStays() throws Exception {
        ok(Cli.run("network", "consent", file("c.yaml")));
        Cli.run("network", "change", file("a.yaml"), "--remove c --cold --consent", file("consent-c.txt"));
        ok(Cli.run("keys", "init", "--dir", file("other")));
        ok(Cli.run("keys", "site", "b", "--dir", file("other")));
        String pin = Cli.run("keys", "show", file("other/b.pem")).out().replaceAll("(?s).*?([0-9a-f]{64}).*", "$1");
        Path change = file("change-run-2.txt");
        Files.writeString(
                change,
                Files.readString(change)
                        .replaceFirst("(?m)^key: b [0-9a-f]{64}$", "key: b " + pin)
                        .replaceFirst("(?m)^approved a .*\n", ""));
        Cli approved = Cli.run("network", "change", file("d.yaml"), "--approve", change);
        assertThat(approved.code()).isEqualTo(2);
        assertThat(approved.err()).contains("the change gives site b another key than it had in the previous run");
    }

    /** Two that are left can always compute each other's sums: both consent to that by approving the change. */
    @Test
    void whoIsLeftAsOneOfTwoConsentsByApproving() throws Exception {
        ok(Cli.run("network", "consent", file("c.yaml")));
        ok(Cli.run("network", "consent", file("d.yaml")));
        Cli proposed = Cli.run(
                "network",
                "change",
                file("a.yaml"),
                "--remove c,d --cold --consent",
                file("consent-c.txt") + "," + file("consent-d.txt"));
        assertThat(proposed.out()).contains("shares what it knows with one of a, b, c, d");
        assertThat(proposed.code()).as(proposed.err()).isEqualTo(75);
        assertThat(proposed.err()).contains("still to be approved by b");
        ok(Cli.run("network", "change", file("b.yaml"), "--approve", file("change-run-2.txt")));
        ok(Cli.run("network", "change", file("a.yaml"), "--approve", file("change-run-2.txt")));
        assertThat(file("a-run-2.yaml")).exists();
    }

    @Test
    void continuesWithoutASiteOnceAllHaveSigned() throws Exception {
        List<Cli> before = run("a.yaml", "b.yaml", "c.yaml", "d.yaml");
        ok(Cli.run("network", "consent", file("c.yaml")));
        Cli proposed =
                Cli.ended(75, "network", "change", file("a.yaml"), "--remove c --consent", file("consent-c.txt"));
        assertThat(proposed.err())
                .contains("still to be approved by b, d: send them change-run-2.txt and start-run-2.bin");
        assertThat(file("a-run-2.yaml")).doesNotExist();
        assertThat(Cli.run("network", "change", file("b.yaml"), "--approve", file("change-run-2.txt"))
                        .err())
                .contains("still to be approved by d");
        ok(Cli.run("network", "change", file("d.yaml"), "--approve", file("change-run-2.txt")));
        ok(Cli.run("network", "change", file("a.yaml"), file("b.yaml"), "--approve", file("change-run-2.txt")));
        List<Cli> after = run("a-run-2.yaml", "b-run-2.yaml", "d-run-2.yaml");
        assertSameModel(after, after.get(0).value("modelHash"));
        assertThat(after.get(0).value("modelHash")).isNotEqualTo(before.get(0).value("modelHash"));
        // Near the optimum there is less to do than from nothing.
        assertThat(after.get(0).number("epochs")).isLessThan(before.get(0).number("epochs"));
    }

    @Test
    void startingOverEndsWithTheModelOfAFreshRun() throws Exception {
        tellTau("a.yaml", "b.yaml", "c.yaml", "d.yaml");
        ok(Cli.run("network", "consent", file("c.yaml")));
        ok(Cli.run(
                "network",
                "change",
                file("a.yaml"),
                file("b.yaml"),
                file("d.yaml"),
                "--remove c --consent",
                file("consent-c.txt"),
                "--cold"));
        List<Cli> changed = run("a-run-2.yaml", "b-run-2.yaml", "d-run-2.yaml");
        Path fresh = Files.createDirectories(file("fresh"));
        for (String name : new String[] {"a.libsvm", "b.libsvm", "d.libsvm"}) {
            Files.copy(file(name), fresh.resolve(name));
        }
        ok(network(fresh, "a,b,d", "run-9"));
        for (String name : new String[] {"a", "b", "d"}) {
            Path yaml = fresh.resolve(name + ".yaml");
            Files.writeString(yaml, Files.readString(yaml).replace(" keys/", " ../keys/"));
        }
        tellTau("fresh/a.yaml", "fresh/b.yaml", "fresh/d.yaml");
        assertSameModel(
                changed,
                run("fresh/a.yaml", "fresh/b.yaml", "fresh/d.yaml").get(0).value("modelHash"));
    }

    /** A delay that is given rather than measured is the same in two runs. */
    private void tellTau(String... names) throws IOException {
        for (String name : names) {
            Files.writeString(file(name), Files.readString(file(name)).replace("  # tau: 500 ", "  tau: 500 #"));
        }
    }

    @Test
    void addsASiteThatConsentsAndRefusesContradictoryFiles() throws Exception {
        run("a.yaml", "b.yaml", "c.yaml", "d.yaml");
        String address = "127.0.0.1:" + (port + 4);
        Cli proposed = Cli.ended(
                75,
                "network",
                "change",
                file("a.yaml"),
                "--add",
                "e=" + address,
                "--certificate",
                "e=" + file("keys/e.pem"));
        assertThat(proposed.out()).contains("site e joins: ", "e-run-2.yaml", "change-run-2.txt");
        assertThat(proposed.err())
                .contains("nothing is signed without the consent of e", "send it change-run-2.txt and start-run-2.bin")
                .doesNotContain("refused");
        Cli early = Cli.ended(75, "network", "change", file("b.yaml"), "--approve", file("change-run-2.txt"));
        assertThat(early.err()).contains("nothing is signed without the consent of e");
        assertThat(Files.readString(file("change-run-2.txt"))).doesNotContain("approved");
        ok(Cli.run("network", "consent", file("e-run-2.yaml"), "--join"));
        assertThat(Cli.run(
                                "network",
                                "change",
                                file("a.yaml"),
                                file("e-run-2.yaml"),
                                "--approve",
                                file("change-run-2.txt"),
                                "--consent",
                                file("consent-e.txt"))
                        .err())
                .contains("still to be approved by b, c, d");
        ok(Cli.run(
                "network",
                "change",
                file("a.yaml"),
                file("b.yaml"),
                file("c.yaml"),
                file("d.yaml"),
                "--approve",
                file("change-run-2.txt")));
        List<Cli> after = run("a-run-2.yaml", "b-run-2.yaml", "c-run-2.yaml", "d-run-2.yaml", "e-run-2.yaml");
        assertSameModel(after, after.get(0).value("modelHash"));

        // One altered word of the change, and nobody starts.
        Path change = file("change-run-2.txt");
        Files.writeString(change, Files.readString(change).replace("e " + address, "e 127.0.0.1:1"));
        Cli altered = Cli.ended(2, "peer", file("a-run-2.yaml"));
        assertThat(altered.err()).contains("is not the change that the file of site a refers to");
    }
}
