package dev.starling.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.cores.Cores;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelsTest {

    private static Dataset rows(double... labels) {
        return Dataset.dense(1, new float[labels.length], labels);
    }

    @Test
    void theLargerOfTwoClassesIsPlusOne() {
        Dataset rows = rows(2, 1, 2);
        Labels labels = Labels.classification(rows);
        assertThat(labels.isBinary()).isTrue();
        assertThat(labels.binary(rows).labels()).containsExactly(1, -1, 1);
    }

    @Test
    void rowsWithSignsAsLabelsAreNotCopied() {
        Dataset rows = rows(1, -1, 1);
        Labels labels = Labels.classification(rows);
        assertThat(labels.binary(rows)).isSameAs(rows);
        assertThat(labels.binary(rows, -1).labels()).containsExactly(-1, 1, -1);
        assertThat(Labels.of(-1, 0, 1).binary(rows(1, -1, 0), 1).labels()).containsExactly(1, -1, -1);
        assertThat(Labels.of(0, 1).binary(rows(1, 1, 0)).labels()).containsExactly(1, 1, -1);
    }

    @Test
    void moreClassesAreSortedAndTakenOneAtATime() {
        Dataset rows = rows(3, -1, 7, 3);
        Labels labels = Labels.classification(rows);
        assertThat(labels.classes()).containsExactly(-1.0, 3.0, 7.0);
        assertThat(labels.binary(rows, 3).labels()).containsExactly(1, -1, -1, 1);
        assertThatThrownBy(() -> labels.binary(rows))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("3 classes; say which one should be +1");
    }

    @Test
    void regressionLeavesLabelsAlone() {
        Dataset rows = rows(3, 3);
        assertThat(Labels.regression().binary(rows)).isSameAs(rows);
        assertThat(Labels.regression().classes()).isEmpty();
    }

    @Test
    void aSingleClassIsRefused() {
        double[] threes = new double[100];
        Arrays.fill(threes, 3);
        assertThatThrownBy(() -> Labels.classification(rows(threes)))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("only one class, label 3, in 100 rows; two are needed");
    }

    @Test
    void zeroAndMinusZeroAreOneClass() {
        Dataset rows = rows(0.0, -0.0, 1);
        Labels labels = Labels.classification(rows);
        assertThat(labels.classes()).containsExactly(0.0, 1.0);
        assertThat(labels.binary(rows).labels()).containsExactly(-1, -1, 1);
        assertThat(labels.binary(rows, -0.0).labels()).containsExactly(1, 1, -1);
    }

    @Test
    void aLabelThatNamesNoClassIsRefused() {
        assertThatThrownBy(() -> Labels.of(1, 2).binary(rows(1, 3)))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("row 2: label 3 is not one of the classes 1, 2");
        assertThatThrownBy(() -> Labels.of(1, 2).binary(rows(1, 2), 1.5))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("class 1.5 does not exist; there are: 1, 2");
    }

    @Test
    void classesFromElsewhereAreSortedAndMustBeTwo() {
        assertThat(Labels.of(2, 1, 2)).isEqualTo(Labels.of(1, 2)).hasToString("classes 1, 2");
        assertThatThrownBy(() -> Labels.of(2, 2))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("1 distinct classes; at least two are needed");
    }

    @Test
    void everyDistinctLabelIsFoundAmongMany() {
        double[] many = new double[20_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = (i * 7919L) % 10_007;
        }
        assertThat(Labels.of(many).classes()).hasSize(10_007).isSorted();
    }

    @Test
    void distinctLabelsAreFoundAmongMany() {
        double[] many =
                IntStream.range(0, 20_000).map(row -> -row / 2).asDoubleStream().toArray();
        assertThat(Labels.distinct(many)).hasSize(10_000).isSorted().contains(0, -1, -9_999);
    }

    @Test
    void regressionTargetsAreNotTakenForClasses() {
        assertThatThrownBy(() -> Labels.classification(rows(1, 2.5, 3)))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "label 2.5 is not a whole number, as classes are; to predict numbers, use a regression loss");
        double[] hundred = IntStream.range(0, 100).asDoubleStream().toArray();
        assertThat(Labels.classification(rows(hundred)).classes()).hasSize(100);
        double[] more = IntStream.range(0, 101).asDoubleStream().toArray();
        assertThatThrownBy(() -> Labels.classification(rows(more)))
                .isExactlyInstanceOf(InvalidInputException.class)
                .hasMessage("101 different labels are more than the 100 classes that can be told apart; to predict"
                        + " numbers, use a regression loss");
    }

    @Test
    void labelsOfManyRowsAreTheSameOnSeveralThreads() {
        double[] labels = IntStream.range(0, 200_001)
                .mapToDouble(row -> row == 150_000 ? 7 : row % 3)
                .toArray();
        Dataset rows = rows(labels);
        Labels known = Labels.of(0, 1, 2, 7);
        new Cores(3).call(() -> {
            assertThat(Labels.distinct(labels)).containsExactly(0, 1, 2, 7);
            assertThat(known.binary(rows, 7).labels())
                    .isEqualTo(Arrays.stream(labels)
                            .map(label -> label == 7 ? 1 : -1)
                            .toArray());
            assertThat(known.numbered(rows).labels())
                    .isEqualTo(Arrays.stream(labels)
                            .map(label -> label == 7 ? 3 : label)
                            .toArray());
            assertThatThrownBy(() -> Labels.of(0, 1).binary(rows))
                    .isExactlyInstanceOf(InvalidInputException.class)
                    .hasMessage("row 3: label 2 is not one of the classes 0, 1");
            assertThatThrownBy(() -> Labels.of(0, 1, 2).numbered(rows))
                    .isExactlyInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith("row 150001: label 7 is not");
            return known;
        });
    }
}
