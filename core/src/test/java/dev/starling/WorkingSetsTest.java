package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.LoneNode;
import dev.starling.method.MethodNode;
import dev.starling.method.StoppingRule;
import dev.starling.method.newton.ProximalNewtonMethod;
import dev.starling.node.ReleaseLimits;
import dev.starling.problem.Problem;
import dev.starling.problem.Regulariser;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.LambdaPath;
import dev.starling.support.ForgetfulProgram;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lassos and elastic nets with many more columns than rows, as measurements of genes are. */
@Timeout(120)
class WorkingSetsTest {

    private static final int FEATURES = 2_000;

    /** Columns that go together, as genes do, of which a few matter. */
    private static Dataset genes(int rows, boolean classes, boolean sparse) {
        return genes(rows, FEATURES, classes, sparse);
    }

    private static Dataset genes(int rows, int features, boolean classes, boolean sparse) {
        Random random = new Random(rows);
        double[][] loadings = new double[20][features];
        for (double[] factor : loadings) {
            Arrays.setAll(factor, c -> 0.7 * random.nextGaussian());
        }
        double[][] x = new double[rows][features];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            double[] factors = random.doubles(20, -2, 2).toArray();
            double score = random.nextGaussian();
            for (int c = 0; c < features; c++) {
                double value = random.nextGaussian();
                for (int f = 0; f < 20; f++) {
                    value += factors[f] * loadings[f][c];
                }
                x[i][c] = sparse && random.nextInt(10) > 0 ? 0 : value;
                score += c % 250 == 0 ? x[i][c] : 0;
            }
            y[i] = classes ? Math.signum(score) : score;
        }
        return Dataset.of(x, y);
    }

    private static Trainer trainer(String loss, double lambda, double l1, boolean intercept) {
        return Trainer.of(Losses.named(loss))
                .lambda(lambda)
                .l1(l1)
                .intercept(intercept)
                .gap(1e-7)
                .nodes(1)
                .runner(new Simulator());
    }

    /**
     * At the optimum, slopes are λ₁ along weights that are not 0, and nowhere steeper. Losses whose curvature jumps
     * take longer, since rows gain and lose it on the way.
     */
    @ParameterizedTest
    @CsvSource({
        "logistic, 0, 1e-2, false, false, 25",
        "logistic, 0, 1e-2, true, false, 25",
        "logistic, 1e-3, 1e-2, false, true, 25",
        "squared, 0, 1e-1, true, false, 25",
        "huber(1), 1e-3, 1e-1, false, false, 60",
        "squared-hinge, 0, 1e-2, false, false, 60",
        "smoothed-hinge(1), 1e-4, 1e-2, true, true, 60"
    })
    void runsEndAtTheOptimumInFewPasses(
            String name, double lambda, double l1, boolean intercept, boolean sparse, double passes) {
        Loss loss = Losses.named(name);
        Dataset data = genes(60, loss.isClassification(), sparse);

        Fit fit = trainer(name, lambda, l1, intercept).fit(data);

        assertThat(fit.plan().method().name()).isEqualTo("proximal-newton");
        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.epochs()).isLessThan(passes);
        double[] weights = fit.model().weights(0);
        double[] slopes = new double[weights.length];
        for (int i = 0; i < data.rows(); i++) {
            double slope = loss.derivative(fit.model().score(data, i, 0), data.label(i));
            data.addTo(i, slope / data.rows(), slopes);
        }
        long used = 0;
        for (int c = 0; c < FEATURES; c++) {
            double slope = slopes[c] + lambda * weights[c];
            if (weights[c] != 0) {
                used++;
                assertThat(slope).isCloseTo(-Math.signum(weights[c]) * l1, within(l1));
            } else {
                assertThat(Math.abs(slope)).isLessThan(l1 * (1 + 1e-2));
            }
        }
        assertThat(used).isBetween(3L, 60L);
    }

    private static Offset<Double> within(double l1) {
        return Offset.offset(1e-2 * l1);
    }

    @Test
    void theNumberOfNodesChangesNothingButRounding() {
        Dataset data = genes(90, true, false);
        Trainer trainer = trainer("logistic", 0, 1e-2, true).gap(1e-10);

        double one = trainer.fit(data).objective();
        double three = trainer.nodes(3).topology("line").fit(data).objective();

        assertThat(three).isCloseTo(one, Offset.offset(1e-10));
    }

    @Test
    void pathsStartEachValueWhereTheLastOneEnded() {
        Dataset data = genes(60, true, false);

        Fit path = Trainer.of(new Logistic())
                .lambdaPath(LambdaPath.of(20).l1Ratios(1))
                .gap(1e-6)
                .nodes(1)
                .fit(data);

        assertThat(path.isCertified()).isTrue();
        assertThat(path.epochs()).isLessThan(20 * 12.0);
    }

    private static MethodNode node(LoneNode owner, int features) {
        return owner.node(
                new ProximalNewtonMethod(),
                Problem.deal(genes(60, features, true, false), new Logistic(), 1e-3, 1)
                        .withRegulariser(Regulariser.elasticNet(1e-3, 1e-2)),
                new StoppingRule(1e-6, 200));
    }

    @Test
    void aRestoredNodeGoesOnWithTheSameSet() {
        MethodNode whole = node(LoneNode.ofOneOwner(), FEATURES);
        ForgetfulProgram<MethodNode> forgetful = new ForgetfulProgram<>(() -> node(LoneNode.ofOneOwner(), FEATURES));

        LoneNode.run(whole);
        LoneNode.run(forgetful);

        assertThat(whole.result().certificate().relativeGap()).isLessThan(1e-6);
        assertThat(forgetful.program().result().parameter())
                .isEqualTo(whole.result().parameter());
        assertThat(forgetful.program().passes()).isEqualTo(whole.passes());
    }

    /** Sites that allow no second derivatives get by with what gradients reveal, much more slowly. */
    @Test
    void noHessianIsAskedForWhereRulesForbidIt() {
        LoneNode several = LoneNode.between(new ReleaseLimits(1_000_000_000L, 0, 1000, 1000, 0));

        MethodNode node = node(several, 200);
        LoneNode.run(node);

        assertThat(several.kinds()).containsOnly("gradient");
        assertThat(node.result().certificate().relativeGap()).isLessThan(0.1);
    }

    /** Columns in units of their own, from 1 to 10,000, as raw measurements have. */
    private static Dataset raw(int rows, int columns) {
        Random random = new Random(columns);
        double[] units = random.doubles(columns, 0, 4)
                .map(power -> StrictMath.pow(10, power))
                .toArray();
        double[][] x = new double[rows][columns];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            y[i] = 80 + random.nextGaussian();
            for (int c = 0; c < columns; c++) {
                x[i][c] = units[c] * random.nextDouble();
                y[i] += c % 30 == 0 ? 10 * x[i][c] / units[c] : 0;
            }
        }
        return Dataset.of(x, y);
    }

    /** A price that is small beside the columns makes every rounding of their slopes count. */
    @ParameterizedTest
    @CsvSource({"0, 1e-3, false", "0, 1e-3, true", "1e-7, 1e-3, false"})
    void smallPricesOfManyRawColumnsAreProven(double lambda, double l1, boolean intercept) {
        Fit fit = trainer("squared", lambda, l1, intercept).gap(1e-6).fit(raw(900, 520));

        assertThat(fit.isCertified()).as(fit.toString()).isTrue();
        assertThat(fit.epochs()).isLessThan(20);
    }

    /**
     * The search for one step may take far longer than a pass. It is bounded by a number of operations, not by a clock,
     * so that every machine takes the same step; a run that is asked to end, by a limit or a person, ends after it.
     */
    @Test
    void aRunThatIsAskedToEndDoesNotSearchOn() {
        AtomicInteger asked = new AtomicInteger();
        Fit fit = trainer("squared", 0, 1e-3, false)
                .stopSignal(StopSignal.manual().or(() -> asked.incrementAndGet() > 3))
                .fit(raw(400, 700));

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(fit.epochs()).isLessThan(4);
    }

    /** Without a limit this run takes minutes, nearly all of them within steps. */
    @Test
    void aLimitOfSecondsEndsAStep() {
        Dataset rows = raw(400, 700);
        long start = System.nanoTime();
        Fit limited = trainer("squared", 0, 1e-3, false).maxSeconds(0.05).fit(rows);

        assertThat(limited.outcome()).isEqualTo(Fit.Outcome.STOPPED);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
}
