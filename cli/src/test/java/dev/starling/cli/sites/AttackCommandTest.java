package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.support.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an attacker gets out of the runs of real sites: nothing under the usual rules, rows without them. */
class AttackCommandTest {

    private static final Dataset ROWS =
            Generator.classification(360, 4).noise(0.2).seed(6).generate();

    @TempDir
    private Path folder;

    private int port;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static Cli ok(Cli ran) {
        assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(0);
        return ran;
    }

    private void sites(Dataset rows) {
        for (int site = 0; site < 3; site++) {
            int own = site;
            LibsvmWriter.write(
                    rows.picked(IntStream.range(0, rows.rows())
                            .filter(row -> row % 3 == own)
                            .toArray()),
                    file("abc".charAt(site) + ".libsvm"));
        }
    }

    /** Lets all sites take part in a run; what each ended with. */
    private List<Cli> run(String name, String policy) throws Exception {
        for (String site : List.of("a", "b", "c")) {
            Files.deleteIfExists(file(site + ".yaml"));
        }
        ok(Cli.run("network", "new", "--sites a,b,c --lambda 1e-2 --port", port, "--run", name, "--dir", folder));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<Cli>> running = new ArrayList<>();
            for (String site : List.of("a", "b", "c")) {
                Path yaml = file(site + ".yaml");
                String text = Files.readString(yaml).replaceFirst("(?m)^policy:.*$", "policy:\n" + policy);
                Files.writeString(yaml, text.replaceFirst("(?m)^wait: .*$", "wait: 5s"));
                Cli.run("cohort", "register", yaml);
                running.add(CompletableFuture.supplyAsync(() -> Cli.run("peer", yaml, "--json --quiet"), threads));
            }
            List<Cli> ended = new ArrayList<>();
            for (CompletableFuture<Cli> one : running) {
                ended.add(one.get(60, TimeUnit.SECONDS));
            }
            return ended;
        } finally {
            threads.shutdownNow();
        }
    }

    @BeforeEach
    void keys() throws IOException {
        port = FreePorts.first(3);
        ok(Cli.run("keys", "init", "--dir", file("keys")));
        ok(Cli.run("keys", "site", "a", "b", "c", "--dir", file("keys")));
        LibsvmWriter.write(ROWS, file("truth.libsvm"));
    }

    private Cli attack(String... runs) {
        List<Object> words = new ArrayList<>(List.of("attack"));
        for (String run : runs) {
            words.add(file("state-a").resolve(run));
        }
        words.add("--truth");
        words.add(file("truth.libsvm"));
        return Cli.run(words.toArray());
    }

    @Test
    void theUsualRulesLetNothingBeRebuilt() throws Exception {
        sites(ROWS);
        assertThat(run("one", "")).allMatch(site -> site.code() == 0);
        Cli alone = attack("one");
        assertThat(alone.out()).contains("nothing was rebuilt from");
        assertThat(alone.code()).isZero();
        // Somebody has left: the site concerned does not take part, and there is nothing to subtract.
        sites(ROWS.picked(IntStream.range(1, ROWS.rows()).toArray()));
        assertThat(run("two", "")).noneMatch(site -> site.code() == 0);
        assertThat(file("state-a").resolve("two").resolve("totals")).doesNotExist();
    }

    @Test
    void withoutRulesTheRowThatLeftIsRebuilt() throws Exception {
        String off = "  fewest-rows: 0\n  leverage: 1000000\n";
        sites(ROWS);
        assertThat(run("one", off)).allMatch(site -> site.code() == 0);
        // The last row, so that all others stay at their sites.
        sites(ROWS.picked(IntStream.range(0, ROWS.rows() - 1).toArray()));
        assertThat(run("two", off)).allMatch(site -> site.code() == 0);
        Cli attack = attack("one", "two");
        assertThat(attack.code()).as(attack.out() + attack.err()).isEqualTo(1);
        assertThat(attack.out()).contains("REBUILT difference of runs, one and two", "off row 360 by", "rebuilt 1 row");
    }

    /** What is left of a run serves an audit, and can be purged. */
    @Test
    void aRunIsOpenedAuditedSignedAndPurged() throws Exception {
        sites(ROWS);
        assertThat(run("one", "  audit: keep\n")).allMatch(site -> site.code() == 0);
        for (String site : List.of("a", "b", "c")) {
            ok(Cli.run("audit", "open", file(site + ".yaml"), "--output", file(site + ".opening")));
        }
        Cli audit =
                ok(Cli.run("audit", "check", file("a.yaml"), file("a.opening"), file("b.opening"), file("c.opening")));
        assertThat(audit.out()).startsWith("true: ").contains("sums are the sums of what the sites have opened");
        Cli two = Cli.run("audit", "check", file("a.yaml"), file("a.opening"), file("b.opening"));
        assertThat(two.code()).isEqualTo(2);
        assertThat(two.err()).contains("site c has opened nothing");
        Cli signed = ok(Cli.run("verify", file("model-a.json"), "--signatures-only", "--site", file("a.yaml")));
        assertThat(signed.out()).contains("with its pinned key", "the certificate was not checked");

        assertThat(ok(Cli.run("state", "show", file("a.yaml"))).out())
                .contains("one: ", "ended", "its secrets are still there");
        ok(Cli.run("state", "purge", file("a.yaml"), "--run", "one"));
        assertThat(ok(Cli.run("state", "show", file("a.yaml"))).out()).contains("without secrets");
        assertThat(file("state-a").resolve("one").resolve("session.secret")).doesNotExist();
        assertThat(file("state-a").resolve("one").resolve("ledger")).exists();
        ok(Cli.run("cohort", "show", file("a.yaml")));
        assertThat(Cli.run("audit", "open", file("a.yaml"), "--output", file("x"))
                        .err())
                .contains("session.secret does not exist");
        assertThat(Cli.run("state", "purge", file("a.yaml"), "--run", "two").code())
                .isEqualTo(2);
    }

    /** A site that its own list names is told so. */
    @Test
    void aCheckSaysThatTheSitesOwnCertificateIsRevoked() throws Exception {
        sites(ROWS);
        ok(Cli.run("network", "new", "--sites a,b,c --lambda 1e-2 --port", port, "--run", "one", "--dir", folder));
        ok(Cli.run("cohort", "register", file("a.yaml")));
        ok(Cli.run("keys", "revoke", file("keys/a.pem"), "--dir", file("keys")));
        Files.writeString(
                file("a.yaml"),
                Files.readString(file("a.yaml")).replaceFirst("(?m)^  # revoked: (\\S+).*", "  revoked: $1"));
        Cli check = Cli.run("peer", file("a.yaml"), "--check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.out()).contains("a.pem is on the list of revoked certificates");
    }

    @Test
    void refusesWhatIsNeitherARunNorATable() throws IOException {
        Files.writeString(file("words.csv"), "term,estimate\nx,many\n");
        assertThat(Cli.run("attack", file("words.csv")).err()).contains("is not a term, its estimate");
        assertThat(Cli.run("attack", folder).err()).contains("is not the folder of a run");
    }
}
