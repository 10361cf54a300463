package dev.starling.cli.statistics;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.cli.Main;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Binomial;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Losses;
import dev.starling.loss.NegativeBinomial;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Setting;
import dev.starling.statistics.ClassTable;
import dev.starling.statistics.Firth;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.statistics.MixedFormula;
import dev.starling.statistics.MixedTable;
import dev.starling.statistics.ProfileIntervals;
import dev.starling.statistics.SizeSearch;
import dev.starling.table.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Fits a generalised linear model and prints its table. It is longer than most classes, because each option is
 * described here.
 */
@Command(
        name = "glm",
        description = {
            "Fits a generalised linear model and prints the table a statistician reads.",
            "Estimates, standard errors, tests, intervals, deviances and likelihoods are those of the exact fit: digits"
                    + " that are not proven are not printed.",
        },
        footer = {
            "",
            "Examples:",
            "  starling glm births.csv 'low ~ age + smoke + factor(race)' --family binomial --exp",
            "  starling glm visits.csv 'visits ~ age + offset(log(years))' --family poisson --robust HC3",
            "  starling glm doses.csv 'cbind(ill, well) ~ dose' --family binomial --link probit --json",
            "  starling glm visits.csv 'visits ~ age' --family quasi-poisson --cluster patient --markdown",
            "  starling glm visits.csv 'visits ~ age + (1 | patient)' --family poisson",
            "",
            "Exit codes: 0 done, 1 the fit is not proven (the table is printed anyway), 2 bad input."
        })
public final class GlmCommand extends FitCommand {

