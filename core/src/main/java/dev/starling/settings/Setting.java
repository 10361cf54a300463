package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.method.StoppingRule;
import dev.starling.model.Differences;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A line of the table of settings: a name, a type with its text form, a default, a check and a sentence. The builder,
 * the options of commands and their help, the files of sites and studies, model files and Spark's parameters all follow
 * from this table, which makes the class longer than most.
 *
 * @param <T> the type of the setting's values
 */
public final class Setting<T> {

    /** What settings are about; the headings under which help shows them. */
    public enum Heading {
        /** What is minimised. */
        OBJECTIVE("Objective"),
        /** Which values of λ are tried, and how one of them is chosen. */
        CHOOSING_LAMBDA("Choosing lambda"),
        /** When training ends. */
        STOPPING("When to stop"),
        /** How well the model predicts. */
        EVALUATION("Evaluating the model"),
        /** How the optimum is found. */
        NODES("Nodes and method");

        private final String text;

        Heading(String text) {
            this.text = text;
        }

        /** The heading as help shows it. */
        public String text() {
            return text;
        }
    }

    private static final List<Setting<?>> TABLE = new ArrayList<>();

    /** The loss ℓ. */
    public static final Setting<Loss> LOSS = line(
                    Heading.OBJECTIVE,
                    "loss",
                    Form.LOSS,
                    new Logistic(),
                    "Loss, with its parameter in parentheses if it has one. For classes: logistic, softmax, squared-hinge,"
                            + " smoothed-hinge(0.5), hinge. For numbers: squared, huber(1),"
                            + " squared-epsilon-insensitive(0.1), absolute, epsilon-insensitive(0.1), quantile(0.5)."
                            + " For counts: poisson.")
            .choices(Losses::names)
            .agreed();

    /** λ in mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; ignored if there is a path. */
    public static final Setting<Double> LAMBDA = line(
                    Heading.OBJECTIVE,
                    "lambda",
                    Form.NUMBER,
                    1e-4,
                    "Regularisation L: the objective is mean loss + L/2 |w|^2. With 0 and an l1 term it is a lasso."
                            + " With 0 and no such term, for the losses logistic, poisson and squared, columns that depend on"
                            + " others are left out.")
            .checked(value -> provable("lambda", value))
            .agreed();

    /** λ₁; ignored if there is a path. */
    public static final Setting<Double> L1 = line(
                    Heading.OBJECTIVE,
                    "l1",
                    Form.NUMBER,
                    0.0,
                    "L1 regularisation: adds L1 |w|_1 to the objective, for an elastic net or, if lambda is 0, a"
                            + " lasso.")
            .checked(value -> provable("l1", value))
            .agreed();

    /** The values of λ to solve for one after another, without the shares of the l1 term. */
    public static final Setting<LambdaPath> LAMBDA_PATH = line(
                    Heading.CHOOSING_LAMBDA,
                    "lambda-path",
                    Form.PATH,
                    LambdaPath.NONE,
                    "Train for N values of lambda, or for a list such as 1e-2,1e-3, each starting from the solution of"
                            + " the one before. N values run from the one at which all weights are 0 down to 1/10000 of"
                            + " it. The model is that of the smallest lambda; its file also holds the others.")
            .label("N")
            .agreed();

    /** The shares of the l1 term for each value of a path. */
    public static final Setting<List<Double>> L1_RATIOS = line(
                    Heading.CHOOSING_LAMBDA,
                    "l1-ratios",
                    Form.NUMBERS,
                    List.of(),
                    "With a path or cross-validation, the share R of the l1 term in the penalty: L1 = L R/(1 - R). With"
                            + " 1, a lasso, lambda is 0 and the values are those of L1. Several shares, separated by"
                            + " commas, give one path each (default: 0).")
            .label("R")
            .checked(ratios -> LambdaPath.NONE.withL1Ratios(ratios).l1Ratios())
            .agreed();

    /** The folds of cross-validation, without what decides the fold of a row. */
    public static final Setting<Folds> CV = line(
                    Heading.CHOOSING_LAMBDA,
                    "cv",
                    Form.FOLDS,
                    Folds.NONE,
                    "Choose lambda by K-fold cross-validation from the values of the path (default: "
                            + LambdaPath.USUAL_COUNT
                            + " values). The model is that of the chosen lambda, trained on all rows. The fold of a row"
                            + " follows from a hash of the row, or of the columns that identify it; with 'sites', each"
                            + " node is a fold.")
            .label("K")
            .agreed();

