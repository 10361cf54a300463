package dev.starling.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.ExactObjective;
import dev.starling.verify.Verdict.Outcome;
import dev.starling.verify.digits.DoubleDoubles;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What training claims about rows of nasty units, weights and shapes is confirmed in twice the digits, by code that
 * shares nothing with training; and in exact arithmetic no longer run finds a model that is better by more.
 */
class NastyModelsTest {

    /** What is nasty about a problem. */
    private enum Kind {
        PLAIN,
        TINY_TARGET,
        HUGE_TARGET,
        TINY_WEIGHTS,
        HUGE_WEIGHTS,
        WEIGHTS_FAR_APART,
        TINY_COLUMNS,
        HUGE_COLUMNS,
        COLUMNS_OF_ALL_SIZES,
        FAR_FROM_ZERO,
        FAR_MORE_COLUMNS_THAN_ROWS,
        PERFECT_FIT,
        ONE_ROW,
        DEPENDENT_COLUMNS
    }

    /** Problems from this one on are lassos, without a ridge. */
    private static final int RIDGES = 6000;

    private static final List<String> REGRESSION =
            List.of("squared", "huber(0.5)", "absolute", "epsilon-insensitive(0.1)", "quantile(0.3)");
    private static final List<String> CLASSES = List.of("logistic", "squared-hinge", "hinge");

