package dev.starling;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.starling.data.Dataset;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.support.ExactObjective;
import dev.starling.support.NastyProblems.Nasty;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;

/** What a run says of its parameter, and the exact objective there. */
record Claim(Fit fit, BigDecimal objective) {

    private static final Duration MOST_TIME = Duration.ofMinutes(5);

    /** Of a model without an intercept. */
    static Claim of(Nasty nasty, ExactObjective exact, Trainer trainer) {
        Fit fit = fit(nasty, trainer);
        return new Claim(fit, exact.primal(fit.model().weights(0)));
    }

    /** Of a model with an intercept, whose feature is the last of the exact objective. */
    static Claim free(Nasty nasty, ExactObjective exact, Trainer trainer) {
        Fit fit = fit(nasty, trainer);
        return new Claim(fit, exact.primal(withIntercept(fit)));
    }

    /** What training ends with, which it must within a time. */
    static Fit fit(Nasty nasty, Trainer trainer) {
        return assertTimeoutPreemptively(MOST_TIME, () -> trainer.fit(nasty.data()), nasty::toString);
    }

    static Trainer trainer(Nasty nasty, String method, double gap) {
        return Trainer.of(Losses.named(nasty.loss()))
                .method(method)
                .lambda(nasty.lambda())
                .l1(nasty.l1())
                .network(nasty.network())
                .gap(gap)
                .runner(new Simulator());
    }

    /** Weights, and the intercept last. */
    static double[] withIntercept(Fit fit) {
        double[] theta = Arrays.copyOf(fit.model().weights(0), fit.model().features() + 1);
        theta[theta.length - 1] = fit.model().intercept(0);
        return theta;
    }

    /** The slopes that Newton's method sums up, bit for bit: others are other dual points, and prove other gaps. */
    static BigDecimal[] slopes(Nasty nasty, double[] theta) {
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

    /** Whether curvature may have proven what the slopes of the model do not. */
    boolean mayBeByCurvature(BigDecimal bySlopes) {
        Loss loss = Losses.named(fit.model().loss());
        return loss.selfConcordance() < Double.POSITIVE_INFINITY && bySlopes.compareTo(gap()) > 0;
    }

    String method() {
        return fit.plan().method().name();
    }

    double[] weights() {
        return fit.model().weights(0);
    }

    /** What the objective exceeds the optimum by, at most. */
    BigDecimal gap() {
        if (Double.isInfinite(fit.gap())) {
            return new BigDecimal("1e400");
        }
        // Near a perfect fit the gap is relative to more than the objective.
        boolean perfect = fit.certificate().scale() > fit.certificate().objective();
        BigDecimal scale = perfect ? new BigDecimal(fit.certificate().scale()) : objective;
        return scale.multiply(new BigDecimal(fit.gap()));
    }
}