    /** The columns whose cells decide the fold of a row. */
    public static final Setting<List<String>> CV_COLUMNS = line(
                    Heading.CHOOSING_LAMBDA,
                    "cv-columns",
                    Form.TEXTS,
                    List.of(),
                    "With cross-validation, keep rows with the same cells in these columns in the same fold.")
            .agreed();

    /** The rule by which cross-validation chooses. */
    public static final Setting<Folds.Rule> CV_RULE = line(
                    Heading.CHOOSING_LAMBDA,
                    "cv-rule",
                    Form.RULE,
                    Folds.Rule.MIN,
                    "With cross-validation, which lambda to choose: min, the one with the smallest mean loss, or 1se,"
                            + " the largest one within one standard error of it.")
            .label("RULE")
            .choices(Folds.Rule::names)
            .agreed();

    /** The name of the method, or {@code auto}. */
    public static final Setting<String> METHOD = line(
                    Heading.NODES,
                    "method",
                    Form.TEXT,
                    Methods.AUTO,
                    "How to find the optimum: auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs, adfs-local,"
                            + " adfs-matchings, adfs-localised, adfs-varying (default: auto). auto picks newton unless the loss or the penalty has a kink, a"
                            + " point where its slope jumps. If one of them has, and there are at most 500 features, it picks multipliers if the loss has a kink, and"
                            + " otherwise proximal-newton.")
            .choices(Methods::names)
            .checked(Setting::knownMethod);

    /** The relative duality gap to reach. */
    public static final Setting<Double> GAP = line(
                    Heading.STOPPING, "gap", Form.NUMBER, 1e-6, "Relative duality gap to reach.")
            .label("G")
            .checked(value -> new StoppingRule(value, 1).relativeGap());

    /** The number of passes over the samples after which training stops, certified or not. */
    public static final Setting<Double> MAX_EPOCHS = line(
                    Heading.STOPPING,
                    "max-epochs",
                    Form.NUMBER,
                    10_000.0,
                    "Stop after N proximal steps per row, or very many rounds.")
            .label("N")
            .checked(value -> new StoppingRule(1, value).maxEpochs());

    /** The number of seconds after which training stops, certified or not. */
    public static final Setting<Double> MAX_SECONDS = line(
                    Heading.STOPPING,
                    "max-seconds",
                    Form.NUMBER,
                    Double.POSITIVE_INFINITY,
                    "Stop after N seconds (default: no limit).")
            .label("N")
            .checked(value -> require(value > 0, value, "max-seconds " + value + " must be positive"));

    /** The seed of all random choices. */
    public static final Setting<Long> SEED = line(Heading.NODES, "seed", Form.WHOLE, 1L, "Seed of all random choices.")
            .label("S");

    /** τ, the delay of a round in proximal steps, to tune for; empty to let the runtime determine it. */
    public static final Setting<OptionalDouble> TAU = line(
                    Heading.NODES,
                    "tau",
                    Form.NUMBER_OR_AUTO,
                    OptionalDouble.empty(),
                    "Time that a message takes, where a proximal step (one update from one row) takes 1: for tuning,"
                            + " and for idealised time, which counts steps and messages instead of seconds (default: as"
                            + " measured for the runtime).")
            .label("T")
            .checked(tau -> {
                tau.ifPresent(value -> require(
                        value >= 0 && Double.isFinite(value),
                        value,
                        "tau " + value + " must be 0 or more, and finite"));
                return tau;
            });

    /** The value of an extra feature whose weight, regularised like all others, makes the intercept; 0 for none. */
    public static final Setting<Double> BIAS = line(
                    Heading.OBJECTIVE,
                    "bias",
                    Form.NUMBER,
                    0.0,
                    "Add a feature with value B (1 if B is left out) to every row. Its weight acts as an intercept that"
                            + " is regularised like the other weights.")
            .label("B")
            .checked(value -> require(
                    value == 0 || (value >= Float.MIN_NORMAL && value <= Float.MAX_VALUE),
                    value,
                    "bias " + value + " must be positive, for example 1, or 0 for none"))
            .agreed();

    /** Whether there is a free intercept, one that is not regularised. */
    public static final Setting<Boolean> INTERCEPT = line(
                    Heading.OBJECTIVE,
                    "intercept",
                    Form.TRUTH,
                    false,
                    "Add an intercept that is not regularised: the default if columns have names, unless the method is"
                            + " one of the ADFS family.")
            .agreed();

