package dev.starling.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExactnessTest {

    @Test
    void isReadAsItWasWritten() throws IOException {
        for (Exactness exactness :
                List.of(Exactness.UNKNOWN, new Exactness(0.25, List.of(7)), new Exactness(1e-9, List.of(2, 3, 11)))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            exactness.save(out);
            out.writeInt(42);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));

            assertThat(Exactness.restore(in)).isEqualTo(exactness);
            assertThat(in.readInt()).as("what follows").isEqualTo(42);
        }
    }

    @Test
    void theExactnessOfTwoModelsIsThatOfTheWorse() {
        Exactness one = new Exactness(0.5, List.of(9, 1));
        Exactness other = new Exactness(0.25, List.of(1, 4));

        assertThat(one.and(other)).isEqualTo(new Exactness(0.5, List.of(1, 4, 9)));
        assertThat(other.and(one)).isEqualTo(one.and(other));
    }
}
