package dev.starling.method.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.node.ReleaseLimits;
import dev.starling.support.SavedStates;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ReleasesTest {

    /** A hundred numbers, two curvatures, six passes with them and nine without. */
    private static final ReleaseLimits LIMITS = new ReleaseLimits(100, 2, 6, 9, 1);

    private static Releases after(int gradients, int curvatures) {
        Releases releases = new Releases(LIMITS);
        for (int k = 0; k < gradients; k++) {
            releases.add(5, false);
        }
        for (int k = 0; k < curvatures; k++) {
            releases.add(10, true);
        }
        return releases;
    }

    @Test
    void allowsNumbersUpToTheLimit() {
        assertThat(after(2, 0).allow(5, false, 15, 1)).isTrue();
        assertThat(after(2, 0).allow(6, false, 15, 1)).isFalse();
        assertThat(after(1, 1).allow(5, false, 20, 1)).isTrue();
        assertThat(after(1, 1).allow(6, false, 20, 1)).isFalse();
    }

    @Test
    void allowsFewerPassesAfterCurvatures() {
        assertThat(after(7, 0).allow(1, false, 100, 2)).isTrue();
        assertThat(after(7, 0).allow(1, false, 100, 3)).isFalse();
        assertThat(after(3, 1).allow(1, false, 100, 2)).isTrue();
        assertThat(after(4, 1).allow(1, false, 100, 2)).isFalse();
        assertThat(after(4, 0).allow(1, true, 100, 2)).isTrue();
        assertThat(after(5, 0).allow(1, true, 100, 2)).isFalse();
    }

    @Test
    void allowsCurvaturesUpToTheLimit() {
        assertThat(after(0, 1).allow(1, true, 100, 1)).isTrue();
        assertThat(after(0, 2).allow(1, true, 100, 1)).isFalse();
        assertThat(after(0, 2).allow(1, false, 100, 1)).isTrue();
    }

    @Test
    void aDiagonalCountsAsACurvature() {
        Releases releases = after(6, 0);
        releases.addDiagonal(10);
        assertThat(releases.allow(1, false, 100, 2)).isTrue();
        assertThat(releases.allow(1, false, 100, 3)).isFalse();
        assertThat(releases.allowDiagonal(60, 100, 2)).isTrue();
        assertThat(releases.allowDiagonal(61, 100, 2)).isFalse();
        releases.addDiagonal(10);
        assertThat(releases.allowDiagonal(1, 100, 1)).isFalse();
        assertThat(after(0, 1).allowDiagonal(1, 100, 1)).isTrue();
        assertThat(after(0, 2).allowDiagonal(1, 100, 1)).isFalse();

        Releases curved = after(0, 1);
        curved.addDiagonal(10);
        assertThat(curved.allow(1, true, 100, 1)).isFalse();
        assertThat(curved.allowWithCurvature(1, false, 1, 3)).isFalse();
    }

    @Test
    void leavesRoomForACurvatureThatFollows() {
        assertThat(after(0, 0).allowWithCurvature(40, true, 60, 3)).isTrue();
        assertThat(after(0, 0).allowWithCurvature(40, true, 61, 3)).isFalse();
        assertThat(after(0, 1).allowWithCurvature(1, true, 1, 3)).isFalse();
        assertThat(after(0, 1).allowWithCurvature(1, false, 1, 3)).isTrue();
        assertThat(after(0, 2).allowWithCurvature(1, false, 1, 3)).isFalse();
        assertThat(after(3, 0).allowWithCurvature(1, false, 1, 3)).isTrue();
        assertThat(after(4, 0).allowWithCurvature(1, false, 1, 3)).isFalse();
    }

    @Test
    void isReadAsItWasWritten() throws IOException {
        Releases told = after(2, 1);
        told.addDiagonal(5);
        Releases restored = SavedStates.copy(told, new Releases(LIMITS));

        assertThat(restored.passes()).isEqualTo(4);
        assertThat(restored.curvatures()).isEqualTo(1);
        assertThat(restored.allowDiagonal(1, 100, 1)).isFalse();
        assertThat(restored.allow(75, false, 100, 1)).isTrue();
        assertThat(restored.allow(76, false, 100, 1)).isFalse();
    }
}