    /** How features are scaled for training. */
    public static final Setting<Scaling> SCALING = line(
                    Heading.OBJECTIVE,
                    "scaling",
                    Form.SCALING,
                    Scaling.NONE,
                    "How features are scaled for training: none, scale, which divides them by their standard"
                            + " deviations, or standardize, which also centres dense rows and, in regression, the"
                            + " target.")
            .choices(Scaling::names)
            .agreed();

    /** How exactly the values of rows are kept. */
    public static final Setting<Precision> PRECISION = line(
                    Heading.OBJECTIVE,
                    "precision",
                    Form.PRECISION,
                    Precision.EXACT,
                    "How values are kept for training: exact, or float, which rounds them, in half the memory of"
                            + " doubles.")
            .choices(Precision::names)
            .agreed();

    /** How rows are weighted by class. */
    public static final Setting<ClassWeighting> CLASS_WEIGHTS = line(
            Heading.OBJECTIVE,
            "class-weights",
            Form.CLASS_WEIGHTS,
            ClassWeighting.NONE,
            "Weights of the rows with a label, such as 0=1,1=2.5; with 'balanced', all classes have the same total"
                    + " weight.");

    /** The fraction of rows that are held out from training to evaluate the model. */
    public static final Setting<Double> HOLDOUT = line(
                    Heading.EVALUATION,
                    "holdout",
                    Form.NUMBER,
                    0.0,
                    "Hold this part of the rows out of training (0.2 for a fifth), and report how good the model is on"
                            + " them. The content of a row and the seed decide whether it is held out.")
            .label("PART")
            .checked(value -> require(
                    value >= 0 && value < 1,
                    value,
                    "holdout " + value + " must be a fraction of the rows below 1, for example 0.2, or 0 for none"));

    /** Which standard errors the fit ends with. */
    public static final Setting<StandardErrors> STANDARD_ERRORS = line(
                    Heading.EVALUATION,
                    "standard-errors",
                    Form.STANDARD_ERRORS,
                    StandardErrors.NONE,
                    "Standard errors, which the model file then has what it takes to compute: model, those of the"
                            + " family; HC0, HC1, HC2 or HC3, robust ones; CR1 or CR2, robust ones for clusters;"
                            + " random-intercept, those of a model with a random intercept per cluster too. Only with"
                            + " lambda 0.")
            .label("KIND")
            .choices(StandardErrors::names)
            .agreed();

    /** Whether to measure how much nodes differ. */
    public static final Setting<Differences> HETEROGENEITY = line(
                    Heading.EVALUATION,
                    "heterogeneity",
                    Form.DIFFERENCES,
                    Differences.NONE,
                    "With standard errors, also test whether nodes have the same coefficients, by one number that they"
                            + " add up; from five sites on also Cochran's Q of each coefficient. Names of columns instead"
                            + " of true also test theirs by themselves; by-site shows every site's own estimates and"
                            + " those without it, if all sites allow that.")
            .agreed();

    /** Survival curves by agreed intervals. */
    public static final Setting<Curves> CURVES = line(
                    Heading.EVALUATION,
                    "curves",
                    Form.CURVES,
                    Curves.NONE,
                    "With the loss cox and standard errors, also count events by intervals that end at these times, for"
                            + " survival curves: 90,180,365, or 90,180,365 by drug for groups to compare.")
            .agreed();

    /** Whether to test if coefficients of a Cox regression change with time. */
    public static final Setting<TimeScale> PROPORTIONAL_HAZARDS = line(
                    Heading.EVALUATION,
                    "proportional-hazards",
                    Form.TIME_SCALE,
                    TimeScale.NONE,
                    "With the loss cox and standard errors, also test whether hazards are proportional, that is, whether"
                            + " no coefficient changes with time (identity) or its logarithm (log).")
            .label("SCALE")
            .choices(TimeScale::names)
            .checked(scale -> require(
                    !scale.dependsOnRows(),
                    scale,
                    "proportional-hazards " + scale.text() + " depends on the times of all rows, which no node knows;"
                            + " give identity or log"))
            .agreed();

    /** All classes, if they are known beforehand; empty to use the labels of the rows. */
    public static final Setting<List<Double>> LABELS = line(
                    Heading.OBJECTIVE,
                    "labels",
                    Form.NUMBERS,
                    List.of(),
                    "The labels of all classes, separated by commas, if rows need not have all of them.")
            .checked(labels -> labels.stream()
                    .map(label -> label + 0.0)
                    .sorted()
                    .distinct()
                    .toList());

