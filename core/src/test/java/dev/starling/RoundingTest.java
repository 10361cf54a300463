package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems;
import dev.starling.support.NastyProblems.Nasty;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a run claims of its model is true in exact arithmetic, and a claim that rounding forbids is not made. */
@Timeout(60)
class RoundingTest {

    private static final int MOST_EPOCHS = 50;

    @Test
    void noClaimIsFalse() {
        NastyProblems.of(192).forEach(RoundingTest::check);
    }

    @Test
    @Tag("slow")
    @Timeout(900)
    void noClaimOfManyIsFalse() {
        NastyProblems.of(4000).skip(192).forEach(RoundingTest::check);
    }

    /** Wide rows that a hinge separates: next to nothing is left of the losses, and rounding is most of it. */
    @Test
    void noClaimIsFalseWhereLossesVanish() {
        check(new Nasty(1, wide(30, 500, 1), "hinge", 1e-8, 1));
        check(new Nasty(2, wide(24, 300, 2), "hinge", 1e-10, 2));
        check(new Nasty(3, wide(24, 300, 3), "squared-hinge", 1e-10, 3));
    }

    private static Dataset wide(int rows, int features, long seed) {
        Random random = new Random(seed);
        double[][] x = new double[rows][features];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            y[i] = i % 2 == 0 ? 1 : -1;
            for (int c = 0; c < features; c++) {
                x[i][c] = (float) (random.nextGaussian() + (c == 0 ? y[i] : 0));
            }
        }
        return Dataset.of(x, y);
    }

    @Test
    void aRunEndsWhereRoundingLetsNoMoreBeProven() {
        Nasty nasty = new Nasty(1, wide(24, 300, 1), "squared", 1e-10, 2);
        Fit fit = trainer(nasty, "newton", 1e-14).maxEpochs(10_000).fit(nasty.data());

        assertThat(fit.outcome()).isEqualTo(Fit.Outcome.STALLED);
        assertThat(fit.gap()).isGreaterThan(1e-14);
    }

    /**
     * No parameter that any run finds is further below a run's own than that run's certificate allows; and where the
     * slopes of the model are the dual point of its certificate, their exact dual value confirms it.
     */
    private static void check(Nasty nasty) {
        ExactObjective exact = new ExactObjective(nasty.data(), nasty.loss(), nasty.lambda());
        List<Fit> fits = new ArrayList<>();
        List<BigDecimal> objectives = new ArrayList<>();
        for (String method : nasty.isSmooth() ? List.of("newton", "adfs") : List.of("ns-adfs")) {
            for (double gap : new double[] {1e-3, 1e-14}) {
                Fit fit = trainer(nasty, method, gap).fit(nasty.data());
                double[] theta = fit.model().weights(0);
                BigDecimal objective = exact.primal(theta);
                fits.add(fit);
                objectives.add(objective);
                if (method.equals("newton")) {
                    assertThat(objective.subtract(exact.dual(slopes(nasty, theta))))
                            .as("%s, %s", nasty, fit)
                            .isLessThanOrEqualTo(claim(fit, objective));
                }
            }
        }
        BigDecimal lowest = objectives.stream().reduce(BigDecimal::min).orElseThrow();
        for (int k = 0; k < fits.size(); k++) {
            assertThat(objectives.get(k).subtract(lowest))
                    .as("%s, %s", nasty, fits.get(k))
                    .isLessThanOrEqualTo(claim(fits.get(k), objectives.get(k)));
        }
    }

    /** The slopes that Newton's method sums up, bit for bit: others are other dual points, and prove other gaps. */
    private static BigDecimal[] slopes(Nasty nasty, double[] theta) {
        Dataset data = nasty.data();
        int rows = data.rows();
        double[] margins = IntStream.range(0, rows)
                .mapToDouble(row -> data.dot(row, theta))
                .toArray();
        double[] labels = IntStream.range(0, rows).mapToDouble(data::label).toArray();
        double[] slopes = new double[rows];
        Losses.named(nasty.loss()).evaluate(rows, margins, labels, null, slopes, new double[rows]);
        return Arrays.stream(slopes).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new);
    }

    private static BigDecimal claim(Fit fit, BigDecimal objective) {
        return Double.isInfinite(fit.gap()) ? new BigDecimal("1e400") : objective.multiply(new BigDecimal(fit.gap()));
    }

    private static Trainer trainer(Nasty nasty, String method, double gap) {
        return Trainer.of(Losses.named(nasty.loss()))
                .method(method)
                .lambda(nasty.lambda())
                .nodes(nasty.nodes())
                .topology("line")
                .gap(gap)
                .maxEpochs(MOST_EPOCHS)
                .runner(new Simulator());
    }
}
