package dev.starling.job;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Setting;
import dev.starling.support.SettingTexts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassWeightingTest {

    private static final Labels LABELS = Labels.of(0, 1, 5);
    private static final Dataset ROWS = Dataset.dense(1, new float[6], new double[] {0, 1, -0.0, 5, 1, 0})
            .withWeights(new double[] {1, 2, 4, 8, 16, 32});

    @Test
    void weightsByLabelMultiplyThoseOfTheRows() {
        Dataset weighed = SettingTexts.classWeights("0=3, 5=0.5").apply(ROWS);

        double[] weights = new double[6];
        java.util.Arrays.setAll(weights, weighed::weight);
        assertThat(weights).containsExactly(3, 2, 12, 4, 16, 96);
        assertThat(ClassWeighting.NONE.apply(ROWS)).isSameAs(ROWS);
    }

    @Test
    void aNodeCountsTheWeightOfItsOwnRows() {
        assertThat(NodeRows.all(ROWS).weightByClass(LABELS)).containsExactly(37, 18, 8);
        assertThat(NodeRows.all(ROWS.dealt(1, 3)).weightByClass(LABELS)).containsExactly(0, 18, 0);
    }

    @Test
    void balancedClassesHaveEqualWeightsAndTheSameTotal() {
        double[] totals = {37, 18, 8};
        Map<Double, Double> weights = ClassWeighting.balancing(LABELS, totals).byLabel();

        // n/k = 63/3
        assertThat(weights).containsExactlyInAnyOrderEntriesOf(Map.of(0.0, 21 / 37.0, 1.0, 21 / 18.0, 5.0, 21 / 8.0));
    }

    @Test
    void aClassWithoutRowsHasNoWeight() {
        ClassWeighting weighting = ClassWeighting.balancing(LABELS, new double[] {6, 0, 2});

        assertThat(weighting.byLabel()).containsExactlyInAnyOrderEntriesOf(Map.of(0.0, 4 / 6.0, 5.0, 2.0));
        assertThat(weighting.balanced()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {"1=2.5,0=1; 0.0=1.0,1.0=2.5", " balanced ; balanced", "''; ''", "-0=2; 0.0=2.0"})
    void textIsReadBackUnchanged(String text, String normal) {
        assertThat(Setting.CLASS_WEIGHTS.text(SettingTexts.classWeights(text))).isEqualTo(normal);
        assertThat(SettingTexts.classWeights(normal)).isEqualTo(SettingTexts.classWeights(text));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; class-weights has '1'; each must be LABEL=WEIGHT",
                "1=2,1=3; class-weights names label 1.0 twice",
                "0=2,-0=3; class-weights names label",
                "1=0; class weight 0.0 of label 1.0 must be from 1e-60 to 1e45",
                "1=-2; class weight -2.0 of label 1.0 must be from 1e-60 to 1e45",
            })
    void invalidTextIsRefused(String text, String message) {
        assertThatRefused(() -> SettingTexts.classWeights(text)).hasMessageStartingWith(message);
    }

    @Test
    void infiniteWeightsAreRefused() {
        assertThatRefused(() -> ClassWeighting.of(Map.of(1.0, Double.POSITIVE_INFINITY)));
    }

    @Test
    void weightsOfUnknownClassesAreRefused() {
        SettingTexts.classWeights("0=2,5=2").requireAmong(LABELS);
        assertThatThrownBy(() -> SettingTexts.classWeights("0=2,3=2").requireAmong(LABELS))
                .hasMessage("class weight for label 3.0, which no row has; there are: [0.0, 1.0, 5.0]");
    }
}
