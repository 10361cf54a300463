package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumGuard;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites that lie in every way that goes unnoticed in a run, and an audit that says who it was. */
class AuditTest {

    private static final int SITES = 4;

    /** A line: site 1 passes on what sites 2 and 3 send, and site 2 what site 3 sends. */
    private static final Network NETWORK = Topology.named("line").build(SITES, 1);

    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    @TempDir
    private Path folder;

    private final List<List<Opening.Opened>> opened = IntStream.range(0, SITES)
            .<List<Opening.Opened>>mapToObj(site -> new ArrayList<>())
            .toList();
    private MaskedNetwork network;

    /** A site that keeps what it would open: what it sealed, and what it was told. */
    private static class Keeping extends WrappedGuard {

        final List<Opening.Opened> sums;
        double[] unmasked = {};
        private double[] told = {};

        Keeping(MaskedSums honest, List<Opening.Opened> sums) {
            super(honest);
            this.sums = sums;
        }

        @Override
        public void seal(SumRequest request, double[] addend, double[] words) {
            unmasked = words.clone();
            super.seal(request, addend, words);
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            told = totals.clone();
            super.opened(request, totals);
        }

        @Override
        public double[] signed(int parent, double[] received) {
            double[] signatures = super.signed(parent, received);
            double[] result = Arrays.copyOf(told, told.length + signatures.length);
            System.arraycopy(signatures, 0, result, told.length, signatures.length);
            sums.add(new Opening.Opened(new byte[0], new byte[0], unmasked, result));
            return signatures;
        }
    }

    /** Adds 0.25 to the first number. */
    private static void shift(double[] words, int from) {
        shift(words, from, HiddenSum.HEAD, 0.25);
    }

    private static void shift(double[] words, int from, int number, double by) {
        double[] lie = new double[words.length];
        SumWords.encode(by, lie, from + SumWords.LIMBS * (number - 1));
        SumWords.add(words, lie, from, words.length);
    }

    /** Adds a linear function of the point, which no check of totals can tell from that of rows. */
    private static void tilt(SumRequest request, double[] words, int from) {
        if (request.kind() == SumKind.HESSIAN || request.kind() == SumKind.GRADIENT) {
            shift(words, from, PassLayout.LOSS, 3 * request.point()[0]);
            shift(words, from, PassLayout.GRADIENT, 3);
        }
    }

    private Audit.Outcome ran(BiFunction<Integer, Keeping, SumGuard> deviation) throws Exception {
        Dataset all = Generator.classification(400, 3).noise(0.2).seed(4).generate();
        List<Dataset> rows = IntStream.range(0, SITES)
                .mapToObj(site -> all.picked(IntStream.range(0, 400)
                        .filter(row -> row % SITES == site)
                        .toArray()))
                .toList();
        Settings settings =
                Settings.of(new Logistic()).with(Setting.LAMBDA, 1e-2).with(Setting.GAP, 1e-6);
        network = new MaskedNetwork(
                settings,
                NETWORK,
                rows,
                Policy.DEFAULT,
                true,
                folder,
                (site, guard) -> deviation.apply(site, new Keeping(guard, opened.get(site))));
        network.run();
        return audit(site -> true);
    }

    private Audit.Outcome audit(IntPredicate keysKept) throws Exception {
        List<Opening> openings = new ArrayList<>();
        for (int site = 0; site < SITES; site++) {
            openings.add(opening(site, keysKept.test(site)));
        }
        return Audit.of(NAMES, NETWORK.spanningTree(), openings);
    }

    /** What a site opens: questions and salts follow from its ledger. */
    private Opening opening(int site, boolean withKey) throws Exception {
        SessionSecrets secrets = SessionSecrets.open(folder.resolve("secrets-" + site));
        List<LedgerLine> lines = SumLedger.read(folder.resolve("ledger-" + site)).stream()
                .filter(line -> line.sum() > 0)
                .toList();
        List<Opening.Opened> sums = new ArrayList<>();
        for (int k = 0; k < opened.get(site).size(); k++) {
            Opening.Opened kept = opened.get(site).get(k);
            byte[] question = HexFormat.of().parseHex(lines.get(k).question());
            sums.add(new Opening.Opened(
                    question, Seals.salt(secrets.ledgerKey(), question), kept.words(), kept.result()));
        }
        Path file = folder.resolve("opening-" + site);
        new Opening(
                        site,
                        network.sessions().get(site).known().encoded(),
                        network.signer(site).chain(),
                        withKey ? secrets.privateKey() : new byte[32],
                        sums)
                .save(file);
        return Opening.read(file);
    }

