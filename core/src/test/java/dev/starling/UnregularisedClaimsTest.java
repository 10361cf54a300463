package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.SeparationException;
import dev.starling.problem.Regulariser;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems;
import dev.starling.support.NastyProblems.Nasty;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run claims where the intercept, the ridge or everything is left unregularised is true in exact arithmetic. */
@Timeout(300)
class UnregularisedClaimsTest {

    private static final int FEW_EPOCHS = 50;
    private static final int MANY_EPOCHS = 500;

    /** Every loss again, with an intercept that is not regularised. */
    @Test
    void noClaimIsFalseWithAFreeIntercept() {
        Map<String, Tally> tallies = new TreeMap<>();
        NastyProblems.of(90).forEach(nasty -> checkFree(nasty, FEW_EPOCHS, tallies));

        assertThat(Tally.certified(tallies, "newton")).isGreaterThan(60);
        assertThat(Tally.certified(tallies, "multipliers")).isGreaterThan(35);
    }

    @Test
    void noClaimOfAnElasticNetIsFalseWithAFreeIntercept() {
        Map<String, Tally> tallies = new TreeMap<>();
        NastyProblems.nets(90).forEach(nasty -> checkFree(nasty, FEW_EPOCHS, tallies));

        assertThat(Tally.certified(tallies, "proximal-newton")).isGreaterThan(50);
    }

