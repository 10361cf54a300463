package dev.starling.cli.statistics;

import dev.starling.cli.show.CoefficientTable;
import dev.starling.internal.JsonObject;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.CoxTable;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.statistics.Proven;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A {@link GlmTable} as JSON. */
final class GlmJson {

    private GlmJson() {}

    static void write(JsonObject json, GlmTable table) {
        write(json, table, List.of());
    }

    /**
     * Writes a table.
     *
     * @param classes the class that each coefficient is about; empty if there are none
     */
    static void write(JsonObject json, GlmTable table, List<String> classes) {
        json.with("family", table.family());
        json.with("link", table.link());
        json.with("n", (long) table.n());
        write(json, "coefficients", table.coefficients(), classes);
        json.with("dispersion", table.dispersion().value());
        json.with("deviance", table.deviance().value());
        json.with("nullDeviance", table.nullDeviance().value());
        json.with("dfResidual", (long) table.dfResidual());
        json.with("logLik", table.logLik().value());
        json.with("aic", table.aic().value());
        json.with("bic", table.bic().value());
        json.object("proof", one -> one.with("standardErrors", table.standardErrors()));
    }

    /** Writes lines of a table as an array. */
    static void write(JsonObject json, String name, List<Coefficient> lines) {
        write(json, name, lines, List.of());
    }

    private static void write(JsonObject json, String name, List<Coefficient> lines, List<String> classes) {
        json.objects(name, lines.size(), (one, k) -> {
            one.with("name", lines.get(k).name());
            if (!classes.isEmpty()) {
                one.with("class", classes.get(k));
            }
            one.with("estimate", lines.get(k).estimate().value());
            numbers(one, lines.get(k));
            one.with("error", lines.get(k).estimate().error());
        });
    }

    private static void numbers(JsonObject json, Coefficient one) {
        json.with("se", one.se().value());
        json.with("statistic", one.statistic().value());
        json.with("p", one.p().value());
        json.with("lower", one.lower().value());
        json.with("upper", one.upper().value());
    }

    /**
     * Writes what the page of a fit shows: what is said of it, the lines of each class and, where sites show their own
     * estimates, those of each coefficient.
     */
    static void writePage(
            JsonObject json, GlmText text, List<String> classes, String subject, List<Heterogeneity.Estimate> bySite) {
        GlmTable table = text.table();
        json.with("question", table.family() + " regression");
        json.with("model", subject);
        json.object("facts", facts -> text.about().forEach(pair -> facts.with(pair.get(0), pair.get(1))));
        Optional<String> ratio = GlmTable.ratio(table.family(), table.link());
        List<String> groups =
                classes.isEmpty() ? List.of("") : classes.stream().distinct().toList();
        List<Consumer<JsonObject>> scores = new ArrayList<>();
        for (String group : groups) {
            scores.add(one -> {
                if (!classes.isEmpty()) {
                    one.with("class", group);
                }
                List<Coefficient> lines = IntStream.range(
                                0, table.coefficients().size())
                        .filter(k -> classes.isEmpty() || classes.get(k).equals(group))
                        .mapToObj(table.coefficients()::get)
                        .toList();
                one.objects("coefficients", lines, (line, coefficient) -> writeLine(line, coefficient, ratio));
            });
        }
        table.coefficients().stream()
                .filter(one -> bySite.stream().anyMatch(site -> site.name().equals(one.name())))
                .forEach(one -> scores.add(score -> writeSites(score, one, bySite, table.level(), ratio)));
        json.objects("scores", scores, (one, score) -> score.accept(one));
        List<String> notes = new ArrayList<>();
        notes.add("Lines are intervals of the level "
                + new Proven(table.level(), 0).text(4).replaceAll("\\.?0+$", "") + ".");
        ratio.ifPresent(of -> notes.add("The " + of + " ratio is e to the coefficient: what one unit more of the"
                + " feature multiplies the " + (of.equals("rate") ? "mean" : of) + " by, all else equal."));
        json.with("notes", notes);
    }

    /** Writes the estimates of a coefficient at each site, without each site, and at all of them. */
    private static void writeSites(
            JsonObject json,
            Coefficient together,
            List<Heterogeneity.Estimate> bySite,
            double level,
            Optional<String> ratio) {
        List<Coefficient> lines = Stream.concat(
                        bySite.stream()
                                .filter(one -> one.name().equals(together.name()))
                                .sorted(Comparator.comparing(Heterogeneity.Estimate::without)
                                        .thenComparing(Heterogeneity.Estimate::site))
                                .flatMap(one -> one.line(level).stream()),
                        Stream.of(together.named("all sites")))
                .toList();
        Optional<String> shown = ratio.filter(of -> !together.name().equals(GlmTable.INTERCEPT));
        json.with("by", together.name());
        json.objects("coefficients", lines, (line, one) -> writeLine(line, one, shown));
    }

    private static void writeLine(JsonObject json, Coefficient one, Optional<String> ratio) {
        boolean intercept = one.name().equals(GlmTable.INTERCEPT);
        json.with("feature", intercept ? CoefficientTable.INTERCEPT : one.name());
        json.with("coefficient", one.estimate().value());
        numbers(json, one);
        ratio.ifPresent(of -> json.with(
                of + "Ratio",
                intercept ? Double.NaN : one.exponentiated().estimate().value()));
    }

    /** Writes a test. */
    static void test(JsonObject json, CoxTable.Test test) {
        json.with("statistic", test.statistic());
        json.with("df", test.degrees());
        json.with("p", test.p());
    }

    /** Writes how much sites differ. */
    static void write(JsonObject json, Heterogeneity found) {
        json.with("sites", found.sites());
        test(json, found.test());
        json.objects(
                "coefficients",
                found.lines(),
                (one, line) -> one.with("name", line.name())
                        .with("q", line.q().statistic())
                        .with("p", line.q().p())
                        .with("i2", line.share())
                        .with("tau2", line.variance()));
        found.columns()
                .ifPresent(test -> json.object("siteByColumns", one -> {
                    one.with("columns", String.join(",", test.names()));
                    test(one, test.test());
                }));
        if (!found.estimates().isEmpty()) {
            json.objects(
                    "bySite",
                    found.estimates(),
                    (object, one) -> object.with("site", one.site())
                            .with("without", one.without())
                            .with("name", one.name())
                            .with("estimate", one.estimate())
                            .with("se", one.se()));
        }
    }
}
