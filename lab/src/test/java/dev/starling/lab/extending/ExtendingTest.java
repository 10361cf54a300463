package dev.starling.lab.extending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Poisson;
import dev.starling.loss.Softmax;
import dev.starling.loss.Squared;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.EstimatingProgram;
import dev.starling.objective.Family;
import dev.starling.objective.TermLoss;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worked examples of docs/extending.md, put to work. */
class ExtendingTest {

    private static final Path ROOT = Path.of(System.getProperty("starling.root"));

    private static final Dataset DATA =
            Generator.classification(400, 6).noise(0.1).seed(3).generate();

    @Test
    void aCustomLossIsTrainedByEveryMethod() {
        Dataset data = Generator.regression(300, 5).noise(0.3).seed(4).generate();
        Trainer trainer = Trainer.of(new LogCosh()).lambda(1e-2).gap(1e-8).topology("ring");
        Fit newton = trainer.method("newton").fit(data);
        Fit adfs = trainer.method("adfs").fit(data);
        assertThat(newton.isCertified()).isTrue();
        assertThat(adfs.isCertified()).isTrue();
        assertThat(adfs.objective()).isCloseTo(newton.objective(), within(1e-8));
    }

    @Test
    void aCustomLossHasANameInSettingsAndModels(@TempDir Path folder) {
        Dataset data = Generator.regression(60, 3).noise(0.3).seed(4).generate();
        Settings settings = Settings.of(Map.of("loss", "log-cosh", "lambda", "0.01"));
        assertThat(settings.loss()).isInstanceOf(LogCosh.class);
        assertThat(Losses.names()).contains("logistic", "log-cosh");
        LinearModel model =
                Trainer.of(settings.loss()).lambda(0.01).nodes(2).fit(data).model();
        model.save(folder.resolve("model.json"));
        LinearModel read = LinearModel.load(folder.resolve("model.json"));
        assertThat(Settings.of(read.provenance().settings()).loss()).isInstanceOf(LogCosh.class);
        assertThatThrownBy(() -> Losses.named("log-cos")).hasMessageContaining("log-cosh");
    }

    /** Joint classes with a family that is not in any of Starling's lists. */
    private record OwnClasses(Softmax same) implements TermLoss {

        @Override
        public Family family() {
            return Family.of(same);
        }

        @Override
        public String name() {
            return "own-classes";
        }

        @Override
        public Loss forClasses(int classes) {
            return new OwnClasses(new Softmax(classes));
        }

        @Override
        public int outputs() {
            return same.outputs();
        }

        @Override
        public double value(double margin, double label) {
            return same.value(margin, label);
        }

        @Override
        public double derivative(double margin, double label) {
            return same.derivative(margin, label);
        }

        @Override
        public double value(double[] margins, double label) {
            return same.value(margins, label);
        }

        @Override
        public void bend(double[] margins, double label, double[] slopes, double[] curvatures) {
            same.bend(margins, label, slopes, curvatures);
        }

        @Override
        public boolean isDifferentiable() {
            return true;
        }

        @Override
        public boolean isClassification() {
            return true;
        }

        @Override
        public double labelSize(double label) {
            return 0;
        }
    }

    @Test
    void aTermOfOnesOwnNeedsNoLineInStarling() {
        double[] labels = new double[DATA.rows()];
        Arrays.setAll(labels, i -> i % 5 == 0 ? 2 : DATA.label(i) > 0 ? 1 : 0);
        Dataset three = DATA.withLabels(labels);
        Fit own = Trainer.of(new OwnClasses(new Softmax()))
                .lambda(1e-2)
                .gap(1e-8)
                .nodes(3)
                .fit(three);
        Fit listed = Trainer.of(new Softmax()).lambda(1e-2).gap(1e-8).nodes(3).fit(three);
        assertThat(own.isCertified()).isTrue();
        assertThat(own.model().weightsHash()).isEqualTo(listed.model().weightsHash());
    }

    /** With every row in one of two groups and no regulariser, predictions are the means of the groups. */
    @Test
    void aFamilyPredictsMeansThroughItsLink() {
        Dataset data =
                Dataset.of(new double[][] {{0}, {0}, {0}, {1}, {1}, {1}, {1}}, new double[] {0, 3, 3, 5, 9, 7, 11});
        Trainer trainer =
                Trainer.of(new Poisson()).lambda(0).intercept(true).gap(1e-12).nodes(2);
        Fit threads = trainer.runner(new Threads(2)).fit(data);
        Fit simulator = trainer.runner(new Simulator()).fit(data);
        assertThat(threads.isCertified()).isTrue();
        assertThat(threads.model().hash()).isEqualTo(simulator.model().hash());
        assertThat(threads.model().predict(new double[] {0})).isCloseTo(2, within(1e-9));
        assertThat(threads.model().predict(new double[] {1})).isCloseTo(8, within(1e-9));
        assertThatThrownBy(() -> Trainer.of(new Poisson()).method("adfs").fit(data))
                .hasMessageContaining("needs a bound on the curvature");
    }

