package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.method.MethodNode;
import dev.starling.method.Solution;
import dev.starling.node.Exchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SolvePhaseTest {

    private static final int EXCHANGES = 3;

    private int made;
    private final SolvePhase training = new SolvePhase(this::method, 17);

    private Counting method() {
        made++;
        return new Counting();
    }

    /** Ends after three exchanges; its numbers are how many there were. */
    private static final class Counting implements MethodNode {
        private final double[] parameter = new double[2];
        private int absorbed;
        private boolean cutShort;

        @Override
        public Exchange advance() {
            return new Exchange().pause(absorbed);
        }

        @Override
        public void absorb(double[][] messages) {
            absorbed = cutShort ? EXCHANGES : absorbed + 1;
            parameter[0] = absorbed;
        }

        @Override
        public boolean isDone() {
            return absorbed == EXCHANGES;
        }

        @Override
        public Solution result() {
            return new Solution(
                    new Certificate(1, 0.5, 10, 6), parameter, true, new Exactness(0.25, List.of(1)), new double[] {8, 9
                    });
        }

        @Override
        public int longestMessage() {
            return 1;
        }

        @Override
        public long updates() {
            return 100L + absorbed;
        }

        @Override
        public double passes() {
            return 0.5 * absorbed;
        }

        @Override
        public void certifyNow() {
            cutShort = true;
        }

        @Override
        public void estimate(double[] theta) {
            System.arraycopy(parameter, 0, theta, 0, 2);
        }

        @Override
        public void save(DataOutput out) throws IOException {
            out.writeInt(absorbed);
        }

        @Override
        public void restore(DataInput in) throws IOException {
            absorbed = in.readInt();
            parameter[0] = absorbed;
        }
    }

    private void exchange(int times) {
        for (int k = 0; k < times; k++) {
            assertThat(training.advance().kind()).isEqualTo(Exchange.Kind.ROUND);
            training.absorb(new double[0][]);
        }
    }

    private static double[] estimate(SolvePhase training) {
        double[] theta = new double[2];
        training.estimate(theta);
        return theta;
    }

    @Test
    void theMethodIsCreatedOnceWhenItIsNeeded() {
        assertThat(training.updates()).isZero();
        assertThat(training.longestMessage()).isEqualTo(17);
        assertThat(training.isDone()).isFalse();
        assertThat(made).isZero();
        exchange(EXCHANGES);
        assertThat(made).isEqualTo(1);
    }

    @Test
    void reportsTheStateOfTheRunningMethod() {
        exchange(2);

        assertThat(training.isDone()).isFalse();
        assertThat(training.updates()).isEqualTo(102);
        assertThat(training.passes()).isEqualTo(1);
        assertThat(estimate(training)).containsExactly(2, 0);
    }

    @Test
    void keepsTheSolutionAndTheCountsAtTheEnd() {
        exchange(EXCHANGES);

        assertEnded(training);
        assertThat(training.result().solved().lessons()).containsExactly(8, 9);
        assertThat(training.advance().kind()).isEqualTo(Exchange.Kind.END);
    }

    private static void assertEnded(SolvePhase ended) {
        assertThat(ended.isDone()).isTrue();
        assertThat(ended.updates()).isEqualTo(103);
        assertThat(ended.passes()).as("those of the certificate").isEqualTo(6);
        assertThat(estimate(ended)).containsExactly(3, 0);
        assertThat(ended.result().updates()).isEqualTo(103);
        Solution solved = ended.result().solved();
        assertThat(solved.certificate()).isEqualTo(new Certificate(1, 0.5, 10, 6));
        assertThat(solved.parameter()).containsExactly(3, 0);
        assertThat(solved.stalled()).isTrue();
        assertThat(solved.exactness()).isEqualTo(new Exactness(0.25, List.of(1)));
    }

    @Test
    void forgettingLessonsKeepsTheSolution() {
        exchange(EXCHANGES);
        training.forgetLessons();

        assertEnded(training);
        assertThat(training.result().solved().lessons()).isEmpty();
    }

    @Test
    void aRunningMethodCertifiesAtOnceOnRequest() {
        exchange(1);
        training.certifyNow();
        exchange(1);

        assertThat(training.isDone()).isTrue();
        training.certifyNow();
        assertThat(made).as("an ended one is not begun again").isEqualTo(1);
    }

    private SolvePhase restored() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        training.save(new DataOutputStream(bytes));
        SolvePhase restored = new SolvePhase(this::method, 17);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        restored.restore(in);
        assertThat(in.available()).isZero();
        return restored;
    }

    @Test
    void restoredMidwayItEndsTheSame() throws IOException {
        exchange(2);
        SolvePhase restored = restored();
        assertThat(restored.updates()).isEqualTo(102);
        restored.absorb(new double[0][]);

        assertEnded(restored);
    }

    @Test
    void restoredAtTheEndItHasEnded() throws IOException {
        exchange(EXCHANGES);
        SolvePhase restored = restored();

        assertEnded(restored);
        assertThat(restored.result().solved().lessons()).containsExactly(8, 9);
        assertThat(made).as("without another method").isEqualTo(1);
    }

    @Test
    void aStartedPhaseHasEndedAfterRestoringAnEndedOne() throws IOException {
        exchange(EXCHANGES);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        training.save(new DataOutputStream(bytes));
        SolvePhase begun = new SolvePhase(this::method, 17);
        begun.advance();
        begun.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));

        assertEnded(begun);
    }
}
