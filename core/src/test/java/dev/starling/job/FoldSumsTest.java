package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Folds;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.ForgetfulProgram;
import dev.starling.support.SettingTexts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes add up for models without a fold. */
@Timeout(120)
class FoldSumsTest {

    private static final int FOLDS = 4;
    private static final int VALUES = 50;

    private static Settings settings(String loss, String ratios, int values, int folds) {
        return Settings.of(Losses.named(loss))
                .withPath(SettingTexts.path(Integer.toString(values), ratios))
                .withFolds(Folds.of(folds));
    }

    private static Dataset rows(Loss loss, int rows, int classes) {
        Generator generator =
                loss.isClassification() ? Generator.classification(rows, 8) : Generator.regression(rows, 8);
        Dataset data = generator.noise(0.3).seed(2).generate();
        if (classes == 2) {
            return data;
        }
        double[] labels = new double[rows];
        Arrays.setAll(labels, i -> data.label(i) > 0 ? 1 + i % (classes - 1) : 0);
        return data.withLabels(labels);
    }

    private static TrainingJob job(Settings settings, Network network, int node, Dataset own, SumGuard guard) {
        JobRules rules = JobRules.inMemory();
        Collectives nodes = Collectives.apart(network.spanningTree(), node, network.size(), guard);
        return new TrainingJob(
                settings,
                rules,
                new PlanningPhase(settings, rules, network, nodes, NodeRows.all(own)),
                TrainingListener.NONE);
    }

    /** Notes the sums of passes. */
    private static final class Passes implements SumGuard {
        private static final Set<String> KINDS = Set.of("gradient", "hessian", "diagonal", "proof");

        private final List<SumRequest> requests = new ArrayList<>();

        @Override
        public void opened(SumRequest request, double[] totals) {
            if (KINDS.contains(request.name())) {
                requests.add(request);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"logistic, 0, 2", "logistic, 0.5, 2", "logistic, 0, 3", "squared, 0, 2"})
    void mostModelsNeedOneOrTwoGradientsAndNoHessian(String loss, String ratio, int classes) {
        Network alone = Topology.named("line").build(1, 1);
        Passes passes = new Passes();
        Dataset rows = rows(Losses.named(loss), 4000, classes);
        TrainingJob job = job(settings(loss, ratio, VALUES, FOLDS), alone, 0, rows, passes);
        new Simulator().run(alone, List.of(job), Delays.uniform(1), StopSignal.manual());

        ProblemOrder order = new ProblemOrder(1, VALUES, FOLDS);
        List<SumRequest> ofFolds = passes.requests.stream()
                .filter(request -> order.fold(request.problem()) >= 0)
                .toList();
        int models = order.classes() * VALUES * FOLDS;
        assertThat(ofFolds.stream().map(SumRequest::name).collect(Collectors.toSet()))
                .containsOnly("gradient");
        assertThat(ofFolds.stream().mapToInt(SumRequest::problem).distinct().count())
                .isEqualTo(models);
        assertThat(ofFolds.size()).isLessThan(2 * models);
        assertThat(passes.requests).extracting(SumRequest::name).contains("hessian");
        assertThat(job.result().validation().orElseThrow().certified()).isTrue();
    }

    /** A fold goes on from what it was told before, and from Hessians that other problems were told. */
    @Tag("thorough")
    @ParameterizedTest
    @CsvSource({"logistic, '0,0.5', 3", "squared, 0, 2"})
    void separateNodesAndRestartsGiveTheSameBits(String loss, String ratios, int classes) {
        Settings settings = settings(loss, ratios, 4, 3).with(Setting.INTERCEPT, true);
        Dataset rows = rows(Losses.named(loss), 300, classes);
        Network network = Topology.named("line").build(3, 1);
        List<ForgetfulProgram<TrainingJob>> jobs = IntStream.range(0, 3)
                .mapToObj(node -> {
                    Dataset own = rows.picked(
                            IntStream.range(0, 100).map(k -> 3 * k + node).toArray());
                    return new ForgetfulProgram<>(() -> job(settings, network, node, own, SumGuard.NONE));
                })
                .toList();
        new Simulator().run(network, jobs, Delays.uniform(1), StopSignal.manual());

        Fit fit = Trainer.of(settings).nodes(3).topology("line").fit(rows);
        assertThat(fit.isCertified()).isTrue();
        for (ForgetfulProgram<TrainingJob> job : jobs) {
            assertThat(job.program().result().model("").hash())
                    .isEqualTo(fit.model().hash());
            assertThat(job.program().result().validation()).isEqualTo(fit.validation());
        }
    }
}