    /** Of three classes whose features are all the same, probabilities are the shares of their rows. */
    @Test
    void aTermWithSeveralOutputsIsTrainedForAllClassesAtOnce() {
        Dataset data = Dataset.of(new double[][] {{1}, {1}, {1}, {1}, {1}, {1}}, new double[] {4, 4, 4, 7, 7, 9});
        Trainer trainer = Trainer.of(new Softmax()).lambda(1e-9).gap(1e-10).nodes(2);
        Fit threads = trainer.runner(new Threads(2)).fit(data);
        Fit simulator = trainer.runner(new Simulator()).fit(data);
        assertThat(threads.isCertified()).isTrue();
        assertThat(threads.model().hash()).isEqualTo(simulator.model().hash());
        assertThat(threads.model().probabilities(new double[] {1}))
                .containsExactly(new double[] {1 / 2.0, 1 / 3.0, 1 / 6.0}, within(1e-4));
        assertThatThrownBy(() -> Trainer.of(new Softmax()).method("adfs").fit(data))
                .hasMessageContaining("takes one score per row, and the loss softmax has one for each class");
    }

    @Test
    void aCustomGraphIsTrainedOn() {
        Network wheel = Wheel.of(8);
        assertThat(wheel.edges()).isEqualTo(14);
        assertThat(Trainer.logistic().network(wheel).lambda(1e-2).fit(DATA).isCertified())
                .isTrue();
    }

    @Test
    void aComparedMethodRunsInIdealisedTime() {
        Problem problem = Problem.deal(DATA, new Logistic(), 0.1, 4);
        Network ring = Topology.named("ring").build(4, 1);
        List<? extends EstimatingProgram> programs = new GossipDescent().programs(problem, ring, 5, 1);
        double[] theta = new double[6];
        StopSignal enough = StopSignal.manual();
        new Simulator((node, program, clock, rounds) -> {
                    if (rounds == 300) {
                        enough.request();
                    }
                })
                .run(ring, programs, Delays.uniform(5), enough);
        programs.get(0).estimate(theta);
        double best = Trainer.logistic().lambda(0.1).fit(DATA).objective();
        assertThat(problem.objective(theta)).isBetween(best, 1.05 * best);
    }

    @Test
    void aCustomMethodIsFoundByNameOnEveryRuntime() {
        Trainer trainer = Trainer.logistic()
                .lambda(0.1)
                .gap(1e-6)
                .method("gradient-descent")
                .nodes(5)
                .topology("star");
        Fit threads = trainer.runner(new Threads(3)).fit(DATA);
        Fit simulator = trainer.runner(new Simulator()).fit(DATA);
        assertThat(threads.isCertified()).isTrue();
        assertThat(threads.model().hash()).isEqualTo(simulator.model().hash());
        assertThat(threads.objective())
                .isCloseTo(Trainer.logistic().lambda(0.1).fit(DATA).objective(), within(1e-6));
        StopSignal raised = StopSignal.manual();
        raised.request();
        assertThat(trainer.stopSignal(raised).fit(DATA).outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThatThrownBy(() -> trainer.l1(0.1).fit(DATA))
                .hasMessageContaining("gradient-descent cannot take an l1 term");
    }

    @Test
    void rowsOfACustomFormatAreRowsLikeAnyOther() {
        Dataset rows = Plain.rows(List.of("0 1 -> -1", "1 0 -> 1", "2 0.5 -> 1", "0.5 2 -> -1"));
        assertThat(Trainer.logistic().nodes(2).fit(rows).model().predict(new double[] {3, 0}))
                .isEqualTo(1);
    }

    @Test
    void aModelIsWrittenInACustomFormat(@TempDir Path folder) throws IOException {
        LinearModel model = Trainer.of(new Squared())
                .bias(1)
                .fit(Generator.regression(50, 3).generate())
                .model();
        Path file = folder.resolve("model.csv");
        model.save(file, new CsvWeights());
        LinearModel read = new CsvWeights().read(Files.newInputStream(file), "model.csv");
        assertThat(read.weightsHash()).isEqualTo(model.weightsHash());
    }

    /** The page shows the code that is tested here, word for word. */
    @Test
    void thePageShowsWhatIsTested() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/extending.md"));
        Matcher blocks = Pattern.compile("(?s)```java\n(.*?)```").matcher(page);
        int count = 0;
        while (blocks.find()) {
            String block = blocks.group(1);
            Matcher type = Pattern.compile("(?m)^(?:public |final )*(?:class|record) (\\w+)")
                    .matcher(block);
            assertThat(type.find()).isTrue();
            String name = type.group(1) + ".java";
            Path source = Stream.of(
                            "lab/src/test/java/dev/starling/lab/extending",
                            "core/src/main/java/dev/starling/loss",
                            "core/src/main/java/dev/starling/objective/classes")
                    .map(folder -> ROOT.resolve(folder).resolve(name))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            assertThat(Files.readString(source)).contains(block);
            count++;
        }
        assertThat(count).isEqualTo(12);
    }
}
