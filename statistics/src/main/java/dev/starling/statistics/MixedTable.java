package dev.starling.statistics;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.inference.Cluster;
import dev.starling.inference.GaussHermite;
import dev.starling.inference.GeneralisedMixed;
import dev.starling.inference.LinearMixed;
import dev.starling.loss.Binomial;
import dev.starling.loss.Elementary;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.model.inference.Inference;
import dev.starling.model.inference.RandomIntercept;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The table of a model with a random intercept for every cluster. Steps have converged to it; that no better fit exists
 * elsewhere is not proven, and errors of its numbers are estimated from the last step.
 *
 * @param table the coefficients and the likelihood; tests refer to the normal distribution
 * @param method how the likelihood was computed
 * @param clusters the number of clusters
 * @param deviation the standard deviation τ of the intercepts; 0 if clusters do not differ more than their rows do
 * @param residual the standard deviation of the residuals; 1 if the family has none
 */
public record MixedTable(GlmTable table, String method, int clusters, Proven deviation, Proven residual) {

    /** The number of nodes that make an integral exact to about ten digits. */
    public static final int USUAL_NODES = 25;

    /** The share of a number that is taken for its rounding error. */
    private static final double ROUNDING = 0x1p-40;

    /** Residuals of less than this share of how far labels are apart are what rounding leaves. */
    private static final double EXACT = 1e-7;

    private static final String RESTRICTED = "restricted maximum likelihood";

    /**
     * Fits the model: exactly for gaussian responses, otherwise by adaptive quadrature.
     *
     * @param clusters the cluster of each row
     * @param restricted for gaussian responses, whether the restricted likelihood is maximised
     * @param nodes for others, the number of nodes of each integral; 1 is Laplace's approximation
     */
    public static MixedTable of(
            Dataset data,
            long[] clusters,
            Likelihood family,
            boolean intercept,
            boolean restricted,
            int nodes,
            double level) {
        GlmTable.requireLevel(level);
        if (family.isClassification()) {
            // Of two classes, the later one is a success.
            double success = Arrays.stream(data.labels()).max().orElse(1);
            Dataset shares = data.withLabels(Arrays.stream(data.labels())
                    .map(label -> label == success ? 1 : 0)
                    .toArray());
            return of(shares, clusters, new Binomial(), intercept, restricted, nodes, level);
        }
        boolean isGaussian = family.family().equals("gaussian");
        if (!isGaussian && !GeneralisedMixed.takes(family)) {
            throw new InvalidInputException("a random intercept goes with gaussian, binomial (logit), poisson and"
                    + " negative-binomial(K), not with " + family.name());
        }
        if (nodes < 1 || nodes > GaussHermite.MOST) {
            throw new InvalidInputException(
                    nodes + " nodes; there must be from 1, which is Laplace's approximation, to " + GaussHermite.MOST);
        }
        ClusteredRows rows = ClusteredRows.of(data, clusters, intercept, family);
        int least = rows.columns() + (isGaussian ? 2 : 1);
        if (rows.rows() <= least) {
            throw new InvalidInputException(rows.rows() + " rows for " + least
                    + " parameters, which rows cannot tell apart; leave out columns");
        }
        if (isGaussian) {
            return linear(rows, restricted, family, level);
        }
        // Where coefficients without random intercepts grow without end, so do those with them: this refuses by name.
        Trainer.of(family).lambda(0).gap(ClassTable.GAP).intercept(intercept).fit(data);
        return generalised(rows, family, nodes, level);
    }

    /** The table of a model that nodes made with a random intercept for every cluster; empty if they made none. */
    public static Optional<MixedTable> of(LinearModel model, double level) {
        return model.inference().flatMap(known -> known.random().map(found -> of(model, known, found, level)));
    }

    private static MixedTable of(LinearModel model, Inference known, RandomIntercept found, double level) {
        GlmTable.requireLevel(level);
        Likelihood family = (Likelihood) Losses.named(model.loss());
        int d = found.coefficients().length;
        List<String> names = new ArrayList<>(known.intercept() ? List.of(GlmTable.INTERCEPT) : List.of());
        int first = names.size();
        IntStream.range(0, d - first)
                .forEach(c -> names.add(c < model.names().size() ? model.names().get(c) : "feature " + (c + 1)));
        boolean[] kept = new boolean[d];
        double[] estimates = new double[known.estimated()];
        double[] errors = new double[estimates.length];
        int at = 0;
        for (int c = 0; c < d; c++) {
            int k = first == 1 ? (c + d - 1) % d : c;
            kept[c] = known.isEstimated(k);
            if (kept[c]) {
                estimates[at] = found.coefficients()[k];
                errors[at++] = Math.sqrt(Inference.entry(found.covariance(), k, k));
            }
        }
        boolean gaussian = found.nodes() == 0;
        double rows = known.rows();
        return made(
                rows,
                family,
                gaussian ? RESTRICTED : quadrature((int) found.nodes()),
                lines(names, kept, estimates, errors, found.decrement(), level),
                found.criterion() - (gaussian ? 0 : 2 * known.constant()),
                estimates.length + (gaussian ? 2 : 1),
                near(found.deviation(), found.decrement() * found.deviation()),
                gaussian ? near(found.residual(), 0) : new Proven(1, 0),
                (int) found.clusters(),
                level);
    }

