package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Setting;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileIntervalsTest {

    private static LinearModel fitted(Dataset rows, String loss, boolean intercept) {
        return Trainer.of(Losses.named(loss))
                .lambda(0)
                .gap(1e-12)
                .intercept(intercept)
                .nodes(1)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(rows)
                .model();
    }

    @ParameterizedTest
    @CsvSource({"infert-logit, binomial, infertProfile", "warpbreaks-poisson, poisson, warpbreaksProfile"})
    void theEndsAreThoseOfFiftyDigits(String data, String loss, String key) {
        Dataset rows = Golden.read(data).rows();
        LinearModel model = fitted(rows, loss, true);
        ProfileIntervals intervals =
                new ProfileIntervals(rows, model, (shifted, intercept) -> fitted(shifted, loss, intercept), 0.95);
        List<Coefficient> lines = intervals.in(GlmTable.of(model, 0.95)).coefficients();
        Golden extra = Golden.extra(key);
        double[] lower = extra.vector("lower");
        double[] upper = extra.vector("upper");
        for (int k = 0; k < lower.length; k++) {
            Coefficient line = lines.get(k);
            assertThat(line.lower().value())
                    .as(line.name())
                    .isCloseTo(lower[k], within(line.lower().error()));
            assertThat(line.upper().value())
                    .as(line.name())
                    .isCloseTo(upper[k], within(line.upper().error()));
            assertThat(line.lower().error()).isLessThan(1e-9);
        }
    }
}
