package dev.starling.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Judges periods that never were: nodes that come so far in a microsecond, depending on the workers. */
class JudgeTest {

    private static final int WORKERS = 16;

    private long alone;
    private long together;

    /** Lets nodes go on for some time, of which workers work a part, and adds up how long how many of them drove. */
    private void goOn(Judge judge, long nanos, double part, ToDoubleFunction<Judge> speed) {
        alone = 0;
        together = 0;
        while (alone + together < nanos) {
            long duration = judge.nanos();
            int count = judge.count();
            double progress = speed.applyAsDouble(judge) * duration / 1000;
            if (count == 1) {
                alone += duration;
            } else {
                together += duration;
            }
            judge.saw(progress, (long) (count * part * duration), duration);
        }
    }

    private static double asManyAsWorkers(Judge judge) {
        return judge.count();
    }

    @Test
    void workersThatAreBusyStayTogether() {
        goOn(new Judge(WORKERS), 1_000_000_000, 0.5, JudgeTest::asManyAsWorkers);
        assertThat(alone).isZero();
    }

    @Test
    void workersThatMakeNoProgressToCompareStayTogether() {
        goOn(new Judge(WORKERS), 1_000_000_000, 0.05, any -> 0);
        assertThat(alone).isZero();
    }

    @Test
    void aPeriodWithoutProgressSaysNothingAgainstSeveralWorkers() {
        Judge judge = new Judge(WORKERS);
        judge.saw(0, 0, judge.nanos());
        assertThat(judge.count()).as("no trial after planning").isEqualTo(WORKERS);
        judge.saw(1, 0, judge.nanos());
        judge.saw(2, judge.nanos(), judge.nanos());
        assertThat(judge.count()).as("one was better").isEqualTo(1);
        judge.saw(2, judge.nanos(), judge.nanos());
        judge.saw(0, 0, judge.nanos());
        assertThat(judge.count()).as("together still on trial").isEqualTo(WORKERS);
        judge.saw(16, 8 * judge.nanos(), judge.nanos());
        assertThat(judge.count()).as("together was better").isEqualTo(WORKERS);
    }

    @Test
    void oneWorkerDrivesAllNodesWhereSeveralMostlyWait() {
        goOn(new Judge(2), 2_000_000_000, 0.6, judge -> judge.count() == 1 ? 3 : 1);
        assertThat(alone).isGreaterThan(15 * together);
    }

    @Test
    void severalWorkersDriveNodesAgainSoonAfterTheyPay() {
        Judge judge = new Judge(2);
        goOn(judge, 2_000_000_000, 0.6, any -> any.count() == 1 ? 3 : 1);
        goOn(judge, 1_000_000_000, 0.95, JudgeTest::asManyAsWorkers);
        assertThat(alone).as("the last verdict stands for a while").isLessThan(300_000_000);
        assertThat(judge.count()).isEqualTo(2);
    }

    @Test
    void aSingleWorkerIsNeverAsked() {
        Judge judge = new Judge(1);
        assertThat(judge.count()).isEqualTo(1);
        assertThat(judge.nanos()).isEqualTo(Long.MAX_VALUE);
    }
}
