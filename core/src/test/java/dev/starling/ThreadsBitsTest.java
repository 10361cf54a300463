package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.RowBuffer;
import dev.starling.evaluation.Evaluation;
import dev.starling.loss.Hinge;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One node with many blocks of rows gives the same bits on any number of threads. */
class ThreadsBitsTest {

    /** Rows that several cases train on are made once. */
    private static final Dataset DENSE =
            Generator.classification(40_000, 20).conditioning(30).seed(1).generate();

    private static final Dataset SPARSE =
            Generator.classification(140_000, 30).density(0.1).seed(2).generate();

    private static final Dataset WIDE =
            Generator.classification(9_000, 700).density(0.05).seed(3).generate();

    /** More columns than rows, and too many for a Hessian. */
    private static final Dataset MANY_COLUMNS =
            Generator.classification(5_000, 6_000).density(0.005).seed(5).generate();

    private static final Dataset DOUBLES = doubles();

    /** Columns whose values are not floats. */
    private static Dataset doubles() {
        Dataset rows = Generator.regression(30_000, 12).conditioning(10).seed(4).generate();
        return rows.changed((column, value) -> value / 3);
    }

    private static Dataset counts() {
        Dataset rows = DENSE;
        double[] labels = new double[rows.rows()];
        Arrays.setAll(labels, row -> row % 4);
        return rows.withLabels(labels);
    }

    private static Trainer of(String loss) {
        return Trainer.of(Losses.named(loss)).lambda(1e-3).gap(1e-8);
    }

    private static Trainer adfs(String loss) {
        return of(loss).lambda(1e-2).method("adfs").gap(1e-3);
    }

    private static Trainer dual(String loss) {
        return of(loss).lambda(1e-2).method("dual").gap(1e-4);
    }

