package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.method.StoppingRule;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckScheduleTest {

    private static final double SAMPLES = 10_000;
    private static final double COST_IN_EPOCHS = 0.4;

    /** A single node whose theory promises a factor e in this many epochs. */
    private static StepForecast pace(double epochsPerFactor) {
        double constant = epochsPerFactor * SAMPLES;
        return new Tuning(5, 1, 1, constant, 0, 0, 1 / constant, 1 / constant);
    }

    private static final class Course {
        double epochs;
        int checks;
    }

    /** Follows the schedule while the gap falls steadily by a factor e in this many epochs. */
    private static Course run(double theory, double actual, double target) {
        StoppingRule rule = new StoppingRule(target, 1e6);
        CheckSchedule schedule = new CheckSchedule(rule, pace(theory), EpochCount.of(pace(theory), SAMPLES));
        Certificate previous = Certificate.NONE;
        long step = schedule.first();
        Course course = new Course();
        while (true) {
            course.epochs = step / SAMPLES;
            course.checks++;
            Certificate present = new Certificate(1, 1 - Math.exp(-course.epochs / actual), step, course.epochs);
            if (rule.isMet(present)) {
                return course;
            }
            step = schedule.next(previous, present, course.checks, CheckSchedule.Watch.LOOSE);
            previous = present;
        }
    }

    @ParameterizedTest
    @CsvSource({"1.01,0.3", "1.2,0.45", "1.44,0.7", "7,3.9", "7,7", "10.4,7.2", "100,80", "100,100", "1.5,1.5"})
    void checksAreFewAndHardlyProlongARun(double theory, double actual) {
        for (double target : new double[] {1e-3, 1e-6, 1e-9}) {
            Course course = run(theory, actual, target);
            double needed = Math.max(2, -Math.log(target) * actual);

            double cost = COST_IN_EPOCHS * course.checks;
            assertThat(cost).isLessThanOrEqualTo(Math.max(0.1 * course.epochs, 3 * COST_IN_EPOCHS) + 1e-9);
            assertThat(course.epochs).isLessThanOrEqualTo(1.25 * needed + 4);
        }
    }

    @Test
    void keepsCountingEpochsWhereThePaceChanges() {
        EpochCount first = new EpochCount(0, 50);
        StepForecast slower = pace(4);
        EpochCount second = first.from(200, slower, 100);

        assertThat(second.at(200)).isEqualTo(first.at(200)).isEqualTo(4);
        assertThat(second.at(300)).isEqualTo(5);
    }

    @Test
    void reachesTheLimitOnEpochsAtItsLastStep() {
        CheckSchedule schedule =
                new CheckSchedule(new StoppingRule(1e-3, 7), pace(50), EpochCount.of(pace(50), SAMPLES));
        long limit = (long) (7 * SAMPLES);

        assertThat(schedule.isExhausted(limit - 1)).isFalse();
        assertThat(schedule.isExhausted(limit)).isTrue();
    }

    @Test
    void schedulesNoCheckBeyondTheLimitOnEpochs() {
        CheckSchedule schedule =
                new CheckSchedule(new StoppingRule(1e-9, 7), pace(50), EpochCount.of(pace(50), SAMPLES));

        assertThat(schedule.first()).isLessThanOrEqualTo((long) (7 * SAMPLES));
    }

    /** With next to no steps that compute, a limit on passes alone would take for ever. */
    @Test
    void roundsAreLimitedWherePassesAreRare() {
        StoppingRule rule = new StoppingRule(1e-6, 300);
        double samples = 2.5;
        Tuning rare = new Tuning(5, 1, 1, 1, 0, 0.9999, 1e-8, 1e-8);
        CheckSchedule schedule = new CheckSchedule(rule, rare, EpochCount.of(rare, samples));
        long most = (long) Math.ceil(300 * samples + rule.mostRounds(samples));

        assertThat(most).isLessThan(500_000);
        assertThat(schedule.isExhausted(most)).isTrue();
        assertThat(schedule.isExhausted(most - 1)).isFalse();
    }
}
