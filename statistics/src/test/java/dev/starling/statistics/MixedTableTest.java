package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.inference.GaussHermite;
import dev.starling.inference.GeneralisedMixed;
import dev.starling.loss.Binomial;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Losses;
import dev.starling.loss.Poisson;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Setting;
import dev.starling.support.SameBits;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixedTableTest {

    @TempDir
    private Path folder;

    private static final Likelihood GAUSSIAN = (Likelihood) Losses.named("gaussian");

    private static Offset<Double> tenDigits(double value) {
        return within(5e-11 * Math.abs(value));
    }

    @Test
    void linearModelIsTheExactOne() {
        Golden golden = Golden.read("sleepstudy-lmm");

        MixedTable found =
                MixedTable.of(golden.rows(), golden.clusters(), GAUSSIAN, true, true, MixedTable.USUAL_NODES, 0.95);

        double[] coefficients = golden.vector("coefficients");
        double[] errors = golden.vector("se");
        for (int k = 0; k < coefficients.length; k++) {
            Coefficient line = found.table().coefficients().get(k);
            assertThat(line.estimate().value()).isCloseTo(coefficients[k], tenDigits(coefficients[k]));
            assertThat(line.se().value()).isCloseTo(errors[k], tenDigits(errors[k]));
        }
        assertThat(found.deviation().value()).isCloseTo(golden.number("tau"), tenDigits(golden.number("tau")));
        assertThat(found.residual().value()).isCloseTo(golden.number("sigma"), tenDigits(golden.number("sigma")));
        assertThat(found.table().deviance().value()).isCloseTo(golden.number("reml"), tenDigits(golden.number("reml")));
        assertThat(found.clusters()).isEqualTo(18);
    }

    @ParameterizedTest
    @CsvSource({"cbpp-glmm-agq25, 25", "cbpp-glmm-laplace, 1"})
    void binomialModelIsTheExactOne(String name, int nodes) {
        Golden golden = Golden.read(name);

        MixedTable found = MixedTable.of(golden.rows(), golden.clusters(), new Binomial(), true, true, nodes, 0.95);

        double[] coefficients = golden.vector("coefficients");
        for (int k = 0; k < coefficients.length; k++) {
            assertThat(found.table().coefficients().get(k).estimate().value())
                    .isCloseTo(coefficients[k], tenDigits(coefficients[k]));
        }
        assertThat(found.deviation().value()).isCloseTo(golden.number("tau"), tenDigits(golden.number("tau")));
        double coefficientsOfBinomials = 0;
        for (int i = 0; i < golden.rows().rows(); i++) {
            double m = golden.rows().weight(i);
            coefficientsOfBinomials += logChoose(m, Math.rint(m * golden.rows().label(i)));
        }
        double wanted = golden.number("minusLogIntegrals");
        assertThat(-found.table().logLik().value() + coefficientsOfBinomials).isCloseTo(wanted, tenDigits(wanted));
    }

    private MixedTable between(Golden golden, String loss, int nodes, Runner runner) {
        LinearModel model = Trainer.of(Losses.named(loss))
                .lambda(0)
                .gap(1e-9)
                .intercept(true)
                .nodes(nodes)
                .runner(runner)
                .with(Setting.STANDARD_ERRORS, StandardErrors.RANDOM_INTERCEPT)
                .fit(golden.rows(), golden.clusters())
                .model();
        Path file = folder.resolve("model.json");
        model.save(file);
        return MixedTable.of(LinearModel.load(file), 0.95).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "9"})
    void nodesThatAddUpTheirClustersFindTheSame(int nodes) {
        for (String name : List.of("sleepstudy-lmm", "cbpp-glmm-agq25")) {
            Golden golden = Golden.read(name);
            boolean gaussian = name.startsWith("sleep");
            MixedTable found = between(golden, gaussian ? "gaussian" : "binomial", nodes, new Simulator());
            MixedTable alone = MixedTable.of(
                    golden.rows(), golden.clusters(), gaussian ? GAUSSIAN : new Binomial(), true, true, 25, 0.95);

            double[] coefficients = golden.vector("coefficients");
            for (int k = 0; k < coefficients.length; k++) {
                Coefficient line = found.table().coefficients().get(k);
                Coefficient other = alone.table().coefficients().get(k);
                assertThat(line.name()).isEqualTo(other.name());
                assertThat(line.estimate().value()).isCloseTo(coefficients[k], tenDigits(coefficients[k]));
                assertThat(line.se().value())
                        .isCloseTo(other.se().value(), tenDigits(other.se().value()));
            }
            assertThat(found.deviation().value()).isCloseTo(golden.number("tau"), tenDigits(golden.number("tau")));
            assertThat(found.residual().value())
                    .isCloseTo(
                            alone.residual().value(), tenDigits(alone.residual().value()));
            assertThat(found.clusters()).isEqualTo(alone.clusters());
            assertThat(found.method()).isEqualTo(alone.method());
            assertThat(found.table().logLik().value())
                    .isCloseTo(
                            alone.table().logLik().value(),
                            tenDigits(alone.table().logLik().value()));
            assertThat(found.table().aic().value())
                    .isCloseTo(
                            alone.table().aic().value(),
                            tenDigits(alone.table().aic().value()));
            MixedTable threads = between(golden, gaussian ? "gaussian" : "binomial", nodes, new Threads());
            SameBits.require(threads, found);
        }
    }

    /** Units are powers of two by which rows are scaled, and columns far from zero are moved. */
    @Test
    void unitsAndFarColumnsChangeNothingElse() {
        Golden golden = Golden.read("sleepstudy-lmm");
        Dataset rows = golden.rows();
        double[][] far = new double[rows.rows()][];
        double[] labels = new double[far.length];
        for (int i = 0; i < far.length; i++) {
            far[i] = new double[rows.features()];
            rows.addTo(i, 1, far[i]);
            far[i][0] = 0x1p40 + 0x1p10 * far[i][0];
            labels[i] = 0x1p70 * rows.label(i);
        }
        LinearModel model = Trainer.of(Losses.named("gaussian"))
                .lambda(0)
                .gap(1e-9)
                .intercept(true)
                .nodes(3)
                .with(Setting.STANDARD_ERRORS, StandardErrors.RANDOM_INTERCEPT)
                .fit(Dataset.of(far, labels), golden.clusters())
                .model();
        MixedTable found = MixedTable.of(model, 0.95).orElseThrow();

        double slope = golden.vector("coefficients")[1];
        assertThat(found.table().coefficients().get(1).estimate().value())
                .isCloseTo(0x1p60 * slope, tenDigits(0x1p60 * slope));
        double tau = golden.number("tau");
        assertThat(found.deviation().value()).isCloseTo(0x1p70 * tau, tenDigits(0x1p70 * tau));
        double sigma = golden.number("sigma");
        assertThat(found.residual().value()).isCloseTo(0x1p70 * sigma, tenDigits(0x1p70 * sigma));
        // log|XᵀX| grows by that of the columns, and the density of labels falls by their unit.
        double reml = golden.number("reml") + 2 * (rows.rows() - 2) * 70 * Math.log(2) + 2 * 10 * Math.log(2);
        assertThat(found.table().deviance().value()).isCloseTo(reml, tenDigits(reml));
    }

    @Test
    void clustersOfOneNodeAndOtherFamiliesAreRefused() {
        Golden golden = Golden.read("sleepstudy-lmm");
        Trainer trainer = Trainer.of(Losses.named("gaussian"))
                .lambda(0)
                .intercept(true)
                .with(Setting.STANDARD_ERRORS, StandardErrors.RANDOM_INTERCEPT);

        assertThatThrownBy(
                        () -> trainer.fit(golden.rows(), new long[golden.rows().rows()]))
                .hasMessageContaining("a random intercept of one cluster");
        assertThatThrownBy(() -> trainer.fit(golden.rows()))
                .hasMessageContaining("needs to know which cluster a row belongs to");
        assertThatThrownBy(() -> Trainer.of(Losses.named("gamma"))
                        .lambda(0)
                        .intercept(true)
                        .with(Setting.STANDARD_ERRORS, StandardErrors.RANDOM_INTERCEPT)
                        .fit(golden.rows(), golden.clusters()))
                .hasMessageContaining("not with gamma");
    }

    private static double logChoose(double n, double k) {
        double sum = 0;
        for (int i = 1; i <= k; i++) {
            sum += Math.log((n - k + i) / i);
        }
        return sum;
    }

    /** Rows in clusters whose intercepts differ. */
    private static Dataset counts(long seed, long[] keys, double spread) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] intercepts = new double[keys.length];
        Arrays.setAll(
                intercepts, k -> spread * (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5));
        double[] x = new double[2 * keys.length];
        double[] y = new double[keys.length];
        for (int i = 0; i < y.length; i++) {
            keys[i] = i % 12;
            x[2 * i] = random.nextDouble(-1, 1);
            x[2 * i + 1] = random.nextInt(2);
            double mean = Math.exp(1 + 0.5 * x[2 * i] - 0.3 * x[2 * i + 1] + intercepts[(int) keys[i]]);
            double product = random.nextDouble();
            while (product > Math.exp(-mean)) {
                y[i]++;
                product *= random.nextDouble();
            }
        }
        return Dataset.dense(2, x, y);
    }

    /** Differences of values are slopes, and those of slopes are curvatures. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9})
    void derivativesAreThoseOfTheValue(int nodes) {
        long[] keys = new long[60];
        Dataset data = counts(7, keys, 1);
        ClusteredRows rows = ClusteredRows.of(data, keys, true, new Poisson());
        GeneralisedMixed model = new GeneralisedMixed(rows.clusters(), rows.columns(), new Poisson(), nodes);
        double[] theta = {0.8, 0.4, -0.2, 0.7};
        double[] here = model.at(theta);
        double width = 1e-5;
        for (int k = 0; k < theta.length; k++) {
            double[] more = theta.clone();
            double[] less = theta.clone();
            more[k] += width;
            less[k] -= width;
            double[] above = model.at(more);
            double[] below = model.at(less);
            assertThat(here[1 + k]).isCloseTo((above[0] - below[0]) / (2 * width), within(1e-6));
            for (int l = 0; l < theta.length; l++) {
                int row = Math.max(k, l);
                double entry = here[1 + theta.length + row * (row + 1) / 2 + Math.min(k, l)];
                assertThat(entry)
                        .isCloseTo((above[1 + l] - below[1 + l]) / (2 * width), within(1e-5 * (1 + Math.abs(entry))));
            }
        }
    }

    @Test
    void quadratureConvergesToTheIntegral() {
        long[] keys = new long[60];
        Dataset data = counts(8, keys, 1);

        double[] deviations = Arrays.stream(new int[] {1, 15, 40})
                .mapToDouble(nodes -> MixedTable.of(data, keys, new Poisson(), true, true, nodes, 0.95)
                        .deviation()
                        .value())
                .toArray();

        assertThat(deviations[1]).isCloseTo(deviations[2], within(1e-9));
        assertThat(Math.abs(deviations[0] - deviations[2])).isGreaterThan(1e-6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 25, 30})
    void hermiteRuleIsExactForMoments(int nodes) {
        GaussHermite rule = GaussHermite.of(nodes);
        double expected = 1;
        for (int power = 0; power < 2 * nodes; power += 2) {
            double sum = 0;
            for (int k = 0; k < nodes; k++) {
                sum += rule.weights()[k] * Math.pow(rule.nodes()[k], power);
            }
            assertThat(sum).isCloseTo(expected, within(1e-12 * expected));
            expected *= power + 1;
        }
    }

    /** Responses alternate within every cluster in the same way, so clusters differ less than by chance. */
    @Test
    void clustersThatDoNotDifferHaveNoVariance() {
        int n = 40;
        double[] x = new double[n];
        double[] y = new double[n];
        long[] keys = new long[n];
        for (int i = 0; i < n; i++) {
            keys[i] = i / 4;
            x[i] = i % 4;
            y[i] = i % 2;
        }
        Dataset data = Dataset.dense(1, x, y);

        MixedTable linear = MixedTable.of(data, keys, GAUSSIAN, true, true, 1, 0.95);
        MixedTable binary = MixedTable.of(data, keys, new Binomial(), true, true, 25, 0.95);

        assertThat(linear.deviation().value()).isZero();
        assertThat(binary.deviation().value()).isZero();
        assertThat(GlmText.of(binary, "k", 6).about().toString())
                .contains("clusters differ no more than their rows do")
                .contains("converged");
    }

    /** ANOVA's estimators are those of REML in a balanced design. */
    @Test
    void balancedDesignHasItsClosedForm() {
        double[] y = {3, 5, 9, 11, 4, 8, 1, 2, 7, 7, 12, 10};
        long[] keys = {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6};
        double within = 0;
        double between = 0;
        double mean = Arrays.stream(y).average().orElseThrow();
        for (int c = 0; c < 6; c++) {
            double own = (y[2 * c] + y[2 * c + 1]) / 2;
            within += (y[2 * c] - own) * (y[2 * c] - own) + (y[2 * c + 1] - own) * (y[2 * c + 1] - own);
            between += 2 * (own - mean) * (own - mean) / 5;
        }
        within /= 6;

        MixedTable found = MixedTable.of(Dataset.dense(0, new double[0], y), keys, GAUSSIAN, true, true, 1, 0.95);

        assertThat(found.residual().value()).isCloseTo(Math.sqrt(within), within(1e-12));
        assertThat(found.deviation().value()).isCloseTo(Math.sqrt((between - within) / 2), within(1e-12));
    }

    @Test
    void refusesOneClusterAndFamiliesItCannotTake() {
        Dataset data = Dataset.dense(1, new double[] {1, 2, 3, 5}, new double[] {1, 2, 1, 4});

        assertThatRefused(() -> MixedTable.of(data, new long[4], GAUSSIAN, true, true, 1, 0.95))
                .hasMessageContaining("1 cluster");
        assertThatRefused(
                        () -> MixedTable.of(data, new long[4], (Likelihood) Losses.named("gamma"), true, true, 1, 0.95))
                .hasMessageContaining("not with gamma");
    }

    @Test
    void formulasNameOneRandomIntercept() {
        assertThat(MixedFormula.of("y ~ a + b")).isEmpty();
        assertThat(MixedFormula.of("y ~ a + (1 | who)")).contains(new MixedFormula("y ~ a", "who"));
        assertThat(MixedFormula.of("y ~ (1|`who is it`) + a")).contains(new MixedFormula("y ~ a", "who is it"));
        assertThat(MixedFormula.of("y ~ (1 | who)")).contains(new MixedFormula("y ~ 1", "who"));
        assertThatThrownBy(() -> MixedFormula.of("y ~ a + (a | who)")).hasMessageContaining("(1 | patient)");
        assertThatThrownBy(() -> MixedFormula.of("y ~ (1 | who) + (1 | where)")).hasMessageContaining("one intercept");
    }
}
