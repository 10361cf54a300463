package dev.starling.peer.sums;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.keys.Fingerprint;
import dev.starling.loss.Logistic;
import dev.starling.network.Topology;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import dev.starling.objective.PassLayout;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.trust.KeyPin;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.Stored;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sites that deviate, or add up what they may see: what they get is asserted, not hoped. */
@Timeout(120)
class AttacksTest {

    private static final Settings SETTINGS =
            Settings.of(new Logistic()).with(Setting.LAMBDA, 1e-4).with(Setting.GAP, 1e-8);
    private static final int FEATURES = 6;

    @TempDir
    private Path folder;

    private static List<Dataset> sites(int... rows) {
        Dataset all = Generator.classification(IntStream.of(rows).sum(), FEATURES)
                .seed(5)
                .generate();
        List<Dataset> parts = new ArrayList<>();
        int from = 0;
        for (int count : rows) {
            parts.add(all.picked(IntStream.range(from, from + count).toArray()));
            from += count;
        }
        return parts;
    }

    private MaskedNetwork network(Settings settings, List<Dataset> rows) throws Exception {
        return new MaskedNetwork(
                settings, Topology.named("complete").build(rows.size(), 1), rows, Policy.DEFAULT, true, folder);
    }

    private List<LedgerLine> ledger(int site) throws Exception {
        return SumLedger.read(folder.resolve("ledger-" + site));
    }

