package dev.starling.method.newton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.method.Constant;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.network.Network;
import dev.starling.node.SumKind;
import dev.starling.problem.Regulariser;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which kind of Newton's method a problem is given, by its shape, its loss and its regulariser. */
class TunedNewtonTest {

    /** A line of three nodes: two hops from the first to the last. */
    private static final Network LINE = Network.of(3, new int[][] {{0, 1}, {1, 2}});

    private static TunedNewton tuned(
            Method method,
            String loss,
            double lambda,
            double l1,
            boolean intercept,
            int features,
            long rows,
            double values) {
        Regulariser regulariser = Regulariser.elasticNet(lambda, l1);
        Facts facts = new Facts(rows, rows, lambda * rows, new double[0]);
        long stored = (long) (rows * values);
        return (TunedNewton) method.tune(
                LINE,
                new Objective(Losses.named(loss), regulariser, intercept),
                new Shape(features, rows, stored, stored, false),
                List.of(facts),
                2);
    }

    private static TunedNewton newton(String loss, double lambda, int features, long rows, double values) {
        return tuned(new NewtonMethod(), loss, lambda, 0, false, features, rows, values);
    }

    @ParameterizedTest
    @CsvSource({"500,100,true", "501,100,false", "500,101,false"})
    void hessiansComeFirstWhereFeaturesAndValuesAreFew(int features, double values, boolean direct) {
        TunedNewton tuned = newton("huber", 1, features, 2000, values);

        assertThat(tuned.direct()).isEqualTo(direct);
        assertThat(tuned.start(direct, false)).isInstanceOf(direct ? DirectNewton.class : QuasiNewton.class);
        assertThat(tuned.layout().inSpan()).isFalse();
    }

