package dev.starling.statistics;

import dev.starling.inference.HeterogeneityPhase;
import dev.starling.loss.Losses;
import dev.starling.model.Differences;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.SiteDifferences;
import dev.starling.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How much the sites of a model differ.
 *
 * @param sites how many sites the test covers; others have too few rows for all coefficients
 * @param test that all sites have the same coefficients
 * @param lines Cochran's Q of each coefficient; empty if fewer than five sites have estimates of their own
 * @param columns the test that the coefficients of some columns are the same at all sites, if it was asked for
 * @param estimates every site's own estimates and those without it; empty unless asked for, with every site's leave
 */
public record Heterogeneity(
        int sites, CoxTable.Test test, List<Line> lines, Optional<Columns> columns, List<Estimate> estimates) {

    /**
     * The test of some columns by themselves.
     *
     * @param names the columns
     * @param test that their coefficients are the same at all sites
     */
    public record Columns(List<String> names, CoxTable.Test test) {

        /** Copies the list. */
        public Columns {
            names = List.copyOf(names);
        }
    }

    /**
     * An estimate of a coefficient by the rows of one site, or by all others.
     *
     * @param site the number of the site, from 1 on, in the order of the network
     * @param without whether it is the estimate without the site
     * @param estimate NaN if there is none
     */
    public record Estimate(int site, boolean without, String name, double estimate, double se) {

        /** A line of a table, under the name of the site; empty if there is no estimate. */
        public Optional<Coefficient> line(double level) {
            Proven quantile = new Proven(Distributions.normalQuantile(1 - level), 0);
            return Double.isFinite(estimate) && se > 0
                    ? Optional.of(Coefficient.of(
                            (without ? "without site " : "site ") + site,
                            new Proven(estimate, 0),
                            new Proven(se, 0),
                            quantile,
                            Coefficient::normalTails))
                    : Optional.empty();
        }
    }

    /**
     * What the sites' own estimates of a coefficient say.
     *
     * @param q the test by Cochran's Q, their squared distances from the mean in units of their variances
     * @param share I², the part of their variation that is not chance
     * @param variance τ², the variance between sites by DerSimonian and Laird
     */
    public record Line(String name, CoxTable.Test q, double share, double variance) {}

    /** Copies the list. */
    public Heterogeneity {
        lines = List.copyOf(lines);
        estimates = List.copyOf(estimates);
    }

    /** What a model knows of differences between sites; empty if it was not trained with the setting. */
    public static Optional<Heterogeneity> of(LinearModel model) {
        Inference known = GlmTable.inference(model);
        double[] sums = known.heterogeneity().sums();
        if (sums.length == 0) {
            return Optional.empty();
        }
        boolean scaled = !Losses.named(model.loss()).isDispersionKnown();
        double dispersion = scaled ? known.pearson() / known.degreesOfFreedom() : 1;
        int degrees = ((int) Math.max(0, sums[1] - 1)) * known.estimated();
        List<Line> lines = new ArrayList<>();
        List<String> names = new ArrayList<>(model.coefficients(0).keySet());
        names.add(GlmTable.INTERCEPT);
        for (int k = 0; sums.length > HeterogeneityPhase.FIRST && k < known.coefficients(); k++) {
            if (known.isEstimated(k)) {
                lines.add(line(names.get(k % names.size()), sums, k, dispersion));
            }
        }
        return Optional.of(new Heterogeneity(
                (int) sums[1],
                CoxTable.Test.of(sums[0] / dispersion, degrees),
                lines,
                columns(model, known.heterogeneity().columns(), dispersion),
                estimates(known, names, dispersion)));
    }

    private static Optional<Columns> columns(LinearModel model, double[] found, double dispersion) {
        if (found.length == 0) {
            return Optional.empty();
        }
        return Optional.of(new Columns(
                Differences.named(model.provenance().settings().getOrDefault(Setting.HETEROGENEITY.name(), ""))
                        .columns(),
                CoxTable.Test.of(found[0] / dispersion, (int) found[1])));
    }

    private static List<Estimate> estimates(Inference known, List<String> names, double dispersion) {
        double[] all = known.heterogeneity().bySite();
        int d = known.coefficients();
        int each = SiteDifferences.OF_SITE + SiteDifferences.OF_COEFFICIENT * d;
        List<Estimate> found = new ArrayList<>();
        for (int site = 0; site * each < all.length; site++) {
            for (int k = 0; k < d; k++) {
                for (int part = 0; part < SiteDifferences.OF_SITE && known.isEstimated(k); part++) {
                    boolean exists = all[site * each + part] > 0;
                    int at = site * each + SiteDifferences.OF_SITE + 2 * d * part + k;
                    found.add(new Estimate(
                            site + 1,
                            part > 0,
                            names.get(k % names.size()),
                            exists ? all[at] : Double.NaN,
                            exists ? Math.sqrt(all[at + d] * dispersion) : Double.NaN));
                }
            }
        }
        return found;
    }

    private static Line line(String name, double[] sums, int k, double dispersion) {
        int at = HeterogeneityPhase.FIRST + HeterogeneityPhase.OF_COEFFICIENT * k;
        int degrees = (int) sums[2] - 1;
        double weight = sums[at] / dispersion;
        double first = sums[at + 1] / dispersion;
        double q = Math.max(0, sums[at + 2] / dispersion - first * first / weight);
        double excess = Math.max(0, q - degrees);
        double scale = weight - sums[at + 3] / (dispersion * dispersion) / weight;
        return new Line(name, CoxTable.Test.of(q, degrees), q > 0 ? excess / q : 0, excess / scale);
    }

    /** The text that follows a table. */
    public List<String> text() {
        List<String> text = new ArrayList<>();
        text.add("heterogeneity   " + test.text() + ", between " + sites + " sites");
        for (Line line : lines) {
            text.add(String.format(
                    Locale.US,
                    "  %s: Q %.4f, p %.4g, I2 %.1f %%, tau2 %.4g",
                    line.name,
                    line.q.statistic(),
                    line.q.p(),
                    100 * line.share,
                    line.variance));
        }
        columns.ifPresent(one -> text.add(
                "  site x " + String.join(", ", one.names()) + ": " + one.test().text()));
        for (Estimate one : estimates) {
            text.add(String.format(
                    Locale.US,
                    "  %s%d %s: %s",
                    one.without() ? "without site " : "site ",
                    one.site(),
                    one.name(),
                    Double.isNaN(one.estimate())
                            ? "no estimate"
                            : String.format(Locale.US, "%.6g, standard error %.4g", one.estimate(), one.se())));
        }
        return text;
    }
}
