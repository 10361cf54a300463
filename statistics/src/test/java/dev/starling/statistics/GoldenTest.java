package dev.starling.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All printed numbers against values that were computed with 50 digits. */
class GoldenTest {

    private static GlmTable fitted(Golden golden, String loss, int nodes, StandardErrors kind) {
        return GlmTable.of(model(golden, loss, nodes, kind, new Simulator()), 0.95);
    }

    private static LinearModel model(Golden golden, String loss, int nodes, StandardErrors kind, Runner runner) {
        return Trainer.of(Losses.named(loss))
                .lambda(0)
                .gap(1e-12)
                .intercept(true)
                .nodes(nodes)
                .with(Setting.STANDARD_ERRORS, kind)
                .runner(runner)
                .fit(golden.rows(), kind.isClustered() ? golden.sites() : new long[0])
                .model();
    }

    private static void assertSame(String what, Proven found, double expected) {
        if (!Double.isNaN(expected)) {
            assertThat(found.value()).as(what).isCloseTo(expected, within(1e-10 * Math.abs(expected) + 1e-300));
            assertThat(Math.abs(found.value() - expected))
                    .as("the bound on the error of " + what)
                    .isLessThanOrEqualTo(found.error() + Math.ulp(expected));
            // The bound for degrees of freedom counts clusters, and is a wide one.
            assertThat(found.error())
                    .as("what is proven of " + what)
                    .isLessThan((what.startsWith("p of few") ? 1e-6 : 1e-10) * Math.abs(expected) + 1e-300);
        }
    }

