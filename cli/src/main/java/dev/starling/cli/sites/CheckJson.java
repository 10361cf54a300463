package dev.starling.cli.sites;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonObject;
import dev.starling.peer.node.SiteCheck;
import dev.starling.peer.policy.Disclosure;
import java.io.PrintWriter;
import java.util.Locale;

/** The report of {@code peer --check} as one JSON object. */
final class CheckJson {

    private CheckJson() {}

    static void print(PrintWriter out, SiteCheck.Report report) {
        Json.print(out, json -> {
            json.objects(
                    "findings",
                    report.findings(),
                    (one, finding) -> one.with(
                                    "verdict", finding.verdict().name().toLowerCase(Locale.ROOT))
                            .with("text", finding.text()));
            report.tells().ifPresent(tells -> json.object("tells", one -> write(one, tells)));
        });
    }

    private static void write(JsonObject json, Disclosure tells) {
        json.with("sites", tells.sites());
        json.with("masks", tells.masks());
        json.with("method", tells.method());
        json.with("estimates", tells.estimates());
        json.with("rows", tells.rows());
        json.with("values", tells.values());
        json.with("fewestRows", tells.fewestRows());
        json.with("sumsBefore", tells.sumsBefore());
        json.with("numbersBefore", tells.numbersBefore());
        json.with("numbersAfter", tells.numbersAfter());
        json.with("numbersOfErrors", tells.numbersOfErrors());
        json.with("numbersOfFolds", tells.numbersOfFolds());
        json.with("sums", tells.sums());
        json.with("sumsWithHessians", tells.sumsWithHessians());
        json.with("curvatures", tells.curvatures());
        json.with("diagonals", tells.diagonals());
        json.with("gradientNumbers", tells.gradientNumbers());
        json.with("curvatureNumbers", tells.hessianNumbers());
        json.with("numbers", tells.numbers());
        json.with("smallCells", tells.smallCells());
        json.with("passesBefore", tells.passesBefore());
    }
}
