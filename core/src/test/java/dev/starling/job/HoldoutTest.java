package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.Generator;
import dev.starling.data.keys.RowKeys;
import dev.starling.evaluation.Area;
import dev.starling.evaluation.ClassMeasures;
import dev.starling.evaluation.Evaluation;
import dev.starling.evaluation.Measures;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Squared;
import dev.starling.model.EvaluationRecord;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.ForgetfulProgram;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HoldoutTest {

    private static final Dataset DATA = Generator.classification(600, 5).seed(2).generate();
    private static final Settings SETTINGS = Settings.of(new Logistic()).with(Setting.HOLDOUT, 0.25);

    /** The first value of each row, which no two rows share. */
    private static Set<Double> keys(Dataset rows) {
        Set<Double> keys = new TreeSet<>();
        for (int i = 0; i < rows.rows(); i++) {
            keys.add(rows.value(i, rows.start(i)));
        }
        return keys;
    }

    private static Dataset held(Settings settings, NodeRows rows) {
        return Holdout.of(settings, rows).held().orElseThrow().rows().get();
    }

    @Test
    void theSameRowsAreHeldOutHoweverTheyAreDealtOut() {
        Set<Double> whole = keys(held(SETTINGS, NodeRows.all(DATA)));
        Set<Double> together = new TreeSet<>();
        NodeRows.dealt(DATA, Dealing.TURNS.rows(DATA, 7, 0), new long[0])
                .forEach(rows -> together.addAll(keys(held(SETTINGS, rows))));
        int[] backwards =
                IntStream.iterate(DATA.rows() - 1, i -> i >= 0, i -> i - 1).toArray();

        assertThat(together).isEqualTo(whole);
        assertThat(keys(held(SETTINGS, NodeRows.all(DATA.picked(backwards))))).isEqualTo(whole);
        assertThat(keys(held(SETTINGS, NodeRows.all(DATA.laidOut(!DATA.isDense())))))
                .isEqualTo(whole);
        assertThat(keys(held(SETTINGS.with(Setting.SEED, 9L), NodeRows.all(DATA))))
                .isNotEqualTo(whole);
        assertThat((double) whole.size() / DATA.rows()).isCloseTo(0.25, within(0.05));
        assertThat(Holdout.of(SETTINGS, NodeRows.all(DATA)).training().count()).isEqualTo(600 - whole.size());
    }

    @Test
    void theModelIsTrainedOnTheOtherRowsAndEvaluatedOnHeldOutOnes() {
        Fit fit = Trainer.of(SETTINGS).nodes(1).fit(DATA);
        Holdout divided = Holdout.of(SETTINGS, NodeRows.all(DATA));
        Fit others = Trainer.of(SETTINGS.with(Setting.HOLDOUT, 0.0))
                .nodes(1)
                .fit(divided.training().data());

        assertThat(fit.model().hash()).isEqualTo(others.model().hash());
        assertThat(fit.evaluation().orElseThrow().values())
                .isEqualTo(Evaluation.of(fit.model(), held(SETTINGS, NodeRows.all(DATA)))
                        .values());
        assertThat(fit.model().provenance().evaluations())
                .containsOnly(Map.entry(
                        EvaluationRecord.HOLDOUT,
                        fit.evaluation().orElseThrow().toKeep().of(RowKeys.sum(held(SETTINGS, NodeRows.all(DATA))))));
        assertThat(fit.model().provenance().settings()).containsEntry("holdout", "0.25");
        assertThat(others.evaluation()).isEmpty();
    }

    static Stream<Loss> losses() {
        return Stream.of(new Logistic(), new Squared());
    }

    @ParameterizedTest
    @MethodSource("losses")
    void separateNodesGiveTheSameBitsAndOneEvaluation(Loss loss) {
        Dataset data = loss.isClassification()
                ? DATA
                : Generator.regression(600, 5).seed(4).generate();
        Settings settings = Settings.of(loss).with(Setting.HOLDOUT, 0.25);
        Network network = Topology.named("ring").build(4, 1);
        List<ForgetfulProgram<TrainingJob>> jobs = IntStream.range(0, 4)
                .mapToObj(node -> {
                    int[] own = IntStream.iterate(node, row -> row < data.rows(), row -> row + 4)
                            .toArray();
                    Holdout divided = Holdout.of(settings, NodeRows.all(data.picked(own)));
                    return new ForgetfulProgram<>(() -> apart(settings, network, node, divided));
                })
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(1), StopSignal.manual());
        Fit fit = Trainer.of(settings).nodes(4).topology("ring").fit(data);

        Measures exact = fit.evaluation().orElseThrow();
        for (ForgetfulProgram<TrainingJob> job : jobs) {
            JobResult result = job.program().result();
            Measures counted = result.evaluation().orElseThrow();
            assertThat(result.model("").hash()).isEqualTo(fit.model().hash());
            assertThat(counted.rows()).isEqualTo(exact.rows());
            exact.values().forEach((name, value) -> {
                if (!name.equals("auc") && !Double.isNaN(value)) {
                    assertThat(counted.values().get(name)).as(name).isCloseTo(value, within(1e-12 * Math.abs(value)));
                }
            });
            if (counted instanceof ClassMeasures classes) {
                Area area = classes.curves().get(0).area();
                assertThat(exact.values().get("auc")).isBetween(area.least(), area.most());
            }
        }
    }

    private static TrainingJob apart(Settings settings, Network network, int node, Holdout rows) {
        JobRules rules = JobRules.inMemory();
        Collectives nodes = Collectives.apart(network.spanningTree(), node, network.size(), SumGuard.NONE);
        PlanningPhase agreement = new PlanningPhase(settings, rules, network, nodes, rows.training());
        return new TrainingJob(settings, rules, agreement, TrainingListener.NONE, Optional.empty(), rows.held());
    }

    @Test
    void rowsOfAClassWithoutTrainingRowsAreNotEvaluated() {
        // A label is part of what a row says: look for a row that is kept with the third one.
        Dataset third = DATA.withLabels(IntStream.range(0, DATA.rows())
                .mapToDouble(i -> i == 0 ? 2 : DATA.label(i))
                .toArray());
        long seed = IntStream.range(0, 100)
                .filter(s -> Arrays.stream(held(SETTINGS.with(Setting.SEED, (long) s), NodeRows.all(third))
                                .labels())
                        .anyMatch(y -> y == 2))
                .findFirst()
                .orElseThrow();
        Fit fit = Trainer.of(SETTINGS.with(Setting.SEED, seed)).fit(third);
        assertThat(fit.model().classes()).containsExactly(-1.0, 1.0);
        assertThat(fit.evaluation().orElseThrow().rows())
                .isEqualTo(held(SETTINGS.with(Setting.SEED, seed), NodeRows.all(third))
                                .rows()
                        - 1);
    }
}