    private static final double GAP = 1e-9;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FORMULA",
            description = "Response and features, as in 'y ~ age + log(income) + age:sex'. Without a formula, FILE is a"
                    + " model that was trained with standard errors, whose table is printed.")
    private String formula;

    @Mixin
    private FamilyOptions family;

    @Under(Section.EVALUATION)
    @Option(
            names = "--robust",
            paramLabel = "KIND",
            description = "Robust standard errors: HC0, HC1, HC2 or HC3; with --cluster, CR1 or CR2.")
    private String robust;

    @Under(Section.EVALUATION)
    @Option(
            names = "--cluster",
            paramLabel = "COLUMN",
            description = "Robust standard errors for rows in clusters: those with the same cell in this column.")
    private String cluster;

    @Under(Section.EVALUATION)
    @Option(
            names = "--profile",
            description = "Intervals by the profile likelihood, which takes several fits per coefficient.")
    private boolean profile;

    @Under(Section.EVALUATION)
    @Option(
            names = "--firth",
            description = "Firth's logistic regression, which has an estimate even where classes are told apart.")
    private boolean firth;

    @Under(Section.EVALUATION)
    @Option(
            names = "--quadrature",
            paramLabel = "N",
            description = "For random intercepts, the number of nodes of every integral: 1 is Laplace's approximation"
                    + " (default: 25).")
    private Integer quadrature;

    @Under(Section.EVALUATION)
    @Option(
            names = "--ml",
            description = "For random intercepts of gaussian responses, maximise the likelihood rather than the"
                    + " restricted likelihood (REML).")
    private boolean ml;

    @Mixin
    private ExtraOptions extra;

    @Under(Section.READING)
    @Option(
            names = "--frequencies",
            paramLabel = "COLUMN",
            description = "Column with counts: a row stands for so many equal ones.")
    private String frequencies;

    @Under(Section.OUTPUT)
    @Option(names = "--model", paramLabel = OUTPUT, description = "Also write the model, for predict and anova.")
    private Path model;

    @Under(Section.NODES)
    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of nodes that share the rows (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Override
    String formula() {
        return formula;
    }

    @Override
    public Integer call() {
        StandardErrors kind = kind();
        form.check(inputs());
        if (formula == null) {
            return ofModel();
        }
        if (family.hasClasses()) {
            return classes();
        }
        Likelihood loss = (Likelihood) family.loss();
        Optional<MixedFormula> random = MixedFormula.of(formula);
        if (random.isPresent()) {
            return mixed(random.get(), loss);
        }
        if (quadrature != null || ml) {
            throw new InvalidInputException("--quadrature and --ml are for random intercepts, as in 'y ~ age + (1 |"
                    + " patient)'; the formula has none");
        }
        if (firth && (!loss.equals(new Binomial()) || kind.isRobust() || profile)) {
            throw new InvalidInputException("--firth goes with --family binomial and its logit, and with neither"
                    + " --robust, --cluster nor --profile; leave one of them out");
        }
        if (model != null) {
            Outputs.requireWritable(model, inputs());
        }
        GlmRows read = read(formula, loss);
        if (kind.isClustered() && Arrays.stream(read.clusters()).distinct().count() == 1) {
            throw new InvalidInputException(source() + ": all rows have the same '" + cluster
                    + "', and standard errors by clusters need two or more; leave --cluster out");
        }
        Optional<SizeSearch> search = family.searchesSize()
                ? Optional.of(inData(() -> SizeSearch.by(size -> fit(read, new NegativeBinomial(size), kind))))
                : Optional.empty();
        LinearModel fitted = firth
                ? inData(() -> Firth.fit(read.rows(), read.recipe().intercept()))
                        .with(read.recipe())
                : search.map(SizeSearch::model).orElseGet(() -> fit(read, read.loss(), kind));
        GlmTable plain = firth ? GlmTable.of(fitted, form.level()).ofLocalOptimum() : GlmTable.of(fitted, form.level());
        GlmTable counted = search.isPresent() ? plain.withOneMore() : plain;
        GlmTable wanted = profile ? profiled(read, fitted, kind).in(counted) : counted;
        settle(wanted);
        inData(wanted::withDispersion);
        if (model != null) {
            fitted.save(model);
        }
        return printed(wanted, fitted, Optional.of(read.rows()), search);
    }

    /** Prints the table of a model that sites, or an earlier run, have made. */
    private int ofModel() {
        LinearModel made = model(file);
        if (Losses.named(made.loss())
                        .forClasses(Math.max(2, made.classes().size()))
                        .outputs()
                > 1) {
            return printed(ClassTable.of(made, form.level()));
        }
        Optional<MixedTable> random = MixedTable.of(made, form.level());
        if (random.isPresent()) {
            return printed(random.get(), "cluster");
        }
        GlmTable table = GlmTable.of(made, form.level());
        settle(table);
        return printed(table, made, Optional.empty(), Optional.empty());
    }

    /** Loads a model; whoever gives rows instead has forgotten the formula. */
    private static LinearModel model(Path file) {
        try {
            return LinearModel.load(file);
        } catch (InvalidInputException e) {
            boolean rows = !file.toString().endsWith(".json") && Files.isRegularFile(file);
            throw rows
                    ? new InvalidInputException(
                            e.getMessage() + ", or a formula after rows, as in 'y ~ age + smoke'", e)
                    : e;
        }
    }

    /** Fits a model with a random intercept. */
    private int mixed(MixedFormula random, Likelihood loss) {
        boolean more = profile || firth || extra.isGiven();
        if (more || robust != null || model != null || nodes != 1) {
            throw new InvalidInputException("a random intercept goes with none of --robust, --profile, --firth, --vif,"
                    + " --margins, --contrasts, --model and --nodes; leave these out");
        }
        if (cluster != null || family.searchesSize()) {
            throw new InvalidInputException(
                    cluster != null
                            ? "--cluster and (1 | " + random.cluster() + ") both say how rows depend on each other;"
                                    + " leave one of them out"
                            : "a random intercept needs the size of a negative binomial, as in"
                                    + " --family 'negative-binomial(2)'");
        }
        cluster = random.cluster();
        GlmRows read = read(random.formula(), loss);
        MixedTable fitted = inData(() -> MixedTable.of(
                read.rows(),
                read.clusters(),
                read.loss(),
                read.recipe().intercept(),
                !ml,
                quadrature == null ? MixedTable.USUAL_NODES : quadrature,
                form.level()));
        return printed(fitted, cluster);
    }

    private int printed(MixedTable fitted, String of) {
        settle(fitted.table());
        MixedTable shown = form.isExponentiated() ? fitted.exponentiated() : fitted;
        print(new Printed(
                GlmText.of(fitted, of, form.digits()),
                List.of(),
                GlmText.of(shown, of, form.digits()),
                json -> {
                    GlmJson.write(json, shown.table());
                    json.object(
                            "random",
                            one -> one.with("cluster", of)
                                    .with("clusters", shown.clusters())
                                    .with("deviation", shown.deviation().value())
                                    .with("residual", shown.residual().value())
                                    .with("method", shown.method()));
                },
                List.of()));
        return Main.DONE;
    }

    /** Fits a model of several classes. */
    private int classes() {
        if (robust != null || cluster != null || profile || firth || extra.ofOneScore() || model != null) {
            throw new InvalidInputException("--family multinomial and ordinal go with none of --robust, --cluster,"
                    + " --profile, --firth, --vif, --margins and --model; leave these out");
        }
        columns.formula(formula);
        columns.check();
        Table table = table();
        RecipeBuilder builder = columns.builder();
        if (frequencies != null) {
            columns.requireNoWeights("--frequencies " + frequencies);
            builder.weights(frequencies);
        }
        Recipe recipe = builder.learn(table);
        Encoded encoded = encoded(recipe, table);
        if (family.isOrdinal()) {
            columns.requireOrder(recipe.target(), source());
        }
        List<String> labels = recipe.target().classes();
        if (labels.isEmpty()) {
            throw new InvalidInputException(
                    source() + ": column '" + recipe.target().column()
                            + "' holds numbers that are no classes; give a column of classes, or --kind '"
                            + recipe.target().column() + "=categorical' if these are some");
        }
        if (labels.size() < 2) {
            throw new InvalidInputException(
                    source() + ": column '" + recipe.target().column() + "' holds only one class, "
                            + String.join("", labels) + "; two are needed");
        }
        double[] numbers = IntStream.range(0, encoded.rows().rows())
                .mapToDouble(i ->
                        labels.indexOf(recipe.target().spelling(encoded.rows().label(i))))
                .toArray();
        Dataset labelled = encoded.rows().withLabels(numbers);
        Dataset rows = frequencies == null ? labelled : GlmRows.repeatedRows(labelled, source());
        return printed(inData(() -> family.isOrdinal()
                ? ClassTable.ordinal(rows, labels, form.level())
                : ClassTable.multinomial(rows, labels, recipe.intercept(), form.level())));
    }

    private int printed(ClassTable fitted) {
        settle(fitted.table());
        ClassTable shown = form.isExponentiated() ? fitted.exponentiated() : fitted;
        print(new Printed(
                new GlmText(
                        fitted.table(),
                        form.digits(),
                        GlmText.of(fitted, form.digits()).about()),
                fitted.classes(),
                GlmText.of(shown, form.digits()),
                json -> GlmJson.write(json, shown.table(), shown.classes()),
                List.of()));
        return Main.DONE;
    }

    private StandardErrors kind() {
        StandardErrors usual = cluster == null ? StandardErrors.MODEL : StandardErrors.CR1;
        List<StandardErrors> kinds = Arrays.stream(StandardErrors.values())
                .filter(StandardErrors::isRobust)
                .toList();
        StandardErrors kind = robust == null
                ? usual
                : InvalidInputException.named("standard errors", robust, kinds, StandardErrors::text);
        if (kind.isClustered() != (cluster != null)) {
            throw new InvalidInputException(
                    cluster == null
                            ? "--robust " + robust + " is for clusters; name their column with --cluster"
                            : "--robust " + robust + " and --cluster " + cluster
                                    + " are two kinds of standard errors; with clusters there are CR1 and CR2");
        }
        return kind;
    }

    private GlmRows read(String wanted, Likelihood loss) {
        columns.formula(cluster == null ? wanted : wanted + " + cluster(`" + cluster + "`)");
        columns.check();
        Table table = table();
        return GlmRows.of(
                table,
                source(),
                loss,
                columns,
                Optional.ofNullable(cluster),
                Optional.ofNullable(frequencies),
                recipe -> encoded(recipe, table));
    }

    private ProfileIntervals profiled(GlmRows read, LinearModel fitted, StandardErrors kind) {
        Likelihood loss = (Likelihood) Losses.named(fitted.loss());
        return new ProfileIntervals(
                read.rows(),
                fitted,
                (rows, intercept) ->
                        trained(rows, read.clusters(), loss, kind, intercept).model(),
                form.level());
    }

    private LinearModel fit(GlmRows read, Likelihood loss, StandardErrors kind) {
        return trained(read.rows(), read.clusters(), loss, kind, read.recipe().intercept())
                .with(read.recipe())
                .model();
    }

    private Fit trained(Dataset rows, long[] clusters, Likelihood loss, StandardErrors kind, boolean intercept) {
        Trainer trainer = Trainer.of(loss)
                .lambda(0)
                .gap(GAP)
                .nodes(nodes)
                .intercept(intercept)
                .with(Setting.STANDARD_ERRORS, kind);
        StopSignal stop = StopSignal.manual();
        return inData(() ->
                Interrupts.handled(stop::request, () -> trainer.stopSignal(stop).fit(rows, clusters)));
    }

    private int printed(GlmTable plain, LinearModel fitted, Optional<Dataset> rows, Optional<SizeSearch> search) {
        GlmTable table = form.isExponentiated() ? plain.exponentiated() : plain;
        GlmText text = new GlmText(table, form.digits());
        List<ExtraOptions.Extra> extras = extra.of(fitted, rows, text, file);
        List<String> after = new ArrayList<>();
        if (form.isPlain()) {
            search.ifPresent(
                    found -> after.add("size            " + found.size().text(form.digits()) + ", std. error "
                            + found.standardError().text(form.digits())));
        }
        after.addAll(heterogeneity(fitted));
        print(new Printed(
                new GlmText(plain, form.digits()),
                List.of(),
                text,
                json -> {
                    GlmJson.write(json, table);
                    Heterogeneity.of(fitted)
                            .ifPresent(found -> json.object("heterogeneity", one -> GlmJson.write(one, found)));
                    extras.forEach(one -> one.json().accept(json));
                    search.ifPresent(found -> json.with("size", found.size().value())
                            .with("sizeError", found.standardError().value()));
                },
                after,
                extras));
        return form.code(table, source());
    }
}
