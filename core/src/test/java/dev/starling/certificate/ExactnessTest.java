package dev.starling.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExactnessTest {

    @Test
    void theExactnessOfTwoModelsIsThatOfTheWorse() {
        Exactness one = new Exactness(0.5, List.of(9, 1));
        Exactness other = new Exactness(0.25, List.of(1, 4));

        assertThat(one.and(other)).isEqualTo(new Exactness(0.5, List.of(1, 4, 9)));
        assertThat(other.and(one)).isEqualTo(one.and(other));
    }
}
