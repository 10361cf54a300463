package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InParts;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.runtime.Threads;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows whose values are in several arrays give the bits of the same rows in one. */
class RowsInPartsTest {

    /** Blocks of rows that are added up end elsewhere. */
    private static final int ROWS = 64 * 37;

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void everyMethodTrainsTheSameModel(String name, Trainer trainer, Dataset rows) {
        Dataset divided = InParts.of(rows, ROWS);

        Fit whole = trainer.runner(new Threads(2)).fit(rows);
        Fit parts = trainer.runner(new Threads(2)).fit(divided);

        assertThat(divided.values(0)).isNotSameAs(divided.values(rows.rows() - 1));
        assertThat(parts.model().hash()).as(name).isEqualTo(whole.model().hash());
        assertThat(parts.certificate()).isEqualTo(whole.certificate());
        assertThat(Evaluation.of(parts.model(), divided))
                .hasToString(Evaluation.of(whole.model(), rows).toString());
    }

    static Stream<Arguments> cases() {
        Dataset dense =
                Generator.classification(9_000, 8).conditioning(30).seed(5).generate();
        Dataset sparse =
                Generator.classification(9_000, 60).density(0.1).seed(6).generate();
        return Stream.concat(
                ThreadsBitsTest.cases(),
                Stream.of(
                        Arguments.of("dual, sparse", of("hinge").method("dual"), sparse),
                        Arguments.of("dual, dense", of("logistic").method("dual"), dense),
                        Arguments.of("weights and offsets, dense", of("logistic"), weighted(dense)),
                        Arguments.of(
                                "weights and offsets, sparse", of("logistic").l1(1e-3), weighted(sparse)),
                        Arguments.of("bias, sparse", of("logistic").bias(1), sparse),
                        Arguments.of("adfs, doubles, one node", of("logistic").method("adfs"), thirds(dense)),
                        Arguments.of("tiny numbers", of("squared").lambda(0), tiny(dense))));
    }

    private static Trainer of(String loss) {
        return Trainer.of(Losses.named(loss)).lambda(1e-2).gap(1e-4);
    }

    private static Dataset weighted(Dataset rows) {
        double[] weights = new double[rows.rows()];
        Arrays.setAll(weights, row -> 1 + row % 3);
        double[] offsets = new double[rows.rows()];
        Arrays.setAll(offsets, row -> row % 5 * 0.1);
        return rows.withWeights(weights).withOffsets(offsets);
    }

    private static Dataset thirds(Dataset rows) {
        return rows.changed((column, value) -> value / 3);
    }

    private static Dataset tiny(Dataset rows) {
        return rows.changed((column, value) -> value * 1e-30);
    }

    @Test
    void aRowIsPredictedAsInOneArray() {
        Dataset rows = Generator.classification(1_000, 5).seed(7).generate();
        LinearModel model = of("logistic").fit(rows).model();
        Dataset divided = InParts.of(rows, 64);
        for (int row = 0; row < rows.rows(); row++) {
            assertThat(model.predict(divided, row)).isEqualTo(model.predict(rows, row));
        }
    }
}