    @Test
    @Timeout(600)
    void everyClaimAboutNastyRowsIsConfirmed() {
        assertThat(check(IntStream.range(0, 210)).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isGreaterThan(140);
    }

    @Test
    @Timeout(300)
    void everyClaimAboutLassosOfNastyRowsIsConfirmed() {
        assertThat(check(IntStream.range(RIDGES, RIDGES + 140)).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isGreaterThan(40);
    }

    /** A perfect fit of standardised rows, weights of 1e25 that leave tiny standard errors, a column far from zero. */
    @Test
    void roundingOfTheModelItselfIsPartOfTheClaim() {
        check(IntStream.of(4658, 298, 1488, 149, 2445));
    }

    @Test
    @Tag("slow")
    @Timeout(7200)
    void everyClaimAboutThousandsOfNastyProblemsIsConfirmed() {
        System.out.println("certified and confirmed: " + check(IntStream.range(0, RIDGES + 1400)));
    }

    /** The same outside a build, from one seed to before another, on every core. */
    public static void main(String[] seeds) {
        System.out.println(check(IntStream.range(Integer.parseInt(seeds[0]), Integer.parseInt(seeds[1]))));
    }

    /** Returns how many claims of each kind were made, all of which are confirmed. */
    private static Map<Kind, Integer> check(IntStream seeds) {
        Map<Kind, Integer> certified = new ConcurrentSkipListMap<>();
        Queue<String> doubtful = new ConcurrentLinkedQueue<>();
        seeds.parallel().forEach(seed -> {
            Kind kind = Kind.values()[seed % Kind.values().length];
            certified.merge(kind, check(seed, kind, doubtful) ? 1 : 0, Integer::sum);
        });
        assertThat(doubtful).isEmpty();
        return certified;
    }

    private static boolean check(int seed, Kind kind, Queue<String> doubtful) {
        Random random = new Random(seed);
        boolean classes = kind != Kind.ONE_ROW && kind != Kind.PERFECT_FIT && random.nextInt(3) == 0;
        List<String> names = classes ? CLASSES : REGRESSION;
        Loss loss = Losses.named(names.get(random.nextInt(names.size())));
        boolean nearly = kind == Kind.PERFECT_FIT && seed / Kind.values().length % 2 == 1;
        Dataset rows = rows(kind, classes, nearly ? 1e-8 : kind == Kind.PERFECT_FIT ? 0 : 1, random);
        Trainer trainer = trainer(kind, loss, rows, random);
        if (seed >= RIDGES) {
            double price = Math.pow(10, -7 + 6 * random.nextDouble());
            trainer = trainer.lambda(0).l1(price * rows.largest() * (classes ? 1 : target(kind)));
        }
        String problem = "seed " + seed + ", " + kind + ", " + rows + ", " + trainer;
        Fit fit;
        try {
            fit = trainer.fit(rows);
        } catch (InvalidInputException e) {
            // A refusal claims nothing.
            return false;
        }
        Verification found = Verifier.of(fit.model()).verify(rows);
        boolean unconfirmed = fit.isCertified() && !found.holds();
        if (unconfirmed || found.model().verdict().outcome() == Outcome.FALSE) {
            doubtful.add(problem + ", " + fit + ": " + found.model().reason());
        }
        if (fit.isCertified() && trainer.settings().get(Setting.SCALING) == Scaling.NONE) {
            inExactArithmetic(fit, trainer, rows)
                    .ifPresent(fault -> doubtful.add(problem + ", " + fit + ", in exact arithmetic: " + fault));
        }
        return fit.isCertified();
    }

    /**
     * Says what is false about a certified model, by its exact objective and that of a longer run; empty if nothing is.
     */
    private static Optional<String> inExactArithmetic(Fit fit, Trainer trainer, Dataset rows) {
        Settings settings = trainer.settings();
        boolean free = settings.get(Setting.INTERCEPT);
        ExactObjective exact = new ExactObjective(
                free ? rows.withBias(1) : rows,
                fit.model().loss(),
                settings.lambda(),
                settings.get(Setting.L1),
                rows.features());
        BigDecimal own = exact.primal(parameter(fit, free));
        BigDecimal scale = own.max(new BigDecimal(fit.certificate().scale()));
        BigDecimal error = scale.multiply(new BigDecimal(Ruling.CLOSE))
                .add(new BigDecimal(fit.certificate().error() + ofMargins(fit, rows)));
        if (own.subtract(new BigDecimal(fit.objective())).abs().compareTo(error) > 0) {
            return Optional.of("the objective is " + own.doubleValue() + ", "
                    + own.subtract(new BigDecimal(fit.objective())).abs().doubleValue() + " from what is stated, where "
                    + error.doubleValue() + " is allowed");
        }
        Fit longer = trainer.gap(1e-14).maxEpochs(1000).nodes(1).fit(rows);
        BigDecimal lowest = own.min(exact.primal(parameter(longer, free)));
        if (new BigDecimal(fit.certificate().bound()).compareTo(lowest) > 0) {
            return Optional.of("the optimum is not at least "
                    + fit.certificate().bound() + ", but at most " + lowest.round(MathContext.DECIMAL64));
        }
        BigDecimal lead = own.subtract(lowest);
        return lead.compareTo(scale.multiply(new BigDecimal(fit.gap() + DoubleDoubles.RESOLUTION))) > 0
                ? Optional.of("another model is better by " + lead.doubleValue())
                : Optional.empty();
    }

    /** How far rounding of the margins, of which no step of training knows, may have moved the mean loss. */
    private static double ofMargins(Fit fit, Dataset rows) {
        Loss loss = Losses.named(fit.model().loss());
        double sum = 0;
        double total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            double size = Math.abs(fit.model().intercept(0));
            for (int k = rows.start(i); k < rows.end(i); k++) {
                size += Math.abs(rows.value(i, k) * fit.model().weight(0, k - rows.start(i)));
            }
            double rounding = 0x1p-50 * size;
            double slope = loss.derivative(fit.model().score(rows, i, 0), rows.label(i));
            sum += rows.weight(i) * rounding * (Math.abs(slope) + rounding);
            total += rows.weight(i);
        }
        return sum / total;
    }

    private static double[] parameter(Fit fit, boolean free) {
        double[] theta = Arrays.copyOf(fit.model().weights(0), fit.model().features() + (free ? 1 : 0));
        if (free) {
            theta[theta.length - 1] = fit.model().intercept(0);
        }
        return theta;
    }

    private static Trainer trainer(Kind kind, Loss loss, Dataset rows, Random random) {
        boolean curved = loss.selfConcordance() < Double.POSITIVE_INFINITY;
        double size = rows.largest();
        double unit = kind == Kind.TINY_COLUMNS || kind == Kind.HUGE_COLUMNS ? size * size : 1;
        double lambda = curved && random.nextInt(4) == 0 ? 0 : unit * Math.pow(10, -8 + 8 * random.nextDouble());
        boolean scaled = random.nextInt(4) == 0;
        return Trainer.of(loss)
                .lambda(lambda)
                .l1(
                        lambda > 0 && random.nextInt(4) == 0
                                ? Math.sqrt(unit) * Math.pow(10, -6 + 5 * random.nextDouble())
                                : 0)
                .intercept(random.nextBoolean())
                .scaling(scaled ? Scaling.STANDARDIZE : Scaling.NONE)
                .gap(random.nextBoolean() ? 1e-6 : 1e-9)
                .maxEpochs(300)
                .nodes(1 + random.nextInt(Math.min(3, rows.rows())))
                .topology("complete")
                .runner(new Simulator());
    }

    private static Dataset rows(Kind kind, boolean classes, double noise, Random random) {
        int count = kind == Kind.ONE_ROW ? 1 : 3 + random.nextInt(kind == Kind.FAR_MORE_COLUMNS_THAN_ROWS ? 8 : 60);
        int features = kind == Kind.FAR_MORE_COLUMNS_THAN_ROWS ? 30 + random.nextInt(60) : 1 + random.nextInt(5);
        double[][] x = new double[count][features];
        double[] y = new double[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            double score = 0.5;
            for (int c = 0; c < features; c++) {
                double value = random.nextGaussian();
                score += (c % 2 == 0 ? 1 : -1) * value;
                x[i][c] = value(kind, c, value, x[i]);
            }
            score += noise == 0 ? 0 : noise * random.nextGaussian();
            y[i] = classes ? (score > 0 ? 1 : -1) : target(kind) * score;
            weights[i] = weight(kind, random);
        }
        if (classes) {
            // A problem of one class is refused.
            y[0] = -y[count - 1];
        }
        Dataset rows = Dataset.of(x, y);
        return weights[0] == 1 ? rows : rows.withWeights(weights);
    }

    private static double value(Kind kind, int column, double value, double[] before) {
        return switch (kind) {
            case TINY_COLUMNS -> 1e-15 * value;
            case HUGE_COLUMNS -> 1e15 * value;
            case COLUMNS_OF_ALL_SIZES -> Math.pow(10, 6.0 * (column - 2)) * value;
            case FAR_FROM_ZERO -> 1e9 + value;
            case DEPENDENT_COLUMNS -> column > 1 ? before[0] + before[1] : value;
            default -> value;
        };
    }

    private static double target(Kind kind) {
        return kind == Kind.TINY_TARGET ? 1e-15 : kind == Kind.HUGE_TARGET ? 1e15 : 1;
    }

    private static double weight(Kind kind, Random random) {
        return switch (kind) {
            case TINY_WEIGHTS -> 1e-25 * (1 + random.nextDouble());
            case HUGE_WEIGHTS -> 1e25 * (1 + random.nextDouble());
            case WEIGHTS_FAR_APART -> Math.pow(10, 12 * random.nextGaussian());
            default -> 1;
        };
    }
}
