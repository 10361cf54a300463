package dev.starling.cli.statistics;

import dev.starling.cli.console.Json;
import dev.starling.cli.show.CoefficientTable;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.statistics.Proven;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** A {@link GlmTable} as JSON. */
final class GlmJson {

    private GlmJson() {}

    static void write(JsonGenerator json, GlmTable table) {
        write(json, table, List.of());
    }

    /**
     * Writes a table.
     *
     * @param classes the class that each coefficient is about; empty if there are none
     */
    static void write(JsonGenerator json, GlmTable table, List<String> classes) {
        json.writeStringProperty("family", table.family());
        json.writeStringProperty("link", table.link());
        json.writeNumberProperty("n", (long) table.n());
        write(json, "coefficients", table.coefficients(), classes);
        Json.number(json, "dispersion", table.dispersion().value());
        Json.number(json, "deviance", table.deviance().value());
        Json.number(json, "nullDeviance", table.nullDeviance().value());
        json.writeNumberProperty("dfResidual", (long) table.dfResidual());
        Json.number(json, "logLik", table.logLik().value());
        Json.number(json, "aic", table.aic().value());
        Json.number(json, "bic", table.bic().value());
        json.writeObjectPropertyStart("proof");
        Json.number(json, "standardErrors", table.standardErrors());
        json.writeEndObject();
    }

    /** Writes lines of a table as an array. */
    static void write(JsonGenerator json, String name, List<Coefficient> lines) {
        write(json, name, lines, List.of());
    }

    private static void write(JsonGenerator json, String name, List<Coefficient> lines, List<String> classes) {
        json.writeArrayPropertyStart(name);
        for (int k = 0; k < lines.size(); k++) {
            Coefficient one = lines.get(k);
            json.writeStartObject();
            json.writeStringProperty("name", one.name());
            if (!classes.isEmpty()) {
                json.writeStringProperty("class", classes.get(k));
            }
            Json.number(json, "estimate", one.estimate().value());
            Json.number(json, "se", one.se().value());
            Json.number(json, "statistic", one.statistic().value());
            Json.number(json, "p", one.p().value());
            Json.number(json, "lower", one.lower().value());
            Json.number(json, "upper", one.upper().value());
            Json.number(json, "error", one.estimate().error());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes what the page of a fit shows: what is said of it, and the lines of each class. */
    static void writePage(JsonGenerator json, GlmText text, List<String> classes, String subject) {
        GlmTable table = text.table();
        json.writeStringProperty("question", table.family() + " regression");
        json.writeStringProperty("model", subject);
        json.writeObjectPropertyStart("facts");
        text.about().forEach(pair -> json.writeStringProperty(pair.get(0), pair.get(1)));
        json.writeEndObject();
        json.writeArrayPropertyStart("scores");
        Optional<String> ratio = GlmTable.ratio(table.family(), table.link());
        List<String> groups =
                classes.isEmpty() ? List.of("") : classes.stream().distinct().toList();
        for (String group : groups) {
            json.writeStartObject();
            if (!classes.isEmpty()) {
                json.writeStringProperty("class", group);
            }
            json.writeArrayPropertyStart("coefficients");
            for (int k = 0; k < table.coefficients().size(); k++) {
                if (classes.isEmpty() || classes.get(k).equals(group)) {
                    writeLine(json, table.coefficients().get(k), ratio);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayPropertyStart("notes");
        json.writeString("Lines are intervals of the level "
                + new Proven(table.level(), 0).text(4).replaceAll("\\.?0+$", "") + ".");
        ratio.ifPresent(of -> json.writeString("The " + of + " ratio is e to the coefficient: what one unit more of the"
                + " feature multiplies the " + (of.equals("rate") ? "mean" : of) + " by, all else equal."));
        json.writeEndArray();
    }

    private static void writeLine(JsonGenerator json, Coefficient one, Optional<String> ratio) {
        boolean intercept = one.name().equals(GlmTable.INTERCEPT);
        json.writeStartObject();
        json.writeStringProperty("feature", intercept ? CoefficientTable.INTERCEPT : one.name());
        Json.number(json, "coefficient", one.estimate().value());
        Json.number(json, "se", one.se().value());
        Json.number(json, "statistic", one.statistic().value());
        Json.number(json, "p", one.p().value());
        Json.number(json, "lower", one.lower().value());
        Json.number(json, "upper", one.upper().value());
        ratio.ifPresent(of -> Json.number(
                json,
                of + "Ratio",
                intercept ? Double.NaN : one.exponentiated().estimate().value()));
        json.writeEndObject();
    }

    /** Writes how much sites differ. */
    static void write(JsonGenerator json, Heterogeneity found) {
        json.writeObjectPropertyStart("heterogeneity");
        json.writeNumberProperty("sites", found.sites());
        Json.number(json, "statistic", found.statistic());
        json.writeNumberProperty("df", found.degrees());
        Json.number(json, "p", found.p());
        json.writeArrayPropertyStart("coefficients");
        for (Heterogeneity.Line line : found.lines()) {
            json.writeStartObject();
            json.writeStringProperty("name", line.name());
            Json.number(json, "q", line.q());
            Json.number(json, "p", line.p());
            Json.number(json, "i2", line.share());
            Json.number(json, "tau2", line.variance());
            json.writeEndObject();
        }
        json.writeEndArray();
        found.columns().ifPresent(test -> {
            json.writeObjectPropertyStart("siteByColumns");
            json.writeStringProperty("columns", String.join(",", test.names()));
            Json.number(json, "statistic", test.statistic());
            json.writeNumberProperty("df", test.degrees());
            Json.number(json, "p", test.p());
            json.writeEndObject();
        });
        if (!found.estimates().isEmpty()) {
            json.writeArrayPropertyStart("bySite");
            for (Heterogeneity.Estimate one : found.estimates()) {
                json.writeStartObject();
                json.writeNumberProperty("site", one.site());
                json.writeBooleanProperty("without", one.without());
                json.writeStringProperty("name", one.name());
                Json.number(json, "estimate", one.estimate());
                Json.number(json, "se", one.se());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