    @Test
    void anHonestRunIsClean() throws Exception {
        Audit.Outcome outcome = ran((site, keeping) -> keeping);
        assertThat(outcome.liars()).isEmpty();
        assertThat(outcome.doubts()).isEmpty();
        assertThat(outcome.sums()).isGreaterThan(4);
        assertThat(audit(site -> false).isClean()).isTrue();
    }

    /** The addend is sealed as it should be, and what is sent is another. */
    @Test
    void whoeverSendsOtherWordsThanItSealedIsNamed() throws Exception {
        Audit.Outcome outcome = ran((site, keeping) -> site != 3
                ? keeping
                : new WrappedGuard(keeping) {
                    @Override
                    public void seal(SumRequest request, double[] addend, double[] words) {
                        keeping.seal(request, addend, words);
                        tilt(request, words, 0);
                    }
                });
        assertThat(outcome.liars())
                .singleElement()
                .asString()
                .startsWith("site d: has passed on other words than the addend it sealed (sum ");
        assertThat(outcome.doubts()).isEmpty();
        // Without the keys it is known that somebody lied, and said that nobody can be named.
        assertThat(audit(site -> site != 1).liars()).isEmpty();
        assertThat(audit(site -> site != 1).doubts())
                .singleElement()
                .asString()
                .contains("do not add up", "erased at b", "policy: audit");
    }

    /** What others sent is altered on the way. */
    @Test
    void whoeverAltersWordsOfOthersIsNamed() throws Exception {
        Audit.Outcome outcome = ran((site, keeping) -> site != 1
                ? keeping
                : new WrappedGuard(keeping) {
                    @Override
                    public void stamp(SumRequest request, double[] seal, double[] message, int from) {
                        tilt(request, message, from);
                        keeping.stamp(request, seal, message, from);
                    }
                });
        assertThat(outcome.liars())
                .singleElement()
                .asString()
                .startsWith("site b: has passed on other words than the addend it sealed and those that it received");
    }

    /** Words that are not under the seal of whoever sent them do not get past the next site. */
    @Test
    void aSealOfOtherWordsIsRefusedAtOnce() {
        assertThatThrownBy(() -> ran((site, keeping) -> site != 3
                        ? keeping
                        : new WrappedGuard(keeping) {
                            @Override
                            public void stamp(SumRequest request, double[] seal, double[] message, int from) {
                                keeping.stamp(request, seal, message, from);
                                shift(message, from);
                            }
                        }))
                .hasMessageContaining("under a seal that is not theirs");
    }

    /** Whoever opens what it likes is held to its seal; this one adapts and opens what would add up. */
    @Test
    void whoeverOpensAnotherAddendIsNamed() throws Exception {
        ran((site, keeping) -> keeping);
        Opening.Opened last = opened.get(2).get(5);
        shift(last.words(), 0);
        assertThat(audit(site -> true).liars())
                .singleElement()
                .isEqualTo("site c: has opened another addend than the one it sealed (sum 6)");
    }

    /** A total that nobody signed cannot be blamed on anybody else. */
    @Test
    void whoeverOpensAnotherTotalIsNamed() throws Exception {
        ran((site, keeping) -> keeping);
        opened.get(2).get(3).result()[HiddenSum.HEAD] += 1;
        assertThat(audit(site -> true).liars())
                .contains("site c: has opened a total that site a, the root, has not signed (sum 4)");
    }

    /** Two totals of one sum, both signed: the signatures say by whom. */
    @Test
    void whoeverTellsTwoTotalsIsNamed() throws Exception {
        ran((site, keeping) -> keeping);
        // What site 0 would have told site 2 if it had lied in the last sum, with its signature.
        List<Opening.Opened> sums = opened.get(2);
        int last = sums.size() - 1;
        SumHistory history = new SumHistory(network.sessions().get(2).id());
        List<Opening.Opened> honest = opening(2, true).sums();
        for (int k = 0; k < last; k++) {
            history.add(honest.get(k).question(), honest.get(k).told(SITES));
        }
        double[] lie = honest.get(last).told(SITES);
        lie[HiddenSum.HEAD] *= 1 + 1e-12;
        history.add(honest.get(last).question(), lie);
        byte[] signature = network.sessions().get(0).sign(last + 1, history.digest());
        double[] signatures = Seals.entries(signature);
        double[] result = Arrays.copyOf(lie, lie.length + signatures.length);
        System.arraycopy(signatures, 0, result, lie.length, signatures.length);
        sums.set(
                last,
                new Opening.Opened(new byte[0], new byte[0], sums.get(last).words(), result));
        assertThat(audit(site -> true).liars())
                .contains("site a: has signed another total for site c than the one it has opened itself (sum "
                        + (last + 1) + ")");
    }
}
