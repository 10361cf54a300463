package dev.starling.statistics;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.starling.data.Dataset;
import dev.starling.data.Survival;
import dev.starling.loss.Ties;
import dev.starling.objective.strata.PartialLikelihood;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cox regressions against values with 20 digits, against the literal likelihood, and on rows without an estimate. */
class CoxTest {

    private static final double DIGITS = 1e-10;

    @ParameterizedTest
    @CsvSource({
        "lung-cox-efron, EFRON",
        "lung-cox-breslow, BRESLOW",
        "lung-cox-efron-site, EFRON",
        "lung-cox-breslow-site, BRESLOW",
        "ovarian-cox-efron, EFRON",
        "veteran-cox-strata, EFRON",
        "veteran-cox-weights, EFRON"
    })
    void agreesWithGoldenValuesToTenDigits(String name, Ties ties) {
        Golden golden = Golden.read(name);

        CoxTable cox = CoxTable.of(golden.rows(), golden.survival(), ties, 0.95);

        double[] coefficients = golden.vector("coefficients");
        double[] se = golden.vector("se");
        for (int k = 0; k < coefficients.length; k++) {
            Coefficient line = cox.table().coefficients().get(k);
            assertThat(line.estimate().value()).isCloseTo(coefficients[k], offset(DIGITS * Math.abs(coefficients[k])));
            assertThat(Math.abs(line.estimate().value() - coefficients[k]))
                    .isLessThanOrEqualTo(line.estimate().error());
            assertThat(line.se().value()).isCloseTo(se[k], offset(DIGITS * se[k]));
            assertThat(Math.abs(line.se().value() - se[k]))
                    .isLessThanOrEqualTo(line.se().error());
        }
        double logLik = golden.number("logLik");
        assertThat(cox.table().logLik().value()).isCloseTo(logLik, offset(DIGITS * -logLik));
        assertThat(Math.abs(cox.table().logLik().value() - logLik))
                .isLessThanOrEqualTo(cox.table().logLik().error());
        double nullLogLik = golden.number("nullLogLik");
        assertThat(cox.table().nullDeviance().value()).isCloseTo(-2 * nullLogLik, offset(DIGITS * -nullLogLik));
        assertThat(cox.table().standardErrors()).isLessThan(1e-8);
    }

    @ParameterizedTest
    @CsvSource({"lung-cox-efron, EFRON", "lung-cox-breslow, BRESLOW", "veteran-cox-strata, EFRON"})
    void countsPairsAndAddsUpHazardsAsTheGoldenValuesDo(String name, Ties ties) {
        Golden golden = Golden.read(name);

        CoxTable cox = CoxTable.of(golden.rows(), golden.survival(), ties, 0.95);

        double[] pairs = golden.vector("concordance");
        assertThat(cox.concordance().concordant()).isEqualTo(pairs[0]);
        assertThat(cox.concordance().discordant()).isEqualTo(pairs[1]);
        assertThat(cox.concordance().tied()).isEqualTo(pairs[2]);
        double[] last = golden.vector("lastCumulativeHazard");
        for (int s = 0; s < last.length; s++) {
            double[] cumulative = cox.hazards().get(s).cumulative();
            assertThat(cumulative[cumulative.length - 1]).isCloseTo(last[s], offset(DIGITS * last[s]));
        }
    }

    @ParameterizedTest
    @EnumSource(Ties.class)
    void slopesOfARidgeAreThoseOfTheLikelihood(Ties ties) {
        Random random = new Random(4);
        Dataset data = rows(random, 60);
        Survival survival = late(random, 60);
        double lambda = 0.2;

        CoxTable.Ridge ridge = CoxTable.Ridge.of(data, survival, ties, lambda);

        double[] theta = ridge.model().weights(0);
        double weight = IntStream.range(0, 60).mapToDouble(data::weight).sum();
        PartialLikelihood.Sums there = new PartialLikelihood(data, survival, ties).at(theta);
        for (int c = 0; c < theta.length; c++) {
            assertThat(there.gradient()[c]).isCloseTo(-lambda * weight * theta[c], offset(1e-9));
        }
        assertThat(ridge.logLik()).isEqualTo(-there.value()).isGreaterThan(ridge.nullLogLik());
        assertThat(ridge.model().provenance().exactness().standardErrors()).isLessThan(1e-8);
    }

