package dev.starling.cli.statistics;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.ColumnOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.Remarks;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Binomial;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Logistic;
import dev.starling.loss.Losses;
import dev.starling.loss.NegativeBinomial;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.recipe.Target;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Setting;
import dev.starling.statistics.ClassTable;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.Firth;
import dev.starling.statistics.GlmTable;
import dev.starling.statistics.GlmText;
import dev.starling.statistics.Heterogeneity;
import dev.starling.statistics.MarginalEffects;
import dev.starling.statistics.MixedFormula;
import dev.starling.statistics.MixedTable;
import dev.starling.statistics.ProfileIntervals;
import dev.starling.statistics.SizeSearch;
import dev.starling.table.Table;
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
 * Fits a generalised linear model and prints its table. This class is longer than most, because its options are those
 * of a model and of a table.
 */
@Command(
        name = "glm",
        mixinStandardHelpOptions = true,
        sortOptions = false,
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
public final class GlmCommand extends ConsoleCommand {

    private static final double GAP = 1e-9;

    @Parameters(index = "0", paramLabel = "FILE", description = "CSV or Parquet file, or - for standard input.")
    private Path file;

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

    @Mixin
    private TableForm form;

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

    @Under(Section.OUTPUT)
    @Option(
            names = "--contrasts",
            paramLabel = "COLUMN",
            description =
                    "Also print the differences between all levels of a column, with p adjusted by Holm's method.")
    private String contrasts;

    @Under(Section.OUTPUT)
    @Option(
            names = "--margins",
            description =
                    "Also print average marginal effects: by how much the mean changes with each feature, on average"
                            + " over all rows.")
    private boolean margins;

    @Under(Section.READING)
    @Option(
            names = "--frequencies",
            paramLabel = "COLUMN",
            description = "Column with counts: a row stands for so many equal ones.")
    private String frequencies;

    @Under(Section.OUTPUT)
    @Option(names = "--vif", description = "Also print variance inflation factors.")
    private boolean vif;

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

    @Mixin
    private SourceOptions data;

    @Mixin
    private ColumnOptions columns;

    @Mixin
    private JsonOption json;

    @Mixin
    private Remarks remarks;

    /**
     * The rows with how they were made.
     *
     * @param loss the family, for classes that of classes
     */
    private record Read(Recipe recipe, Dataset rows, Likelihood loss, long[] clusters) {}

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
        columns.formula(formula);
        columns.check();
        Read read = read(loss);
        Optional<SizeSearch> search = family.searchesSize() ? Optional.of(searched(read, kind)) : Optional.empty();
        LinearModel fitted = firth
                ? Firth.fit(read.rows, read.recipe.intercept()).with(read.recipe)
                : search.map(SizeSearch::model).orElseGet(() -> fit(read, read.loss, kind));
        GlmTable plain = firth ? GlmTable.of(fitted, form.level()).ofLocalOptimum() : GlmTable.of(fitted, form.level());
        GlmTable counted = search.isPresent() ? plain.withOneMore() : plain;
        GlmTable wanted = profile ? profiled(read, fitted, kind).in(counted) : counted;
        form.settle(wanted, data.source(file), remarks);
        if (model != null) {
            fitted.save(model);
        }
        return finished(wanted, fitted, Optional.of(read.rows()), search);
    }

    /** Prints the table of a model that sites, or an earlier run, have made. */
    private int ofModel() {
        LinearModel made = LinearModel.load(file);
        if (Losses.named(made.loss())
                        .forClasses(Math.max(2, made.classes().size()))
                        .outputs()
                > 1) {
            return printed(ClassTable.of(made, form.level()));
        }
        GlmTable table = GlmTable.of(made, form.level());
        form.remark(table, data.source(file), remarks);
        return finished(table, made, Optional.empty(), Optional.empty());
    }

    private int finished(GlmTable plain, LinearModel fitted, Optional<Dataset> rows, Optional<SizeSearch> search) {
        List<Extra> extras = extras(fitted, rows);
        GlmTable table = form.isExponentiated() ? plain.exponentiated() : plain;
        form.writePage(new GlmText(plain, form.digits()), List.of(), subject());
        print(table, fitted, extras, search);
        return form.code(table, data.source(file));
    }

    /** What a page is about. */
    private String subject() {
        return formula == null ? file.toString() : formula + " in " + data.source(file);
    }

    /** Fits a model with a random intercept. */
    private int mixed(MixedFormula random, Likelihood loss) {
        boolean more = profile || firth || vif || margins || contrasts != null;
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
        columns.formula(random.formula());
        columns.check();
        Read read = read(loss);
        MixedTable fitted;
        try {
            fitted = MixedTable.of(
                    read.rows,
                    read.clusters,
                    read.loss,
                    read.recipe.intercept(),
                    !ml,
                    quadrature == null ? MixedTable.USUAL_NODES : quadrature,
                    form.level());
        } catch (InvalidInputException e) {
            throw inData(e);
        }
        form.settle(fitted.table(), data.source(file), remarks);
        form.writePage(GlmText.of(fitted, cluster, form.digits()), List.of(), subject());
        MixedTable shown = form.isExponentiated() ? fitted.exponentiated() : fitted;
        if (json.isGiven()) {
            Json.print(out(), generator -> {
                GlmJson.write(generator, shown.table());
                generator.writeObjectPropertyStart("random");
                generator.writeStringProperty("cluster", cluster);
                generator.writeNumberProperty("clusters", shown.clusters());
                Json.number(generator, "deviation", shown.deviation().value());
                Json.number(generator, "residual", shown.residual().value());
                generator.writeStringProperty("method", shown.method());
                generator.writeEndObject();
            });
        } else {
            GlmText.of(shown, cluster, form.digits()).lines(form.chosen()).forEach(out()::println);
        }
        return Main.DONE;
    }

    /** Fits a model of several classes. */
    private int classes() {
        if (robust != null || cluster != null || profile || firth || vif || margins || model != null) {
            throw new InvalidInputException("--family multinomial and ordinal go with none of --robust, --cluster,"
                    + " --profile, --firth, --vif, --margins and --model; leave these out");
        }
        columns.formula(formula);
        columns.check();
        Table table = data.readTable(file, (bytes, total) -> {});
        Recipe recipe = columns.builder().learn(table);
        Encoded encoded = recipe.encode(table);
        encoded.leftOut(table).forEach(remarks::say);
        List<String> labels = ordered(recipe.target());
        double[] numbers = IntStream.range(0, encoded.rows().rows())
                .mapToDouble(i ->
                        labels.indexOf(recipe.target().spelling(encoded.rows().label(i))))
                .toArray();
        Dataset rows = encoded.rows().withLabels(numbers);
        ClassTable fitted;
        try {
            fitted = family.isOrdinal()
                    ? ClassTable.ordinal(rows, labels, form.level())
                    : ClassTable.multinomial(rows, labels, recipe.intercept(), form.level());
        } catch (InvalidInputException e) {
            throw inData(e);
        }
        return printed(fitted);
    }

    private int printed(ClassTable fitted) {
        if (formula == null) {
            form.remark(fitted.table(), data.source(file), remarks);
        } else {
            form.settle(fitted.table(), data.source(file), remarks);
        }
        form.writePage(
                new GlmText(
                        fitted.table(),
                        form.digits(),
                        GlmText.of(fitted, form.digits()).about()),
                fitted.classes(),
                subject());
        ClassTable shown = form.isExponentiated() ? fitted.exponentiated() : fitted;
        if (json.isGiven()) {
            Json.print(out(), generator -> GlmJson.write(generator, shown.table(), shown.classes()));
        } else {
            GlmText.of(shown, form.digits()).lines(form.chosen()).forEach(out()::println);
        }
        return Main.DONE;
    }

    /** The classes in the order that was asked for, or in their own if they are numbers or need none. */
    private List<String> ordered(Target target) {
        List<String> own = target.classes();
        Optional<List<String>> wanted = columns.levels(target.column());
        if (wanted.isPresent()) {
            if (wanted.get().size() != own.size() || !wanted.get().containsAll(own)) {
                throw new InvalidInputException("--levels " + target.column() + "=" + String.join(",", wanted.get())
                        + " are not the classes " + String.join(",", own));
            }
            return wanted.get();
        }
        if (family.isOrdinal() && own.stream().anyMatch(name -> !name.matches("[-+]?[0-9.]+"))) {
            throw new InvalidInputException(data.source(file) + ": the classes of '" + target.column()
                    + "' are words, which have no order of their own; give it as in --levels " + target.column() + "="
                    + String.join(",", own));
        }
        return own;
    }

    private StandardErrors kind() {
        StandardErrors usual = cluster == null ? StandardErrors.MODEL : StandardErrors.CR1;
        StandardErrors kind = robust == null ? usual : StandardErrors.named(robust);
        if (robust != null && !kind.isRobust()) {
            throw InvalidInputException.unknownName(
                    "--robust", robust, List.of("HC0", "HC1", "HC2", "HC3", "CR1", "CR2"));
        }
        if (kind.isClustered() != (cluster != null)) {
            throw new InvalidInputException(
                    cluster == null
                            ? "--robust " + robust + " is for clusters; name their column with --cluster"
                            : "--robust " + robust + " and --cluster " + cluster
                                    + " are two kinds of standard errors; with clusters there are CR1 and CR2");
        }
        return kind;
    }

    private Read read(Likelihood loss) {
        Table table = data.readTable(file, (bytes, total) -> {});
        Recipe recipe;
        Likelihood used = loss;
        try {
            recipe = builder(loss).learn(table);
        } catch (InvalidInputException e) {
            // Two classes with names are successes and failures too.
            if (!loss.name().equals("binomial")) {
                throw e;
            }
            recipe = builder(new Logistic()).learn(table);
            used = new Logistic();
            if (recipe.target().classes().size() != 2) {
                throw e;
            }
        }
        Encoded encoded = recipe.encode(table);
        encoded.leftOut(table).forEach(remarks::say);
        long[] clusters = cluster == null ? new long[0] : table.keys(List.of(cluster), encoded.kept());
        int coefficients = encoded.rows().features() + (recipe.intercept() ? 1 : 0);
        if (encoded.rows().rows() < coefficients) {
            throw new InvalidInputException(
                    data.source(file) + ": " + encoded.rows().rows() + " rows for " + coefficients
                            + " coefficients, which rows cannot tell apart; leave out columns");
        }
        if (frequencies == null) {
            return new Read(recipe, encoded.rows(), used, clusters);
        }
        int[] repeated = repeated(encoded.rows());
        Dataset rows = encoded.rows().picked(repeated);
        double[] ones = new double[repeated.length];
        Arrays.fill(ones, 1);
        return new Read(
                recipe,
                rows.withWeights(ones),
                used,
                clusters.length == 0
                        ? clusters
                        : Arrays.stream(repeated)
                                .mapToLong(row -> clusters[row])
                                .toArray());
    }

    /** The rows, each as often as its frequency says. */
    private int[] repeated(Dataset rows) {
        double total = 0;
        for (int i = 0; i < rows.rows(); i++) {
            total += rows.weight(i);
            if (rows.weight(i) != Math.rint(rows.weight(i))) {
                throw new InvalidInputException(data.source(file) + ": a row has the frequency " + rows.weight(i)
                        + "; --frequencies takes counts, and --weights-column other weights");
            }
        }
        if (total > Integer.MAX_VALUE / 2.0) {
            throw new InvalidInputException(
                    data.source(file) + ": " + total + " rows, counted by frequency, are too many for one machine");
        }
        return IntStream.range(0, rows.rows())
                .flatMap(i -> IntStream.range(0, (int) rows.weight(i)).map(k -> i))
                .toArray();
    }

    private RecipeBuilder builder(Likelihood loss) {
        RecipeBuilder builder = columns.builder();
        if (frequencies != null) {
            columns.requireNoWeights("--frequencies " + frequencies);
            builder.weights(frequencies);
        }
        if (cluster != null && !columns.ids().contains(cluster)) {
            builder.ids(List.of(cluster));
        }
        return loss.isClassification() ? builder : loss.takesShares() ? builder.shares() : builder.regression();
    }

    private ProfileIntervals profiled(Read read, LinearModel fitted, StandardErrors kind) {
        Likelihood loss = (Likelihood) Losses.named(fitted.loss());
        return new ProfileIntervals(
                read.rows,
                fitted,
                (rows, intercept) ->
                        trained(rows, read.clusters, loss, kind, intercept).model(),
                form.level());
    }

    private SizeSearch searched(Read read, StandardErrors kind) {
        try {
            return SizeSearch.by(size -> fit(read, new NegativeBinomial(size), kind));
        } catch (InvalidInputException e) {
            throw inData(e);
        }
    }

    private InvalidInputException inData(InvalidInputException e) {
        String source = data.source(file) + ": ";
        return e.getMessage().startsWith(source) ? e : new InvalidInputException(source + e.getMessage(), e);
    }

    private LinearModel fit(Read read, Likelihood loss, StandardErrors kind) {
        return trained(read.rows, read.clusters, loss, kind, read.recipe.intercept())
                .with(read.recipe)
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
        try {
            return Interrupts.handled(
                    stop::request, () -> trainer.stopSignal(stop).fit(rows, clusters));
        } catch (InvalidInputException e) {
            throw inData(e);
        }
    }

    /** Lines that follow the table, with their name in JSON and their heading. */
    private record Extra(String name, String heading, List<Coefficient> lines) {}

    private List<Extra> extras(LinearModel fitted, Optional<Dataset> rows) {
        List<Extra> extras = new ArrayList<>();
        if (contrasts != null) {
            extras.add(new Extra(
                    "contrasts",
                    "differences between levels of " + contrasts + ", p adjusted by Holm's method",
                    contrasts(fitted)));
        }
        if (margins) {
            Dataset all = rows.orElseThrow(() -> new InvalidInputException(
                    "--margins are averages over rows, which " + file + " does not have; give the rows and a formula"));
            extras.add(new Extra("margins", "average marginal effects", MarginalEffects.of(fitted, all, form.level())));
        }
        return extras;
    }

    private List<Coefficient> contrasts(LinearModel fitted) {
        String reference = Recipe.of(fitted).stream()
                .flatMap(recipe -> recipe.columns().stream())
                .filter(column -> column.name().equals(contrasts))
                .flatMap(column -> column.levels().stream())
                .filter(name -> !fitted.names().contains(contrasts + "=" + name)
                        && !fitted.names().contains("factor(" + contrasts + ")=" + name))
                .findFirst()
                .orElse("reference");
        return GlmTable.contrasts(fitted, contrasts, reference, form.level());
    }

    private void print(GlmTable table, LinearModel fitted, List<Extra> extras, Optional<SizeSearch> search) {
        if (json.isGiven()) {
            Json.print(out(), generator -> {
                GlmJson.write(generator, table);
                if (Heterogeneity.of(fitted).isPresent()) {
                    GlmJson.write(generator, Heterogeneity.of(fitted).get());
                }
                extras.forEach(extra -> GlmJson.write(generator, extra.name, extra.lines));
                search.ifPresent(found -> {
                    Json.number(generator, "size", found.size().value());
                    Json.number(generator, "sizeError", found.standardError().value());
                });
            });
            return;
        }
        new GlmText(table, form.digits()).lines(form.chosen()).forEach(out()::println);
        if (form.chosen() == GlmText.Form.PLAIN) {
            search.ifPresent(
                    found -> out().println("size            " + found.size().text(form.digits()) + ", std. error "
                            + found.standardError().text(form.digits())));
        }
        for (Extra extra : extras) {
            out().println();
            out().println(extra.heading);
            new GlmText(table, form.digits()).aligned(extra.lines).forEach(out()::println);
        }
        if (form.chosen() == GlmText.Form.PLAIN) {
            Heterogeneity.of(fitted).ifPresent(found -> found.text().forEach(out()::println));
        }
        if (vif) {
            out().println();
            GlmTable.inflation(fitted)
                    .forEach((name, factor) -> out().println("VIF " + name + "  " + factor.text(form.digits())));
        }
    }
}
