package dev.starling.method.adfs.certified;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.loss.Squared;
import dev.starling.method.Facts;
import dev.starling.method.Solution;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.node.SumGuard;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.support.SavedStates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Certificates of an algorithm whose dual point is scripted: least squares of two numbers, the slopes of which are 1 −
 * e times the optimal ones, so that θ is 1 − e times the optimum.
 */
class CertifiedProgramTest {

    private static final double TARGET = 1e-6;
    private static final Network ALONE = Network.of(1, new int[0][]);

    private double[] labels = {1, 3};
    private double lambda = 0.25;

    /** How far slopes are from the optimal ones, by step. */
    private LongToDoubleFunction error = steps -> Math.pow(0.8, steps);

    private Theory theory = Theory.fixed(pace());
    private StoppingRule rule = new StoppingRule(TARGET, 1e6);
    private boolean wishesToStop;
    private double timeIsUp;

    private final List<Certificate> certificates = new ArrayList<>();
    private final List<Long> nextChecks = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<SumRequest> sums = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private static Tuning pace() {
        return new Tuning(1, 1, 1, 2, 0, 0, 0.5, 0.5);
    }

    /** Goes on by a step at every exchange. */
    private final class Scripted implements DualProgram {
        private final LocalProblem problem;
        private long steps;
        private long absorbed;

        /** Of some of the two numbers; a second feature is 0 in both rows. */
        Scripted(int... rows) {
            Dataset both = Dataset.of(new double[][] {{1, 0}, {1, 0}}, labels);
            problem = LocalProblem.of(both.picked(rows), new Squared(), lambda);
        }

        private double optimum() {
            // Σ (θ − y) + 2λθ = 0
            return (labels[0] + labels[1]) / (2 + 2 * lambda);
        }

        @Override
        public LocalProblem problem() {
            return problem;
        }

        @Override
        public double slope(int sample) {
            return (1 - error.applyAsDouble(steps)) * (optimum() - problem.label(sample));
        }

        @Override
        public long steps() {
            return steps;
        }

        @Override
        public long updates() {
            return 3 * steps;
        }

        @Override
        public long rounds() {
            return 0;
        }

        @Override
        public void drawIndependently() {
            told.add("draw independently at " + steps);
        }

        @Override
        public void adopt(Belief belief) {
            told.add("raise to " + belief.raises() + " at " + steps);
        }

        @Override
        public void estimate(double[] theta) {
            theta[0] = 100 + steps;
        }

        @Override
        public Exchange advance() {
            assertThat(absorbed).as("answers to the steps so far").isEqualTo(steps);
            steps++;
            return new Exchange().pause(1);
        }

        @Override
        public void absorb(double[][] messages) {
            absorbed++;
        }

        @Override
        public void state(State s) throws IOException {
            steps = s.number(steps);
            absorbed = steps;
        }
    }

    private CertifiedProgram program() {
        SumGuard guard = new SumGuard() {
            @Override
            public boolean wishesToStop() {
                return wishesToStop;
            }

            @Override
            public void opened(SumRequest request, double[] totals) {
                sums.add(request);
            }
        };
        Scripted algorithm = new Scripted(0, 1);
        return new CertifiedProgram(
                algorithm,
                Collectives.apart(ALONE.spanningTree(), 0, 1, guard).of(3, 7),
                Facts.of(algorithm.problem, new double[0]),
                theory,
                rule,
                (certificate, nextCheck) -> {
                    certificates.add(certificate);
                    nextChecks.add(nextCheck);
                });
    }

    private void exchange(CertifiedProgram program) {
        Exchange exchange = program.advance();
        if (exchange.kind() == Exchange.Kind.ASK) {
            asked.add(exchange.question());
            program.absorb(new double[][] {{timeIsUp}});
        } else {
            program.absorb(new double[0][]);
        }
    }

    private Solution run(CertifiedProgram program) {
        for (int k = 0; k < 10_000 && !program.isDone(); k++) {
            exchange(program);
        }
        assertThat(program.isDone())
                .as("ended after %s", certificates.stream().limit(5).toList())
                .isTrue();
        assertThat(program.advance().kind()).isEqualTo(Exchange.Kind.END);
        return program.result();
    }

