package dev.starling.cli.statistics;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.ColumnOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.loss.Ties;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.statistics.Concordance;
import dev.starling.statistics.CoxTable;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.statistics.SurvivalFormula;
import dev.starling.table.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JsonGenerator;

/** Fits a Cox regression and prints its table. */
@Command(
        name = "cox",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Fits a Cox regression of the time to an event, and prints its table.",
            "Estimates, standard errors, tests and intervals are those of the exact fit: digits that are not proven are"
                    + " not printed.",
        },
        footer = {
            "",
            "Examples:",
            "  starling cox lung.csv 'Surv(time, status) ~ age + sex + strata(site)' --exp",
            "  starling cox heart.csv 'Surv(start, stop, event) ~ age + surgery' --ties breslow --json",
            "",
            "Exit codes: 0 done, 1 the fit is not proven (the table is printed anyway), 2 bad input."
        })
public final class CoxCommand extends ConsoleCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "CSV or Parquet file, or - for standard input.")
    private Path file;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FORMULA",
            description = "Times and features, as in 'Surv(time, status) ~ age + strata(site)'. Without a formula, FILE"
                    + " is a model that was trained with the loss cox and standard errors, whose table is printed.")
    private String formula;

    @Under(Section.OBJECTIVE)
    @Option(
            names = "--ties",
            paramLabel = "HOW",
            defaultValue = "efron",
            description = "How events at the same time are treated: efron or breslow (default: ${DEFAULT-VALUE}).")
    private String ties;

    @Mixin
    private TableForm form;

    @Under(Section.OUTPUT)
    @Option(
            names = "--baseline",
            paramLabel = OUTPUT,
            description = "Also write the cumulative baseline hazard of every stratum, as CSV.")
    private Path baseline;

    @Mixin
    private SourceOptions data;

    @Mixin
    private ColumnOptions columns;

    @Mixin
    private JsonOption json;

    @Mixin
    private Remarks remarks;

    @Override
    public Integer call() {
        Ties how = Ties.named(ties);
        form.check(inputs());
        if (formula == null) {
            if (baseline != null) {
                throw new InvalidInputException(
                        "--baseline needs rows; a model has no hazards, which stay at the sites");
            }
            LinearModel made = LinearModel.load(file);
            int code = printed(CoxTable.of(made, form.level()));
            if (!json.isGiven() && form.chosen() == GlmText.Form.PLAIN) {
                Heterogeneity.of(made).ifPresent(found -> found.text().forEach(out()::println));
            }
            return code;
        }
        SurvivalFormula survival = SurvivalFormula.of(formula);
        columns.formula(survival.formula());
        columns.check();
        if (baseline != null) {
            Outputs.requireWritable(baseline, inputs());
        }
        CoxTable cox = fit(survival, how);
        if (baseline != null) {
            byte[] text = hazards(cox).getBytes(StandardCharsets.UTF_8);
            Outputs.write(() -> AtomicFiles.write(baseline, out -> out.write(text)));
        }
        return printed(cox);
    }

    private int printed(CoxTable cox) {
        GlmTable table = cox.table();
        GlmTable shown = form.isExponentiated() ? table.exponentiated() : table;
        if (formula == null) {
            form.remark(table, data.source(file), remarks);
        } else {
            form.settle(table, data.source(file), remarks);
        }
        form.writePage(
                GlmText.of(cox, form.digits()),
                List.of(),
                formula == null ? file.toString() : formula + " in " + data.source(file));
        if (json.isGiven()) {
            Json.print(out(), generator -> write(generator, cox, shown));
        } else {
            new GlmText(shown, form.digits(), GlmText.of(cox, form.digits()).about())
                    .lines(form.chosen())
                    .forEach(out()::println);
        }
        return form.code(table, data.source(file));
    }

    private CoxTable fit(SurvivalFormula survival, Ties how) {
        Table table = data.readTable(file, (bytes, total) -> {});
        RecipeBuilder builder = columns.builder().regression();
        builder.ids(Stream.concat(columns.ids().stream(), survival.others().stream())
                .distinct()
                .toList());
        Encoded encoded = builder.learn(table).encode(table);
        encoded.leftOut(table).forEach(remarks::say);
        try {
            return CoxTable.of(encoded.rows(), survival.survival(table, encoded.kept()), how, form.level());
        } catch (InvalidInputException e) {
            boolean named = e.getMessage().startsWith(data.source(file));
            throw named ? e : new InvalidInputException(data.source(file) + ": " + e.getMessage(), e);
        }
    }

    private static String hazards(CoxTable cox) {
        StringBuilder text = new StringBuilder("stratum,time,hazard\n");
        for (CoxTable.Hazard hazard : cox.hazards()) {
            for (int k = 0; k < hazard.times().length; k++) {
                text.append(hazard.stratum() + 1)
                        .append(',')
                        .append(hazard.times()[k])
                        .append(',')
                        .append(hazard.cumulative()[k])
                        .append('\n');
            }
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, CoxTable cox, GlmTable table) {
        GlmJson.write(json, table);
        json.writeStringProperty("ties", cox.ties().text());
        json.writeNumberProperty("events", cox.events());
        if (cox.strata() > 0) {
            json.writeNumberProperty("strata", cox.strata());
        }
        Json.number(json, "nullLogLik", -cox.table().nullDeviance().value() / 2);
        json.writeObjectPropertyStart("tests");
        test(json, "likelihoodRatio", cox.likelihoodRatio());
        test(json, "wald", cox.wald());
        if (Double.isFinite(cox.score().statistic())) {
            test(json, "score", cox.score());
        }
        json.writeEndObject();
        if (!Double.isFinite(cox.concordance().value())) {
            return;
        }
        Concordance concordance = cox.concordance();
        json.writeObjectPropertyStart("concordance");
        Json.number(json, "value", concordance.value());
        Json.number(json, "concordant", concordance.concordant());
        Json.number(json, "discordant", concordance.discordant());
        Json.number(json, "tied", concordance.tied());
        json.writeEndObject();
    }

    private static void test(JsonGenerator json, String name, CoxTable.Test test) {
        json.writeObjectPropertyStart(name);
        Json.number(json, "statistic", test.statistic());
        json.writeNumberProperty("df", test.degrees());
        Json.number(json, "p", test.p());
        json.writeEndObject();
    }
}
