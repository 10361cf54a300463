package dev.starling.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparseDeltaTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 6, 13, 207})
    void theReaderShouldHaveTheWritersBitsWhateverChanged(int entries) {
        SplittableRandom random = new SplittableRandom(entries);
        double[] vector = new double[entries];
        double[] known = new double[entries];
        double[] message = new double[SparseDelta.longest(entries)];
        for (int round = 0; round < 50; round++) {
            int changes = entries == 0 ? 0 : random.nextInt(entries + 1);
            for (int k = 0; k < changes; k++) {
                vector[random.nextInt(entries)] = k == 0 ? -0.0 : random.nextDouble();
            }
            int differing = 0;
            for (int c = 0; c < entries; c++) {
                differing += Double.compare(vector[c], known[c]) != 0 ? 1 : 0;
            }
            int length = SparseDelta.write(vector, known, entries, message);
            SparseDelta.read(message, known, entries);

            assertThat(known).isEqualTo(vector);
            assertThat(length).isEqualTo(Math.min(1 + 2 * differing, 1 + entries));
        }
    }
}
