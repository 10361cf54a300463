package dev.starling.statistics;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Setting;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Small random problems of every family, some with offsets, weights, clusters, no intercept, columns far from zero or
 * almost the same.
 *
 * @param family the name of the loss
 * @param kind which standard errors are asked for
 */
record RandomFits(String family, StandardErrors kind, boolean intercept, Dataset rows, long[] clusters) {

    static final List<String> FAMILIES = List.of(
            "gaussian",
            "binomial",
            "binomial(probit)",
            "binomial(cloglog)",
            "poisson",
            "quasi-poisson",
            "quasi-binomial",
            "gamma",
            "inverse-gaussian",
            "negative-binomial(1.5)",
            "tweedie(1.4)",
            "softmax",
            "ordinal",
            "cox",
            "cox(breslow)");

    private static final List<String> OF_WHOLES = FAMILIES.subList(FAMILIES.size() - 4, FAMILIES.size());

    private static final List<StandardErrors> KINDS = List.of(
            StandardErrors.MODEL,
            StandardErrors.MODEL,
            StandardErrors.HC0,
            StandardErrors.HC1,
            StandardErrors.HC2,
            StandardErrors.HC3,
            StandardErrors.CR1,
            StandardErrors.CR2);

    /** The problem with a number. */
    static RandomFits of(int number) {
        SplittableRandom random = new SplittableRandom(1_000_003L * number + 17);
        String family = FAMILIES.get(number % FAMILIES.size());
        boolean whole = OF_WHOLES.contains(family);
        StandardErrors drawn = KINDS.get(random.nextInt(KINDS.size()));
        StandardErrors kind = whole ? StandardErrors.MODEL : drawn;
        int features = 1 + random.nextInt(3);
        int n = 14 + features * 4 + random.nextInt(25);
        double[] x = new double[n * features];
        double[] labels = new double[n];
        double[] weights = new double[n];
        double[] offsets = new double[n];
        long[] clusters = new long[n];
        boolean hasOffsets = random.nextInt(3) == 0;
        boolean hasWeights = random.nextInt(3) == 0;
        double far = random.nextInt(4) == 0 ? 30 : 0;
        double alike = random.nextInt(4) == 0 ? 1e-3 : 1;
        double[] truth = new double[features];
        for (int c = 0; c < features; c++) {
            truth[c] = random.nextDouble(-0.6, 0.6) / (far > 0 ? 4 : 1);
        }
        for (int i = 0; i < n; i++) {
            double score = 0.3;
            for (int c = 0; c < features; c++) {
                double value = normal(random);
                double own = c == 1 ? x[i * features] + alike * value : far * (c == 0 ? 1 : 0) + value;
                x[i * features + c] = Math.rint(own * 4096) / 4096;
                score += truth[c] * (x[i * features + c] - far * (c <= 1 ? 1 : 0));
            }
            offsets[i] = hasOffsets ? Math.rint(64 * random.nextDouble(-1, 1)) / 64 : 0;
            weights[i] = family.startsWith("binomial") ? 1 : hasWeights ? 1 + random.nextInt(4) / 2.0 : 1;
            clusters[i] = i % 7;
            labels[i] = label(family, score + offsets[i], random);
        }
        Dataset weighted = Dataset.dense(features, x, labels).withWeights(weights);
        Dataset rows = family.equals("softmax") ? weighted : weighted.withOffsets(offsets);
        boolean intercept = random.nextInt(8) != 0;
        return new RandomFits(
                family, kind, family.equals("ordinal") || (intercept && !family.startsWith("cox")), rows, clusters);
    }

    private static double label(String family, double score, SplittableRandom random) {
        double mean = Math.exp(score);
        double u = random.nextDouble();
        return switch (family.replaceFirst("\\(.*", "")) {
            case "gaussian" -> score + normal(random);
            case "binomial" -> u < 1 / (1 + 1 / mean) ? 1 : 0;
            case "quasi-binomial" -> Math.rint(128 / (1 + Math.exp(-score - normal(random)))) / 128;
            case "gamma", "inverse-gaussian" -> Math.exp(score + 0.5 * normal(random));
            case "tweedie" -> u < 0.3 ? 0 : Math.exp(score + 0.5 * normal(random));
            case "softmax" -> u < 0.3 ? 0 : u < 0.3 + 0.7 / (1 + mean) ? 1 : 2;
            case "ordinal" -> Math.min(3, Math.max(0, Math.floor(score + 1.5 + Math.log(u / (1 - u)))));
            case "cox" -> Math.ceil(6 * -Math.log(u) / mean) * (random.nextInt(4) == 0 ? -1 : 1);
            case "quasi-poisson" -> Math.rint(2 * mean * -Math.log(u)) / 2;
            default -> Math.rint(mean * -Math.log(u));
        };
    }

    private static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }

    /** The fit; empty if there is none. */
    Optional<LinearModel> fitted() {
        try {
            return Optional.of(Trainer.of(Losses.named(family))
                    .lambda(0)
                    .gap(1e-9)
                    .intercept(intercept)
                    .nodes(1)
                    .with(Setting.STANDARD_ERRORS, kind)
                    .fit(rows, kind.isClustered() ? clusters : new long[0])
                    .model());
        } catch (InvalidInputException none) {
            return Optional.empty();
        }
    }
}
