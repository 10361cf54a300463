package dev.starling.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A {@link GlmTable} as cells of text. Only proven digits are printed.
 *
 * @param table the table
 * @param digits the most digits of a number
 * @param about what is said of the fit as a whole: names and values
 */
public record GlmText(GlmTable table, int digits, List<List<String>> about) {

    private static final double LEAST_P = 1e-300;

    /** Copies what is said. */
    public GlmText {
        about = List.copyOf(about);
    }

    /** The text of the table of a generalised linear model. */
    public GlmText(GlmTable table, int digits) {
        this(table, digits, about(table, digits));
    }

    /** The text of the table of a model of several classes. */
    public static GlmText of(ClassTable fitted, int digits) {
        GlmTable plain = fitted.table();
        List<Coefficient> lines = new ArrayList<>();
        for (int k = 0; k < plain.coefficients().size(); k++) {
            Coefficient one = plain.coefficients().get(k);
            lines.add(
                    fitted.classes().isEmpty()
                            ? one
                            : one.named(fitted.classes().get(k) + ": " + one.name()));
        }
        GlmTable table = plain.with(lines);
        List<List<String>> about = new ArrayList<>(about(table, digits));
        about.add(
                1,
                List.of(
                        "classes",
                        fitted.classes().isEmpty()
                                ? String.join(" < ", fitted.labels())
                                : String.join(", ", fitted.labels()) + "; compared to "
                                        + fitted.labels().get(0)));
        return new GlmText(table, digits, about);
    }

    /** The text of the table of a model with random intercepts. */
    public static GlmText of(MixedTable mixed, String cluster, int digits) {
        GlmTable table = mixed.table();
        List<List<String>> about = new ArrayList<>();
        about.add(List.of("family", table.family() + ", link " + table.link()));
        about.add(List.of("rows", whole(table.n())));
        about.add(List.of(
                "random intercept",
                cluster + ", " + mixed.clusters() + " clusters, std. deviation "
                        + mixed.deviation().text(digits)
                        + (mixed.deviation().value() == 0 ? ": clusters differ no more than their rows do" : "")));
        if (mixed.residual().error() > 0) {
            about.add(List.of("residual", "std. deviation " + mixed.residual().text(digits)));
        }
        about.add(List.of("fitted by", mixed.method()));
        about.add(List.of("log-likelihood", table.logLik().text(digits)));
        about.add(List.of("AIC", table.aic().text(digits)));
        about.add(List.of("BIC", table.bic().text(digits)));
        about.add(List.of("tests", "by the normal distribution"));
        about.add(List.of("proof", "none: steps have converged; another fit elsewhere may be better"));
        return new GlmText(table, digits, about);
    }

    /** The text of the table of a Cox regression. */
    public static GlmText of(CoxTable cox, int digits) {
        GlmTable table = cox.table();
        List<List<String>> about = new ArrayList<>();
        about.add(List.of(
                "rows",
                whole(table.n()) + ", events " + cox.events() + (cox.strata() > 1 ? ", strata " + cox.strata() : "")));
        about.add(List.of("ties", cox.ties().text()));
        about.add(List.of("log-likelihood", table.logLik().text(digits)));
        about.add(List.of("AIC", table.aic().text(digits)));
        about.add(List.of("likelihood ratio", cox.likelihoodRatio().text()));
        about.add(List.of("Wald", cox.wald().text()));
        if (Double.isFinite(cox.score().statistic())) {
            about.add(List.of("score", cox.score().text()));
            about.add(List.of(
                    "concordance",
                    String.format(Locale.US, "%.4f", cox.concordance().value())));
        }
        cox.proportional().ifPresent(found -> {
            found.tests().forEach((term, test) -> about.add(List.of("proportional, " + term, test.text())));
            about.add(List.of(
                    "proportional, all",
                    found.global().text() + "; time as " + found.scale().text()));
        });
        about.add(List.of("proof", proof(table)));
        return new GlmText(table, digits, about);
    }

    /** The header and the lines of the table. */
    public List<List<String>> cells() {
        return cells(table.coefficients(), table.heading());
    }

    /** A header and lines such as those of the table. */
    public List<List<String>> cells(List<Coefficient> lines) {
        return cells(lines, GlmTable.ESTIMATE);
    }

    private List<List<String>> cells(List<Coefficient> lines, String heading) {
        String percent = new Proven(100 * table.level(), 0).text(4).replaceAll("\\.?0+$", "");
        List<List<String>> cells = new ArrayList<>();
        cells.add(List.of(
                "",
                heading,
                "std. error",
                table.tested() ? "t" : "z",
                "p",
                "lower " + percent + "%",
                "upper " + percent + "%"));
        for (Coefficient one : lines) {
            cells.add(List.of(
                    one.name(),
                    one.isEstimated() ? one.estimate().text(digits) : "left out",
                    one.se().text(digits),
                    one.statistic().text(digits),
                    p(one.p()),
                    one.lower().text(digits),
                    one.upper().text(digits)));
        }
        return cells;
    }

    /** A probability, which may be too small for a double. */
    private String p(Proven p) {
        return p.exists() && p.value() + p.error() < LEAST_P ? "<1e-300" : p.text(Math.min(digits, 4));
    }

    private static List<List<String>> about(GlmTable table, int digits) {
        List<List<String>> about = new ArrayList<>();
        about.add(List.of("family", table.family() + ", link " + table.link()));
        about.add(List.of("rows", whole(table.n())));
        about.add(List.of("dispersion", table.dispersion().text(digits)));
        about.add(List.of(
                "null deviance",
                table.nullDeviance().text(digits) + " on " + whole(table.dfNull()) + " degrees of freedom"));
        about.add(List.of(
                "deviance",
                table.deviance().text(digits) + " on " + whole(table.dfResidual()) + " degrees of freedom"));
        if (table.logLik().exists()) {
            about.add(List.of("log-likelihood", table.logLik().text(digits)));
            about.add(List.of("AIC", table.aic().text(digits)));
            about.add(List.of("BIC", table.bic().text(digits)));
        }
        if (!table.explained().isEmpty()) {
            about.add(List.of(
                    "explained",
                    table.explained().entrySet().stream()
                            .map(one -> one.getKey() + " " + one.getValue().text(digits))
                            .collect(Collectors.joining(", "))));
        }
        about.add(List.of(
                "std. errors",
                table.kind().isRobust() ? "robust, " + table.kind().text() : "of the family"));
        about.add(List.of("proof", proof(table)));
        return about;
    }

    private static String proof(GlmTable table) {
        if (!Double.isFinite(table.standardErrors())) {
            return "none: the estimates are not proven";
        }
        String bound = String.format(Locale.US, "%.1e", table.standardErrors());
        return "every estimate is within " + bound + " standard errors of "
                + (table.convex() ? "the exact one" : "a local optimum, the only one near; others may be better");
    }

    private static String whole(double number) {
        return Long.toString((long) number);
    }
}
