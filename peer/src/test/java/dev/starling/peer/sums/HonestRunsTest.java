package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.network.Topology;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs in which nobody deviates trip no rule, and tell no more than was said beforehand. */
@Timeout(3600)
class HonestRunsTest {

    private static final double GAP = 1e-6;
    private static final int[] SIZES = {50, 200, 1000, 10_000, 100_000};

    @TempDir
    private Path folder;

    /**
     * What came of a run.
     *
     * @param dropped columns that few rows of a site have, or one site only, which sites must leave out
     * @param told numbers while training
     * @param refusal why a rule refused; empty if none did
     */
    private record Outcome(
            String name,
            int rows,
            int columns,
            int dropped,
            boolean certified,
            double gap,
            long gradients,
            long hessians,
            long told,
            long allowed,
            double leverage,
            String refusal) {

        String line() {
            String rule = refusal.contains("class ")
                    ? "few rows of a class"
                    : refusal.contains("released-part")
                            ? "few values"
                            : refusal.contains("leverage") ? "leverage" : refusal;
            String end = !refusal.isEmpty()
                    ? "refused: " + rule
                    : certified ? "certified" : String.format(Locale.ROOT, "gap %.0e", gap);
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %s | %d | %d | %d | %d | %.2f |",
                    name,
                    rows,
                    columns,
                    dropped,
                    end,
                    gradients + hessians,
                    hessians,
                    told,
                    allowed,
                    leverage);
        }
    }

    private Outcome run(String name, List<Dataset> all, String loss, double lambda) throws IOException {
        boolean classification = Losses.named(loss).isClassification();
        List<Dataset> sites = withoutRareColumns(all);
        int dropped = all.get(0).features() - sites.get(0).features();
        Settings settings =
                Settings.of(Losses.named(loss)).with(Setting.LAMBDA, lambda).with(Setting.GAP, GAP);
        settings = classification ? settings : settings.with(Setting.SCALING, Scaling.STANDARDIZE);
        Path own = Files.createTempDirectory(folder, "run");
        int smallest = sites.stream().mapToInt(Dataset::rows).min().orElse(0);
        Disclosure tells = Disclosure.of(Policy.DEFAULT, settings, sites.get(0), 3, 0, 0, 0);
        boolean certified = false;
        double gap = Double.POSITIVE_INFINITY;
        String refusal = "";
        MaskedNetwork network =
                new MaskedNetwork(settings, Topology.named("complete").build(3, 1), sites, Policy.DEFAULT, true, own);
        try {
            sites.forEach(rows -> ColumnCheck.require(rows, classification, Policy.DEFAULT));
            LinearModel model = network.run().get(0);
            gap = model.provenance().certificate().relativeGap();
            certified = gap <= GAP;
        } catch (InvalidInputException e) {
            refusal = network.refusals().isEmpty()
                    ? e.getMessage()
                    : network.refusals().get(0);
        }
        List<LedgerLine> ledger = SumLedger.read(own.resolve("ledger-0"));
        long told = numbers(ledger, "gradient") + numbers(ledger, "hessian") + numbers(ledger, "line");
        assertThat(told).as("%s: no more than was said beforehand", name).isLessThanOrEqualTo(tells.numbers());
        assertThat(count(ledger, "hessian")).as(name).isLessThanOrEqualTo(tells.curvatures());
        return new Outcome(
                name,
                smallest,
                sites.get(0).features(),
                dropped,
                certified,
                gap,
                count(ledger, "gradient"),
                count(ledger, "hessian"),
                told,
                network.limits().numbers(),
                IntStream.range(0, 3)
                        .mapToDouble(site -> network.rules(site).leverage())
                        .max()
                        .orElse(0),
                refusal);
    }

    private static long count(List<LedgerLine> ledger, String kind) {
        return ledger.stream()
                .filter(line -> kind.equals(line.fields().get("kind")))
                .count();
    }

    private static long numbers(List<LedgerLine> ledger, String kind) {
        return ledger.stream()
                .filter(line -> kind.equals(line.fields().get("kind")))
                .mapToLong(line -> line.count("numbers"))
                .sum();
    }

    /** The same rows without columns that a site has too few rows of, or that fewer than three sites have. */
    private static List<Dataset> withoutRareColumns(List<Dataset> sites) {
        int features = sites.get(0).features();
        boolean[] kept = new boolean[features];
        int[] has = new int[features];
        Arrays.fill(kept, true);
        for (Dataset rows : sites) {
            int[] counts = new int[features];
            for (int i = 0; i < rows.rows(); i++) {
                for (int k = rows.start(i); k < rows.end(i); k++) {
                    counts[column(rows, i, k)] += rows.value(i, k) == 0f ? 0 : 1;
                }
            }
            for (int c = 0; c < features; c++) {
                kept[c] &= counts[c] == 0 || counts[c] >= Policy.DEFAULT.fewestPerColumn();
                has[c] += counts[c] > 0 ? 1 : 0;
            }
        }
        int[] place = new int[features];
        int next = 0;
        for (int c = 0; c < features; c++) {
            place[c] = kept[c] && has[c] >= Policy.DEFAULT.fewestSites() ? next++ : -1;
        }
        int width = next;
        return sites.stream().map(rows -> narrowed(rows, place, width)).toList();
    }

    private static int column(Dataset rows, int row, int k) {
        return rows.column(row, k);
    }

    private static Dataset narrowed(Dataset rows, int[] place, int width) {
        int[] offsets = new int[rows.rows() + 1];
        int[] columns = new int[(int) rows.storedValues()];
        float[] values = new float[columns.length];
        int count = 0;
        for (int i = 0; i < rows.rows(); i++) {
            for (int k = rows.start(i); k < rows.end(i); k++) {
                int to = place[column(rows, i, k)];
                if (to >= 0 && rows.value(i, k) != 0f) {
                    columns[count] = to;
                    values[count++] = (float) rows.value(i, k);
                }
            }
            offsets[i + 1] = count;
        }
        return Dataset.sparse(
                width, offsets, Arrays.copyOf(columns, count), Arrays.copyOf(values, count), rows.labels());
    }

    /** Three sites of so many rows each, drawn from all. */
    private static List<Dataset> drawn(Dataset all, int first, int others) {
        int[] order = IntStream.range(0, all.rows()).toArray();
        Random random = new Random(1);
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return List.of(
                all.picked(Arrays.copyOfRange(order, 0, first)),
                all.picked(Arrays.copyOfRange(order, first, first + others)),
                all.picked(Arrays.copyOfRange(order, first + others, first + 2 * others)));
    }

    @ParameterizedTest
    @CsvSource({"50,50", "200,200", "50,4000", "3000,3000"})
    void honestRunsOnGeneratedRowsAreNotRefused(int first, int others) throws IOException {
        Dataset all = Generator.classification(first + 2 * others, 8)
                .noise(0.2)
                .seed(3)
                .generate();
        Outcome outcome = run("generated", drawn(all, first, others), "logistic", 1e-3);
        assertThat(outcome.refusal()).isEmpty();
        assertThat(outcome.certified() || first == 50).as(outcome.line()).isTrue();
        Dataset numbers =
                Generator.regression(first + 2 * others, 8).noise(0.2).seed(3).generate();
        assertThat(run("generated", drawn(numbers, first, others), "squared", 1e-3)
                        .refusal())
                .isEmpty();
        assertThat(run("generated", drawn(all, first, others), "hinge", 1e-2).refusal())
                .isEmpty();
        assertThat(run("generated", drawn(numbers, first, others), "absolute", 1e-2)
                        .refusal())
                .isEmpty();
    }

    /** What may be told is too little for gradients alone: it goes into one Hessian and the steps that follow. */
    @Test
    void smallSitesSpendTheirAllowanceOnOneHessian() throws IOException {
        Dataset all = Generator.classification(3 * 67, 28)
                .conditioning(100)
                .noise(0.2)
                .seed(3)
                .generate();
        Outcome outcome = run("generated", drawn(all, 67, 67), "logistic", 1e-4);
        assertThat(outcome.refusal()).isEmpty();
        assertThat(outcome.hessians()).isEqualTo(1);
        assertThat(outcome.gap()).as(outcome.line()).isLessThan(1e-3);
    }

    /** A gradient of eight classes is longer than what may be told: nothing is told at all. */
    @Test
    void runsThatCannotBeginAreRefusedBeforeAnythingIsSent() throws IOException {
        Dataset all =
                Generator.classification(3 * 160, 60).density(0.07).seed(5).generate();
        double[] labels = IntStream.range(0, all.rows()).mapToDouble(i -> i % 8).toArray();

        Outcome outcome = run("generated", drawn(all.withLabels(labels), 160, 160), "logistic", 1e-3);

        assertThat(outcome.refusal()).contains("but one gradient").contains("released-part");
        assertThat(outcome.told()).isZero();
    }

    /** Sites of 50 to 100,000 rows, all alike, and one small site beside two large ones; a line of a table for each. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({
        "heart_scale,logistic",
        "splice,logistic",
        "mushrooms,logistic",
        "phishing,logistic",
        "a9a,logistic",
        "a9a.t,logistic",
        "w8a,logistic",
        "higgs_21k_natural,logistic",
        "higgs_balanced,logistic",
        "higgs_204k_imbalanced,logistic",
        "covtype.libsvm.binary.scale,logistic",
        "cadata,squared",
        "cpusmall,squared",
        "abalone,squared",
        "space_ga,squared",
        "rcv1_cocoa_small.train,logistic",
        "rcv1_cocoa_small.test,logistic",
        "news20,logistic",
        "news20.t,logistic"
    })
    void honestRunsOnRealRowsAreRefusedOnlyForFewRows(String name, String loss) throws IOException {
        Dataset all = SharedData.read(name + ".gz");
        List<Outcome> outcomes = new ArrayList<>();
        for (int size : SIZES) {
            if (3L * size <= all.rows()) {
                outcomes.add(run(name, drawn(all, size, size), loss, 1e-4));
            }
        }
        outcomes.add(run(name, drawn(all, 50, Math.min(100_000, (all.rows() - 50) / 2)), loss, 1e-4));
        outcomes.forEach(outcome -> print(outcome.line()));
        // Only rows that have hardly more values than there are columns: no number may then be told.
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome.refusal()).as(outcome.line()).matches("|.*released-part.*|.*class.*"));
    }

    /** The same for losses with kinks, of which a site's leverage may have enough before the run has. */
    @ParameterizedTest
    @Tag("slow")
    @CsvSource({"phishing,hinge", "a9a,hinge", "cadata,absolute", "cpusmall,absolute"})
    void honestRunsWithKinksAreRefusedOnlyForSmallClasses(String name, String loss) throws IOException {
        Dataset all = SharedData.read(name + ".gz");
        List<Outcome> outcomes = new ArrayList<>();
        for (int size : new int[] {50, 200, 1000}) {
            outcomes.add(run(name, drawn(all, size, size), loss, 1e-4));
        }
        outcomes.add(run(name, drawn(all, 50, 4000), loss, 1e-4));
        outcomes.forEach(outcome -> print(outcome.line()));
        assertThat(outcomes)
                .allSatisfy(outcome ->
                        assertThat(outcome.refusal()).as(outcome.line()).matches("|.*class.*"));
    }

    @SuppressWarnings("SystemOut")
    private static void print(String line) {
        System.out.println(line);
    }
}
