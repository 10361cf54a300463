package dev.starling.method.sums;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.loss.Exact;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.problem.LocalProblem;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dual point of classes with free intercepts in 50 digits, far from the optimum and near it. */
class FreeInterceptsTest {

    private static final double LAMBDA = 0.125;

    /** Rows whose last value is 1; every class occurs, the last one rarely. */
    private static Dataset rows(int count, int features, int classes, double far, Random random) {
        double[][] x = new double[count][features + 1];
        double[] labels = new double[count];
        for (int i = 0; i < count; i++) {
            Arrays.setAll(x[i], c -> c == features ? 1 : far + 2 * random.nextGaussian());
            labels[i] = i < classes ? i : random.nextInt(classes - 1);
        }
        return Dataset.of(x, labels).withWeights(random.doubles(count, 0.1, 3).toArray());
    }

    /** The optimum, by the method that is under test, which does not matter: any point would do. */
    private static double[] optimum(Dataset data, int classes) {
        int features = data.features() - 1;
        double[][] x = new double[data.rows()][features];
        double[] labels = new double[data.rows()];
        double[] weights = new double[data.rows()];
        for (int i = 0; i < x.length; i++) {
            double[] row = new double[features + 1];
            data.addTo(i, 1, row);
            x[i] = Arrays.copyOf(row, features);
            labels[i] = data.label(i);
            weights[i] = data.weight(i);
        }
        LinearModel model = Trainer.of(new Softmax())
                .lambda(LAMBDA)
                .intercept(true)
                .nodes(1)
                .gap(1e-14)
                .fit(Dataset.of(x, labels).withWeights(weights))
                .model();
        double[] theta = new double[classes * (features + 1)];
        for (int k = 0; k < classes; k++) {
            System.arraycopy(model.weights(k), 0, theta, k * (features + 1), features);
            theta[(k + 1) * (features + 1) - 1] = model.intercept(k);
        }
        return theta;
    }

    private static BigDecimal times(BigDecimal one, BigDecimal other) {
        return one.multiply(other, Exact.DIGITS);
    }

    private static BigDecimal over(BigDecimal one, BigDecimal other) {
        return one.divide(other, Exact.DIGITS);
    }

    /** Everything at a point, in 50 digits. */
    private static final class Truth {
        private final int classes;
        private final int width;
        private final BigDecimal[][] x;
        private final int[] own;
        private final BigDecimal[] weights;
        private final BigDecimal[][] margins;
        private final BigDecimal[][] likely;
        private final BigDecimal[] logs;
        private final double[] theta;
        private BigDecimal total = BigDecimal.ZERO;

        Truth(Dataset data, int classes, double[] theta) {
            this.classes = classes;
            this.width = data.features();
            this.theta = theta;
            int n = data.rows();
            x = new BigDecimal[n][width];
            own = new int[n];
            weights = new BigDecimal[n];
            margins = new BigDecimal[n][classes];
            likely = new BigDecimal[n][classes];
            logs = new BigDecimal[n];
            for (int i = 0; i < n; i++) {
                double[] row = new double[width];
                data.addTo(i, 1, row);
                x[i] = Arrays.stream(row).mapToObj(Exact::of).toArray(BigDecimal[]::new);
                own[i] = (int) data.label(i);
                weights[i] = Exact.of(data.weight(i));
                total = total.add(weights[i]);
                BigDecimal sum = BigDecimal.ZERO;
                for (int k = 0; k < classes; k++) {
                    margins[i][k] = BigDecimal.ZERO;
                    for (int c = 0; c < width; c++) {
                        margins[i][k] = margins[i][k].add(times(x[i][c], Exact.of(theta[k * width + c])));
                    }
                    likely[i][k] = Exact.exp(margins[i][k]);
                    sum = sum.add(likely[i][k]);
                }
                logs[i] = Exact.log(sum);
                for (int k = 0; k < classes; k++) {
                    likely[i][k] = over(likely[i][k], sum);
                }
            }
        }