    @Test
    void namesWhatSeparatesEventsWhoseLikelihoodReaches0() {
        Random random = new Random(3);
        double[][] x = new double[150][3];
        double[] times = new double[x.length];
        boolean[] seen = new boolean[x.length];
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], c -> random.nextGaussian());
            times[i] = x[i][0];
            seen[i] = true;
        }

        assertThatRefused(() ->
                        CoxTable.of(Dataset.of(x, new double[x.length]), Survival.of(times, seen), Ties.EFRON, 0.95))
                .hasMessageContaining("no estimate exists: the likelihood grows without end with 'feature 1'");
    }

    private static Dataset rows(Random random, int count) {
        double[][] x = new double[count][3];
        for (double[] row : x) {
            row[0] = random.nextGaussian();
            row[1] = random.nextInt(3);
            row[2] = random.nextDouble();
        }
        double[] weights = random.doubles(count, 0.5, 3).toArray();
        return Dataset.of(x, new double[count])
                .withWeights(weights)
                .withOffsets(random.doubles(count).toArray());
    }

    private static Survival late(Random random, int count) {
        double[] start = new double[count];
        double[] stop = new double[count];
        boolean[] events = new boolean[count];
        int[] strata = new int[count];
        for (int i = 0; i < count; i++) {
            start[i] = random.nextInt(5);
            stop[i] = start[i] + 1 + random.nextInt(10);
            events[i] = random.nextInt(3) > 0;
            strata[i] = random.nextInt(2);
        }
        return new Survival(start, stop, events, strata);
    }

    /** The sums written down as in a textbook, event by event, with no sorting and no sums that are carried along. */
    private static double literal(Dataset data, Survival s, Ties ties, double[] theta) {
        double value = 0;
        for (int stratum = 0; stratum < s.strataCount(); stratum++) {
            int own = stratum;
            double[] times = IntStream.range(0, s.rows())
                    .filter(i -> s.strata()[i] == own && s.events()[i])
                    .mapToDouble(i -> s.stop()[i])
                    .distinct()
                    .toArray();
            for (double time : times) {
                double risk = 0;
                double dead = 0;
                double weight = 0;
                int count = 0;
                for (int i = 0; i < s.rows(); i++) {
                    if (s.strata()[i] == stratum && s.start()[i] < time && time <= s.stop()[i]) {
                        double score = data.dot(i, theta) + data.offset(i);
                        double part = data.weight(i) * Math.exp(score);
                        risk += part;
                        if (s.events()[i] && s.stop()[i] == time) {
                            dead += part;
                            weight += data.weight(i);
                            count++;
                            value -= data.weight(i) * score;
                        }
                    }
                }
                int steps = ties == Ties.EFRON ? count : 1;
                for (int l = 0; l < steps; l++) {
                    value += weight / steps * Math.log(risk - l / (double) steps * dead);
                }
            }
        }
        return value;
    }

    @ParameterizedTest
    @EnumSource(Ties.class)
    void sumsAreThoseOfTheLiteralLikelihoodWithLateRowsWeightsOffsetsAndStrata(Ties ties) {
        Random random = new Random(5);
        Dataset data = rows(random, 60);
        Survival survival = late(random, 60);
        PartialLikelihood likelihood = new PartialLikelihood(data, survival, ties);
        double[] theta = {0.3, -0.2, 0.5};

        PartialLikelihood.Sums sums = likelihood.at(theta);

        assertThat(sums.value()).isCloseTo(literal(data, survival, ties, theta), offset(1e-10));
        double h = 1e-5;
        for (int c = 0; c < theta.length; c++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[c] += h;
            down[c] -= h;
            double slope = (literal(data, survival, ties, up) - literal(data, survival, ties, down)) / (2 * h);
            assertThat(sums.gradient()[c]).isCloseTo(slope, offset(1e-6));
            double[] change = likelihood.at(up).gradient();
            double[] before = likelihood.at(down).gradient();
            for (int k = 0; k < theta.length; k++) {
                assertThat(sums.hessian()[c * 3 + k]).isCloseTo((change[k] - before[k]) / (2 * h), offset(1e-5));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Ties.class)
    void withLateRowsWeightsOffsetsAndStrataTheLiteralLikelihoodIsLargestAtTheEstimate(Ties ties) {
        Random random = new Random(11);
        Dataset data = rows(random, 60);
        Survival survival = late(random, 60);

        GlmTable table = CoxTable.of(data, survival, ties, 0.95).table();

        double[] theta = table.coefficients().stream()
                .mapToDouble(line -> line.estimate().value())
                .toArray();
        double best = literal(data, survival, ties, theta);
        assertThat(-table.logLik().value()).isCloseTo(best, offset(1e-9));
        for (int c = 0; c < theta.length; c++) {
            for (double step : new double[] {-1e-3, 1e-3}) {
                double[] other = theta.clone();
                other[c] += step;
                assertThat(literal(data, survival, ties, other)).isGreaterThan(best);
            }
        }
        assertThat(table.standardErrors()).isLessThan(1e-6);
    }

    /** Pairs counted one by one. */
    @Test
    void concordanceIsThatOfAllPairs() {
        Random random = new Random(9);
        Dataset data = rows(random, 80)
                .withWeights(random.doubles(80, 1, 1.5).map(Math::floor).toArray());
        Survival survival = late(random, 80);
        PartialLikelihood likelihood = new PartialLikelihood(data, survival, Ties.EFRON);
        double[] scores = random.ints(80, 0, 10).asDoubleStream().toArray();
        double[] counts = new double[3];
        for (int i = 0; i < 80; i++) {
            for (int j = 0; j < 80; j++) {
                boolean later = survival.stop()[j] > survival.stop()[i]
                        || (survival.stop()[j] == survival.stop()[i] && !survival.events()[j]);
                if (survival.events()[i]
                        && later
                        && survival.strata()[i] == survival.strata()[j]
                        && survival.start()[j] < survival.stop()[i]) {
                    counts[scores[i] > scores[j] ? 0 : scores[i] < scores[j] ? 1 : 2]++;
                }
            }
        }

        Concordance concordance = Concordance.of(likelihood, scores);

        assertThat(concordance).isEqualTo(new Concordance(counts[0], counts[1], counts[2]));
    }

    @Test
    void aFeatureThatSeparatesEventsHasNoEstimate() {
        Dataset data = Dataset.of(new double[][] {{3, 1}, {2, 5}, {1, 2}, {0, 4}}, new double[4])
                .withNames(List.of("dose", "age"));
        Survival survival = Survival.of(new double[] {1, 2, 3, 4}, new boolean[] {true, true, true, true});

        assertThatRefused(() -> CoxTable.of(data, survival, Ties.EFRON, 0.95))
                .hasMessageContaining("no estimate exists")
                .hasMessageContaining("'dose'");
    }

    @Test
    void featuresThatDependOnOthersAreLeftOut() {
        Random random = new Random(2);
        double[][] x = new double[50][3];
        for (double[] row : x) {
            row[0] = random.nextGaussian();
            row[1] = 7;
            row[2] = 2 * row[0] + 3;
        }
        Survival survival = Survival.of(random.doubles(50).toArray(), allTrue(50));

        CoxTable cox = CoxTable.of(Dataset.of(x, new double[50]), survival, Ties.EFRON, 0.95);

        assertThat(cox.table().coefficients())
                .extracting(Coefficient::isEstimated)
                .containsExactly(true, false, false);
    }

    private static boolean[] allTrue(int count) {
        boolean[] all = new boolean[count];
        Arrays.fill(all, true);
        return all;
    }

    @Test
    void timesOutOfOrderAndRowsWithoutEventsAreRefused() {
        assertThatThrownBy(() -> new Survival(new double[] {3}, new double[] {2}, new boolean[] {true}, new int[1]))
                .hasMessage("row 1 ends at 2.0, which is not after its start 3.0; leave it out or correct its times");
        assertThatThrownBy(() -> Survival.of(new double[] {1}, new boolean[1]))
                .hasMessage("no row ends with an event, so there is nothing to learn from");
        assertThatThrownBy(() -> Survival.of(new double[] {Double.NaN}, new boolean[] {true}))
                .hasMessageContaining("times must be finite numbers");
    }
}