    private static String quadrature(int nodes) {
        return nodes == 1 ? "Laplace's approximation" : "adaptive Gauss-Hermite quadrature with " + nodes + " nodes";
    }

    private static MixedTable linear(ClusteredRows rows, boolean restricted, Likelihood family, double level) {
        LinearMixed.At best = new LinearMixed(rows.clusters(), rows.columns(), restricted).best();
        double sigma = Math.sqrt(best.variance());
        GlmTable.requireResiduals(rows.spread() > 0 && sigma > EXACT * rows.spread());
        double[] errors = new double[rows.columns()];
        for (int k = 0; k < errors.length; k++) {
            errors[k] = sigma * Math.sqrt(best.inverse()[k * errors.length + k]);
        }
        return made(
                rows.rows(),
                family,
                restricted ? RESTRICTED : "maximum likelihood",
                lines(rows.names(), rows.kept(), best.theta(), errors, 0, level),
                best.criterion(),
                rows.columns() + 2,
                near(sigma * Math.sqrt(best.rho()), 0),
                near(sigma, 0),
                rows.clusters().size(),
                level);
    }

    private static MixedTable generalised(ClusteredRows rows, Likelihood family, int nodes, double level) {
        GeneralisedMixed.End end =
                new GeneralisedMixed(rows.clusters(), rows.columns(), family, nodes).best(0.25, 1, 4);
        int p = rows.columns();
        int free = (int) Math.round(Math.sqrt(end.inverse().length));
        double[] errors = new double[p];
        for (int k = 0; k < p; k++) {
            errors[k] = Math.sqrt(end.inverse()[k * free + k]);
        }
        if (!(end.decrement() < 1e-6)) {
            throw new InvalidInputException("no estimate was found: the likelihood may grow without end; leave out"
                    + " columns that tell outcomes apart");
        }
        double constant = 0;
        for (Cluster cluster : rows.clusters()) {
            for (int i = 0; i < cluster.y().length; i++) {
                constant += family.constant(cluster.labels()[i], cluster.weights()[i]);
            }
        }
        double off = end.decrement() * (free > p ? Math.sqrt(end.inverse()[free * free - 1]) : 0);
        return made(
                rows.rows(),
                family,
                quadrature(nodes),
                lines(rows.names(), rows.kept(), end.theta(), errors, end.decrement(), level),
                2 * (end.value() - constant),
                p + 1,
                near(end.theta()[p], off),
                new Proven(1, 0),
                rows.clusters().size(),
                level);
    }

    private static Proven near(double value, double off) {
        return new Proven(value, off + ROUNDING * Math.abs(value));
    }

    private static List<Coefficient> lines(
            List<String> names, boolean[] kept, double[] theta, double[] errors, double decrement, double level) {
        Proven quantile = new Proven(Distributions.normalQuantile(1 - level), 0);
        List<Coefficient> lines = new ArrayList<>();
        int at = 0;
        for (int c = 0; c < kept.length; c++) {
            String name = names.get(c);
            if (kept[c]) {
                double off = decrement * errors[at] + ROUNDING * errors[at];
                lines.add(Coefficient.of(
                        name, near(theta[at], off), near(errors[at], 0), quantile, Coefficient::normalTails));
                at++;
            } else {
                lines.add(Coefficient.leftOut(name));
            }
        }
        return lines;
    }

    private static MixedTable made(
            double n,
            Likelihood family,
            String method,
            List<Coefficient> lines,
            double criterion,
            int parameters,
            Proven deviation,
            Proven residual,
            int clusters,
            double level) {
        GlmTable table = new GlmTable(
                family.family(),
                family.link().name(),
                n,
                lines,
                false,
                new Proven(residual.value() * residual.value(), 3 * residual.error() * residual.value()),
                near(criterion, 0),
                Proven.NONE,
                n - parameters,
                n,
                near(-criterion / 2, 0),
                near(criterion + 2.0 * parameters, 0),
                near(criterion + parameters * Elementary.log(n), 0),
                Map.of(),
                Double.POSITIVE_INFINITY,
                StandardErrors.MODEL,
                level,
                false,
                GlmTable.ESTIMATE);
        return new MixedTable(table, method, clusters, deviation, residual);
    }

    /** The table with e to the estimates and to the ends of intervals. */
    public MixedTable exponentiated() {
        return new MixedTable(table.exponentiated(), method, clusters, deviation, residual);
    }
}