    private double theta(long steps) {
        return (1 - error.applyAsDouble(steps)) * (labels[0] + labels[1]) / (2 + 2 * lambda);
    }

    private double objective(double theta) {
        return (square(theta - labels[0]) + square(theta - labels[1])) / 4 + lambda / 2 * theta * theta;
    }

    /** −Σ ℓ*(s)/n − (λ/2)θ², where ℓ*(s) = s²/2 + sy. */
    private double dual(long steps) {
        double share = 1 - error.applyAsDouble(steps);
        double optimum = (labels[0] + labels[1]) / (2 + 2 * lambda);
        double sum = 0;
        for (double label : labels) {
            double slope = share * (optimum - label);
            sum += slope * slope / 2 + slope * label;
        }
        return -sum / 2 - lambda / 2 * square(theta(steps));
    }

    private static double square(double value) {
        return value * value;
    }

    @Test
    void certificatesAreThoseOfTheDualPointAtTheStepsThatWereAnnounced() {
        Solution solved = run(program());

        assertThat(certificates).hasSizeGreaterThan(2);
        assertThat(certificates.get(0).steps())
                .as("a third of log(1e6)/log(2), rounded up")
                .isEqualTo(7);
        for (int k = 0; k < certificates.size(); k++) {
            Certificate certificate = certificates.get(k);
            assertThat(certificate.objective()).isCloseTo(objective(theta(certificate.steps())), within(1e-13));
            assertThat(certificate.dual()).isCloseTo(dual(certificate.steps()), within(1e-13));
            assertThat(certificate.epochs()).isEqualTo(1.5 * certificate.steps());
            if (k + 1 < certificates.size()) {
                assertThat(certificates.get(k + 1).steps()).isEqualTo(nextChecks.get(k));
                assertThat(certificate.relativeGap()).isGreaterThan(TARGET);
            }
        }
        Certificate last = certificates.get(certificates.size() - 1);
        assertThat(nextChecks.get(certificates.size() - 1)).isZero();
        assertThat(last.relativeGap()).isLessThanOrEqualTo(TARGET);
        assertThat(solved.certificate()).isEqualTo(last);
        assertThat(solved.parameter()[0]).isCloseTo(theta(last.steps()), within(1e-13));
        assertThat(solved.stalled()).isFalse();
        assertThat(told).isEmpty();
        assertThat(asked).isEmpty();
    }

    /** In the middle of a stretch, of the first sum, between the sums, and of the second one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 7, 8, 9, 10})
    void toldToCertifyNowItDoesSoWhereItStandsAndEnds(int exchanges) {
        CertifiedProgram program = program();
        for (int k = 0; k < exchanges; k++) {
            exchange(program);
        }
        int before = certificates.size();
        program.certifyNow();
        Solution solved = run(program);

        assertThat(certificates).hasSize(before + 1);
        Certificate last = certificates.get(before);
        assertThat(last.steps()).isEqualTo(program.updates() / 3).isLessThanOrEqualTo(exchanges);
        assertThat(last.objective()).isCloseTo(objective(theta(last.steps())), within(1e-13));
        assertThat(nextChecks.get(before)).isZero();
        assertThat(solved.certificate()).isEqualTo(last);
    }

    /** Slopes that nearly cancel: what is left of the gap is rounding of numbers a thousand times as large. */
    private void nothingButRounding() {
        labels = new double[] {1001, 999};
        lambda = 1e-6;
        error = steps -> 0;
        rule = new StoppingRule(1e-13, 1e6);
    }

    @Test
    void aRunIsStalledWhereRoundingLetsNoMoreBeProven() {
        nothingButRounding();
        Solution solved = run(program());

        assertThat(certificates).hasSize(3);
        assertThat(certificates.get(2).isMostlyRounding()).isTrue();
        assertThat(solved.stalled()).isTrue();
        assertThat(nextChecks.get(2)).isZero();
    }

    private void lateForever() {
        error = steps -> 0.1;
        theory = new Theory() {
            @Override
            public StepForecast pace(Belief belief) {
                return CertifiedProgramTest.pace();
            }

            @Override
            public boolean relaxes() {
                return false;
            }

            @Override
            public int mostRaises() {
                return 2;
            }
        };
    }

