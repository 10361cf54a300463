package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Survival;
import dev.starling.loss.Ties;
import dev.starling.model.LinearModel;
import dev.starling.objective.strata.PartialLikelihood;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import java.util.Arrays;
import java.util.List;

/**
 * How often the row with the earlier event had the greater score, among all pairs of a stratum of which that is known:
 * one had its event while the other was at risk and went on without one.
 *
 * @param concordant the weight of the pairs for which that was so
 * @param discordant of those for which it was the other way round
 * @param tied of those with equal scores
 */
public record Concordance(double concordant, double discordant, double tied) {

    /** The part of pairs in the right order; pairs with equal scores count half. */
    public double value() {
        return (concordant + tied / 2) / (concordant + discordant + tied);
    }

    /**
     * That of a model's scores on the rows of a table. A stratum called site need not be a column: the table may be
     * that of one site.
     *
     * @throws InvalidInputException if the model's file does not say which columns are times, events and strata
     */
    public static Concordance of(LinearModel model, Table table) {
        Recipe recipe = Recipe.of(model)
                .filter(one -> one.formula().isPresent())
                .orElseThrow(() -> new InvalidInputException("the model with the loss " + model.loss()
                        + " was trained without a formula, so its file does not say which columns are times and"
                        + " events; train it with one such as Surv(time, status) ~ age"));
        List<String> strata = recipe.strata().stream()
                .filter(name -> !name.equals(Recipe.SITE) || table.names().contains(name))
                .toList();
        Encoded encoded = recipe.encode(table);
        Dataset rows = encoded.rows();
        Survival survival = Survival.of(rows, strata.isEmpty() ? new long[0] : table.keys(strata, encoded.kept()));
        double[] scores = new double[rows.rows()];
        Arrays.setAll(scores, i -> model.score(rows, i, 0));
        return of(new PartialLikelihood(rows, survival, Ties.EFRON), scores);
    }

    static Concordance of(PartialLikelihood likelihood, double[] scores) {
        double[] counts = new double[3];
        for (int s = 0; s < likelihood.survival().strataCount(); s++) {
            count(likelihood, likelihood.members(s), scores, counts);
        }
        return new Concordance(counts[0], counts[1], counts[2]);
    }

    /** Goes through the times from the last to the first, with the weights of the rows at risk summed by score. */
    private static void count(PartialLikelihood likelihood, int[] members, double[] scores, double[] counts) {
        Survival survival = likelihood.survival();
        double[] sorted = Arrays.stream(members)
                .mapToDouble(i -> scores[i] + 0.0)
                .sorted()
                .distinct()
                .toArray();
        int[] leaving = Arrays.stream(members)
                .boxed()
                .sorted((i, k) -> Double.compare(survival.start()[k], survival.start()[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] tree = new double[sorted.length + 1];
        int left = 0;
        int from = 0;
        while (from < members.length) {
            double time = survival.stop()[members[from]];
            while (left < leaving.length && survival.start()[leaving[left]] >= time) {
                add(tree, place(sorted, scores[leaving[left]]), -likelihood.weight(leaving[left]));
                left++;
            }
            int to = from;
            while (to < members.length && survival.stop()[members[to]] == time) {
                if (!survival.events()[members[to]]) {
                    add(tree, place(sorted, scores[members[to]]), likelihood.weight(members[to]));
                }
                to++;
            }
            double all = sum(tree, sorted.length);
            for (int k = from; k < to; k++) {
                if (survival.events()[members[k]]) {
                    int place = place(sorted, scores[members[k]]);
                    double less = sum(tree, place - 1);
                    double equal = sum(tree, place) - less;
                    double weight = likelihood.weight(members[k]);
                    counts[0] += weight * less;
                    counts[1] += weight * (all - less - equal);
                    counts[2] += weight * equal;
                }
            }
            for (int k = from; k < to; k++) {
                if (survival.events()[members[k]]) {
                    add(tree, place(sorted, scores[members[k]]), likelihood.weight(members[k]));
                }
            }
            from = to;
        }
    }

    private static int place(double[] sorted, double score) {
        return Arrays.binarySearch(sorted, score + 0.0) + 1;
    }

    private static void add(double[] tree, int place, double weight) {
        for (int k = place; k < tree.length; k += k & -k) {
            tree[k] += weight;
        }
    }

    private static double sum(double[] tree, int place) {
        double sum = 0;
        for (int k = place; k > 0; k -= k & -k) {
            sum += tree[k];
        }
        return sum;
    }
}
