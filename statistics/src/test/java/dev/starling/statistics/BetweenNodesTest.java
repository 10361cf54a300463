package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.loss.Cox;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Threads;
import dev.starling.settings.Setting;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cox's model, several classes and ordered classes on several nodes, against values with 20 digits. */
class BetweenNodesTest {

    private static final double DIGITS = 1e-10;

    private static Trainer trainer(Loss loss, int nodes) {
        return Trainer.of(loss).lambda(0).gap(1e-9).nodes(nodes).with(Setting.STANDARD_ERRORS, StandardErrors.MODEL);
    }

    private static Dataset timed(Dataset rows, Survival survival) {
        return rows.withLabels(IntStream.range(0, rows.rows())
                .mapToDouble(i -> survival.events()[i] ? survival.stop()[i] : -survival.stop()[i])
                .toArray());
    }

    private static long[] strata(Survival survival) {
        return IntStream.of(survival.strata()).mapToLong(s -> s).toArray();
    }

    private static void compare(GlmTable table, double[] estimates, double[] errors) {
        for (int k = 0; k < estimates.length; k++) {
            Coefficient line = table.coefficients().get(k);
            assertThat(line.estimate().value())
                    .as(line.name())
                    .isCloseTo(estimates[k], offset(DIGITS * Math.abs(estimates[k])));
            assertThat(Math.abs(line.estimate().value() - estimates[k]))
                    .as(line.name())
                    .isLessThanOrEqualTo(line.estimate().error());
            assertThat(line.se().value()).isCloseTo(errors[k], offset(DIGITS * errors[k]));
            assertThat(Math.abs(line.se().value() - errors[k]))
                    .isLessThanOrEqualTo(line.se().error());
        }
        assertThat(table.standardErrors()).isLessThan(1e-8);
    }

    @ParameterizedTest
    @CsvSource({
        "lung-cox-efron-site, cox, 1",
        "lung-cox-efron-site, cox, 3",
        "lung-cox-breslow-site, cox(breslow), 1",
        "lung-cox-breslow-site, cox(breslow), 3",
        "lung-cox-efron, cox, 1",
        "veteran-cox-strata, cox, 1",
        "veteran-cox-strata, cox, 3",
        "veteran-cox-weights, cox, 1"
    })
    void coxAgreesWithGoldenValuesToTenDigits(String name, String loss, int nodes) {
        Golden golden = Golden.read(name);
        Survival survival = golden.survival();

        LinearModel model = trainer(Losses.named(loss), nodes)
                .fit(timed(golden.rows(), survival), strata(survival))
                .model();

        GlmTable table = GlmTable.of(model, 0.95);
        compare(table, golden.vector("coefficients"), golden.vector("se"));
        double logLik = golden.number("logLik");
        assertThat(table.logLik().value()).isCloseTo(logLik, offset(DIGITS * -logLik));
        assertThat(Math.abs(table.logLik().value() - logLik))
                .isLessThanOrEqualTo(table.logLik().error());
        assertThat(model.inference().orElseThrow().constant()
                        - table.nullDeviance().value() / 2)
                .isCloseTo(golden.number("nullLogLik"), offset(DIGITS * -logLik));
    }

    @ParameterizedTest
    @CsvSource({"birthwt-softmax, 1", "birthwt-softmax, 3", "birthwt-softmax, 9", "iris-softmax, 3"})
    void severalClassesAgreeWithGoldenValuesToTenDigits(String name, int nodes) {
        Golden golden = Golden.read(name);

        LinearModel model = trainer(Losses.named("multinomial"), nodes)
                .intercept(true)
                .fit(golden.rowsWithoutOffsets())
                .model();

        compare(ClassTable.of(model, 0.95).table(), golden.vector("coefficients"), golden.vector("se"));
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "9"})
    void orderedClassesAgreeWithGoldenValuesToTenDigits(int nodes) {
        Golden golden = Golden.read("housing-polr");

        LinearModel model = trainer(Losses.named("ordinal"), nodes)
                .intercept(true)
                .fit(golden.rows())
                .model();

        double[] all = DoubleStream.concat(
                        DoubleStream.of(golden.vector("coefficients")), DoubleStream.of(golden.vector("zeta")))
                .toArray();
        compare(ClassTable.of(model, 0.95).table(), all, golden.vector("se"));
        double[] p = model.probabilities(golden.rows(), 0);
        assertThat(p[0] + p[1] + p[2]).isCloseTo(1, offset(1e-12));
    }

    @Test
    void everyRunnerHasTheSameBits() {
        Golden golden = Golden.read("lung-cox-efron-site");
        Dataset rows = timed(golden.rows(), golden.survival());
        long[] sites = strata(golden.survival());

        String simulated = trainer(new Cox(), 3).fit(rows, sites).model().hash();

        assertThat(trainer(new Cox(), 3)
                        .runner(new Threads())
                        .fit(rows, sites)
                        .model()
                        .hash())
                .isEqualTo(simulated);
    }

    @ParameterizedTest
    @CsvSource({"lung-cox-efron-site, 3", "veteran-cox-strata, 4"})
    void strataHaveTheSameBitsWhereverTheyAre(String name, int nodes) {
        Golden golden = Golden.read(name);
        Dataset rows = timed(golden.rows(), golden.survival());
        long[] strata = strata(golden.survival());

        LinearModel one = trainer(new Cox(), 1).fit(rows, strata).model();
        LinearModel several = trainer(new Cox(), nodes).fit(rows, strata).model();

        assertThat(several.weights(0)).containsExactly(one.weights(0));
        assertThat(several.inference().orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(one.inference().orElseThrow());
    }

    @Test
    void rowsOfOneStratumAtSeveralNodesAreRefused() {
        Golden golden = Golden.read("lung-cox-efron");
        Dataset rows = timed(golden.rows(), golden.survival());

        assertThatThrownBy(() -> trainer(new Cox(), 3).fit(rows))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("strata(site)")
                .hasMessageContaining("poisson");
    }
}
