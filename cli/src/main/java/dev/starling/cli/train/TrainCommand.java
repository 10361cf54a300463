package dev.starling.cli.train;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Progress;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.console.Terminal;
import dev.starling.cli.evaluate.EvaluationReport;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.MethodOption;
import dev.starling.cli.options.NetworkOptions;
import dev.starling.cli.options.OptionWords;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.SeedOption;
import dev.starling.cli.options.SettingOptions;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.TableOptions;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.job.TrainingListener;
import dev.starling.loss.Loss;
import dev.starling.loss.Ordinal;
import dev.starling.method.SeparationException;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.network.Network;
import dev.starling.recipe.Recipe;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Precision;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Trains a model on a file of rows. It has more fields than most classes, because each is an option or a group of them,
 * and is longer than most.
 */
@Command(
        name = "train",
        description = {
            "Trains a linear model to a certified gap.",
            "The nodes of a graph share the rows and talk only to their neighbours. Nothing has to be tuned.",
            "Prints the objective, the certified relative gap, epochs and seconds; --json prints everything."
        },
        footer = {
            "",
            "Examples:",
            "  starling train a9a.gz --lambda 1e-4 --gap 1e-6 --model a9a.json",
            "  starling train a9a.gz --nodes 16 --topology grid --runtime simulator --tau 5 --json",
            "  starling train houses.csv --label-column price --loss 'huber(0.5)' --standardize --intercept",
            "  zcat big.gz | starling train - --c 1 --class-weight 1=5 --max-seconds 60",
            "  starling train a9a.gz --holdout 0.2 --class-weight balanced",
            "  starling train a9a.gz --nodes 4 --explain --dry-run",
            "  starling train --jdbc jdbc:postgresql://localhost/census --query 'select * from people' --user ada",
            "  starling train a9a.gz --lambda-path 50 --l1-ratios 0.9 --model path.json",
            "  starling train people.csv --label-column income --cv 10 --cv-rule 1se --svg lambda.svg",
            "  starling train a9a.gz --like model.json --model again.json",
            "",
            "Ctrl-C and SIGTERM end training and write the best certified model so far.",
            "Exit codes: 0 the gap is certified, 1 it is not (the model is written anyway), 2 bad input."
        })
