package dev.starling.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemOrderTest {

    @Test
    void goesThroughClassesThenLambdasThenFolds() {
        ProblemOrder order = new ProblemOrder(3, 4, 2);

        assertThat(order.whole()).isEqualTo(12);
        assertThat(order.all()).isEqualTo(36);
        int index = 0;
        for (int fold = -1; fold < order.folds(); fold++) {
            for (int point = 0; point < order.points(); point++) {
                for (int label = 0; label < order.classes(); label++) {
                    assertThat(order.fold(index)).isEqualTo(fold);
                    assertThat(order.point(index)).isEqualTo(point);
                    assertThat(order.label(index)).isEqualTo(label);
                    index++;
                }
            }
        }
        assertThat(index).isEqualTo(order.all());
    }

    @Test
    void findsTheSameProblemForAnotherLambda() {
        ProblemOrder order = new ProblemOrder(3, 4, 2);

        // Class 1, λ 2, without fold 0.
        int index = 12 + 2 * 3 + 1;
        assertThat(order.atPoint(index, 2)).isEqualTo(index);
        assertThat(order.atPoint(index, 0)).isEqualTo(12 + 1);
        assertThat(order.atPoint(index, 3)).isEqualTo(12 + 3 * 3 + 1);
        assertThat(order.first(3)).isEqualTo(9);
    }

    @Test
    void isOneProblemWhereNothingIsMoreThanOne() {
        ProblemOrder order = new ProblemOrder(1, 1, 0);

        assertThat(order.all()).isEqualTo(1);
        assertThat(order.fold(0)).isEqualTo(-1);
    }
}
