package dev.starling.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A {@link GlmTable} as text in one of several forms. Only proven digits are printed.
 *
 * @param table the table
 * @param digits the most digits of a number
 * @param about what is said of the fit as a whole: names and values
 */
public record GlmText(GlmTable table, int digits, List<List<String>> about) {

    private static final double LEAST_P = 1e-300;

    /** How the table is written. */
    public enum Form {
        /** For reading on a terminal. */
        PLAIN,
        /** Cells separated by commas. */
        CSV,
        /** As in Markdown. */
        MARKDOWN,
        /** As in LaTeX, with booktabs. */
        LATEX
    }

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
        about.add(List.of("likelihood ratio", test(cox.likelihoodRatio())));
        about.add(List.of("Wald", test(cox.wald())));
        if (Double.isFinite(cox.score().statistic())) {
            about.add(List.of("score", test(cox.score())));
            about.add(List.of(
                    "concordance",
                    String.format(Locale.ROOT, "%.4f", cox.concordance().value())));
        }
        cox.proportional().ifPresent(found -> {
            found.tests().forEach((term, test) -> about.add(List.of("proportional, " + term, test(test))));
            about.add(List.of(
                    "proportional, all",
                    test(found.global()) + "; time as " + found.scale().text()));
        });
        about.add(List.of("proof", proof(table)));
        return new GlmText(table, digits, about);
    }

    private static String test(CoxTable.Test test) {
        return String.format(
                Locale.ROOT, "%.4f on %d degrees of freedom, p %.4g", test.statistic(), test.degrees(), test.p());
    }

    /** The lines of the table, then of what follows it. */
    public List<String> lines(Form form) {
        List<List<String>> cells = cells(table.coefficients(), table.heading());
        return switch (form) {
            case PLAIN -> plain(cells);
            case CSV ->
                cells.stream()
                        .map(row -> row.stream().map(GlmText::quoted).collect(Collectors.joining(",")))
                        .toList();
            case MARKDOWN -> markdown(cells);
            case LATEX -> latex(cells);
        };
    }

    /** Lines such as those of the table, aligned. */
    public List<String> aligned(List<Coefficient> lines) {
        return aligned(cells(lines, GlmTable.ESTIMATE), UnaryOperator.identity());
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

    private List<String> plain(List<List<String>> cells) {
        List<String> lines = new ArrayList<>(aligned(cells, UnaryOperator.identity()));
        lines.add("");
        lines.addAll(aligned(about, UnaryOperator.identity()));
        return lines;
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
        String bound = String.format(Locale.ROOT, "%.1e", table.standardErrors());
        return "every estimate is within " + bound + " standard errors of "
                + (table.convex() ? "the exact one" : "a local optimum, the only one near; others may be better");
    }

    private static String whole(double number) {
        return Long.toString((long) number);
    }

    /** Lines of cells under each other: the first column to the left, the others to the right if there are several. */
    private static List<String> aligned(List<List<String>> cells, UnaryOperator<String> each) {
        int columns = cells.get(0).size();
        int[] widths = IntStream.range(0, columns)
                .map(c -> cells.stream()
                        .mapToInt(row -> row.get(c).length())
                        .max()
                        .orElse(0))
                .toArray();
        return cells.stream()
                .map(row -> IntStream.range(0, columns)
                        .mapToObj(c -> each.apply(
                                c == 0
                                        ? row.get(c)
                                                + " "
                                                        .repeat(widths[c]
                                                                - row.get(c).length())
                                        : columns > 2
                                                ? " "
                                                                .repeat(widths[c]
                                                                        - row.get(c)
                                                                                .length())
                                                        + row.get(c)
                                                : row.get(c)))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .toList();
    }

    private static String quoted(String cell) {
        return cell.matches("[^\",\n\r]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private List<String> markdown(List<List<String>> cells) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : cells) {
            lines.add("| " + row.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | "))
                    + " |");
            if (lines.size() == 1) {
                lines.add("|---|" + "---:|".repeat(row.size() - 1));
            }
        }
        lines.add("");
        about.forEach(pair -> lines.add("- " + pair.get(0) + ": " + pair.get(1)));
        return lines;
    }

    private static List<String> latex(List<List<String>> cells) {
        List<String> lines = new ArrayList<>();
        lines.add("\\begin{tabular}{l" + "r".repeat(cells.get(0).size() - 1) + "}");
        lines.add("\\toprule");
        for (List<String> row : cells) {
            lines.add(row.stream().map(GlmText::escaped).collect(Collectors.joining(" & ")) + " \\\\");
            if (row == cells.get(0)) {
                lines.add("\\midrule");
            }
        }
        lines.add("\\bottomrule");
        lines.add("\\end{tabular}");
        return lines;
    }

    private static String escaped(String cell) {
        return cell.replace("\\", "\\textbackslash ")
                .replaceAll("([%&$#_{}])", "\\\\$1")
                .replace("^", "\\^{}");
    }
}
