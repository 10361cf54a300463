package dev.starling.peer.sums;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import dev.starling.network.Topology;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loss with a score for every class, between sites with rules, masks and ledgers. */
@Timeout(300)
class SoftmaxSumsTest {

    private static final int CLASSES = 3;
    private static final int FEATURES = 5;

    @TempDir
    private Path folder;

    private static Dataset rows(int count, int seed) {
        Dataset plain = Generator.classification(count, FEATURES).seed(seed).generate();
        double[] labels = new double[count];
        Arrays.setAll(labels, i -> plain.label(i) > 0 ? 2 : i % 2);
        return plain.withLabels(labels);
    }

    private static Settings settings() {
        return Settings.of(new Softmax()).with(Setting.LAMBDA, 1e-2).with(Setting.GAP, 1e-6);
    }

    @Test
    void sitesTrainItUnderTheirRulesAndTellNoMoreThanTheySaid() throws IOException {
        MaskedNetwork network = new MaskedNetwork(
                settings(),
                Topology.named("complete").build(3, 1),
                List.of(rows(1500, 1), rows(1400, 2), rows(1600, 3)),
                Policy.DEFAULT,
                true,
                folder);
        LinearModel model = network.run().get(0);

        assertThat(network.refusals()).isEmpty();
        assertThat(model.provenance().certified()).isTrue();
        assertThat(model.scores()).isEqualTo(CLASSES);
        Disclosure told = Disclosure.of(Policy.DEFAULT, settings(), rows(1500, 1), 3, 0, 0, 0);
        List<LedgerLine> ledger = SumLedger.read(folder.resolve("ledger-0"));
        for (LedgerLine line : ledger) {
            String kind = String.valueOf(line.fields().get("kind"));
            long numbers = Long.parseLong(String.valueOf(line.fields().getOrDefault("numbers", "0")));
            if (kind.equals("gradient")) {
                assertThat(numbers).isEqualTo(5 + CLASSES * FEATURES).isLessThanOrEqualTo(told.gradientNumbers());
            }
            if (kind.equals("hessian")) {
                // Of every pair of classes, the lower triangle of a symmetric block.
                assertThat(numbers).isEqualTo(5 + CLASSES * FEATURES + 6 * 15).isEqualTo(told.hessianNumbers());
            }
        }
        assertThat(ledger.stream().map(line -> line.fields().get("kind"))).contains("gradient", "hessian");
        assertThat(IntStream.range(0, 3)
                        .mapToDouble(site -> network.rules(site).leverage())
                        .max()
                        .orElseThrow())
                .isPositive();
    }

    @Test
    void aClassWithFewRowsIsRefused() {
        Dataset few = rows(1500, 1);
        double[] labels = few.labels().clone();
        for (int i = 0; i < labels.length; i++) {
            labels[i] = labels[i] == 1 && i > 6 ? 0 : labels[i];
        }

        assertThatRefused(() -> ColumnCheck.require(few.withLabels(labels), true, Policy.DEFAULT))
                .hasMessageContaining("class 1 (");
    }

    private static SiteRules rules(Dataset rows) {
        return new SiteRules(
                Policy.DEFAULT,
                settings(),
                rows,
                index -> LocalProblem.of(rows, new Softmax(CLASSES), 1e-2),
                SlopesAccount.none());
    }

    private static SumRequest gradient(double[] point, int rows) {
        return SumRequest.atPoint(SumKind.GRADIENT, 0, 1, point, rows, 5 + CLASSES * FEATURES);
    }

    /** A point at which one class is sure of every row but one: the sum for another is that row. */
    @Test
    void aRowThatStandsOutForOneClassOnlyIsNoticed() {
        double[][] x = new double[1000][FEATURES];
        double[] labels = new double[1000];
        for (int i = 0; i < 1000; i++) {
            x[i][0] = 1;
            x[i][1] = i == 500 ? 1 : 0;
            x[i][2] = i % 7;
            labels[i] = i % 2;
        }
        Dataset rows = Dataset.of(x, labels);
        double[] point = new double[CLASSES * FEATURES];
        point[2 * FEATURES] = -4;
        point[2 * FEATURES + 1] = 8;

        assertThatRefused(() -> rules(rows).require(gradient(point, 1000), new double[0]))
                .hasMessageContaining("depend on one of its rows");
    }

    @Test
    void aPointOfTheWrongLengthIsRefused() {
        Dataset rows = rows(1000, 4);
        assertThatRefused(() -> rules(rows).require(gradient(new double[FEATURES], 1000), new double[0]))
                .hasMessageContaining("a sum, gradient, at a point of 5 parameters for 3 outputs of 5 features");
    }
}
