package dev.starling.cli.statistics;

import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.loss.Ties;
import dev.starling.model.LinearModel;
import dev.starling.model.TimeScale;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.statistics.Concordance;
import dev.starling.statistics.CoxTable;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.SurvivalFormula;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fits a Cox regression and prints its table. */
@Command(
        name = "cox",
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
public final class CoxCommand extends FitCommand {

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

    @Under(Section.EVALUATION)
    @Option(
            names = "--proportional-hazards",
            paramLabel = "SCALE",
            description =
                    "Also test whether hazards are proportional: whether coefficients change with time, taken as km"
                            + " (Kaplan and Meier's curve, R's default), rank, log or identity.")
    private String proportional;

    @Under(Section.OUTPUT)
    @Option(
            names = "--baseline",
            paramLabel = OUTPUT,
            description = "Also write the cumulative baseline hazard of every stratum, as CSV.")
    private Path baseline;

    @Override
    String formula() {
        return formula;
    }

    @Override
    public Integer call() {
        Ties how = Ties.named(ties);
        TimeScale scale = proportional == null ? TimeScale.NONE : TimeScale.named(proportional);
        form.check(inputs());
        if (formula == null) {
            if (proportional != null) {
                throw new InvalidInputException("--proportional-hazards needs rows; sites test it if their study says"
                        + " proportional-hazards: log (or identity)");
            }
            if (baseline != null) {
                throw new InvalidInputException(
                        "--baseline needs rows; a model has no hazards, which stay at the sites");
            }
            LinearModel made = LinearModel.load(file);
            return printed(CoxTable.of(made, form.level()), heterogeneity(made));
        }
        SurvivalFormula survival = SurvivalFormula.of(formula);
        columns.formula(survival.formula());
        columns.check();
        if (baseline != null) {
            Outputs.requireWritable(baseline, inputs());
        }
        CoxTable cox = fit(survival, how, scale);
        if (baseline != null) {
            Outputs.write(baseline, hazards(cox));
        }
        return printed(cox, List.of());
    }

    private int printed(CoxTable cox, List<String> after) {
        settle(cox.table());
        GlmText page = GlmText.of(cox, form.digits());
        GlmTable shown = form.isExponentiated() ? cox.table().exponentiated() : cox.table();
        print(new Printed(
                page,
                List.of(),
                new GlmText(shown, form.digits(), page.about()),
                json -> write(json, cox, shown),
                after));
        return form.code(cox.table(), source());
    }

    private CoxTable fit(SurvivalFormula survival, Ties how, TimeScale scale) {
        if (!survival.hasFeatures()) {
            throw new InvalidInputException("the formula names no feature to estimate a hazard ratio of; name one, or"
                    + " print survival curves with 'starling survival'");
        }
        Table table = table();
        RecipeBuilder builder = columns.builder().regression().stratified();
        builder.ids(Stream.concat(columns.ids().stream(), survival.others().stream())
                .distinct()
                .toList());
        Encoded encoded = encoded(builder.learn(table), table);
        int[] complete = survival.complete(
                table,
                encoded.kept(),
                columns.missing().tokens(),
                columns.missing().dropRows(survival.others()),
                false);
        Encoded.left(encoded.kept().size() - complete.length, "missing values")
                .ifPresent(said -> remarks.say(source() + ": " + said));
        List<Integer> kept =
                Arrays.stream(complete).mapToObj(encoded.kept()::get).toList();
        return inData(() ->
                CoxTable.of(encoded.rows().picked(complete), survival.survival(table, kept), how, form.level(), scale));
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

    private static void write(JsonObject json, CoxTable cox, GlmTable table) {
        GlmJson.write(json, table);
        json.with("ties", cox.ties().text());
        json.with("events", cox.events());
        if (cox.strata() > 0) {
            json.with("strata", cox.strata());
        }
        json.with("nullLogLik", -cox.table().nullDeviance().value() / 2);
        json.object("tests", tests -> {
            test(tests, "likelihoodRatio", cox.likelihoodRatio());
            test(tests, "wald", cox.wald());
            if (Double.isFinite(cox.score().statistic())) {
                test(tests, "score", cox.score());
            }
        });
        cox.proportional()
                .ifPresent(found -> json.object("proportionalHazards", one -> {
                    one.with("scale", found.scale().text());
                    one.object("terms", terms -> found.tests().forEach((term, test) -> test(terms, term, test)));
                    test(one, "global", found.global());
                }));
        Concordance concordance = cox.concordance();
        if (Double.isFinite(concordance.value())) {
            json.object(
                    "concordance",
                    one -> one.with("value", concordance.value())
                            .with("concordant", concordance.concordant())
                            .with("discordant", concordance.discordant())
                            .with("tied", concordance.tied()));
        }
    }

    private static void test(JsonObject json, String name, CoxTable.Test test) {
        json.object(name, one -> GlmJson.test(one, test));
    }
}