    /** Six Hessians, of which each is v²/4v gradients of a row with v values, and one. */
    @ParameterizedTest
    @CsvSource({"1000,200,306", "1001,200,Infinity", "600,8,18"})
    void gradientsGiveWayAfterTheWorkOfSixHessians(int features, double values, double passes) {
        assertThat(newton("huber", 1, features, 2000, values).passesForHessians())
                .isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "logistic,1002,1000,true", // rows and one more are fewer than features
        "logistic,1001,1000,false",
        "logistic,1500,1001,false", // too many for Hessians
        "huber,1002,1000,false", // straight where it is steep
        "squared-hinge,1002,1000,true",
        "logistic,2796,1000,true", // 3 nodes · 1000 rows · 2796 features are 2²³ numbers, and 2797 are more
        "logistic,2797,1000,false"
    })
    void hessiansAreSummedUpInTheSpanOfFewRows(String loss, int features, long rows, boolean inSpan) {
        TunedNewton tuned = newton(loss, 1, features, rows, 20);

        assertThat(tuned.layout().inSpan()).isEqualTo(inSpan);
        if (inSpan) {
            assertThat(tuned.layout().curved()).isEqualTo(rows);
            assertThat(tuned.start(true, false)).isInstanceOf(SpanNewton.class);
            assertThat(tuned.isProvenByCurvature()).isFalse();
            double hessian = rows * rows / 80.0;
            assertThat(tuned.passesForHessians())
                    .isCloseTo(rows * (1.5 + features / 20.0) + 6 * (1 + hessian), within(1e-6));
        }
    }

    @Test
    void withoutARegulariserAtMostAThousandFeaturesAreTaken() {
        TunedNewton exact = newton("logistic", 0, 1000, 5000, 500);
        assertThat(exact.isExact()).isTrue();
        assertThat(exact.direct()).isTrue();
        assertThat(exact.exact(1e-6)).isInstanceOf(ExactNewton.class);

        assertThatThrownBy(() -> newton("logistic", 0, 1001, 5000, 500))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1001 features");
        assertThat(newton("logistic", 1, 10, 5000, 5).isExact()).isFalse();
    }

    @Test
    void everyWayHasTheSameLambda() {
        TunedNewton tuned = newton("logistic", 0.25, 10, 5000, 5);

        assertThat(tuned.exact(1e-6).lambda).isEqualTo(0.25);
        assertThat(tuned.start(true, false).lambda).isEqualTo(0.25);
        assertThat(tuned.start(false, true).lambda).isEqualTo(0.25);
    }

    @Test
    void anL1TermIsTakenByTheProximalMethod() {
        TunedNewton net = tuned(new ProximalNewtonMethod(), "logistic", 1, 0.5, false, 500, 5000, 500);
        assertThat(net.direct()).isTrue();
        assertThat(net.start(true, false)).isInstanceOf(ProximalNewton.class);
        assertThat(net.isScaled()).isFalse();
        assertThat(net.isProvenByCurvature()).isFalse();
        assertThat(net.name()).isEqualTo("proximal-newton");
        // A lasso has no σ either, and is none that curvature has to prove.
        assertThat(tuned(new ProximalNewtonMethod(), "logistic", 0, 0.5, false, 501, 5000, 5)
                        .isExact())
                .isFalse();
        assertThat(tuned(new ProximalNewtonMethod(), "logistic", 0, 0.5, false, 501, 5000, 5)
                        .direct())
                .isFalse();
        assertThat(tuned(new ProximalNewtonMethod(), "logistic", 1, 0, false, 5, 5000, 5)
                        .name())
                .isEqualTo("newton");
        assertThatThrownBy(() -> tuned(new ProximalNewtonMethod(), "logistic", 1, 0.5, false, 2001, 5000, 5))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("2001");
    }

    /** Where rows are fewer than features nothing but the regulariser bends some directions. */
    @ParameterizedTest
    @CsvSource({"600,600,true", "600,599,false", "400,600,false"})
    void gradientsAreScaledWhereRowsAreAsManyAsFeatures(int features, long rows, boolean scaled) {
        assertThat(newton("huber", 1, features, rows, 5).isScaled()).isEqualTo(scaled);
    }

    @ParameterizedTest
    @CsvSource({"logistic,500,5,true", "huber,500,5,false", "logistic,1000,200,true", "logistic,1001,200,false"})
    void curvatureProvesWhereItChangesSlowlyAndHessiansHaveRoom(
            String loss, int features, double values, boolean proves) {
        assertThat(newton(loss, 1, features, 2000, values).isProvenByCurvature())
                .isEqualTo(proves);
    }

    /** Of one feature a gradient is 6 numbers, a Hessian 7 and a proof 9. */
    @Test
    void asManyNumbersAreAddedUpAsTheLongestPassHas() {
        assertThat(newton("logistic", 1, 1, 2000, 1).numbers()).isEqualTo(9);
        assertThat(newton("huber", 1, 1, 2000, 1).numbers()).isEqualTo(7);
        assertThat(newton("huber", 1, 20, 2000, 1).numbers()).isEqualTo(25 + 210);
        assertThat(newton("logistic", 1, 1500, 2000, 5).numbers()).isEqualTo(5 + 1500 + 1500);
        assertThat(newton("huber", 1, 1500, 1400, 5).numbers()).isEqualTo(5 + 1500);
    }

    /** Three passes and one for every doubling of the digits; 1024 is 2¹⁰, and 2¹⁶ has 16 digits, four doublings. */
    @Test
    void hessiansDoubleDigitsAndGradientsAddThem() {
        TunedNewton direct = newton("huber", 1, 5, 2000, 1);
        TunedNewton gradients = newton("huber", 1, 1500, 2000, 5);

        assertThat(direct.epochsFor(65536)).isCloseTo(7, within(1e-12));
        assertThat(gradients.epochsFor(1024)).isCloseTo(53, within(1e-12));
        assertThat(direct.epochsFor(1)).isCloseTo(3, within(1e-12));
        assertThat(gradients.epochsFor(1)).isCloseTo(8, within(1e-12));
        // Two hops down and two up.
        assertThat(direct.roundsFor(65536)).isCloseTo(28, within(1e-11));
    }

    @Test
    void constantsSayWhenGradientsGiveWay() {
        assertThat(names(newton("huber", 1, 5, 2000, 1))).containsExactly("tau", "treeDepth", "roundsPerPass");
        assertThat(names(newton("huber", 1, 1500, 2000, 5))).containsExactly("tau", "treeDepth", "roundsPerPass");
        TunedNewton gradients = newton("huber", 1, 600, 2000, 8);
        assertThat(names(gradients)).containsExactly("tau", "treeDepth", "roundsPerPass", "passesForHessians");
        assertThat(gradients.constants().stream().map(Constant::value)).containsExactly(2.0, 2.0, 4.0, 18.0);
        assertThat(newton("logistic", 1, 1500, 20, 5).constants().get(3).meaning())
                .contains("span of the rows");
        assertThat(gradients.constants().get(3).meaning()).doesNotContain("span");
    }

    private static List<String> names(TunedNewton tuned) {
        return tuned.constants().stream().map(Constant::name).toList();
    }

    /** A sum has five numbers besides the gradient; with an intercept, rising slopes have a gradient of their own. */
    @Test
    void whatASiteIsToldCanBeCountedBeforehand() {
        assertThat(sums(new NewtonMethod(), "logistic", 0, true, 4))
                .containsExactlyInAnyOrder(
                        new TrainingSum(SumKind.GRADIENT, "gradient", 5 + 4 + 4 + 1),
                        new TrainingSum(SumKind.HESSIAN, "hessian", 5 + 4 + 4 + 1 + 10),
                        new TrainingSum(SumKind.GRADIENT, "proof", 5 + 4 + 3));
        assertThat(sums(new NewtonMethod(), "squared-hinge", 0, false, 4))
                .containsExactlyInAnyOrder(
                        new TrainingSum(SumKind.GRADIENT, "gradient", 5 + 4),
                        new TrainingSum(SumKind.HESSIAN, "hessian", 5 + 4 + 10));
    }

    /** Rows of other sites may have more than a hundred values, so a run may begin without Hessians. */
    @Test
    void whatASiteMayBeAskedForIsListedWhateverTheOtherSitesHave() {
        assertThat(kinds(new NewtonMethod(), 0, 100)).containsExactlyInAnyOrder("gradient", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 101))
                .containsExactlyInAnyOrder("gradient", "diagonal", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 1000))
                .containsExactlyInAnyOrder("gradient", "diagonal", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 1001)).containsExactlyInAnyOrder("gradient", "diagonal");
        assertThat(kinds(new ProximalNewtonMethod(), 0, 1001)).containsExactlyInAnyOrder("gradient", "diagonal");
        assertThat(kinds(new ProximalNewtonMethod(), 1e-3, 500)).containsExactlyInAnyOrder("gradient", "hessian");
        assertThat(kinds(new ProximalNewtonMethod(), 1e-3, 501)).containsExactly("gradient");
    }

    private static List<String> kinds(Method method, double l1, int features) {
        return sums(method, "logistic", l1, false, features).stream()
                .map(TrainingSum::name)
                .toList();
    }

    private static List<TrainingSum> sums(Method method, String loss, double l1, boolean intercept, int features) {
        return method.trainingSums(
                new Objective(Losses.named(loss), Regulariser.elasticNet(1e-4, l1), intercept),
                new Shape(features, 2000, 2000L * features, 2000L * features, true));
    }

    private static String objection(Method method, String loss, double lambda, double l1, boolean intercept) {
        return method.objectionTo(new Objective(Losses.named(loss), Regulariser.elasticNet(lambda, l1), intercept))
                .orElse("");
    }

    @Test
    void newtonsMethodObjectsToKinksAndToWhatNothingProves() {
        Method newton = new NewtonMethod();

        assertThat(objection(newton, "logistic", 1, 0, false)).isEmpty();
        assertThat(objection(newton, "logistic", 0, 0, false)).isEmpty();
        assertThat(objection(newton, "huber", 1, 0, false)).isEmpty();
        assertThat(objection(newton, "huber", 0, 0, false)).contains("logistic or squared", "huber");
        assertThat(objection(newton, "hinge", 0, 0, false)).contains("a loss without kinks", "hinge");
        assertThat(objection(newton, "hinge", 1, 0, false)).contains("the loss hinge", "adfs can");
        assertThat(objection(newton, "hinge", 1, 0, true)).contains("multipliers can");
        assertThat(objection(newton, "logistic", 1, 1, true)).contains("an l1 term", "proximal-newton can");
        assertThat(objection(newton, "logistic", 0, 1, false)).contains("an l1 term", "adfs can");
    }

    @Test
    void theProximalMethodObjectsToLossesWithKinks() {
        Method proximal = new ProximalNewtonMethod();

        assertThat(objection(proximal, "logistic", 1, 1, false)).isEmpty();
        assertThat(objection(proximal, "huber", 0, 1, true)).isEmpty();
        assertThat(objection(proximal, "huber", 0, 0, false)).contains("logistic or squared");
        assertThat(objection(proximal, "hinge", 1, 1, false)).contains("multipliers or adfs can");
        assertThat(objection(proximal, "hinge", 1, 1, true)).contains("; multipliers can");
    }

    @ParameterizedTest
    @CsvSource({"500,true,''", "501,false,''", "2000,false,''", "2001,false,2001"})
    void theProximalMethodTakesTwoThousandFeaturesAndSuitsFiveHundred(int features, boolean suits, String objection) {
        Method proximal = new ProximalNewtonMethod();
        Objective net = new Objective(Losses.named("logistic"), Regulariser.elasticNet(1, 1), true);
        Shape shape = new Shape(features, 100, 100, 100, false);

        assertThat(proximal.suits(net, shape)).isEqualTo(suits);
        assertThat(proximal.objectionTo(net, shape).orElse("")).contains(objection);
        assertThat(proximal.objectionTo(net, shape).isPresent()).isEqualTo(features > 2000);
        if (features > 2000) {
            assertThat(proximal.objectionTo(net, shape).orElseThrow()).contains("with a bias instead");
            Objective without = new Objective(net.loss(), net.regulariser(), false);
            assertThat(proximal.objectionTo(without, shape).orElseThrow()).doesNotContain("bias");
        }
    }
}
