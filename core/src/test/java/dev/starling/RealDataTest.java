package dev.starling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.data.Moments;
import dev.starling.data.Standardizer;
import dev.starling.job.TrainingPlan;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.runtime.Simulator;
import dev.starling.support.ReferenceNewton;
import dev.starling.support.SharedData;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real data to a certified gap of 1e-8, against optima that another program found, and against weights found by
 * Newton's method. Prints a row of a table for every run; those that take long are tagged {@code slow}.
 */
class RealDataTest {

    private static final double GAP = 1e-8;

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "a9a,1e-4,1,ring",
        "a9a,1e-4,4,grid",
        "a9a,1e-6,2,line",
        "mushrooms,1e-4,9,grid",
        "phishing,1e-4,2,line",
        "phishing,1e-6,1,ring",
    })
    void squaredHingesReachTheKnownOptimum(String dataset, double lambda, int nodes, String topology) {
        check("adfs", dataset, "squared-hinge", lambda, nodes, topology, false);
        check("newton", dataset, "squared-hinge", lambda, nodes, topology, false);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "a9a,1e-4",
        "a9a,1e-6",
        "w8a,1e-4",
        "w8a,1e-6",
        "mushrooms,1e-4",
        "mushrooms,1e-6",
        "phishing,1e-4",
        "phishing,1e-6",
        "higgs_balanced,1e-4",
        "higgs_balanced,1e-6",
        "covtype.libsvm.binary.scale,1e-4",
        "covtype.libsvm.binary.scale,1e-6",
    })
    void everyClassificationSetOnEveryNumberOfNodes(String dataset, double lambda) {
        for (int nodes : new int[] {1, 2, 4, 9, 100}) {
            String topology = nodes == 2 ? "line" : nodes == 1 ? "ring" : "grid";
            check("adfs", dataset, "logistic", lambda, nodes, topology, false);
            check("newton", dataset, "logistic", lambda, nodes, topology, false);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"cadata,1e-4", "cadata,1e-6", "cpusmall,1e-4", "cpusmall,1e-6", "space_ga,1e-4", "space_ga,1e-6"})
    void everyRegressionSetOnEveryNumberOfNodes(String dataset, double lambda) {
        for (String loss : new String[] {"squared", "huber"}) {
            for (int nodes : new int[] {1, 2, 4, 9, 100}) {
                String topology = nodes == 2 ? "line" : nodes == 1 ? "ring" : "grid";
                check("adfs", dataset, loss, lambda, nodes, topology, true);
                check("newton", dataset, loss, lambda, nodes, topology, true);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void bothMethodsReachTheKnownOptimumToNineDigits(String method) {
        checkNineDigits("a9a", method);
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"adfs", "newton"})
    void bothMethodsReachTheKnownOptimumOfCovtypeToNineDigits(String method) {
        checkNineDigits("covtype.libsvm.binary.scale", method);
    }

    /** Before multipliers of many rows started half-way, and rows that stay were left out: 48 and 78 passes. */
    @ParameterizedTest
    @CsvSource({"multipliers, 42", "dual, 25"})
    void theHingeOnW8aTakesFewPasses(String method, double most) {
        Fit fit = Trainer.of("hinge")
                .method(method)
                .lambda(1e-4)
                .nodes(1)
                .runner(new Simulator())
                .fit(SharedData.read("w8a.gz"));

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.certificate().epochs()).isLessThan(most);
    }

    private static void checkNineDigits(String dataset, String method) {
        Dataset data = SharedData.read(dataset + ".gz");
        Fit fit = Trainer.logistic()
                .method(method)
                .lambda(1e-4)
                .nodes(4)
                .topology("ring")
                .gap(1e-9)
                .maxEpochs(100_000)
                .runner(new Simulator())
                .fit(data);
        double optimum = SharedData.optimum(dataset, "logistic", 1e-4);

        assertThat(fit.isCertified()).isTrue();
        assertThat(fit.plan().method().name()).isEqualTo(method);
        // The golden values are sums of doubles and have their rounding.
        assertThat(fit.objective()).isBetween(optimum * (1 - 1e-11), optimum * (1 + 1e-9 + 1e-11));
    }

    private static void check(
            String method,
            String dataset,
            String lossName,
            double lambda,
            int nodes,
            String topology,
            boolean standardize) {
        Dataset data = SharedData.read(dataset + ".gz");
        Loss loss = Losses.named(lossName);
        Fit fit = Trainer.of(loss)
                .method(method)
                .lambda(lambda)
                .nodes(nodes)
                .topology(topology)
                .gap(GAP)
                .maxEpochs(100_000)
                .standardize(standardize)
                .runner(new Simulator())
                .fit(data);
        double optimum = SharedData.optimum(dataset, lossName, lambda);

        assertThat(fit.isCertified()).isTrue();
        // The golden values are sums of doubles and have their rounding; and theirs are standardised in double, whereas
        // a
        // dataset keeps standardised values as floats, which moves the optimum by some 1e-8.
        double rounding = standardize ? 3e-8 : 1e-9;
        assertThat(fit.objective()).isGreaterThanOrEqualTo(optimum * (1 - rounding));
        assertThat(fit.objective()).isLessThanOrEqualTo(optimum * (1 + GAP + rounding));
        if (standardize) {
            Dataset rows = Standardizer.centred(Moments.of(data)).withTarget().apply(data);
            double same = ReferenceNewton.objective(rows, loss, lambda, ReferenceNewton.optimum(rows, loss, lambda));
            assertThat(fit.objective()).isBetween(same * (1 - 1e-11), same * (1 + GAP + 1e-11));
        }
        String distance = "";
        if (!standardize) {
            double[] expected =
                    ReferenceNewton.optimum(Labels.classification(data).binary(data), loss, lambda);
            double away = distance(fit.model().weights(0), expected);
            // λ-strong convexity: λ/2 ‖θ − θ*‖² ≤ P(θ) − P(θ*) ≤ gap · P(θ).
            assertThat(away).isLessThanOrEqualTo(Math.sqrt(2 * fit.gap() * fit.objective() / lambda) + 1e-9);
            distance = String.format(Locale.ROOT, "%.1e", away / distance(expected, new double[expected.length]));
        }
        TrainingPlan plan = fit.plan();
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.0e | %d | %s | %.12f | %.1e | %s | %.0f | %.0f |%n",
                method,
                dataset,
                lossName,
                lambda,
                nodes,
                plan.network().description(),
                fit.objective(),
                fit.gap(),
                distance,
                fit.epochs(),
                plan.predictedEpochs());
    }

    private static double distance(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return Math.sqrt(sum);
    }
}
