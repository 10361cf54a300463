package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.settings.LambdaPath;
import dev.starling.settings.Settings;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {

    private final AtomicLong clock = new AtomicLong(5_000_000_000L);

    private void pass(double seconds) {
        clock.addAndGet((long) (seconds * 1e9));
    }

    private static void start(TimeBudget budget, int index, int count) {
        budget.started(index, count, null, () -> 0);
    }

    private static Settings settings() {
        return Settings.of(Map.of("max-seconds", "12"));
    }

    @Test
    void aProblemOfAPathMayTakeWhatIsLeft() {
        TimeBudget budget = new TimeBudget(settings().withPath(LambdaPath.of(1000)), 0, clock::get);
        start(budget, 0, 11_000);
        pass(5);
        assertThat(budget.isSpent()).isFalse();
        start(budget, 1, 11_000);
        pass(6);
        assertThat(budget.isSpent()).isFalse();
        pass(1);
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void isSpentWhenItsTimeHasPassed() {
        TimeBudget budget = new TimeBudget(settings(), 2, clock::get);
        start(budget, 0, 1);
        pass(9.5);
        assertThat(budget.isSpent()).isFalse();
        pass(0.5);
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void everyProblemGetsAnEqualShareOfWhatIsLeft() {
        TimeBudget budget = new TimeBudget(settings(), 0, clock::get);
        start(budget, 0, 3);
        pass(3.9);
        assertThat(budget.isSpent()).isFalse();
        start(budget, 1, 3);
        pass(4);
        assertThat(budget.isSpent()).isFalse();
        pass(0.1);
        assertThat(budget.isSpent()).isTrue();
        start(budget, 2, 3);
        assertThat(budget.isSpent()).isFalse();
        pass(4);
        assertThat(budget.isSpent()).isTrue();
    }
}