    @Test
    void numbersThatAreTooLargeToBeAddedUpAreNamedAtTheLimitIfThereIsNoCertificate() {
        error = steps -> 1e200;
        rule = new StoppingRule(TARGET, 10);

        assertThatRefused(() -> run(program())).hasMessageContaining("too large to be added up");
        assertThat(certificates).extracting(Certificate::steps).startsWith(7L).doesNotHaveDuplicates();
    }

    private CertifiedProgram copy(CertifiedProgram program) {
        return SavedStates.copy(program, program());
    }

    /** Runs it straight, and again with everything forgotten but its saved state after every exchange. */
    private void assertSameThoughRestored() throws IOException {
        Solution straight = run(program());
        List<Certificate> expected = List.copyOf(certificates);
        List<Long> checks = List.copyOf(nextChecks);
        List<String> adopted = List.copyOf(told);
        certificates.clear();
        nextChecks.clear();
        told.clear();
        CertifiedProgram program = program();
        for (int k = 0; k < 10_000 && !program.isDone(); k++) {
            exchange(program);
            program = copy(program);
        }

        assertThat(program.isDone()).isTrue();
        assertThat(certificates).isEqualTo(expected);
        assertThat(nextChecks).isEqualTo(checks);
        assertThat(told).isEqualTo(adopted);
        assertThat(program.result().certificate()).isEqualTo(straight.certificate());
        assertThat(program.result().parameter()).containsExactly(straight.parameter());
        assertThat(program.result().stalled()).isEqualTo(straight.stalled());
    }

    @Test
    void restoredAfterEveryExchangeItFallsBackAlike() throws IOException {
        lateForever();
        rule = new StoppingRule(TARGET, 100);
        assertSameThoughRestored();
        assertThat(told).hasSize(3);
    }

    private static final Network PAIR = Network.of(2, new int[][] {{0, 1}});

    /** Two nodes that have one of the numbers each. */
    private List<CertifiedProgram> pair(List<List<Certificate>> heard) {
        List<CertifiedProgram> programs = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            List<Certificate> own = new ArrayList<>();
            heard.add(own);
            programs.add(new CertifiedProgram(
                    new Scripted(node),
                    Collectives.apart(PAIR.spanningTree(), node, 2, SumGuard.NONE),
                    new Facts(2, 2, 2 * lambda, new double[0]),
                    theory,
                    rule,
                    (certificate, nextCheck) -> own.add(certificate)));
        }
        return programs;
    }

    @Test
    void nodesTogetherCertifyWhatOneWithAllRowsWould() {
        List<List<Certificate>> heard = new ArrayList<>();
        List<CertifiedProgram> programs = pair(heard);
        new Simulator().run(PAIR, programs, Delays.uniform(1), StopSignal.manual());

        assertThat(heard.get(0)).hasSizeGreaterThan(1).isEqualTo(heard.get(1));
        for (Certificate certificate : heard.get(0)) {
            assertThat(certificate.objective()).isCloseTo(objective(theta(certificate.steps())), within(1e-13));
            assertThat(certificate.dual()).isCloseTo(dual(certificate.steps()), within(1e-13));
            assertThat(certificate.epochs())
                    .as("three updates a step, a row per node")
                    .isEqualTo(3 * certificate.steps());
        }
        for (CertifiedProgram program : programs) {
            assertThat(program.passes())
                    .isEqualTo(program.result().certificate().steps());
            assertThat(program.result().parameter())
                    .containsExactly(programs.get(0).result().parameter());
        }
    }

    @Test
    void nodesThatAreToldToCertifyAtDifferentStepsGoByTheStepOfTheRoot() {
        List<List<Certificate>> heard = new ArrayList<>();
        List<CertifiedProgram> programs = pair(heard);
        for (int step = 0; step < 3; step++) {
            programs.get(0).advance();
            programs.get(0).absorb(new double[0][]);
        }
        programs.get(1).advance();
        programs.get(1).absorb(new double[0][]);
        programs.forEach(CertifiedProgram::certifyNow);
        new Simulator().run(PAIR, programs, Delays.uniform(1), StopSignal.manual());

        for (List<Certificate> own : heard) {
            assertThat(own).hasSize(1);
            assertThat(own.get(0).steps()).isEqualTo(3);
            assertThat(own.get(0).relativeGap()).isFinite();
        }
    }
}
