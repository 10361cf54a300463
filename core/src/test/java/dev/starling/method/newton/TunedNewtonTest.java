package dev.starling.method.newton;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.loss.Losses;
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

/** Which problems Newton's method takes, and what it says it will disclose. */
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

    @Test
    void takesAtMostAThousandFeaturesWithoutARegulariser() {
        TunedNewton exact = newton("logistic", 0, 1000, 5000, 500);
        assertThat(exact.isExact()).isTrue();

        assertThatRefused(() -> newton("logistic", 0, 1001, 5000, 500)).hasMessageContaining("1001 coefficients");
        assertThat(newton("logistic", 1, 10, 5000, 5).isExact()).isFalse();
    }

    /** A sum has five numbers besides the gradient; with an intercept, rising slopes have a gradient of their own. */
    @Test
    void listsTheSumsOfARunBeforehand() {
        assertThat(sums(new NewtonMethod(), "logistic", 0, true, 4))
                .containsExactlyInAnyOrder(
                        new TrainingSum(SumKind.GRADIENT, "gradient", 5 + 4 + 4 + 1),
                        new TrainingSum(SumKind.HESSIAN, "hessian", 5 + 4 + 4 + 1 + 10),
                        new TrainingSum(SumKind.GRADIENT, "proof", 5 + 4 + 4));
        assertThat(sums(new NewtonMethod(), "squared-hinge", 0, false, 4))
                .containsExactlyInAnyOrder(
                        new TrainingSum(SumKind.GRADIENT, "gradient", 5 + 4),
                        new TrainingSum(SumKind.HESSIAN, "hessian", 5 + 4 + 10));
    }

    /** Rows of other sites may have more than a hundred values, so a run may begin without Hessians. */
    @Test
    void listsEverySumThatRowsOfOtherSitesMayMakeNecessary() {
        assertThat(kinds(new NewtonMethod(), 0, 100)).containsExactlyInAnyOrder("gradient", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 101))
                .containsExactlyInAnyOrder("gradient", "diagonal", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 1000))
                .containsExactlyInAnyOrder("gradient", "diagonal", "hessian", "proof");
        assertThat(kinds(new NewtonMethod(), 0, 1001)).containsExactlyInAnyOrder("gradient", "diagonal");
        assertThat(kinds(new ProximalNewtonMethod(), 0, 1001)).containsExactlyInAnyOrder("gradient", "diagonal");
        assertThat(kinds(new ProximalNewtonMethod(), 1e-3, 500)).containsExactlyInAnyOrder("gradient", "hessian");
        assertThat(kinds(new ProximalNewtonMethod(), 1e-3, 501)).containsExactlyInAnyOrder("gradient", "columns");
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
    void newtonObjectsToKinksAndToObjectivesItCannotCertify() {
        Method newton = new NewtonMethod();

        assertThat(objection(newton, "logistic", 1, 0, false)).isEmpty();
        assertThat(objection(newton, "logistic", 0, 0, false)).isEmpty();
        assertThat(objection(newton, "huber", 1, 0, false)).isEmpty();
        assertThat(objection(newton, "huber", 0, 0, false)).contains("logistic, poisson or squared", "huber");
        assertThat(objection(newton, "hinge", 0, 0, false)).contains("a loss without kinks", "hinge");
        assertThat(objection(newton, "hinge", 1, 0, false)).contains("the loss hinge", "adfs can");
        assertThat(objection(newton, "hinge", 1, 0, true)).contains("multipliers can");
        assertThat(objection(newton, "logistic", 1, 1, true)).contains("an l1 term", "proximal-newton can");
        assertThat(objection(newton, "logistic", 0, 1, false)).contains("an l1 term", "adfs can");
    }

    @Test
    void proximalNewtonObjectsToLossesWithKinks() {
        Method proximal = new ProximalNewtonMethod();

        assertThat(objection(proximal, "logistic", 1, 1, false)).isEmpty();
        assertThat(objection(proximal, "huber", 0, 1, true)).isEmpty();
        assertThat(objection(proximal, "huber", 0, 0, false)).contains("logistic, poisson or squared");
        assertThat(objection(proximal, "hinge", 1, 1, false)).contains("multipliers or adfs can");
        assertThat(objection(proximal, "hinge", 1, 1, true)).contains("; multipliers can");
    }
}
