package dev.starling.method.adfs.certified;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.adfs.tuning.StepForecast;
import dev.starling.method.adfs.tuning.Tuning;
import java.util.ArrayList;
import java.util.List;
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
    void checksAreFewAndTheRunIsNotMuchLongerThanItMustBe(double theory, double actual) {
        for (double target : new double[] {1e-3, 1e-6, 1e-9}) {
            Course course = run(theory, actual, target);
            double needed = Math.max(2, -Math.log(target) * actual);

            double cost = COST_IN_EPOCHS * course.checks;
            assertThat(cost).isLessThanOrEqualTo(Math.max(0.1 * course.epochs, 3 * COST_IN_EPOCHS) + 1e-9);
            assertThat(course.epochs).isLessThanOrEqualTo(1.25 * needed + 4);
        }
    }

    /** Forecasts in round numbers, of a node that has 100 samples and computes in every fourth step. */
    private static final class RoundForecast implements StepForecast {
        private static final double STEPS_PER_EPOCH = 400;
        private final List<Double> asked = new ArrayList<>();
        private final double left;

        RoundForecast(double left) {
            this.left = left;
        }

        @Override
        public double delay() {
            return 5;
        }

        @Override
        public double communicationProbability() {
            return 0.75;
        }

        @Override
        public double stepsFor(double factor) {
            return factor;
        }

        @Override
        public double stepsLeft(double before, long stepsBefore, double now, long stepsNow, double target) {
            asked.addAll(List.of(before, (double) stepsBefore, now, (double) stepsNow, target));
            return left;
        }

        @Override
        public boolean keepsUp(double before, long stepsBefore, double now, long stepsNow) {
            return true;
        }

        CheckSchedule schedule(double gap, double maxEpochs) {
            return new CheckSchedule(new StoppingRule(gap, maxEpochs), this, EpochCount.of(this, 100));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // A third of what theory predicts for the factor 1/gap,
        "1e-4, 1e9, 3334",
        // two epochs at least, ten at most,
        "1e-2, 1e9, 800",
        "0.9, 1e9, 800",
        "1e-9, 1e9, 4000",
        // and never beyond the limit.
        "1e-4, 7, 2800",
        "1e-4, 1e-9, 1",
    })
    void theFirstCheckIsDueWhenTheoryExpectsTheGap(double gap, double maxEpochs, long step) {
        assertThat(new RoundForecast(0).schedule(gap, maxEpochs).first()).isEqualTo(step);
    }

    @ParameterizedTest
    @CsvSource({
        // When the gap is expected,
        "2000, 0.5, 1000, 1, 3000",
        // an epoch on at least, ten at most, or half of the run so far,
        "2000, 0.5, 0, 1, 2400",
        "2000, 0.5, 1e9, 1, 6000",
        "20000, 0.5, 1e9, 1, 30000",
        // and from the third check on no sooner than the cost of all allows.
        "2000, 0.5, 0, 2, 2400",
        "2000, 0.5, 0, 3, 6400",
        "6300, 0.5, 0, 3, 6700",
        "2000, 0.5, 0, 4, 8000",
        // Nothing is expected of a certificate that proves nothing, or everything.
        "2000, Infinity, 1000, 1, 2400",
        "2000, 0.25, 1000, 1, 2400",
        "2000, 0.125, 1000, 1, 2400",
    })
    void theNextCheckIsDueWhenTheGapIsExpectedAndCanBeAfforded(
            long steps, double gap, double left, int checks, long next) {
        Certificate present = new Certificate(1, 1 - gap, steps, 1);
        CheckSchedule schedule = new RoundForecast(left).schedule(0.25, 1e9);

        assertThat(schedule.next(Certificate.NONE, present, checks, CheckSchedule.Watch.LOOSE))
                .isEqualTo(next);
        assertThat(new RoundForecast(left)
                        .schedule(0.25, 5)
                        .next(Certificate.NONE, present, checks, CheckSchedule.Watch.LOOSE))
                .isEqualTo(Math.min(next, 2000));
    }

    @Test
    void aBeliefIsJudgedAfterTheTimeInWhichItPromisesAFactorE() {
        StepForecast pace = pace(4);
        CheckSchedule schedule = new CheckSchedule(new StoppingRule(1e-9, 1e6), pace, EpochCount.of(pace, SAMPLES));
        Certificate present = new Certificate(1, 0.9, (long) (30 * SAMPLES), 30);

        assertThat(schedule.next(Certificate.NONE, present, 3, CheckSchedule.Watch.CLOSE) / SAMPLES)
                .isBetween(33.9, 34.1);
        assertThat(schedule.next(Certificate.NONE, present, 3, CheckSchedule.Watch.LOOSE) / SAMPLES)
                .isBetween(44.9, 45.1);
        assertThat(schedule.next(Certificate.NONE, present, 3, CheckSchedule.Watch.STEADY) / SAMPLES)
                .isBetween(39.9, 40.1);
    }

    @Test
    void epochsAreCountedOnWhereThePaceChanges() {
        EpochCount first = new EpochCount(0, 50);
        StepForecast slower = pace(4);
        EpochCount second = first.from(200, slower, 100);

        assertThat(second.at(200)).isEqualTo(first.at(200)).isEqualTo(4);
        assertThat(second.at(300)).isEqualTo(5);
    }

    @Test
    void anEpochTakesMoreStepsTheFewerOfThemCompute() {
        EpochCount everyStep = EpochCount.of(pace(4), 100);
        EpochCount everyFourth = everyStep.from(200, new RoundForecast(0), 100);

        assertThat(everyStep.at(300)).isEqualTo(3);
        assertThat(everyFourth.at(200)).isEqualTo(2);
        assertThat(everyFourth.at(200 + 400)).isEqualTo(3);
        assertThat(everyFourth.from(600, pace(4), 100).at(700)).isEqualTo(4);
    }

    @Test
    void whatIsLeftIsJudgedByTheLastTwoCertificates() {
        RoundForecast forecast = new RoundForecast(1000);
        CheckSchedule schedule = forecast.schedule(1e-3, 1e9);
        Certificate first = new Certificate(4, 2, 100, 1);
        Certificate second = new Certificate(4, 3, 300, 1);
        schedule.next(Certificate.NONE, first, 1, CheckSchedule.Watch.LOOSE);
        schedule.next(first, second, 2, CheckSchedule.Watch.LOOSE);

        assertThat(forecast.asked).containsExactly(1.0, 0.0, 0.5, 100.0, 1e-3, 0.5, 100.0, 0.25, 300.0, 1e-3);
    }

    @Test
    void theLimitOnEpochsIsReachedAtItsLastStep() {
        CheckSchedule schedule = new RoundForecast(0).schedule(1e-3, 7);
        long limit = (long) (7 * RoundForecast.STEPS_PER_EPOCH);

        assertThat(schedule.isExhausted(limit - 1)).isFalse();
        assertThat(schedule.isExhausted(limit)).isTrue();
    }

    @Test
    void noCheckLiesBeyondTheLimitOnEpochs() {
        CheckSchedule schedule =
                new CheckSchedule(new StoppingRule(1e-9, 7), pace(50), EpochCount.of(pace(50), SAMPLES));

        assertThat(schedule.first()).isLessThanOrEqualTo((long) (7 * SAMPLES));
    }
}
