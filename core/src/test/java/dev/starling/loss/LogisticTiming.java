package dev.starling.loss;

import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/** Prints the time of a logistic proximal step beside plain Newton with Math.exp; run by hand. */
final class LogisticTiming {

    private static final int CALLS = 1 << 12;
    private static final int ROUNDS = 400;

    private LogisticTiming() {}

    interface Step {
        double slope(double point, double step, double label, double start);
    }

    public static void main(String[] arguments) {
        System.out.println("nanoseconds per call, each waiting for the one before");
        for (double step : new double[] {0.5, 10, 1000}) {
            time(step, 1e-6, "warm, 1e-6 away");
            time(step, 1e-2, "warm, 0.01 away");
            time(step, 0.3, "warm, 0.3 away");
            time(step, 3, "cold, 3 away");
            time(step, 100, "cold, 100 away");
        }
    }

    private static void time(double step, double distance, String what) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(3);
        Logistic logistic = new Logistic();
        double[] points = new double[CALLS];
        double[] labels = new double[CALLS];
        double[] starts = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            labels[i] = random.nextBoolean() ? 1 : -1;
            double margin = random.nextDouble(-4, 4);
            points[i] = margin + step * logistic.derivative(margin, labels[i]);
            starts[i] = margin + distance * random.nextDouble(-1, 1);
        }
        double ours = best(logistic::proxSlope, points, step, labels, starts);
        double plain = best(LogisticTiming::plainNewton, points, step, labels, starts);
        System.out.printf(Locale.ROOT, "step %6.1f, %-16s %7.1f   plain %7.1f%n", step, what, ours, plain);
    }

    private static double best(Step solver, double[] points, double step, double[] labels, double[] starts) {
        double best = Double.POSITIVE_INFINITY;
        double last = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                last = solver.slope(points[i] + 1e-300 * last, step, labels[i], starts[i]);
            }
            best = Math.min(best, (System.nanoTime() - begin) / (double) CALLS);
        }
        return best + 0 * last;
    }

    private static double plainNewton(double point, double step, double label, double start) {
        double lowest = label > 0 ? point : point - step;
        double highest = label > 0 ? point + step : point;
        double margin = Math.max(lowest, Math.min(highest, start));
        double slope = 0;
        for (int i = 0; i < 100; i++) {
            double p = 1 / (1 + Math.exp(label * margin));
            slope = -label * p;
            double move = (point - margin - step * slope) / (1 + step * p * (1 - p));
            margin = Math.max(lowest, Math.min(highest, margin + move));
            if (Math.abs(move) <= 1e-13 * Math.max(1, Math.abs(margin))) {
                break;
            }
        }
        return slope;
    }
}
