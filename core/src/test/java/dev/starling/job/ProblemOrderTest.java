package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemOrderTest {

    @Test
    void goesThroughClassesThenFoldsThenLambdas() {
        ProblemOrder order = new ProblemOrder(3, 4, 2);

        assertThat(order.all()).isEqualTo(36);
        int index = 0;
        for (int point = 0; point < order.points(); point++) {
            assertThat(order.first(point)).isEqualTo(index);
            for (int fold = -1; fold < order.folds(); fold++) {
                for (int label = 0; label < order.classes(); label++) {
                    assertThat(order.fold(index)).isEqualTo(fold);
                    assertThat(order.point(index)).isEqualTo(point);
                    assertThat(order.label(index)).isEqualTo(label);
                    assertThat(order.isFirst(index)).isEqualTo(fold < 0 && label == 0);
                    index++;
                }
            }
        }
        assertThat(index).isEqualTo(order.all());
        assertThat(order.isFirst(index)).isTrue();
    }

    @Test
    void findsTheSameProblemForAnotherLambdaAndOfOtherRows() {
        ProblemOrder order = new ProblemOrder(3, 4, 2);

        // Class 1, λ 2, without fold 0.
        int index = 2 * 9 + 3 + 1;
        assertThat(order.atPoint(index, 2)).isEqualTo(index);
        assertThat(order.atPoint(index, 0)).isEqualTo(3 + 1);
        assertThat(order.atPoint(index, 3)).isEqualTo(3 * 9 + 3 + 1);
        assertThat(order.ofAllRows(index)).isEqualTo(2 * 9 + 1);
        assertThat(order.without(0, index)).isEqualTo(index);
        assertThat(order.without(1, index)).isEqualTo(index + 3);
    }

    @Test
    void isOneProblemForOneClassFoldAndLambda() {
        ProblemOrder order = new ProblemOrder(1, 1, 0);

        assertThat(order.all()).isEqualTo(1);
        assertThat(order.fold(0)).isEqualTo(-1);
    }
}