    /** A small site among large ones took part in sampled passes with a single row. */
    @Test
    void aSmallSiteAmongLargeOnesIsNeverInASumWithFewRows() throws Exception {
        network(SETTINGS, sites(60, 30_000, 30_000)).run();
        assertThat(ledger(0))
                .filteredOn(line -> line.sum() > 0 && !line.fields().get("rows").equals("0"))
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(Integer.parseInt(line.fields().get("rows"))).isGreaterThanOrEqualTo(50));
        assertThat(ledger(1)).anySatisfy(line -> assertThat(line.fields()).containsEntry("stride", "8"));
    }

    /** Two Hessians over fewer rows than features determine the rows; no site lets so many numbers out. */
    @Test
    void sitesWithNoMoreRowsThanFeaturesSendNoHessians() throws Exception {
        Dataset wide = Generator.classification(180, 60).seed(2).generate();
        List<Dataset> parts = IntStream.range(0, 3)
                .mapToObj(site ->
                        wide.picked(IntStream.range(60 * site, 60 * site + 60).toArray()))
                .toList();
        new MaskedNetwork(
                        SETTINGS.with(Setting.MAX_EPOCHS, 20.0),
                        Topology.named("line").build(3, 1),
                        parts,
                        Policy.DEFAULT,
                        true,
                        folder)
                .run();
        long told = 0;
        for (LedgerLine line : ledger(1)) {
            assertThat(line.fields().get("kind")).isNotEqualTo("hessian");
            told += "gradient".equals(line.fields().get("kind"))
                    ? Long.parseLong(line.fields().get("numbers"))
                    : 0;
        }
        assertThat(told).isPositive().isLessThanOrEqualTo(60 * 60 / 2);
    }

    /**
     * A root that tells everyone, consistently, totals that lead Newton's common decision to the points it wants, where
     * rows are told apart one by one. Without checks it knows some exactly after ten passes, most after a hundred.
     */
    private static final class Steering extends WrappedGuard {
        private static final double CURVATURE = 1e-9;

        private final double far;
        private final double lambda;
        private final double[] direction;
        private final TreeMap<Double, double[]> known = new TreeMap<>();
        private double wanted;
        private double objective = 1e6;
        private double[] own;
        private int lies;

        Steering(MaskedSums honest, double far, double lambda) {
            super(honest);
            this.far = far;
            this.lambda = lambda;
            this.direction = new Random(7).doubles(FEATURES, -1, 1).toArray();
        }

        /** Once it lies it does not look at totals itself. */
        @Override
        public boolean isBetweenOwners() {
            return lies == 0;
        }

        @Override
        public void seal(SumRequest request, double[] addend, double[] words) {
            own = addend.clone();
            honest.seal(request, addend, words);
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            if (request.name().equals("gradient") || request.name().equals("hessian")) {
                lie(request, totals);
            }
            honest.opened(request, totals);
        }

        private void lie(SumRequest request, double[] totals) {
            int gradient = HiddenSum.HEAD + 5;
            double[] others = new double[FEATURES];
            for (int c = 0; c < FEATURES; c++) {
                others[c] = totals[gradient + c] - own[gradient + c];
            }
            if (lies > 0) {
                known.put(wanted, others);
            }
            lies++;
            wanted = far * (1 - 2.0 * (lies % 2)) / lies;
            double weight = totals[HiddenSum.HEAD + 1];
            double[] point = request.point();
            double norm = 0;
            for (int c = 0; c < FEATURES; c++) {
                double target = wanted * direction[c];
                totals[gradient + c] = weight * (-CURVATURE * (target - point[c]) - lambda * point[c]);
                norm += point[c] * point[c];
            }
            objective -= 1;
            totals[HiddenSum.HEAD] = weight * (objective - 0.5 * lambda * norm);
            if (request.name().equals("hessian")) {
                int at = gradient + FEATURES;
                for (int i = 0; i < FEATURES; i++) {
                    for (int j = 0; j <= i; j++) {
                        totals[at++] = i == j ? weight * (CURVATURE - lambda) : 0;
                    }
                }
            }
        }

        /** Rows that are the difference of two sums at neighbouring points, to a thousandth. */
        int rowsKnown(List<Dataset> victims) {
            int found = 0;
            double[] before = null;
            for (double[] now : known.values()) {
                if (before != null) {
                    found += victims.stream().anyMatch(new Match(before, now)::isIn) ? 1 : 0;
                }
                before = now;
            }
            return found;
        }

        private record Match(double[] one, double[] other) {
            boolean isIn(Dataset rows) {
                for (int i = 0; i < rows.rows(); i++) {
                    double[] row = new double[FEATURES];
                    rows.addTo(i, 1, row);
                    double most = 0;
                    for (int c = 0; c < FEATURES; c++) {
                        most = Math.max(most, Math.abs(Math.abs(one[c] - other[c]) - Math.abs(row[c])));
                    }
                    if (most < 1e-3) {
                        return true;
                    }
                }
                return false;
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"30,1e-4", "30,1e-6", "1e3,1e-4", "1e3,1e-6", "1e5,1e-4", "1e5,1e-6"})
    void aRootThatSteersIsDetectedBeforeItLearnsARow(double far, double lambda) throws Exception {
        List<Dataset> rows = sites(200, 200, 200);
        Steering[] attacker = new Steering[1];
        MaskedNetwork network = new MaskedNetwork(
                SETTINGS.with(Setting.LAMBDA, lambda),
                Topology.named("complete").build(3, 1),
                rows,
                Policy.DEFAULT,
                true,
                folder,
                (site, guard) -> {
                    if (site != 0) {
                        return guard;
                    }
                    attacker[0] = new Steering(guard, far, lambda);
                    return attacker[0];
                });
        assertThatRefused(network::run).hasMessageMatching("(?s).*(totals that cannot be right|rules refuse).*");
        assertThat(attacker[0].lies).isLessThan(5);
        assertThat(attacker[0].rowsKnown(rows.subList(1, 3))).isZero();
    }

    /** A site whose mask is wrong makes all totals noise: the run ends, and with no model. */
    @Test
    void aWrongMaskEndsTheRunWithoutAModel() throws Exception {
        MaskedNetwork network = new MaskedNetwork(
                SETTINGS,
                Topology.named("line").build(3, 1),
                sites(100, 100, 100),
                Policy.DEFAULT,
                true,
                folder,
                (site, guard) -> site != 1 ? guard : new Garbling(guard));
        assertThatRefused(network::run);
    }

    /** Seals as it should, and then changes a limb. */
    private static final class Garbling extends WrappedGuard {
        Garbling(MaskedSums honest) {
            super(honest);
        }

        @Override
        public void seal(SumRequest request, double[] addend, double[] words) {
            honest.seal(request, addend, words);
            words[3] = (words[3] + 12345) % 0x1p48;
        }
    }

    /** All but two: what they see of either is under a mask that only those two know. */
    @Test
    void allButTwoSitesTogetherSeeOnlyTheSumOfThoseTwo() throws Exception {
        double[] one = colluding(new double[] {1, 2, 3}, new double[] {40, 50, 60});
        double[] swapped = colluding(new double[] {40, 50, 60}, new double[] {1, 2, 3});
        // The sum of the two is theirs, whoever has what.
        assertThat(one).isEqualTo(swapped).containsExactly(41, 52, 63);
    }

    /** What sites 2 and 3 of four make of what 0 and 1 send: the sum, less all masks that they know. */
    private double[] colluding(double[] first, double[] second) throws Exception {
        MaskedNetwork network = network(SETTINGS, sites(100, 100, 100, 100));
        double[][] sent = new double[2][];
        byte[] question = new byte[32];
        for (int site = 0; site < 2; site++) {
            sent[site] = words(site == 0 ? first : second);
            network.sessions().get(site).masks().apply(question, sent[site]);
        }
        for (int site = 0; site < 2; site++) {
            double[] stripped = sent[site].clone();
            strip(network, site, stripped, question);
            // Without the mask that 0 and 1 share, nothing near the numbers is left.
            assertThat(SumWords.decode(stripped, 0)).isNotCloseTo((site == 0 ? first : second)[0], within(1e6));
        }
        double[] sum = sent[0].clone();
        SumWords.add(sum, sent[1], 0, sum.length);
        strip(network, 0, sum, question);
        strip(network, 1, sum, question);
        return new double[] {SumWords.decode(sum, 0), SumWords.decode(sum, 4), SumWords.decode(sum, 8)};
    }

    /** All but one: the masks of the last are all known, and so is what it adds. That is what is promised, no more. */
    @Test
    void allButOneSiteTogetherSeeWhatTheLastOneAdds() throws Exception {
        MaskedNetwork network = network(SETTINGS, sites(100, 100, 100));
        double[] words = words(new double[] {1, 2, 3});
        byte[] question = new byte[32];
        network.sessions().get(0).masks().apply(question, words);
        assertThat(SumWords.decode(words, 0)).isNotEqualTo(1);
        network.sessions().get(1).masks().apply(0, question, words);
        network.sessions().get(2).masks().apply(0, question, words);
        assertThat(SumWords.decode(words, 4)).isEqualTo(2);
    }

    /** Takes away the masks that sites 2 and 3 share with another: they apply them with the other sign. */
    private static void strip(MaskedNetwork network, int site, double[] words, byte[] question) {
        network.sessions().get(2).masks().apply(site, question, words);
        network.sessions().get(3).masks().apply(site, question, words);
    }

    private static double[] words(double[] numbers) {
        double[] words = new double[SumWords.LIMBS * numbers.length];
        for (int k = 0; k < numbers.length; k++) {
            SumWords.encode(numbers[k], words, SumWords.LIMBS * k);
        }
        return words;
    }

    /**
     * Three sites of four have a column, the third with a single row. Two of them take their own parts away from the
     * Hessian at 0, and what is left of that column is the row, to the last digits. Every other rule lets the run pass:
     * sums cover enough rows, and three sites have the column.
     */
    @Test
    void onlyTheRuleAboutFewRowsInAColumnHidesARareValue() throws Exception {
        int[] having = {20, 20, 1, 0};
        List<Dataset> rows = new ArrayList<>();
        for (int site = 0; site < having.length; site++) {
            rows.add(withARareColumn(having[site], site));
        }
        List<double[]> heard = new ArrayList<>();
        MaskedNetwork network = new MaskedNetwork(
                SETTINGS.with(Setting.LAMBDA, 1e-2).with(Setting.GAP, 1e-4),
                Topology.named("complete").build(4, 1),
                rows,
                Policy.DEFAULT,
                true,
                folder,
                (site, honest) -> new WrappedGuard(honest) {
                    @Override
                    public void opened(SumRequest request, double[] totals) {
                        if (site == 0 && request.kind() == SumKind.HESSIAN && isAtZero(request)) {
                            heard.add(totals.clone());
                        }
                        super.opened(request, totals);
                    }
                });
        network.run();
        double[] rebuilt = new double[FEATURES + 1];
        PassLayout layout = new PassLayout(FEATURES + 1, false);
        // The rare column is the first, so that every line of the triangle begins with its product.
        for (int c = 0; c < rebuilt.length; c++) {
            rebuilt[c] = heard.get(0)[layout.hessian() + c * (c + 1) / 2];
        }
        for (Dataset own : rows.subList(0, 2)) {
            for (int row = 0; row < own.rows(); row++) {
                for (int c = 0; c < rebuilt.length; c++) {
                    rebuilt[c] -= own.value(row, own.start(row)) * Stored.value(own, row, c) / 4;
                }
            }
        }
        double[] truth = IntStream.range(0, rebuilt.length)
                .mapToDouble(c -> Stored.value(rows.get(2), 0, c))
                .toArray();
        for (int c = 0; c < rebuilt.length; c++) {
            assertThat(4 * rebuilt[c]).isCloseTo(truth[c], within(1e-9));
        }
        assertThatThrownBy(() -> ColumnCheck.require(rows.get(2), true, Policy.DEFAULT))
                .hasMessageContaining("but there are fewer in 1: column 1 (1)");
        ColumnCheck.require(rows.get(0), true, Policy.DEFAULT);
        ColumnCheck.require(rows.get(3), true, Policy.DEFAULT);
    }

    private static boolean isAtZero(SumRequest request) {
        return Arrays.stream(request.point()).allMatch(entry -> entry == 0);
    }

    private static Dataset withARareColumn(int having, int seed) {
        Dataset plain = Generator.classification(400, FEATURES).seed(seed).generate();
        double[][] values = new double[plain.rows()][FEATURES + 1];
        for (int row = 0; row < plain.rows(); row++) {
            values[row][0] = row < having ? 1 : 0;
            for (int c = 0; c < FEATURES; c++) {
                values[row][c + 1] = Stored.value(plain, row, c);
            }
        }
        return Dataset.of(values, plain.labels());
    }

    /** The commitment says nothing about rows that can be guessed: another salt, another commitment. */
    @Test
    void aGuessOfTheRowsCannotBeConfirmed() {
        Dataset rows = sites(60).get(0);
        SiteFacts one = facts(SessionSecrets.random(), 0, rows);
        SiteFacts other = facts(SessionSecrets.random(), 0, rows);
        assertThat(one.committed()).isNotEqualTo(other.committed()).isNotEqualTo(Fingerprint.of(rows));
        assertThat(HexFormat.of().formatHex(one.encode())).doesNotContain(Fingerprint.of(rows));
    }

    private static SiteFacts facts(SessionSecrets secrets, int site, Dataset rows) {
        return secrets.facts(
                "run", "network", "settings", site, rows, new byte[16], Policy.DEFAULT.limits(1000, 6, true, 0));
    }

    private static final class Sites {
        private final List<SiteSignature> signers =
                List.of(MaskedNetwork.signer("site-0"), MaskedNetwork.signer("site-1"), MaskedNetwork.signer("site-2"));
        private final List<SumSession.Member> members = IntStream.range(0, 3)
                .mapToObj(site -> new SumSession.Member(
                        "site-" + site,
                        Optional.of(KeyPin.of(signers.get(site).credentials().certificate()))))
                .toList();

        SumSession session(int site, SessionSecrets secrets) {
            return new SumSession(
                    members,
                    signers.get(site),
                    secrets,
                    facts(secrets, site, sites(60).get(0)));
        }
    }

    @Test
    void aSiteThatShowsDifferentKeysIsDetected() {
        Sites sites = new Sites();
        SumSession victim = sites.session(0, SessionSecrets.random());
        SumSession one = sites.session(1, SessionSecrets.random());
        SumSession other = sites.session(1, SessionSecrets.random());
        assertThat(victim.facts(1, one.ownFacts())).isTrue();
        assertThatThrownBy(() -> victim.facts(1, other.ownFacts()))
                .hasMessageContaining("site site-1 has signed two different sets of facts");
    }

    /** Each of two sites hears other facts of the third: their sessions differ, and they notice before any sum. */
    @Test
    void sitesThatHeardDifferentFactsNoticeOnConfirmation() {
        Sites sites = new Sites();
        SessionSecrets[] liar = {SessionSecrets.random(), SessionSecrets.random()};
        SumSession a = sites.session(0, SessionSecrets.random());
        SumSession b = sites.session(1, SessionSecrets.random());
        a.facts(1, b.ownFacts());
        a.facts(2, sites.session(2, liar[0]).ownFacts());
        b.facts(0, a.ownFacts());
        b.facts(2, sites.session(2, liar[1]).ownFacts());
        assertThatThrownBy(() -> b.confirmation(0, a.ownConfirmation().orElseThrow()))
                .hasMessageContaining("site site-0 has received different facts about some site");
    }

    @Test
    void copiedKeysAndFactsInAnotherSitesNameAreRefused() {
        Sites sites = new Sites();
        SessionSecrets secrets = SessionSecrets.random();
        SumSession victim = sites.session(0, SessionSecrets.random());
        SumSession one = sites.session(1, secrets);
        victim.facts(1, one.ownFacts());
        assertThatThrownBy(() -> victim.facts(2, sites.session(2, secrets).ownFacts()))
                .hasMessageContaining("have the same session key");
        // Signed by 1, told as 2's: not signed by 2, so whoever tells it is not believed.
        assertThat(victim.facts(2, one.ownFacts())).isFalse();
        byte[] altered = one.ownFacts();
        altered[40] ^= 1;
        assertThat(victim.facts(1, altered)).isFalse();
    }

    /** Whoever holds the authority's key can make a certificate for any name, but not for a pinned key. */
    @Test
    void factsForgedWithTheAuthoritysKeyAreRefused() {
        Sites sites = new Sites();
        SumSession victim = sites.session(0, SessionSecrets.random());
        SessionSecrets secrets = SessionSecrets.random();
        SumSession forged = new SumSession(
                sites.members,
                MaskedNetwork.signer("site-1"),
                secrets,
                facts(secrets, 1, sites(60).get(0)));
        assertThat(victim.facts(1, forged.ownFacts())).isFalse();
    }

    /** The same number of a sum asked for twice, with another point or after rows have changed. */
    @Test
    void aSumIsAnsweredOnceOrWithTheSameBytes() throws Exception {
        SumLedger ledger = SumLedger.open(folder.resolve("ledger"), new byte[32]);
        SumRequest request = SumRequest.atPoint(SumKind.GRADIENT, 0, 1, new double[] {1}, 60, 3);
        byte[] question = new byte[32];
        ledger.record(1, question, request, new double[] {1, 2, 3, 4});
        ledger.record(1, question, request, new double[] {1, 2, 3, 4});
        byte[] another = question.clone();
        another[0] = 1;
        assertThatThrownBy(() -> ledger.record(1, another, request, new double[] {1, 2, 3, 4}))
                .hasMessageContaining("requested again in a different way");
        ledger.close();
        SumLedger restarted = SumLedger.open(folder.resolve("ledger"), new byte[32]);
        assertThat(restarted.sums()).isEqualTo(1);
        assertThatThrownBy(() -> restarted.record(1, question, request, new double[] {1, 2, 3, 5}))
                .hasMessageContaining("rows have changed");
        assertThat(SumLedger.read(folder.resolve("ledger"))).hasSize(1);
    }

    @Test
    void anAlteredLedgerIsDetectedAndAnUnfinishedLineIsIgnored() throws Exception {
        Path file = folder.resolve("ledger");
        SumRequest request = SumRequest.overAll(SumKind.COUNTS, "values", 60, 2);
        try (SumLedger ledger = SumLedger.open(file, new byte[32])) {
            for (int k = 1; k <= 3; k++) {
                ledger.record(k, new byte[32], request, new double[] {k, 0, 0, 0});
            }
            ledger.note("facts", "told to all sites");
        }
        String text = Files.readString(file);
        Files.writeString(file, text + "line=5\twhat=su");
        SumLedger.open(file, new byte[32]).close();
        assertThat(Files.readString(file)).isEqualTo(text);
        Files.writeString(file, text.replaceFirst("rows=60", "rows=61"));
        assertThatThrownBy(() -> SumLedger.read(file)).hasMessageContaining("line 1 was altered");
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n")));
        lines.remove(1);
        Files.writeString(file, String.join("\n", lines) + "\n");
        assertThatThrownBy(() -> SumLedger.read(file)).hasMessageContaining("line 2 was altered, or a line before it");
    }
}
