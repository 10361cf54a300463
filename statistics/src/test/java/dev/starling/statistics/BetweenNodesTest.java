package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Cox;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.Differences;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Setting;
import dev.starling.support.SameBits;
import dev.starling.support.Stored;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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
        assertThat(table.deviance().value()).isCloseTo(-2 * logLik, offset(DIGITS * -logLik));
        assertThat(-table.nullDeviance().value() / 2).isCloseTo(golden.number("nullLogLik"), offset(DIGITS * -logLik));
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

    /** Each node has strata of its own; all rows at one machine, with times of their own, give the same table. */
    @ParameterizedTest
    @CsvSource({"cox, 1", "cox, 3", "cox, 9", "cox(breslow), 3"})
    void rowsMayComeLate(String loss, int nodes) {
        Golden golden = Golden.read("lung-cox-efron");
        Survival known = golden.survival();
        int[] strata = IntStream.range(0, known.rows()).map(i -> i % 9).toArray();
        double[] start = IntStream.range(0, known.rows())
                .mapToDouble(i -> i % 4 == 0 ? 0 : known.stop()[i] * (i % 7) / 8)
                .toArray();
        Survival late = new Survival(start, known.stop(), known.events(), strata);
        Cox cox = (Cox) Losses.named(loss);

        LinearModel model = trainer(cox, nodes)
                .fit(timed(golden.rows(), late).withEntries(start), strata(late))
                .model();

        CoxTable alone = CoxTable.of(golden.rows(), late, cox.ties(), 0.95);
        List<Coefficient> lines = alone.table().coefficients();
        compare(
                GlmTable.of(model, 0.95),
                lines.stream().mapToDouble(line -> line.estimate().value()).toArray(),
                lines.stream().mapToDouble(line -> line.se().value()).toArray());
        assertThat(model.weights(0))
                .isNotEqualTo(trainer(cox, nodes)
                        .fit(timed(golden.rows(), late), strata(late))
                        .model()
                        .weights(0));
    }

    @ParameterizedTest
    @CsvSource({
        "lung-cox-efron-site, cox, 3",
        "lung-cox-breslow-site, cox(breslow), 3",
        "veteran-cox-strata, cox, 3",
        "birthwt-softmax, multinomial, 3",
        "birthwt-softmax, multinomial, 9",
        "iris-softmax, multinomial, 3",
        "housing-polr, ordinal, 9"
    })
    void everyRunnerHasTheSameBits(String name, String loss, int nodes) {
        Golden golden = Golden.read(name);
        boolean times = loss.startsWith("cox");
        Dataset rows = times ? timed(golden.rows(), golden.survival()) : golden.rowsWithoutOffsets();
        long[] sites = times ? strata(golden.survival()) : new long[0];
        Trainer trainer = trainer(Losses.named(loss), nodes).intercept(!times);

        String simulated =
                trainer.runner(new Simulator()).fit(rows, sites).model().hash();

        assertThat(trainer.runner(new Threads()).fit(rows, sites).model().hash())
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
        SameBits.require(several.inference().orElseThrow(), one.inference().orElseThrow());
    }

    /** Dummies for the sites, of which R's fit consists, beside intercepts that no node sends. */
    @ParameterizedTest
    @CsvSource({"warpbreaks-poisson, poisson", "infert-logit, binomial", "birthwt-logit, binomial"})
    void anInterceptPerSiteNeedsNoDummies(String name, String family) {
        Golden golden = Golden.read(name);
        Dataset rows = golden.rows();
        long[] sites = golden.sites();
        int count = (int) LongStream.of(sites).distinct().count();
        Dataset dummies = withDummies(rows, sites, count);

        LinearModel pooled =
                trainer(Losses.named(family), 1).intercept(true).fit(dummies).model();
        LinearModel one = trainer(Losses.named("stratified(" + family + ")"), 1)
                .fit(rows, sites)
                .model();
        LinearModel several = trainer(Losses.named("stratified(" + family + ")"), count)
                .fit(rows, sites)
                .model();

        GlmTable expected = GlmTable.of(pooled, 0.95);
        GlmTable found = GlmTable.of(several, 0.95);
        for (int k = 0; k < rows.features(); k++) {
            Coefficient line = found.coefficients().get(k);
            Coefficient there = expected.coefficients().get(k + 1);
            assertThat(Math.abs(line.estimate().value() - there.estimate().value()))
                    .as(line.name())
                    .isLessThanOrEqualTo(
                            line.estimate().error() + there.estimate().error());
            assertThat(line.estimate().error()).isLessThan(1e-9);
            assertThat(line.se().value())
                    .isCloseTo(
                            there.se().value(),
                            offset(line.se().error() + there.se().error()));
            assertThat(line.se().error()).isLessThan(1e-9 * line.se().value());
        }
        assertThat(found.logLik().value()).isCloseTo(expected.logLik().value(), offset(1e-9));
        assertThat(found.aic().value()).isCloseTo(expected.aic().value(), offset(1e-8));
        assertThat(found.dfResidual()).isEqualTo(expected.dfResidual());
        assertThat(found.dfNull()).isEqualTo(found.dfResidual() + rows.features());
        assertThat(several.weights(0)).containsExactly(one.weights(0));
        SameBits.require(several.inference().orElseThrow(), one.inference().orElseThrow());
    }

    private static Dataset withDummies(Dataset rows, long[] sites, int count) {
        long[] levels = LongStream.of(sites).distinct().toArray();
        int width = rows.features() + count - 1;
        double[] values = new double[rows.rows() * width];
        for (int i = 0; i < rows.rows(); i++) {
            for (int c = 0; c < rows.features(); c++) {
                values[i * width + c] = Stored.value(rows, i, c);
            }
            for (int s = 1; s < count; s++) {
                values[i * width + rows.features() + s - 1] = sites[i] == levels[s] ? 1 : 0;
            }
        }
        return Dataset.dense(width, values, rows.labels())
                .withWeights(IntStream.range(0, rows.rows())
                        .mapToDouble(rows::weight)
                        .toArray())
                .withOffsets(IntStream.range(0, rows.rows())
                        .mapToDouble(rows::offset)
                        .toArray());
    }

    @Test
    void rowsOfOneStratumAtSeveralNodesAreRefused() {
        Golden golden = Golden.read("lung-cox-efron");
        Dataset rows = timed(golden.rows(), golden.survival());

        assertThatRefused(() -> trainer(new Cox(), 3).fit(rows))
                .hasMessageContaining("strata(site)")
                .hasMessageContaining("poisson");
    }

    /**
     * R: {@code anova(glm(y ~ x, binomial), glm(y ~ x * factor(site), binomial), test = "Rao")} gives 5.0320033157, at
     * an estimate with 8 digits; the value here is that at the estimate with 20 digits.
     */
    @Test
    void heterogeneityIsTheTestOfRAndCochransOfTheSitesOwnFits() {
        Golden golden = Golden.read("infert-logit");
        Dataset rows = golden.rows();
        long[] sites = golden.sites();

        LinearModel model = trainer(Losses.named("binomial"), 3)
                .intercept(true)
                .with(Setting.HETEROGENEITY, Differences.ALL)
                .fit(rows, sites)
                .model();

        Heterogeneity found = Heterogeneity.of(model).orElseThrow();
        assertThat(found.test().statistic()).isCloseTo(5.032003304543406, offset(1e-10));
        assertThat(found.test().degrees()).isEqualTo(14);
        assertThat(found.test().p()).isCloseTo(0.98536, offset(1e-5));
        assertThat(found.sites()).isEqualTo(3);
        double[] weight = new double[3];
        double[] estimate = new double[3];
        for (int s = 0; s < 3; s++) {
            long site = LongStream.of(sites).distinct().toArray()[s];
            int[] own = IntStream.range(0, rows.rows())
                    .filter(i -> sites[i] == site)
                    .toArray();
            Coefficient age = GlmTable.of(
                            trainer(Losses.named("binomial"), 1)
                                    .intercept(true)
                                    .fit(rows.picked(own))
                                    .model(),
                            0.95)
                    .coefficients()
                    .get(1);
            weight[s] = 1 / (age.se().value() * age.se().value());
            estimate[s] = age.estimate().value();
        }
        double mean =
                IntStream.range(0, 3).mapToDouble(s -> weight[s] * estimate[s]).sum()
                        / DoubleStream.of(weight).sum();
        double q = IntStream.range(0, 3)
                .mapToDouble(s -> weight[s] * (estimate[s] - mean) * (estimate[s] - mean))
                .sum();
        assertThat(found.lines().get(0).q().statistic()).isCloseTo(q, offset(1e-9));
        assertThat(found.lines().get(0).share()).isEqualTo(Math.max(0, 1 - 2 / q));
    }

    private static Heterogeneity compared(Golden golden, Differences asked) {
        return Heterogeneity.of(trainer(Losses.named("binomial"), 3)
                        .intercept(true)
                        .with(Setting.HETEROGENEITY, asked)
                        .fit(golden.rows(), golden.sites())
                        .model())
                .orElseThrow();
    }

    /**
     * R: {@code anova(glm(y ~ x, binomial), glm(y ~ x + factor(site):age, binomial), test = "Rao")}, at estimates with
     * about 8 digits.
     */
    @ParameterizedTest
    @CsvSource({"age, 0.24188336358651, 2", "'age,parity', 1.62316108353122, 4"})
    void siteByColumnIsTheTestOfR(String columns, double statistic, int degrees) {
        Heterogeneity found = compared(Golden.read("infert-logit"), Differences.named(columns));

        Heterogeneity.Columns test = found.columns().orElseThrow();
        assertThat(test.test().statistic()).isCloseTo(statistic, offset(1e-6 * statistic));
        assertThat(test.test().degrees()).isEqualTo(degrees);
        assertThat(String.join(",", test.names())).isEqualTo(columns);
        assertThat(found.estimates()).isEmpty();
    }

    /** All coefficients by themselves are all coefficients: the test of columns is then that of everything. */
    @Test
    void siteByAllColumnsWithoutAnInterceptIsTheWholeTest() {
        Golden golden = Golden.read("infert-logit");
        Heterogeneity found = Heterogeneity.of(trainer(Losses.named("binomial"), 3)
                        .intercept(false)
                        .with(
                                Setting.HETEROGENEITY,
                                Differences.named(String.join(",", golden.rows().names())))
                        .fit(golden.rows(), golden.sites())
                        .model())
                .orElseThrow();

        assertThat(found.columns().orElseThrow().test().statistic())
                .isCloseTo(found.test().statistic(), offset(1e-9));
        assertThat(found.columns().orElseThrow().test().degrees())
                .isEqualTo(found.test().degrees());
    }

    @Test
    void aSiteWhereAColumnDoesNotVaryHasNoCoefficientOfItsOwn() {
        Golden golden = Golden.read("infert-logit");
        Dataset rows = golden.rows();
        long[] sites = golden.sites();
        double[] values = IntStream.range(0, rows.rows() * rows.features())
                .mapToDouble(i -> i % rows.features() == 1 && sites[i / rows.features()] == 2
                        ? 0
                        : Stored.value(rows, i / rows.features(), i % rows.features()))
                .toArray();
        Dataset constant = Dataset.dense(rows.features(), values, rows.labels()).withNames(rows.names());

        Heterogeneity found = Heterogeneity.of(trainer(Losses.named("binomial"), 3)
                        .intercept(true)
                        .with(Setting.HETEROGENEITY, Differences.named("parity"))
                        .fit(constant, sites)
                        .model())
                .orElseThrow();

        assertThat(found.columns().orElseThrow().test().degrees()).isEqualTo(1);
        assertThat(found.sites()).isEqualTo(2);
    }

    /** Sites' own fits and those without them, each trained by itself. */
    @Test
    void estimatesBySiteAreThoseOfFitsOfTheirOwn() {
        Golden golden = Golden.read("infert-logit");
        Dataset rows = golden.rows();
        long[] sites = golden.sites();
        long[] order = LongStream.of(sites).distinct().toArray();

        Heterogeneity found = compared(golden, Differences.named("by-site"));

        assertThat(found.estimates()).hasSize(2 * 3 * 7);
        for (Heterogeneity.Estimate one : found.estimates()) {
            long site = order[one.site() - 1];
            int[] used = IntStream.range(0, rows.rows())
                    .filter(i -> sites[i] == site ^ one.without())
                    .toArray();
            Coefficient alone = GlmTable.of(
                            trainer(Losses.named("binomial"), 1)
                                    .intercept(true)
                                    .fit(rows.picked(used))
                                    .model(),
                            0.95)
                    .coefficients()
                    .stream()
                    .filter(line -> line.name().equals(one.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(one.estimate())
                    .as(one.toString())
                    .isCloseTo(
                            alone.estimate().value(), offset(1e-8 * alone.se().value()));
            assertThat(one.se())
                    .isCloseTo(alone.se().value(), offset(1e-8 * alone.se().value()));
        }
        assertThat(String.join("\n", found.text())).contains("without site 3 age: 0.0317334, standard error 0.03985");
    }

    @Test
    void columnsThatAreNotThereAreRefusedByName() {
        assertThatRefused(() -> compared(Golden.read("infert-logit"), Differences.named("ages")))
                .hasMessageContaining("heterogeneity: unknown column 'ages'; did you mean 'age'?");
        assertThatRefused(() -> Differences.named("false,age")).hasMessageContaining("says false and more");
        assertThatRefused(() -> trainer(Losses.named("multinomial"), 3)
                        .with(Setting.HETEROGENEITY, Differences.named("age"))
                        .fit(Golden.read("birthwt-softmax").rowsWithoutOffsets()))
                .hasMessageContaining("needs a loss of one score per row, not softmax");
    }
}
