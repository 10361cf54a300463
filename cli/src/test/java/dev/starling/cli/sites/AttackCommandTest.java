package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.LibsvmWriter;
import dev.starling.support.FreePorts;
import dev.starling.support.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        return run(name, policy, "logistic");
    }

    private List<Cli> run(String name, String policy, String loss) throws Exception {
        for (String site : List.of("a", "b", "c")) {
            Files.deleteIfExists(file(site + ".yaml"));
        }
        ok(Cli.run(
                "network",
                "new",
                "--sites a,b,c --lambda 1e-2 --loss",
                loss,
                "--port",
                port,
                "--run",
                name,
                "--dir",
                folder));
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

    /** Two runs about the same rows and one without somebody: what there is of them gives no row. */
    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({
        "heart_scale, logistic",
        "splice, logistic",
        "phishing, logistic",
        "mushrooms, logistic",
        "a9a, logistic",
        "w8a, logistic",
        "covtype.libsvm.binary.scale, logistic",
        "higgs_21k_natural, logistic",
        "higgs_balanced, logistic",
        "abalone, squared",
        "cadata, squared",
        "cpusmall, squared",
        "space_ga, squared",
        "rcv1_cocoa_small.train, logistic",
        "heart_scale, squared-hinge",
        "phishing, hinge",
        "cadata, absolute"
    })
    void theUsualRulesLetNothingBeRebuiltOfRealRows(String name, String loss) throws Exception {
        Dataset all = SharedData.read(name + ".gz");
        Dataset rows = all.picked(IntStream.range(0, Math.min(all.rows(), 1500)).toArray());
        LibsvmWriter.write(rows, file("truth.libsvm"));
        sites(rows);
        List<String> there = new ArrayList<>();
        for (String run : List.of("one", "two", "three")) {
            if (run.equals("three")) {
                sites(rows.picked(IntStream.range(0, rows.rows() - 1).toArray()));
            }
            List<Cli> ended = run(run, "", loss);
            assertThat(ended).as(run).allMatch(site -> site.code() != 0 || !run.equals("three"));
            if (Files.exists(file("state-a").resolve(run).resolve("totals"))) {
                there.add(run);
            }
            System.out.println("LEAKAGE " + name + ", " + loss + ", run " + run + ": exit codes "
                    + ended.stream().map(Cli::code).toList());
        }
        if (!there.isEmpty()) {
            Cli attack = attack(there.toArray(String[]::new));
            System.out.println("LEAKAGE " + attack.out().strip().replaceAll("(?s).*\n", ""));
            assertThat(attack.code()).as(attack.out() + attack.err()).isZero();
        }
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
        Cli two = Cli.ended(2, "audit", "check", file("a.yaml"), file("a.opening"), file("b.opening"));
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
                .contains("session.secret does not exist", "it was purged and can no longer be replayed or audited");
        Cli.ended(2, "state", "purge", file("a.yaml"), "--run", "two");
    }

    /**
     * What the pages for those who run a site, and for those who approve of it, tell them to type: whole commands run
     * after a real run, and of those that are only named, all the words must be known.
     */
    @ParameterizedTest
    @CsvSource({"operations.md, 5", "data-protection.md, 12"})
    void theCommandsOfThePagesForOwnersRun(String page, int whole) throws Exception {
        sites(ROWS);
        assertThat(run("run-1", "  audit: keep\n")).allMatch(site -> site.code() == 0);
        for (String other : List.of("b", "c")) {
            ok(Cli.run("audit", "open", file(other + ".yaml"), "--output", file("opening-" + other)));
        }
        String text = Files.readString(Path.of(System.getProperty("starling.root"), "docs", page));
        Set<String> commands = Pattern.compile("`starling ([^`]+)`|(?m)^    starling (.*?)( {2,}#.*)?$")
                .matcher(text)
                .results()
                .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
                .map(command -> command.replace("RUN", "run-1").replace(" …", ""))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        // Purging comes last, since nothing is left to audit then.
        List<String> inOrder = commands.stream()
                .sorted(Comparator.comparing(command -> command.startsWith("state purge")))
                .toList();
        int ran = 0;
        for (String command : inOrder) {
            boolean isWhole = command.matches(".*(a\\.yaml|state-a/|--version).*") && !command.contains(" ID ");
            ran += isWhole ? 1 : 0;
            List<Object> words = new ArrayList<>();
            for (String word : command.split(" ")) {
                boolean isFile = word.matches("(a|model-a)\\.(yaml|json)|state-a/.*|opening-.");
                if (isWhole || !word.matches("[A-Z]+|.*[.].*")) {
                    words.add(isFile ? file(word) : word);
                }
            }
            if (!isWhole) {
                words.removeIf(word -> word.toString().startsWith("--"));
                words.add("--help");
            }
            Cli done = Cli.run(words.toArray());
            // Nobody else listens any more, which a check tells from what is wrong here.
            assertThat(done.code())
                    .as(command + ": " + done.out() + done.err())
                    .isEqualTo(isWhole && command.endsWith("--check") ? 75 : 0);
            Stream.of(command.split(" "))
                    .filter(word -> !isWhole && word.startsWith("--"))
                    .forEach(option -> assertThat(done.out()).as(command).contains(option));
        }
        assertThat(ran).as("commands that ran: " + inOrder).isEqualTo(whole);
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
        Cli check = Cli.ended(2, "peer", file("a.yaml"), "--check");
        assertThat(check.out()).contains("a.pem is on the list of revoked certificates");
    }

    /** A new key that the site's own file does not pin yet: the others would refuse it. */
    @Test
    void aCheckSaysThatTheSitesOwnKeyIsNotTheOnePinned() throws Exception {
        sites(ROWS);
        ok(Cli.run("network", "new", "--sites a,b,c --lambda 1e-2 --port", port, "--run", "one", "--dir", folder));
        ok(Cli.run("cohort", "register", file("a.yaml")));
        Files.delete(file("keys/a.key"));
        Files.delete(file("keys/a.pem"));
        ok(Cli.run("keys", "site", "a", "--dir", file("keys")));
        Cli check = Cli.ended(2, "peer", file("a.yaml"), "--check");
        assertThat(check.out()).containsPattern("WRONG .*a.pem is for the public key .*correct it in the files of all");
    }

    /** Two models of one machine, with and without somebody: their standard errors give the person away. */
    @Test
    void twoModelsWithStandardErrorsGiveARowAway() throws IOException {
        for (String name : List.of("before", "after")) {
            StringBuilder text = new StringBuilder("p,q,r,s,y\n");
            for (int row = name.equals("after") ? 1 : 0; row < ROWS.rows(); row++) {
                double[] x = new double[4];
                ROWS.addTo(row, 1, x);
                text.append(x[0] + "," + x[1] + "," + x[2] + "," + x[3] + "," + (x[0] - x[2] + row % 7) + "\n");
            }
            Files.writeString(file(name + ".csv"), text);
            ok(Cli.run("glm", file(name + ".csv"), "y~p+q+r+s", "--model", file(name + ".json")));
        }
        Cli attack = Cli.ended(
                1,
                "attack",
                file("before.json"),
                file("after.json"),
                "--truth",
                file("truth.libsvm"),
                "--tolerance 1e-6");
        assertThat(attack.out()).contains("REBUILT difference of tables, before.json and after.json", "off row 1 by");
        // Estimates alone say nothing: the command says what is missing.
        ok(Cli.run("train", file("before.csv"), "--label-column y --loss squared --model", file("bare.json")));
        assertThat(Cli.run("attack", file("bare.json"), file("after.json")).err())
                .contains("has no standard errors");
    }

    /** Whether two seeds tell that people are among the rows: they do not, and the rules refuse more of them. */
    @Test
    void seedsMustBeGivenForEveryRun() throws Exception {
        sites(ROWS);
        assertThat(run("one", "")).allMatch(site -> site.code() == 0);
        List<Object> words = new ArrayList<>(List.of("attack", file("state-a/one"), "--target", file("a.libsvm")));
        Cli few = Cli.run(Stream.concat(words.stream(), Stream.of("--seeds 1,2 --holdout 0.2"))
                .toArray());
        assertThat(few.err()).contains("--seeds needs one seed for each of the 1 runs");
        Cli.ok(Stream.concat(words.stream(), Stream.of("--seeds 1 --holdout 0.2"))
                .toArray());
    }

    @Test
    void refusesWhatIsNeitherARunNorATable() throws IOException {
        Files.writeString(file("words.csv"), "term,estimate\nx,many\n");
        assertThat(Cli.run("attack", file("words.csv")).err()).contains("is not a term, its estimate");
        assertThat(Cli.run("attack", folder).err()).contains("is not the folder of a run");
    }
}
