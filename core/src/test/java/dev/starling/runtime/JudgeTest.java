package dev.starling.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Judges periods that never were: nodes that make so many exchanges per microsecond, depending on the workers. */
class JudgeTest {

    private static final long WARMING = 60_000_000;
    private static final int WORKERS = 16;

    private long rounds;
    private long alone;
    private long together;

    /** Lets nodes go on for some time, of which workers work a part, and adds up how long how many of them drove. */
    private void goOn(Judge judge, long nanos, double part, ToDoubleFunction<Judge> speed) {
        alone = 0;
        together = 0;
        while (alone + together < nanos) {
            long duration = judge.nanos();
            int count = judge.count();
            long exchanges = (long) (speed.applyAsDouble(judge) * duration / 1000);
            rounds += exchanges;
            if (count == 1) {
                alone += duration;
            } else {
                together += duration;
            }
            judge.saw(rounds, exchanges, (long) (count * part * duration), duration);
        }
    }

    private static double asManyAsWorkers(Judge judge) {
        return judge.count();
    }

    @Test
    void workersThatAreBusyStayTogether() {
        goOn(new Judge(WORKERS, 0), 1_000_000_000, 0.5, JudgeTest::asManyAsWorkers);
        assertThat(alone).isZero();
    }

    @Test
    void oneWorkerWarmsUpTheCodeOfRoundsOnceTheyBegin() {
        Judge judge = new Judge(WORKERS, WARMING);
        goOn(judge, 500_000_000, 0.9, any -> 0);
        assertThat(alone)
                .as("nothing is gained by one worker before rounds begin")
                .isZero();

        goOn(judge, 500_000_000, 0.9, JudgeTest::asManyAsWorkers);
        assertThat(alone).isBetween(WARMING, 2 * WARMING);
        assertThat(judge.count()).isEqualTo(WORKERS);
    }

    @Test
    void oneWorkerGoesOnAloneWhileItGetsFasterButNotForEver() {
        Judge judge = new Judge(WORKERS, WARMING);
        double[] speed = {1};
        goOn(judge, 1_000_000_000, 0.9, any -> speed[0] *= any.count() == 1 && speed[0] < 4 ? 1.5 : 1);
        long untilSteady = alone;
        assertThat(untilSteady).isGreaterThan(WARMING).isLessThan(3 * WARMING);

        Judge another = new Judge(WORKERS, WARMING);
        goOn(another, 1_000_000_000, 0.9, any -> speed[0] *= any.count() == 1 ? 1.5 : 1);
        assertThat(alone).isBetween(3 * WARMING, 3 * WARMING + WARMING / 4);
    }

    @Test
    void oneWorkerDrivesAllNodesWhereSeveralMostlyWait() {
        goOn(new Judge(2, 0), 2_000_000_000, 0.6, judge -> judge.count() == 1 ? 3 : 1);
        assertThat(alone).isGreaterThan(15 * together);
    }

    @Test
    void severalWorkersDriveNodesAgainSoonAfterTheyPay() {
        Judge judge = new Judge(2, 0);
        goOn(judge, 2_000_000_000, 0.6, any -> any.count() == 1 ? 3 : 1);
        goOn(judge, 1_000_000_000, 0.95, JudgeTest::asManyAsWorkers);
        assertThat(alone).as("the last verdict stands for a while").isLessThan(300_000_000);
        assertThat(judge.count()).isEqualTo(2);
    }

    @Test
    void aSingleWorkerIsNeverAsked() {
        Judge judge = new Judge(1, 0);
        assertThat(judge.count()).isEqualTo(1);
        assertThat(judge.nanos()).isEqualTo(Long.MAX_VALUE);
    }
}
