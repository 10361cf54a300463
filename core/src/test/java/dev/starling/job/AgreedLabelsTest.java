package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Squared;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SettingTexts;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgreedLabelsTest {

    private static final Settings SETTINGS = Settings.of(new Logistic());
    private static final JobRules RULES = JobRules.inMemory();

    private static RowSummary rows(double... labels) {
        return RowSummary.of(
                NodeRows.all(Dataset.dense(1, new float[labels.length], labels)), 0, Settings.of(new Logistic()));
    }

    @Test
    void labelsAreThoseOfTheRows() {
        assertThat(AgreedLabels.of(SETTINGS, RULES, rows(3, 1, 3)).classes()).containsExactly(1.0, 3.0);
        assertThat(AgreedLabels.of(Settings.of(new Squared()), RULES, rows(3, 1, 3))
                        .isRegression())
                .isTrue();
    }

    @Test
    void labelsAreTheListedOnesWhateverRowsHave() {
        assertThat(AgreedLabels.of(SETTINGS.with(Setting.LABELS, List.of(1.0, 2.0, 3.0)), RULES, rows(3, 1, 3))
                        .classes())
                .containsExactly(1.0, 2.0, 3.0);
    }

    @Test
    void oneClassIsRefused() {
        assertThatRefused(() -> AgreedLabels.of(SETTINGS, RULES, rows(3, 3)))
                .hasMessage("only one class, label 3, in 2 rows; two are needed");
        assertThatThrownBy(() -> AgreedLabels.of(SETTINGS, RULES, rows(3)))
                .hasMessage("only one class, label 3, in 1 row; two are needed");
    }

    @Test
    void weightsOfOtherClassesAreRefused() {
        assertThatThrownBy(() -> AgreedLabels.of(
                        SETTINGS.with(Setting.CLASS_WEIGHTS, SettingTexts.classWeights("2=3")), RULES, rows(3, 1)))
                .hasMessageContaining("class weight for label 2.0");
    }

    @Test
    void aFreeInterceptNeedsRowsOfEveryClass() {
        Settings free = SETTINGS.with(Setting.INTERCEPT, true).with(Setting.LABELS, List.of(1.0, 2.0, 3.0));

        assertThat(AgreedLabels.of(free, RULES, rows(3, 1, 2)).classes()).hasSize(3);
        assertThatThrownBy(() -> AgreedLabels.of(free, RULES, rows(3, 1, 3)))
                .hasMessageStartingWith("no row has label 2, so there is no best intercept for it");
    }

    @Test
    void labelsOfANodeThatAreNotListedAreRefused() {
        AgreedLabels.requireListed(SETTINGS, rows(7, 8), false);
        AgreedLabels.requireListed(SETTINGS.with(Setting.LABELS, List.of(7.0, 8.0, 9.0)), rows(7, 8), false);
        assertThatThrownBy(() ->
                        AgreedLabels.requireListed(SETTINGS.with(Setting.LABELS, List.of(7.0, 9.0)), rows(7, 8), false))
                .hasMessage("label 8.0 is not one of the classes [7.0, 9.0]");
    }
}
