package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.model.CrossValidation;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SettingTexts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job tells on its way: listeners, guards, drivers, and whoever stops it. All of it at a node alone. */
class TrainingCourseTest {

    private static final int ROWS = 60;
    private static final Network ALONE = Network.of(1, new int[0][]);
    private static final Dataset DATA =
            Generator.classification(ROWS, 4).noise(0.2).seed(3).generate();
    private static final Dataset THREE_CLASSES = DATA.withLabels(IntStream.range(0, ROWS)
            .mapToDouble(i -> (i + (DATA.label(i) > 0 ? 1 : 0)) % 3)
            .toArray());
    private static final Settings SETTINGS =
            Settings.of(new Logistic()).with(Setting.LAMBDA, 0.05).with(Setting.ONE_VERSUS_REST, true);

    private static final class Heard implements TrainingListener {
        final List<String> started = new ArrayList<>();
        final List<TrainingPlan> plans = new ArrayList<>();
        final List<DoubleSupplier> epochs = new ArrayList<>();
        final List<Certificate> certificates = new ArrayList<>();
        final List<Double> left = new ArrayList<>();
        Runnable atCertificate = () -> {};

        @Override
        public void started(int index, int count, TrainingPlan plan, DoubleSupplier done) {
            started.add(index + " of " + count);
            plans.add(plan);
            epochs.add(done);
        }

        @Override
        public void certified(Certificate certificate, double epochsLeft) {
            certificates.add(certificate);
            left.add(epochsLeft);
            atCertificate.run();
        }
    }

    private final Heard heard = new Heard();
    private final List<String> asked = new ArrayList<>();
    private double[] answer = {0};

    private TrainingJob job(Settings settings, Dataset rows) {
        return job(settings, JobRules.inMemory(), rows, SumGuard.NONE, Optional.empty());
    }

    private TrainingJob job(
            Settings settings, JobRules rules, Dataset rows, SumGuard guard, Optional<RawWeights> start) {
        Collectives nodes = Collectives.apart(ALONE.spanningTree(), 0, 1, guard);
        PlanningPhase agreement = new PlanningPhase(settings, rules, ALONE, nodes, NodeRows.all(rows));
        return new TrainingJob(settings, rules, agreement, heard, start, Optional.empty());
    }

    /** Goes on until it ends, or until a condition holds between exchanges. */
    private void drive(TrainingJob job, BooleanSupplier enough) {
        while (!enough.getAsBoolean()) {
            Exchange exchange = job.advance();
            if (exchange.kind() == Exchange.Kind.END) {
                return;
            }
            if (exchange.kind() == Exchange.Kind.ASK) {
                asked.add(exchange.question());
                job.absorb(new double[][] {answer});
            } else {
                job.absorb(new double[exchange.from().length][]);
            }
        }
    }

    private JobResult run(TrainingJob job) {
        drive(job, () -> false);
        return job.result();
    }

    @ParameterizedTest
    @ValueSource(strings = {"newton", "adfs"})
    void theReachedModelIsTheFinalOneAtTheEnd(String method) {
        TrainingJob job = job(
                SETTINGS.with(Setting.METHOD, method)
                        .with(Setting.SCALING, Scaling.STANDARDIZE)
                        .with(Setting.BIAS, 1.0),
                THREE_CLASSES);
        List<Integer> problems = new ArrayList<>();
        heard.atCertificate = () -> problems.add(job.reached().weights().length);
        JobResult result = run(job);
        LinearModel model = result.model("");

        for (int k = 0; k < 3; k++) {
            assertThat(job.reached().weights()[k]).containsExactly(model.weights(k));
            assertThat(job.reached().intercepts()[k]).isEqualTo(model.intercept(k));
        }
        assertThat(problems.get(0)).as("the first problem").isEqualTo(1);
        assertThat(problems.get(problems.size() - 1)).as("all of them").isEqualTo(3);
    }

