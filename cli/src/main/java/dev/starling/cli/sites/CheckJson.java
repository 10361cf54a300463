package dev.starling.cli.sites;

import dev.starling.cli.console.Json;
import dev.starling.peer.node.SiteCheck;
import dev.starling.peer.policy.Disclosure;
import java.io.PrintWriter;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** The report of {@code peer --check} as one JSON object. */
final class CheckJson {

    private CheckJson() {}

    static void print(PrintWriter out, SiteCheck.Report report) {
        Json.print(out, json -> {
            json.writeName("findings");
            json.writeStartArray();
            for (SiteCheck.Finding finding : report.findings()) {
                json.writeStartObject();
                json.writeStringProperty("verdict", finding.verdict().name().toLowerCase(Locale.ROOT));
                json.writeStringProperty("text", finding.text());
                json.writeEndObject();
            }
            json.writeEndArray();
            if (report.tells().isPresent()) {
                json.writeName("tells");
                write(json, report.tells().get());
            }
        });
    }

    private static void write(JsonGenerator json, Disclosure tells) {
        json.writeStartObject();
        json.writeNumberProperty("sites", tells.sites());
        json.writeBooleanProperty("masks", tells.masks());
        json.writeStringProperty("method", tells.method());
        json.writeBooleanProperty("estimates", tells.estimates());
        json.writeNumberProperty("rows", tells.rows());
        json.writeNumberProperty("values", tells.values());
        json.writeNumberProperty("fewestRows", tells.fewestRows());
        json.writeNumberProperty("sumsBefore", tells.sumsBefore());
        json.writeNumberProperty("numbersBefore", tells.numbersBefore());
        json.writeNumberProperty("numbersAfter", tells.numbersAfter());
        json.writeNumberProperty("numbersOfErrors", tells.numbersOfErrors());
        json.writeNumberProperty("numbersOfFolds", tells.numbersOfFolds());
        json.writeNumberProperty("sums", tells.sums());
        json.writeNumberProperty("sumsWithHessians", tells.sumsWithHessians());
        json.writeNumberProperty("curvatures", tells.curvatures());
        json.writeBooleanProperty("diagonals", tells.diagonals());
        json.writeNumberProperty("gradientNumbers", tells.gradientNumbers());
        json.writeNumberProperty("curvatureNumbers", tells.hessianNumbers());
        json.writeNumberProperty("numbers", tells.numbers());
        json.writeNumberProperty("smallCells", tells.smallCells());
        json.writeNumberProperty("passesBefore", tells.passesBefore());
        json.writeEndObject();
    }
}