public final class TrainCommand extends ConsoleCommand {

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = DataOptions.ROWS)
    private Path file;

    @Option(
            names = "--like",
            paramLabel = "MODEL",
            description = "Train like this model: with its settings and its graph, unless other options say otherwise."
                    + " The same data give the same model, bit for bit.")
    private Path like;

    @Mixin
    private LossOptions objective;

    @Mixin
    private PathOptions path;

    @Under(Section.STOPPING)
    @Option(names = "--gap")
    private double gap;

    @Mixin
    private InterceptOptions intercept;

    @Under(Section.OBJECTIVE)
    @Option(
            names = "--standardize",
            description = "For training, scale features to standard deviation 1 and, if rows are dense, centre them at"
                    + " 0; in regression, the target too. The model that is written is for raw rows.")
    private boolean standardize;

    /** How the rows of the model given with {@code --like} were scaled. */
    private Scaling scaling = Scaling.NONE;

    @Under(Section.OBJECTIVE)
    @Option(names = "--precision")
    private String precision;

    @Under(Section.OBJECTIVE)
    @Option(
            names = "--class-weight",
            paramLabel = "LABEL=W",
            completionCandidates = ClassWeights.Balanced.class,
            description = "Weight of the rows with a label; may be repeated. With 'balanced', all classes have the same"
                    + " total weight.")
    private List<String> classWeights = List.of();

    @Under(Section.OBJECTIVE)
    @Option(names = "--one-versus-rest")
    private Boolean oneVersusRest;

    @Under(Section.OBJECTIVE)
    @Option(names = "--weights", paramLabel = "FILE", description = "File with the weights of the rows, one per line.")
    private Path weights;

    @Mixin
    private EvaluationOptions evaluation;

    @Mixin
    private NetworkOptions graph;

    @Mixin
    private MethodOption method;

    @Under(Section.NODES)
    @Option(names = "--tau")
    private Double tau;

    @Mixin
    private RuntimeOptions runtime;

    @Mixin
    private SeedOption seed;

    @Under(Section.STOPPING)
    @Option(names = "--max-epochs")
    private double maxEpochs;

    @Under(Section.STOPPING)
    @Option(names = "--max-seconds")
    private Double maxSeconds;

    @Mixin
    private SourceOptions data;

    @Mixin
    private TableOptions table;

    @Mixin
    private ModelOptions model;

    @Under(Section.OUTPUT)
    @Option(
            names = "--explain",
            description =
                    "Print every constant with its meaning, the predicted time, and what the split of the rows over"
                            + " nodes is: how well the whole, the nodes and the rows are conditioned, and how much the"
                            + " nodes differ.")
    private boolean explain;

    @Under(Section.OUTPUT)
    @Option(names = "--dry-run", description = "Read and check everything, but do not train.")
    private boolean dryRun;

    @Mixin
    private JsonOption json;

    @Under(Section.OUTPUT)
    @Option(
            names = {"-q", "--quiet"},
            description = "Show no progress bar and print no remarks on stderr.")
    private boolean quiet;

    @Override
    public Integer call() {
        Optional<Progress> bar = Progress.onTerminal(Terminal.ofStandardError(), quiet);
        try {
            return train(bar);
        } finally {
            bar.ifPresent(Progress::close);
        }
    }

    private int train(Optional<Progress> bar) {
        Optional<LinearModel> example = Optional.ofNullable(like).map(LinearModel::load);
        Provenance earlier = example.map(this::earlier).orElse(Provenance.UNKNOWN);
        table.agreed(this::isGiven).ifPresent(study -> take(study, Setting::isAgreed));
        objective.check();
        data.check(file);
        table.check();
        evaluation.check();
        ClassWeights ofClasses = ClassWeights.parse(classWeights, objective.loss());
        Trainer trainer = configured();
        Network planned = graph.network(seed.value(), 1);
        model.check(inputs());
        path.cv().check(inputs(), model.target());
        Precision kept = trainer.settings().precision();
        data.inFloats(kept == Precision.FLOAT, trainer.settings().choosesRows());
        long loading = System.nanoTime();
        boolean classes = objective.loss().isClassification();
        List<String> keyColumns = path.cv().columns(table.ids());
        TableOptions.Read read = table.read(
                        data,
                        file,
                        (bytes, total) -> bar.ifPresent(shown -> shown.read(bytes, total)),
                        example.flatMap(Recipe::of),
                        classes,
                        keyColumns,
                        trainer.settings().heldOut())
                .weighted(Optional.ofNullable(weights))
                .keptAs(kept);
        if (objective.loss() instanceof Ordinal && example.isEmpty()) {
            read.recipe().ifPresent(recipe -> table.requireOrder(recipe, data.source(file)));
        }
        if (classes) {
            read.requireTwoClasses(data.source(file), trainer.settings().heldOut(), evaluation.remarkOnFewRows());
        }
        // The rows of a test file are judged as they are.
        data.inFloats(false, false);
        Dataset rows = read.rows();
        Network network = graph.fitting(planned, rows.rows(), seed.value());
        double loadSeconds = (System.nanoTime() - loading) * 1e-9;
        trainer = asWritten(trainer, read.recipe())
                .classWeights(ofClasses.byLabel(read.recipe()))
                .network(network)
                .dealing(graph.dealing())
                .listener(bar.<TrainingListener>map(shown -> shown).orElse(TrainingListener.NONE));
        Settings used = used(trainer, rows);
        intercept.remarkOnNone(used, rows, this::remark);
        remarkOnOneVersusRest(used, rows);
        TrainReport report = new TrainReport(data.source(file), rows, gap, seed.value(), runtime.name(), loadSeconds);
        PrintWriter out = out();
        Explanation explanation = explain || dryRun ? explain(trainer, rows, read.keys(), used) : Explanation.NONE;
        if (explain && !json.isGiven()) {
            bar.ifPresent(Progress::close);
            explanation.print(out);
        }
        if (dryRun) {
            read.remarks().forEach(this::remark);
            if (json.isGiven()) {
                Json.print(out, explanation::write);
            }
            return Main.DONE;
        }
        StopSignal stop = StopSignal.manual();
        Fit bare = fit(trainer, rows, read.keys(), stop);
        Fit fit = read.recipe().map(bare::with).orElse(bare);
        bar.ifPresent(Progress::close);
        // Not before, so that a refusal is a single line.
        read.remarks().forEach(this::remark);
        Optional<Path> written = model.target();
        if (written.isPresent()) {
            model.replaced().ifPresent(this::remark);
            model.write(fit.model());
        }
        fit.validation().ifPresent(found -> path.cv().finish(fit, found, this::remark));
        Optional<EvaluationReport> tested = evaluation.evaluate(fit.model(), data, this::remark);
        if (written.isPresent() && tested.isPresent()) {
            model.write(fit.model()
                    .with(EvaluationRecord.TEST, tested.get().measures().toKeep()));
        }
        if (json.isGiven()) {
            Json.print(out, generator -> {
                report.write(generator, fit, written, explanation);
                tested.ifPresent(one -> generator.object("test", one::write));
            });
        } else {
            report.print(out, fit);
            tested.ifPresent(one -> one.print(out, "test"));
        }
        remarkOnOtherData(fit.model().provenance(), earlier);
        return finish(fit, stop.isRaised(), written);
    }

    /** Returns the trainer with what the recipe says about scaling and, where no option does, about the intercept. */
    private static Trainer asWritten(Trainer trainer, Optional<Recipe> recipe) {
        Trainer scaled = recipe.filter(Recipe::standardize).isPresent() ? trainer.standardize(true) : trainer;
        boolean open = !trainer.settings().has(Setting.INTERCEPT)
                && !trainer.settings().has(Setting.BIAS);
        return open && recipe.filter(made -> !made.intercept()).isPresent() ? scaled.intercept(false) : scaled;
    }

    /** Says why each class is told from the rest where nobody asked for that. */
    private void remarkOnOneVersusRest(Settings used, Dataset rows) {
        if (oneVersusRest == null && isForTwoClasses(used.loss()) && Labels.distinct(rows.labels()).length > 2) {
            Optional<String> objection = model.holdsAllClasses()
                    ? used.objectionToTogether().map(OptionWords::of)
                    : Optional.of("LIBLINEAR's format has no softmax");
            objection.ifPresent(reason -> remark("each class is told from the rest: " + reason));
        }
    }

    private static boolean isForTwoClasses(Loss loss) {
        return loss.isClassification() && loss.outputs() == 1;
    }

    private Settings used(Trainer trainer, Dataset rows) {
        try {
            return trainer.settingsFor(rows);
        } catch (InvalidInputException e) {
            throw inData(e);
        }
    }

    private void remark(String text) {
        if (!quiet) {
            err().println(text);
        }
    }

    /** Fills in what the options leave open from the model given with {@code --like}, and returns how that was made. */
    private Provenance earlier(LinearModel example) {
        Provenance earlier = example.provenance();
        if (earlier.method().isEmpty()) {
            throw new InvalidInputException("--like " + like + " does not say how it was trained;"
                    + " take a JSON model that this version of Starling wrote");
        }
        Settings asked = Settings.of(earlier.settings());
        boolean apart = example.classes().size() > 2 && asked.loss().outputs() == 1;
        Settings settings = asked.with(Setting.ONE_VERSUS_REST, apart);
        take(
                settings.with(Setting.METHOD, earlier.method()).with(Setting.TAU, OptionalDouble.of(earlier.delay())),
                any -> true);
        graph.like(earlier.graph());
        classWeights =
                isGiven("--class-weight") ? classWeights : ClassWeights.options(settings.classWeights(), example);
        return earlier;
    }

    /** Takes from some settings what no option decides. */
    private void take(Settings settings, Predicate<Setting<?>> which) {
        SettingOptions.take(
                commandLine().getCommandSpec(),
                settings,
                which.and(setting -> SettingOptions.isOpen(setting, this::isGiven)));
        if (SettingOptions.isOpen(Setting.CV_COLUMNS, this::isGiven)) {
            path.cv().columnsOf(settings);
        }
        scaling = settings.scaling();
    }

    private void remarkOnOtherData(Provenance made, Provenance earlier) {
        if (!earlier.fingerprint().isEmpty() && !made.fingerprint().equals(earlier.fingerprint())) {
            remark(data.source(file) + " is not the data that " + like + " was trained on");
        }
    }

    /** Returns a trainer with the settings that need no data; messages about them name the options. */
    private Trainer configured() {
        try {
            Trainer trainer = objective
                    .trainer()
                    .method(method.name())
                    .gap(gap)
                    .seed(seed.value())
                    .maxEpochs(maxEpochs)
                    .holdout(evaluation.holdout())
                    .with(Setting.STANDARD_ERRORS, evaluation.standardErrors())
                    .scaling(standardize ? Scaling.STANDARDIZE : scaling)
                    .with(Setting.PRECISION, Precision.named(precision));
            trainer = oneVersusRest == null ? trainer : trainer.oneVersusRest(oneVersusRest);
            trainer =
                    oneVersusRest == null && isForTwoClasses(trainer.settings().loss()) && !model.holdsAllClasses()
                            ? trainer.oneVersusRest(true)
                            : trainer;
            trainer = path.apply(trainer, this::isGiven, table.ids());
            trainer = tau == null ? trainer : trainer.delay(tau);
            trainer = maxSeconds == null ? trainer : trainer.maxSeconds(maxSeconds);
            trainer = intercept.apply(trainer).runner(runtime.runner());
            trainer.settings().checked();
            return trainer;
        } catch (InvalidInputException e) {
            throw new InvalidInputException(OptionWords.of(e.getMessage()), e);
        }
    }

    private Explanation explain(Trainer trainer, Dataset rows, long[] keys, Settings used) {
        try {
            Trainer.Start start = trainer.prepare(rows, keys);
            Explanation explanation = Explanation.of(start.plan(), used);
            return explain ? explanation.withSplit(start) : explanation;
        } catch (InvalidInputException e) {
            throw inData(e);
        }
    }

    private Fit fit(Trainer trainer, Dataset rows, long[] keys, StopSignal stop) {
        try {
            return Interrupts.handled(
                    stop::request, () -> trainer.stopSignal(stop).fit(rows, keys));
        } catch (SeparationException e) {
            String indicators =
                    e.getMessage().contains("=(missing)") ? "; --no-indicators leaves out those of missing values" : "";
            throw new RunFailure(
                    data.source(file) + ": " + e.getMessage().replace("give lambda", "give --lambda") + indicators, e);
        } catch (InvalidInputException e) {
            throw inData(e);
        }
    }

    /** Names the data in the message: all options have been checked by now, so the data is to blame. */
    private InvalidInputException inData(InvalidInputException e) {
        return new InvalidInputException(
                data.source(file) + ": " + e.getMessage().replace("a regression loss", "--loss squared")
                        + evaluation.remarkOnFewRows(),
                e);
    }

    private int finish(Fit fit, boolean interrupted, Optional<Path> written) {
        written.ifPresent(path -> remark("model written to " + path));
        if (fit.isCertified()) {
            return Main.DONE;
        }
        throw new RunFailure(TrainReport.shortfall(fit, interrupted, Json.text(gap), maxEpochs, maxSeconds));
    }
}