    @Test
    void itCanBeStoppedWhileItTrains() {
        TrainingJob job = job(
                SETTINGS.with(Setting.METHOD, "adfs").with(Setting.GAP, 1e-13).with(Setting.MAX_EPOCHS, 1e9), DATA);
        assertThat(job.canStop()).isFalse();
        drive(job, job::canStop);
        job.absorb(new double[job.advance().from().length][]);
        job.stop();
        JobResult result = run(job);

        assertThat(job.canStop()).isFalse();
        assertThat(heard.certificates).hasSize(1);
        assertThat(result.certificate()).isEqualTo(heard.certificates.get(0));
        assertThat(result.certificate().epochs()).isEqualTo(1);
        assertThat(result.isCertified()).isFalse();
    }

    @Test
    void aTimedJobAsksAtEveryCertificateWhetherTimeIsUp() {
        JobRules timed =
                new JobRules(JobRules.LabelRule.FOUND, JobRules.inMemory().delay(), false, true);
        answer = new double[] {1};
        JobResult result = run(job(
                SETTINGS.with(Setting.METHOD, "adfs").with(Setting.GAP, 1e-13).with(Setting.MAX_EPOCHS, 1e9),
                timed,
                DATA,
                SumGuard.NONE,
                Optional.empty()));

        assertThat(asked).containsExactly(StoppingRule.TIME_IS_UP);
        assertThat(heard.certificates).hasSize(1);
        assertThat(result.isCertified()).isFalse();
        asked.clear();
        run(job(SETTINGS.with(Setting.METHOD, "adfs"), DATA));
        assertThat(asked).as("without a clock").isEmpty();
    }

    /** What a guard hears of what all nodes say, and what methods ask of it. */
    private static final class Watching implements SumGuard {
        final List<String> said = new ArrayList<>();
        final List<String> consents = new ArrayList<>();
        final List<String> sums = new ArrayList<>();
        boolean betweenOwners;
        ReleaseLimits limits = ReleaseLimits.NONE;

        @Override
        public boolean isBetweenOwners() {
            return betweenOwners;
        }

        @Override
        public ReleaseLimits limits() {
            return limits;
        }

        @Override
        public void requireSaid(int node, long rows, double weight) {
            said.add(node + " " + rows + " " + weight);
        }

        @Override
        public void requireConsent(String method) {
            consents.add(method);
        }

        @Override
        public void opened(SumRequest request, double[] totals) {
            sums.add(request.name());
        }
    }

    @Test
    void factsOfNodesArePassedToTheGuard() {
        double[] weights = new double[ROWS];
        Arrays.fill(weights, 2);
        Watching plain = new Watching();
        run(job(SETTINGS, JobRules.inMemory(), DATA.withWeights(weights), plain, Optional.empty()));
        assertThat(plain.said).containsExactly("0 60 120.0");

        Watching weighed = new Watching();
        run(job(
                SETTINGS.with(Setting.CLASS_WEIGHTS, SettingTexts.classWeights("1=3")),
                JobRules.inMemory(),
                DATA,
                weighed,
                Optional.empty()));
        assertThat(weighed.said).as("class weights make the weight another").containsExactly("0 60 NaN");
    }

    @Test
    void methodsThatSendMoreThanSumsNeedConsent() {
        Watching adfs = new Watching();
        run(job(SETTINGS.with(Setting.METHOD, "adfs"), JobRules.inMemory(), DATA, adfs, Optional.empty()));
        assertThat(adfs.consents).containsExactly("adfs");

        Watching newton = new Watching();
        run(job(SETTINGS.with(Setting.METHOD, "newton"), JobRules.inMemory(), DATA, newton, Optional.empty()));
        assertThat(newton.consents).isEmpty();
        newton.limits = new ReleaseLimits(4, 9, 9, 9, 0);
        assertThatRefused(() -> run(job(
                        SETTINGS.with(Setting.METHOD, "newton").with(Setting.BIAS, 1.0),
                        JobRules.inMemory(),
                        DATA,
                        newton,
                        Optional.empty())))
                .hasMessageContaining("takes 5");
    }