    private static void assertSame(
            String what, GlmTable table, Function<Coefficient, Proven> part, double... expected) {
        List<Coefficient> lines = table.coefficients();
        assertThat(lines).hasSize(expected.length);
        for (int k = 0; k < expected.length; k++) {
            assertSame(what + " of " + lines.get(k).name(), part.apply(lines.get(k)), expected[k]);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mtcars-gaussian             | gaussian
            mtcars-gaussian-weights     | gaussian
            birthwt-logit               | binomial
            esoph-logit                 | binomial
            infert-logit                | binomial
            infert-probit               | binomial(probit)
            warpbreaks-poisson          | poisson
            warpbreaks-quasipoisson     | quasi-poisson
            airquality-gamma            | gamma
            airquality-inverse-gaussian | inverse-gaussian
            mtcars-inverse-gaussian     | inverse-gaussian
            quine-nb-given              | negative-binomial(2)
            quine-tweedie               | tweedie(1.5)
            """)
    void everyNumberIsThatOfFiftyDigitsOnOneAndSeveralNodes(String name, String loss) {
        Golden golden = Golden.read(name);
        for (int nodes : new int[] {1, 3, 9}) {
            LinearModel simulated = model(golden, loss, nodes, StandardErrors.MODEL, new Simulator());
            assertThat(model(golden, loss, nodes, StandardErrors.MODEL, new Threads())
                            .hash())
                    .isEqualTo(simulated.hash());
            GlmTable table = GlmTable.of(simulated, 0.95);
            assertSame("estimate", table, Coefficient::estimate, golden.vector("coefficients"));
            if (table.family().startsWith("negative-binomial")) {
                // The values are for an estimated dispersion; that of counts is 1.
                double deviation = Math.sqrt(golden.number("dispersion"));
                double[] errors = Arrays.stream(golden.vector("se"))
                        .map(error -> error / deviation)
                        .toArray();
                assertSame("standard error", table, Coefficient::se, errors);
            } else {
                assertSame("standard error", table, Coefficient::se, golden.vector("se"));
                assertSame("statistic", table, Coefficient::statistic, golden.vector("statistic"));
                assertSame("p", table, Coefficient::p, golden.vector("p"));
                assertSame("dispersion", table.dispersion(), golden.number("dispersion"));
            }
            assertSame("deviance", table.deviance(), golden.number("deviance"));
            assertSame("null deviance", table.nullDeviance(), golden.number("nullDeviance"));
            assertSame("log-likelihood", table.logLik(), golden.number("logLik"));
            assertSame("AIC", table.aic(), golden.number("aic"));
            assertSame("BIC", table.bic(), golden.number("bic"));
            assertThat(table.dfResidual()).isEqualTo(golden.number("dfResidual"));
            assertThat(table.n()).isEqualTo(golden.number("n"));
            assertThat(table.standardErrors()).isLessThan(1e-9);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mtcars-gaussian             | gaussian
            birthwt-logit               | binomial
            infert-probit               | binomial(probit)
            warpbreaks-poisson          | poisson
            airquality-gamma            | gamma
            quine-nb-given              | negative-binomial(2)
            quine-tweedie               | tweedie(1.5)
            """)
    void robustErrorsAreThoseOfFiftyDigits(String name, String loss) {
        Golden golden = Golden.read(name);
        for (StandardErrors kind :
                List.of(StandardErrors.HC0, StandardErrors.HC1, StandardErrors.HC2, StandardErrors.HC3)) {
            for (int nodes : new int[] {1, 3}) {
                assertSame(kind.text(), fitted(golden, loss, nodes, kind), Coefficient::se, golden.vector(kind.text()));
            }
        }
        for (int nodes : new int[] {1, 2, 3}) {
            GlmTable table = fitted(golden, loss, nodes, StandardErrors.CR1);
            assertSame("CR1", table, Coefficient::se, golden.vector("clusterSiteHC1"));
        }
    }

    /** Least squares, with the clusters and degrees of freedom of R's clubSandwich. */
    @Test
    void fewClustersHaveTheErrorsAndDegreesOfBellAndMcCaffrey() {
        Golden golden = Golden.read("mtcars-cr");
        for (int nodes : new int[] {1, 3}) {
            LinearModel model = Trainer.of(Losses.named("gaussian"))
                    .lambda(0)
                    .gap(1e-12)
                    .intercept(true)
                    .nodes(nodes)
                    .with(Setting.STANDARD_ERRORS, StandardErrors.CR2)
                    .fit(golden.rows(), golden.clusters())
                    .model();
            GlmTable table = GlmTable.of(model, 0.95);
            assertSame("CR2", table, Coefficient::se, golden.vector("CR2"));
            assertSame("p of few clusters", table, Coefficient::p, golden.vector("p"));
            double[] expected = golden.vector("df");
            double[] degrees = model.inference().orElseThrow().degrees();
            assertThat(degrees[2]).isCloseTo(expected[0], within(1e-10));
            assertThat(degrees[0]).isCloseTo(expected[1], within(1e-10));
            assertThat(degrees[1]).isCloseTo(expected[2], within(1e-10));
        }
    }

    /** A target in other units, however large, has coefficients and errors in those units. */
    @Test
    void unitsOfTargetsAndWeightsChangeNothingElse() {
        Golden golden = Golden.read("mtcars-gaussian-weights");
        double unit = 0x1p60;
        double[] labels =
                Arrays.stream(golden.rows().labels()).map(y -> y * unit).toArray();
        double[] weights = IntStream.range(0, golden.rows().rows())
                .mapToDouble(row -> golden.rows().weight(row) * 0x1p-40)
                .toArray();
        GlmTable plain = fitted(golden, "gaussian", 1, StandardErrors.MODEL);
        GlmTable large = GlmTable.of(
                Trainer.of(Losses.named("gaussian"))
                        .lambda(0)
                        .gap(1e-12)
                        .intercept(true)
                        .nodes(1)
                        .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                        .fit(golden.rows().withLabels(labels).withWeights(weights))
                        .model(),
                0.95);
        for (int k = 0; k < plain.coefficients().size(); k++) {
            Coefficient one = plain.coefficients().get(k);
            Coefficient other = large.coefficients().get(k);
            assertSame("estimate", other.estimate(), unit * one.estimate().value());
            assertSame("standard error", other.se(), unit * one.se().value());
            assertSame("p", other.p(), one.p().value());
        }
        double ofDeviance = unit * unit * 0x1p-40;
        assertSame("deviance", large.deviance(), ofDeviance * plain.deviance().value());
        assertSame(
                "null deviance",
                large.nullDeviance(),
                ofDeviance * plain.nullDeviance().value());
        // The density of a number in another unit; weights are precisions up to a factor.
        double expected = plain.logLik().value() - plain.n() * Math.log(unit);
        assertSame("log-likelihood", large.logLik(), expected);
    }
}
