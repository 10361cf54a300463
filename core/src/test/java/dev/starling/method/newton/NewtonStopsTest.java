package dev.starling.method.newton;

import static dev.starling.method.newton.NewtonRun.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.NewtonRun.Proof;
import dev.starling.method.newton.NewtonRun.Way;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Runner.RunReport;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.support.ReferenceNewton;
import dev.starling.support.WrappedProgram;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that end early. */
@Timeout(120)
@ParameterizedClass
@EnumSource
@Tag("thorough")
class NewtonStopsTest {

    private static final Loss LOSS = new Logistic();
    private static final double LAMBDA = 1e-4;

    /** Enough rows to begin with a sample of them. */
    private static final Dataset DATA = rows(LOSS, 17_003, 5, true, false, 4);

    private static final StoppingRule RULE = new StoppingRule(1e-10, 100);

    private final Way way;

    NewtonStopsTest(Way way) {
        this.way = way;
    }

    /** A node that raises a signal after this many exchanges of all nodes together. */
    private static final class Impatient extends WrappedProgram<MethodNode> {
        private final AtomicInteger left;
        private final StopSignal signal;

        Impatient(MethodNode program, AtomicInteger left, StopSignal signal) {
            super(program);
            this.left = left;
            this.signal = signal;
        }

        @Override
        public void absorb(double[][] messages) {
            super.absorb(messages);
            if (left.getAndDecrement() == 0) {
                signal.request();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"line,1", "line,4", "star,5"})
    void aRunStoppedAfterAnyExchangeEndsWithATrueCertificate(String topology, int nodes) {
        Dataset few = rows(LOSS, 60, 5, true, false, 4);
        assertEveryStopIsCertified(few, topology, nodes, 1);
    }

    @ParameterizedTest
    @CsvSource({"line,1", "star,3"})
    void aRunStoppedWhileItIsOnASampleEndsWithATrueCertificate(String topology, int nodes) {
        assertEveryStopIsCertified(DATA, topology, nodes, 11);
    }

    private void assertEveryStopIsCertified(Dataset data, String topology, int nodes, int every) {
        Problem problem = Problem.deal(data, LOSS, LAMBDA, nodes);
        double[] solution = NewtonRun.alone(way, data, LOSS, LAMBDA).parameter();
        double best = ReferenceNewton.objective(data, LOSS, LAMBDA, solution);
        for (Runner runner : List.of(new Simulator(), new Threads(2))) {
            boolean completed = false;
            for (int k = 0; !completed; k += every) {
                assertThat(k).isLessThan(2000);
                NewtonRun run = NewtonRun.of(way, problem, topology, RULE);
                completed = stoppedAfter(k, run, runner);

                assertThat(run.programs().get(0).isDone())
                        .as("stopped after %s", k)
                        .isTrue();
                double objective = run.certificate().objective();
                assertThat(objective)
                        .isCloseTo(ReferenceNewton.objective(data, LOSS, LAMBDA, run.parameter()), within(1e-12));
                assertThat(run.certificate().dual()).as("stopped after %s", k).isLessThanOrEqualTo(best * (1 + 1e-13));
                assertThat(run.certificate().relativeGap()).isFinite();
            }
        }
    }

    /**
     * What a trainer does when it is told to stop: certify, unless the root has ended by its own decision, which some
     * may not have heard of yet. Tells whether the run had ended by itself.
     */
    private static boolean stoppedAfter(int exchanges, NewtonRun run, Runner runner) {
        StopSignal signal = StopSignal.manual();
        AtomicInteger left = new AtomicInteger(exchanges);
        List<Impatient> programs = run.programs().stream()
                .map(program -> new Impatient(program, left, signal))
                .toList();
        RunReport report = runner.run(run.network(), programs, Delays.uniform(1), signal);
        if (!report.completed() && !run.programs().get(0).isDone()) {
            run.programs().forEach(MethodNode::certifyNow);
            run.run(runner);
        }
        return report.completed() && !signal.isRaised();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.5, 2, 2.25, 3, 4.7})
    void theLimitOfEpochsIsKeptToWithinAPassWithACertificate(double limit) {
        // No gap this small is reached in so few passes.
        StoppingRule rule = new StoppingRule(1e-14, limit);
        Dataset few = rows(LOSS, 400, 12, true, false, 4);
        double best = ReferenceNewton.objective(few, LOSS, 1e-8, ReferenceNewton.optimum(few, LOSS, 1e-8));

        NewtonRun run = NewtonRun.of(way, Problem.deal(few, LOSS, 1e-8, 3), "line", rule)
                .run(new Simulator());

        double epochs = run.proofs().get(run.proofs().size() - 1).certificate().epochs();
        assertThat(run.isCertified()).isFalse();
        assertThat(epochs).isGreaterThanOrEqualTo(limit).isLessThan(limit + 1);
        assertThat(run.programs().stream().mapToLong(MethodNode::updates).sum()).isEqualTo(Math.round(400 * epochs));
        Proof last = run.proofs().get(run.proofs().size() - 1);
        assertThat(last.certificate().objective() - best)
                .isLessThanOrEqualTo(
                        last.certificate().relativeGap() * last.certificate().objective());
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 1.1, 1.3, 1.9, 2.5})
    void theLimitIsKeptToWithinAPassWhenSomePassesAreOverSamples(double limit) {
        NewtonRun run = NewtonRun.of(way, Problem.deal(DATA, LOSS, LAMBDA, 2), "line", new StoppingRule(1e-14, limit))
                .run(new Simulator());

        assertThat(run.certificate().relativeGap()).isFinite();
        assertThat(run.proofs().get(run.proofs().size() - 1).certificate().epochs())
                .isGreaterThanOrEqualTo(limit)
                .isLessThan(limit + 1);
    }

    @Test
    void stoppingTwiceIsStoppingOnce() {
        NewtonRun run = NewtonRun.of(way, Problem.deal(DATA, LOSS, LAMBDA, 2), "line", RULE);
        run.programs().forEach(MethodNode::certifyNow);
        run.programs().forEach(MethodNode::certifyNow);
        run.run(new Simulator());
        run.programs().forEach(MethodNode::certifyNow);
        run.run(new Simulator());

        assertThat(run.proofs()).hasSize(1);
        assertThat(run.certificate().epochs()).isEqualTo(1);
        assertThat(run.parameter()).containsOnly(0.0);
        assertThat(run.certificate().objective()).isCloseTo(StrictMath.log(2), within(1e-12));
    }
}