    static Stream<Arguments> cases() {
        Loss hinge = new Hinge();
        return Stream.of(
                Arguments.of("newton, dense", of("logistic"), DENSE),
                Arguments.of("newton, sparse, intercept", of("logistic").intercept(true), SPARSE),
                Arguments.of("newton, wide", of("logistic"), WIDE),
                Arguments.of("newton, doubles", of("squared"), DOUBLES),
                Arguments.of("newton, tight", of("logistic").lambda(1e-7).gap(1e-13), DENSE),
                Arguments.of("proof by curvature", of("logistic").lambda(0).intercept(true), DENSE),
                Arguments.of("counts", of("poisson").intercept(true), counts()),
                Arguments.of("joint classes", of("softmax"), counts()),
                Arguments.of("one class against the rest", of("logistic"), counts()),
                Arguments.of("proximal newton, dense", of("logistic").l1(1e-3), DENSE),
                Arguments.of("proximal newton, sparse", of("squared-hinge").l1(1e-3), SPARSE),
                Arguments.of("multipliers, dense", Trainer.of(hinge).lambda(1e-2), DENSE),
                Arguments.of(
                        "multipliers, sparse, intercept",
                        Trainer.of(hinge).lambda(1e-2).intercept(true),
                        SPARSE),
                Arguments.of("multipliers, doubles", of("absolute").gap(1e-6), DOUBLES),
                Arguments.of(
                        "multipliers, tight", Trainer.of(hinge).lambda(1e-2).gap(1e-11), DENSE),
                Arguments.of("standardised", of("squared").standardize(true).intercept(true), DOUBLES),
                Arguments.of("standardised, sparse", of("logistic").standardize(true), SPARSE),
                Arguments.of("proximal newton, wide", of("logistic").l1(1e-3), WIDE),
                Arguments.of("proximal newton, doubles", of("squared").l1(1e-2), DOUBLES),
                Arguments.of("multipliers, wide", Trainer.of(hinge).lambda(1e-1).gap(1e-4), WIDE),
                Arguments.of("adfs", of("logistic").method("adfs").gap(1e-4), DENSE),
                Arguments.of("adfs, sparse, four nodes", adfs("logistic").nodes(4), SPARSE),
                Arguments.of("adfs, wide, three nodes", adfs("logistic").nodes(3), WIDE),
                Arguments.of("adfs, doubles, sixteen nodes", adfs("squared").nodes(16), DOUBLES),
                Arguments.of("adfs, kinks, two nodes", adfs("hinge").nodes(2), DENSE),
                Arguments.of("dual, dense", dual("hinge"), DENSE),
                Arguments.of("dual, sparse, two nodes", dual("squared-hinge").nodes(2), SPARSE),
                Arguments.of("dual, wide", dual("hinge"), WIDE),
                Arguments.of("dual, many columns", dual("logistic"), MANY_COLUMNS),
                Arguments.of("dual, doubles", dual("absolute"), DOUBLES),
                Arguments.of("newton, many columns", of("logistic"), MANY_COLUMNS),
                Arguments.of("lasso, many columns", of("logistic").l1(1e-3), MANY_COLUMNS),
                Arguments.of("several nodes", of("logistic").nodes(3).topology("line"), DENSE),
                Arguments.of(
                        "cross-validation",
                        of("logistic").gap(1e-4).lambdaPath(LambdaPath.of(3)).crossValidation(Folds.of(3)),
                        DENSE),
                Arguments.of("held-out rows", of("logistic").holdout(0.3), DENSE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void sevenThreadsAndTheSimulatorGiveTheBitsOfOneThread(String name, Trainer trainer, Dataset rows) {
        Fit one = trainer.runner(new Threads(1)).fit(rows);

        assertThat(one.isCertified()).as(name).isTrue();
        assertThat(trainer.runner(new Simulator()).fit(rows).model().hash())
                .isEqualTo(one.model().hash());
        assertGiveTheBitsOf(one, name, trainer, rows, 7);
    }

    @Tag("thorough")
    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void anyNumberOfThreadsGivesTheBitsOfOne(String name, Trainer trainer, Dataset rows) {
        assertGiveTheBitsOf(trainer.runner(new Threads(1)).fit(rows), name, trainer, rows, 2, 3, 16);
    }

    private static void assertGiveTheBitsOf(Fit one, String name, Trainer trainer, Dataset rows, int... numbers) {
        for (int threads : numbers) {
            Fit fit = trainer.runner(new Threads(threads)).fit(rows);
            assertThat(fit.model().hash())
                    .as("%s on %s threads", name, threads)
                    .isEqualTo(one.model().hash());
            assertThat(fit.certificate()).isEqualTo(one.certificate());
        }
    }

    /** Rows of three factors, with a 1 for the level of each but the first. */
    private static Dataset factors(int rows) {
        RowBuffer buffer = new RowBuffer(rows, 3 * rows);
        Random random = new Random(11);
        for (int row = 0; row < rows; row++) {
            int levels = 0;
            for (int factor = 0; factor < 3; factor++) {
                int level = random.nextInt(11);
                levels += level;
                if (level > 0) {
                    buffer.add(10 * factor + level - 1, 1);
                }
            }
            buffer.endRow(random.nextInt(4) + levels / 10 + 0.5);
        }
        return buffer.toDataset(30);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quasi-poisson", "gamma"})
    void standardErrorsOfFactorsHaveTheBitsOfOneThread(String family) {
        Dataset rows = factors(140_000);
        Trainer trainer = Trainer.of(Trainer.of(Losses.named(family))
                .lambda(1e-6)
                .intercept(true)
                .settings()
                .with(Setting.LAMBDA, 0.0)
                .with(Setting.STANDARD_ERRORS, StandardErrors.HC0));
        Fit one = trainer.runner(new Threads(1)).fit(rows);
        for (int threads : new int[] {2, 3, 7, 16}) {
            Fit fit = trainer.runner(new Threads(threads)).fit(rows);
            assertThat(fit.model().hash()).isEqualTo(one.model().hash());
            assertThat(fit.model().inference().orElseThrow())
                    .usingRecursiveComparison()
                    .isEqualTo(one.model().inference().orElseThrow());
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void anyNumberOfThreadsMeasuresTheSame(LinearModel model, Dataset rows) {
        String one = Evaluation.of(model, rows).toString();
        for (int threads : new int[] {2, 3, 7, 16}) {
            assertThat(new dev.starling.cores.Cores(threads)
                            .call(() -> Evaluation.of(model, rows).toString()))
                    .isEqualTo(one);
        }
    }

    static Stream<Arguments> models() {
        return Stream.of(
                Arguments.of(of("logistic").fit(DENSE).model(), DENSE),
                Arguments.of(of("squared").fit(DOUBLES).model(), DOUBLES));
    }
}