        BigDecimal objective() {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < x.length; i++) {
                sum = sum.add(times(weights[i], logs[i].subtract(margins[i][own[i]])));
            }
            BigDecimal norm = BigDecimal.ZERO;
            for (int c = 0; c < theta.length; c++) {
                norm = (c + 1) % width == 0 ? norm : norm.add(times(Exact.of(theta[c]), Exact.of(theta[c])));
            }
            return over(sum, total).add(times(norm, Exact.of(LAMBDA / 2)));
        }

        /** The mean probabilities, less the shares of the classes. */
        BigDecimal excess(int k) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < x.length; i++) {
                sum = sum.add(times(weights[i], own[i] == k ? likely[i][k].subtract(BigDecimal.ONE) : likely[i][k]));
            }
            return over(sum, total);
        }

        BigDecimal share(int k) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < x.length; i++) {
                sum = own[i] == k ? sum.add(weights[i]) : sum;
            }
            return over(sum, total);
        }

        /** Returns the least t, by its definition. */
        BigDecimal least() {
            BigDecimal least = BigDecimal.ZERO;
            for (int k = 0; k < classes; k++) {
                least = least.max(over(excess(k), excess(k).add(share(k))));
            }
            return least;
        }

        /** Returns q for some t. */
        BigDecimal[] mix(BigDecimal t) {
            BigDecimal[] q = new BigDecimal[classes];
            for (int k = 0; k < classes; k++) {
                BigDecimal mean = excess(k).add(share(k));
                q[k] = over(share(k).subtract(times(BigDecimal.ONE.subtract(t), mean)), t);
            }
            return q;
        }

        /** Returns the probabilities (1 − t) p + t q. */
        BigDecimal[][] mixed(BigDecimal t) {
            BigDecimal[] q = mix(t);
            BigDecimal[][] mixed = new BigDecimal[x.length][classes];
            for (int i = 0; i < x.length; i++) {
                for (int k = 0; k < classes; k++) {
                    mixed[i][k] =
                            times(BigDecimal.ONE.subtract(t), likely[i][k]).add(times(t, q[k]));
                }
            }
            return mixed;
        }

        /** Returns v at such probabilities. */
        BigDecimal[] mean(BigDecimal[][] p) {
            BigDecimal[] v = new BigDecimal[classes * width];
            Arrays.fill(v, BigDecimal.ZERO);
            for (int i = 0; i < x.length; i++) {
                for (int k = 0; k < classes; k++) {
                    BigDecimal slope = times(weights[i], own[i] == k ? p[i][k].subtract(BigDecimal.ONE) : p[i][k]);
                    for (int c = 0; c < width; c++) {
                        v[k * width + c] = v[k * width + c].add(times(slope, x[i][c]));
                    }
                }
            }
            Arrays.setAll(v, c -> over(v[c], total));
            return v;
        }

        BigDecimal dual(BigDecimal[][] p) {
            BigDecimal entropy = BigDecimal.ZERO;
            for (int i = 0; i < x.length; i++) {
                for (int k = 0; k < classes; k++) {
                    if (p[i][k].signum() > 0) {
                        entropy = entropy.subtract(times(weights[i], times(p[i][k], Exact.log(p[i][k]))));
                    }
                }
            }
            BigDecimal norm = BigDecimal.ZERO;
            BigDecimal[] v = mean(p);
            for (int c = 0; c < v.length; c++) {
                norm = (c + 1) % width == 0 ? norm : norm.add(times(v[c], v[c]));
            }
            return over(entropy, total).subtract(over(norm, Exact.of(2 * LAMBDA)));
        }

        /** t times the mean loss if labels were drawn from q. */
        BigDecimal added(BigDecimal t) {
            BigDecimal[] q = mix(t);
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < x.length; i++) {
                for (int k = 0; k < classes; k++) {
                    sum = sum.add(times(weights[i], times(q[k], logs[i].subtract(margins[i][k]))));
                }
            }
            return times(t, over(sum, total));
        }

        /** ‖λθ + v‖² of the weights that are regularised. */
        BigDecimal misfit(BigDecimal[] v) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int c = 0; c < v.length; c++) {
                BigDecimal entry = v[c].add(times(Exact.of(LAMBDA), Exact.of(theta[c])));
                sum = (c + 1) % width == 0 ? sum : sum.add(times(entry, entry));
            }
            return sum;
        }
    }

    private static double[] sums(Dataset data, int classes, PassLayout layout, double[] theta, boolean tight) {
        Softmax loss = new Softmax(classes);
        double[] sums = new double[layout.length(PassSums.GRADIENT)];
        Family.of(loss).term(LocalProblem.of(data, loss, 0), layout, 1).sum(PassSums.GRADIENT, theta, 1, tight, sums);
        return sums;
    }

    @ParameterizedTest
    @CsvSource({"1,3,0", "2,4,0", "3,5,0", "4,3,100", "5,2,0", "6,3,-20000"})
    void noProofClaimsMoreThanTheOptimumAllows(int seed, int classes, double far) {
        Random random = new Random(seed);
        Dataset data = rows(16, 2, classes, far, random);
        PassLayout layout = PassLayout.ofOutputs(3, classes, true);
        double[] best = classes == 2 ? new double[6] : optimum(data, classes);
        Truth atBest = new Truth(data, classes, best);
        BigDecimal least = atBest.objective();
        for (double distance : new double[] {0, 1e-12, 1e-6, 1e-2, 1, 8}) {
            double[] theta = Arrays.stream(best)
                    .map(entry -> entry + distance * random.nextGaussian() / (1 + Math.abs(far)))
                    .toArray();
            Truth truth = new Truth(data, classes, theta);
            for (boolean tight : new boolean[] {false, true}) {
                double[] sums = sums(data, classes, layout, theta, tight);
                double weight = sums[PassLayout.WEIGHT];
                double[] gradient = new double[theta.length];
                Arrays.setAll(gradient, c -> LAMBDA * theta[c] + sums[PassLayout.GRADIENT + c] / weight);
                FreeIntercept free = FreeIntercepts.of(sums, layout, theta, gradient);
                double spread = sums[PassLayout.SPREAD] / weight + free.length();
                double most = GapBound.most(free.squares(), norm(theta), LAMBDA, spread, theta.length) + free.slack();
                BigDecimal claimed = Exact.of(most + sums[PassLayout.SLACK] / weight);
                double t = new FreeIntercepts(sums, layout).part();
                String where = "distance " + distance + ", t " + t;

                assertThat(truth.objective().subtract(claimed)).as(where).isLessThanOrEqualTo(least);
                if (Math.abs(far) > 1000) {
                    // Here rounding moves probabilities, each by more than their sum may be off.
                    continue;
                }

                // The probabilities are a dual point, so their value is below that of every point.
                BigDecimal part = Exact.of(t);
                assertThat(part).as(where).isGreaterThan(truth.least());
                BigDecimal[][] mixed = truth.mixed(part);
                for (BigDecimal[] row : mixed) {
                    assertThat(row).allMatch(p -> p.signum() >= 0);
                }
                BigDecimal[] v = truth.mean(mixed);
                for (int k = 0; k < classes; k++) {
                    assertThat(v[(k + 1) * 3 - 1].abs()).isLessThan(new BigDecimal("1e-40"));
                }
                BigDecimal dual = truth.dual(mixed);
                assertThat(dual).as(where).isLessThanOrEqualTo(least.add(new BigDecimal("1e-40")));

                // The bound is above the gap that they leave.
                BigDecimal gap = over(truth.misfit(v), Exact.of(2 * LAMBDA)).add(truth.added(part));
                assertThat(truth.objective().subtract(dual))
                        .as(where)
                        .isLessThanOrEqualTo(gap.add(new BigDecimal("1e-40")));
                assertThat(Exact.of(free.slack())).as(where).isGreaterThanOrEqualTo(truth.added(part));
                assertThat(claimed).as(where).isGreaterThanOrEqualTo(gap);

                // And not far above it: what rounding adds is no more than the rows' size allows.
                double looseness = most - gap.doubleValue();
                assertThat(looseness).as(where).isLessThan(1e-12 * (1 + far * far) + 1e-9 * gap.doubleValue());
            }
        }
    }

    private static double norm(double[] theta) {
        return Arrays.stream(theta).map(entry -> entry * entry).sum();
    }
}