    @Test
    void presenceOfColumnsIsSummedOnlyBetweenOwners() {
        Watching one = new Watching();
        run(job(SETTINGS, JobRules.inMemory(), DATA, one, Optional.empty()));
        Watching several = new Watching();
        several.betweenOwners = true;
        run(job(SETTINGS, JobRules.inMemory(), DATA, several, Optional.empty()));

        assertThat(one.sums).doesNotContain(ColumnPresence.KIND);
        assertThat(several.sums).contains(ColumnPresence.KIND);
    }

    @Test
    void theModelReachedAtACertificateIsTheCertifiedOne() {
        TrainingJob job = job(
                SETTINGS.with(Setting.METHOD, "newton").with(Setting.BIAS, 0.0).with(Setting.GAP, 1e-10), DATA);
        List<double[]> reached = new ArrayList<>();
        heard.atCertificate = () -> reached.add(job.reached().weights()[0]);
        run(job);

        for (int k = 0; k < reached.size(); k++) {
            double[] theta = reached.get(k);
            double objective = LocalProblem.of(DATA, new Logistic(), 0.05).lossSum(theta) / ROWS;
            for (double weight : theta) {
                objective += 0.05 / 2 * weight * weight;
            }
            assertThat(heard.certificates.get(k).objective()).isCloseTo(objective, within(1e-12));
        }
        assertThat(reached.get(reached.size() - 1)).doesNotContain(0);
    }

    private static JobResult with(
            JobResult base, List<Solution> solved, List<JobResult> path, Optional<CrossValidation> validation) {
        return new JobResult(
                base.settings(),
                base.plan(),
                base.agreement(),
                solved,
                path,
                validation,
                base.updates(),
                Optional.empty(),
                Optional.empty());
    }

    private static Solution solved(double gap, boolean stalled, double standardErrors) {
        return new Solution(
                new Certificate(1, 1 - gap, 5, 2), new double[5], stalled, new Exactness(standardErrors, List.of()));
    }

    private static CrossValidation validation(boolean certified, boolean stalled) {
        return new CrossValidation(
                2, "content", "min", certified, stalled, 1, List.of(), 0, 0, CrossValidation.FoldScores.UNKNOWN);
    }

    @Test
    void aResultIsCertifiedIfAllProblemsAreAndStalledIfAnyIs() {
        JobResult base = run(job(SETTINGS.with(Setting.GAP, 1e-6), DATA));
        Solution met = solved(1e-7, true, 1e-9);
        Solution short1 = solved(1e-3, false, 1e-5);
        Solution stalled = solved(1e-3, true, 1e-7);
        JobResult good = with(base, List.of(met), List.of(), Optional.empty());
        JobResult one = with(base, List.of(met, short1), List.of(), Optional.empty());
        JobResult stuck = with(base, List.of(met, stalled), List.of(), Optional.empty());

        assertThat(good.isCertified()).isTrue();
        assertThat(good.isStalled()).as("it met the rule all the same").isFalse();
        assertThat(one.isCertified()).isFalse();
        assertThat(one.isStalled()).isFalse();
        assertThat(stuck.isStalled()).isTrue();
        assertThat(with(base, List.of(met), List.of(good, one), Optional.empty())
                        .isCertified())
                .isFalse();
        assertThat(with(base, List.of(met), List.of(good, stuck), Optional.empty())
                        .isStalled())
                .isTrue();
        JobResult folded = with(base, List.of(met), List.of(good), Optional.of(validation(true, false)));
        assertThat(folded.isCertified()).isTrue();
        assertThat(folded.isStalled()).isFalse();
        JobResult badly = with(base, List.of(met), List.of(good), Optional.of(validation(false, true)));
        assertThat(badly.isCertified()).isFalse();
        assertThat(badly.isStalled()).isTrue();
        assertThat(one.certificates()).containsExactly(met.certificate(), short1.certificate());
        assertThat(one.certificate()).isEqualTo(met.certificate().plus(short1.certificate()));
        assertThat(one.exactness().standardErrors()).as("the worst of both").isEqualTo(1e-5);
    }
}