    /**
     * Whether each of several classes is told from the rest by a model of its own, where a loss could tell them all
     * apart.
     */
    public static final Setting<Boolean> ONE_VERSUS_REST = line(
                    Heading.OBJECTIVE,
                    "one-versus-rest",
                    Form.TRUTH,
                    false,
                    "With more than two classes, tell each from the rest by a model of its own. Without it, logistic is"
                            + " softmax, one model of all classes, unless the method takes one score per row only; the"
                            + " other losses for two classes know no other way.")
            .agreed();

    /** What a study with cross-validation determines besides what is minimised. */
    public static final List<Setting<?>> OF_FOLDS = List.of(CV, CV_COLUMNS, CV_RULE);

    private final int index;
    private final Heading heading;
    private final String name;
    private final Form<T> form;
    private final T usual;
    private final String help;
    private String label;
    private Supplier<List<String>> choices;
    private UnaryOperator<T> check = UnaryOperator.identity();
    private boolean agreed;

    private Setting(Heading heading, String name, Form<T> form, T usual, String help) {
        this.index = TABLE.size();
        this.heading = heading;
        this.name = name;
        this.form = form;
        this.usual = usual;
        this.help = help;
        this.label = name.toUpperCase(Locale.ROOT);
    }

    private static <T> Setting<T> line(Heading heading, String name, Form<T> form, T usual, String help) {
        Setting<T> line = new Setting<>(heading, name, form, usual, help);
        TABLE.add(line);
        return line;
    }

    private Setting<T> label(String value) {
        this.label = value;
        return this;
    }

    private Setting<T> choices(Supplier<List<String>> value) {
        this.choices = value;
        return this;
    }

    private Setting<T> checked(UnaryOperator<T> value) {
        this.check = value;
        return this;
    }

    private Setting<T> agreed() {
        this.agreed = true;
        return this;
    }

    /** All settings, in the order in which files list them. */
    public static List<Setting<?>> all() {
        return Collections.unmodifiableList(TABLE);
    }

    /** The setting with a name. */
    public static Setting<?> named(String name) {
        return InvalidInputException.<Setting<?>>named("setting", name, TABLE, Setting::name);
    }

    /** The name in files and, after two dashes, on the command line. */
    public String name() {
        return name;
    }

    /** What the setting is about. */
    public Heading heading() {
        return heading;
    }

    /** What it does, in a sentence or a few. */
    public String help() {
        return help;
    }

    /** What help calls the value. */
    public String label() {
        return label;
    }

    /** The type by which a value can be given: {@code Double}, {@code Long}, {@code Boolean} or {@code String}. */
    public Class<?> type() {
        return form.type();
    }

    /** Whether its values are chosen from a list of names. */
    public boolean hasChoices() {
        return choices != null;
    }

    /**
     * The values to choose from, if they have names; empty if they do not. Some are names of services, which takes time
     * to look for.
     */
    public List<String> choices() {
        return hasChoices() ? choices.get() : List.of();
    }

    /** Whether sites agree on it in a study, so that a site's own file must not give it as well. */
    public boolean isAgreed() {
        return agreed;
    }

    /** The default. */
    public T usual() {
        return usual;
    }

    /** The default as text. */
    public String usualText() {
        return form.writer().apply(usual);
    }

    /** Its place in the table. */
    int index() {
        return index;
    }

    /** Returns the value in its one form, or refuses it in a line that names the setting. */
    T valid(T value) {
        return check.apply(value);
    }

    /** Parses and checks a value. */
    public T parse(String text) {
        return valid(form.parser().apply(name, text));
    }

    /** A value as text that {@link #parse} reads. */
    public String text(T value) {
        return form.writer().apply(value);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Refuses penalties that are neither 0 nor of a size that whoever checks the result can compute with. */
    private static Double provable(String name, Double value) {
        return require(
                value == 0 || LambdaPath.isProvable(value),
                value,
                name + " " + value + " must be 0 or " + LambdaPath.PROVABLE + ", for example 1e-4");
    }

    private static <T> T require(boolean holds, T value, String message) {
        if (!holds) {
            throw new InvalidInputException(message);
        }
        return value;
    }

    private static String knownMethod(String name) {
        return name.equals(Methods.AUTO) ? name : Methods.named(name).name();
    }
}