    /** Nothing but an l1 term, with an intercept and without. */
    @Test
    void noClaimOfALassoIsFalse() {
        Map<String, Tally> tallies = new TreeMap<>();
        NastyProblems.nets(90).forEach(nasty -> checkLasso(nasty, FEW_EPOCHS, tallies));

        assertThat(Tally.certified(tallies, "proximal-newton")).isGreaterThan(80);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void noClaimIsFalseInManyLassos() {
        Map<String, Tally> tallies = new ConcurrentSkipListMap<>();
        NastyProblems.nets(2700).parallel().forEach(nasty -> checkLasso(nasty, MANY_EPOCHS, tallies));

        tallies.values().forEach(tally -> System.out.println(tally.row()));
        assertThat(Tally.certified(tallies, "proximal-newton")).isGreaterThan(2500);
    }

    private static void checkLasso(Nasty nasty, int epochs, Map<String, Tally> tallies) {
        if (Double.isInfinite(Losses.named(nasty.loss()).smoothness())) {
            return;
        }
        int features = nasty.data().features();
        ExactObjective exact = new ExactObjective(nasty.data().withBias(1), nasty.loss(), 0, nasty.l1(), features);
        for (boolean intercept : new boolean[] {true, false}) {
            List<Claim> claims = new ArrayList<>();
            for (double gap : new double[] {1e-3, 1e-14}) {
                Trainer trainer =
                        Claim.trainer(nasty, Methods.AUTO, gap).lambda(0).intercept(intercept);
                claims.add(Claim.free(nasty, exact, trainer.maxEpochs(epochs)));
            }
            BigDecimal lowest = claims.stream()
                    .map(Claim::objective)
                    .reduce(BigDecimal::min)
                    .orElseThrow();
            if (claims.stream().noneMatch(claim -> claim.fit().gap() < 1e-12)) {
                Trainer searching = Claim.trainer(nasty, "ns-adfs", 1e-14)
                        .lambda(1e-9)
                        .bias(intercept ? 100 : 0)
                        .maxEpochs(MANY_EPOCHS);
                lowest = lowest.min(Claim.free(nasty, exact, searching).objective());
            }
            for (Claim claim : claims) {
                BigDecimal excess = claim.objective().subtract(lowest);
                assertThat(excess).as("%s, %s", nasty, claim.fit()).isLessThanOrEqualTo(claim.gap());
                String name = nasty.loss().replaceFirst("\\(.*", "") + " | " + claim.method() + ", λ = 0"
                        + (intercept ? ", free intercept" : "");
                tallies.computeIfAbsent(name, Tally::new).add(claim, excess);
            }
        }
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void noClaimIsFalseInManyProblemsWithAFreeIntercept() {
        Map<String, Tally> tallies = new ConcurrentSkipListMap<>();
        NastyProblems.of(2700).parallel().forEach(nasty -> checkFree(nasty, MANY_EPOCHS, tallies));
        NastyProblems.nets(2700).parallel().forEach(nasty -> checkFree(nasty, MANY_EPOCHS, tallies));

        tallies.values().forEach(tally -> System.out.println(tally.row()));
        assertThat(Tally.certified(tallies, "")).isGreaterThan(4000);
    }

    /**
     * No parameter that any run finds is further below a run's own than its certificate allows; and by Newton's method
     * the exact dual value at the slopes of the model, of which those of the heavier sign are shrunk, confirms a claim.
     */
    private static void checkFree(Nasty nasty, int epochs, Map<String, Tally> tallies) {
        Regulariser regulariser = Regulariser.elasticNet(nasty.lambda(), nasty.l1());
        if (!Methods.canTake(Methods.AUTO, new Objective(Losses.named(nasty.loss()), regulariser, true))) {
            return;
        }
        Dataset data = nasty.data().withBias(1);
        Nasty extended = new Nasty(nasty.seed(), data, nasty.loss(), nasty.lambda(), nasty.l1(), nasty.network());
        ExactObjective exact = new ExactObjective(data, nasty.loss(), nasty.lambda(), nasty.l1(), data.features() - 1);
        List<Claim> claims = new ArrayList<>();
        for (double gap : new double[] {1e-3, 1e-14}) {
            claims.add(Claim.free(
                    nasty,
                    exact,
                    Claim.trainer(nasty, Methods.AUTO, gap).intercept(true).maxEpochs(epochs)));
        }
        BigDecimal lowest =
                claims.stream().map(Claim::objective).reduce(BigDecimal::min).orElseThrow();
        if (claims.stream().noneMatch(claim -> claim.fit().gap() < 1e-12)) {
            // Somebody must be near the optimum: an intercept that is hardly regularised is nearly free.
            Trainer searching = Claim.trainer(nasty, "ns-adfs", 1e-14).bias(100).maxEpochs(MANY_EPOCHS);
            lowest = lowest.min(Claim.free(nasty, exact, searching).objective());
        }
        for (Claim claim : claims) {
            BigDecimal excess = claim.objective().subtract(lowest);
            if (claim.method().equals("newton")) {
                double[] theta = Claim.withIntercept(claim.fit());
                // Losses are nowhere negative.
                BigDecimal dual =
                        exact.dual(balanced(Claim.slopes(extended, theta))).max(BigDecimal.ZERO);
                BigDecimal bySlopes = claim.objective().subtract(dual);
                // Rows far from zero are moved, so that slopes at the raw rows, in doubles, say less than those of the
                // run.
                excess = isMoved(nasty.data()) || claim.mayBeByCurvature(bySlopes)
                        ? excess.max(claim.objective()
                                .subtract(ExactStep.objectiveAfter(
                                        extended, exact, theta.length - 1, theta, claim.fit())))
                        : bySlopes;
            }
            assertThat(excess).as("%s, %s", nasty, claim.fit()).isLessThanOrEqualTo(claim.gap());
            String name = nasty.loss().replaceFirst("\\(.*", "") + " | " + claim.method() + ", free intercept";
            tallies.computeIfAbsent(name, Tally::new).add(claim, excess);
        }
    }

    private static boolean isMoved(Dataset rows) {
        return !Standardizer.identity(rows.features())
                .withFarFeaturesMoved(Moments.of(rows), false)
                .isIdentity();
    }

    /** Nothing regularised, with an intercept and without. */
    @Test
    void noClaimIsFalseWithoutRegularisation() {
        Map<String, Tally> tallies = new TreeMap<>();
        NastyProblems.of(360).forEach(nasty -> checkUnregularised(nasty, tallies));

        assertThat(Tally.certified(tallies, "")).isGreaterThan(40);
    }

    @Test
    @Tag("slow")
    @Timeout(3600)
    void noClaimIsFalseInManyProblemsWithoutRegularisation() {
        Map<String, Tally> tallies = new ConcurrentSkipListMap<>();
        NastyProblems.of(5400).parallel().forEach(nasty -> checkUnregularised(nasty, tallies));

        tallies.values().forEach(tally -> System.out.println(tally.row()));
        assertThat(Tally.certified(tallies, "")).isGreaterThan(600);
    }

    /** A Newton step in exact arithmetic from the model is as good as the optimum to compare with. */
    private static void checkUnregularised(Nasty nasty, Map<String, Tally> tallies) {
        Loss loss = Losses.named(nasty.loss());
        if (Double.isInfinite(loss.selfConcordance())) {
            return;
        }
        for (boolean intercept : new boolean[] {true, false}) {
            Trainer trainer = Claim.trainer(nasty, "newton", 1e-9)
                    .lambda(0)
                    .intercept(intercept)
                    .maxEpochs(MANY_EPOCHS);
            Fit fit;
            try {
                fit = Claim.fit(nasty, trainer);
            } catch (SeparationException e) {
                assertThat(loss.isClassification()).as(nasty.toString()).isTrue();
                continue;
            }
            Dataset data = intercept ? nasty.data().withBias(1) : nasty.data();
            double[] theta = Arrays.copyOf(fit.model().weights(0), data.features());
            if (intercept) {
                theta[theta.length - 1] = fit.model().intercept(0);
            }
            ExactObjective exact = new ExactObjective(data, nasty.loss(), 0, 0, 0);
            Claim claim = new Claim(fit, exact.primal(theta));
            BigDecimal excess = BigDecimal.ZERO;
            if (fit.gap() < 1) {
                ExactStep step = ExactStep.from(data, loss, 0, 0, theta, exact.gradient(theta), fit);
                excess = claim.objective().subtract(exact.primal(step.optimum()));
                assertThat(excess).as("%s, %s", nasty, fit).isLessThanOrEqualTo(claim.gap());
                double claimed = fit.model().provenance().exactness().standardErrors();
                if (claimed < Double.POSITIVE_INFINITY) {
                    assertThat(step.standardErrors())
                            .as("%s, %s", nasty, fit)
                            .isLessThanOrEqualTo(claimed * (1 + 1e-6));
                }
            }
            tallies.computeIfAbsent(nasty.loss() + " | lambda 0, intercept " + intercept, Tally::new)
                    .add(claim, excess);
        }
    }

    /** Slopes whose sum is 0, as a dual point must have them. */
    private static BigDecimal[] balanced(BigDecimal[] slopes) {
        BigDecimal sum = Arrays.stream(slopes).reduce(BigDecimal.ZERO, BigDecimal::add);
        int heavier = sum.signum();
        if (heavier == 0) {
            return slopes;
        }
        BigDecimal heavy = Arrays.stream(slopes)
                .filter(slope -> slope.signum() == heavier)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal factor = BigDecimal.ONE.subtract(sum.divide(heavy, new MathContext(120)));
        return Arrays.stream(slopes)
                .map(slope -> slope.signum() == heavier ? slope.multiply(factor) : slope)
                .toArray(BigDecimal[]::new);
    }
}
