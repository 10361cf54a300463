package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowSample;
import dev.starling.loss.LabelDomain;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.StoppingRule;
import dev.starling.model.Differences;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import dev.starling.problem.Regulariser;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Everything that a result depends on besides rows and graph: a value for every {@link Setting}. All front ends use
 * this: the command line, the builder, a site's file, Spark's parameters. All nodes of a job have the same settings.
 *
 * <p>It is longer than most classes, because every setting has its accessor, and what goes together is checked here.
 *
 * <p>A value is checked when it is set; whether values go together is checked by {@link #checked}, in any order of
 * setting them. Immutable.
 */
public final class Settings {

    /** By place in the table; null where the default holds. */
    private final Object[] given;

    private Settings(Object... given) {
        this.given = given;
    }

    /** The defaults for a loss. */
    public static Settings of(Loss loss) {
        return new Settings(new Object[Setting.all().size()]).with(Setting.LOSS, loss);
    }

    /**
     * Parses settings from text, by the keys of {@link #toMap}; missing ones have their defaults.
     *
     * @throws InvalidInputException if a key is unknown, a value is invalid, or values do not go together; the message
     *     names it
     */
    public static Settings of(Map<String, String> map) {
        return of(map, Setting.LOSS::parse);
    }

    /** Like {@link #of(Map)}, with a function that finds losses by name, for losses that are not Starling's own. */
    public static Settings of(Map<String, String> map, Function<String, Loss> losses) {
        Settings settings = new Settings(new Object[Setting.all().size()]);
        for (Map.Entry<String, String> entry : map.entrySet()) {
            Setting<?> setting = Setting.named(entry.getKey());
            settings = setting == Setting.LOSS
                    ? settings.with(Setting.LOSS, losses.apply(entry.getValue()))
                    : settings.parsed(setting, entry.getValue());
        }
        return settings.checked();
    }

    private <T> Settings parsed(Setting<T> setting, String text) {
        return with(setting, setting.parse(text));
    }

    /** The value of a setting. */
    @SuppressWarnings("unchecked") // with() puts only values of the setting's type there
    public <T> T get(Setting<T> setting) {
        Object value = given[setting.index()];
        return value == null ? setting.usual() : (T) value;
    }

    /** Whether a value was set; otherwise the default holds. */
    public boolean has(Setting<?> setting) {
        return given[setting.index()] != null;
    }

    /**
     * Returns a copy with another value.
     *
     * @throws InvalidInputException if the value alone makes no sense
     */
    public <T> Settings with(Setting<T> setting, T value) {
        Object[] changed = given.clone();
        changed[setting.index()] = setting.valid(value);
        return new Settings(changed);
    }

    /**
     * Returns these settings, complete: cross-validation without a path chooses among {@value LambdaPath#USUAL_COUNT}
     * values.
     *
     * @throws InvalidInputException if values do not go together
     */
    public Settings checked() {
        requireWhole();
        Settings complete =
                folds().isPresent() && !path().isPresent() ? with(Setting.LAMBDA_PATH, LambdaPath.usual()) : this;
        complete.requireSeveralToChooseFrom();
        complete.requireMethod();
        complete.requireLikelihood();
        if (loss().comparesRows() && (holdout() > 0 || complete.folds().isPresent())) {
            throw new InvalidInputException(
                    "the loss " + loss().name() + " compares rows of a stratum with each other, so"
                            + " none can be evaluated by itself; leave out holdout and cv");
        }
        if (get(Setting.ONE_VERSUS_REST) && (loss().outputs() > 1 || !loss().isClassification())) {
            throw new InvalidInputException("one-versus-rest tells one class from the others at a time, "
                    + (loss().isClassification()
                            ? "and the loss " + loss().name() + " all of them at once; leave one of the two out"
                            : "but the loss " + loss().name() + " predicts numbers; leave it out"));
        }
        if (bias() > 0 && intercept()) {
            throw new InvalidInputException("bias " + bias() + " and intercept both add an intercept, regularised by"
                    + " the first and not by the second; leave one out");
        }
        if (classWeights().balanced() && !loss().isClassification()) {
            throw new InvalidInputException("class-weights balanced goes with losses for classes, not with "
                    + loss().name() + "; leave it out");
        }
        return complete;
    }

    /** Refuses standard errors of what is not the estimate of a likelihood. */
    private void requireLikelihood() {
        if (curves().isAsked() && (loss().domain() != LabelDomain.TIMES || standardErrors() == StandardErrors.NONE)) {
            throw new InvalidInputException(
                    "curves " + curves().text() + " goes with times to an event and a table; give"
                            + " loss cox, lambda 0 and standard-errors model");
        }
        if (proportionalHazards() != TimeScale.NONE
                && (!loss().comparesRows() || standardErrors() == StandardErrors.NONE)) {
            throw new InvalidInputException(
                    "proportional-hazards " + proportionalHazards().text() + " goes with times to an event and a table;"
                            + " give loss cox, lambda 0 and standard-errors model");
        }
        if (standardErrors() == StandardErrors.NONE) {
            if (heterogeneity().isAsked()) {
                throw new InvalidInputException("heterogeneity goes with standard errors; give standard-errors model");
            }
            return;
        }
        String asked = "standard-errors " + standardErrors().text();
        if (!(loss() instanceof Likelihood) && !isWholeLikelihood()) {
            throw new InvalidInputException(asked + " needs a loss that is a likelihood, not " + loss().name()
                    + "; use one of the families, for example binomial, poisson or gaussian");
        }
        if (loss().outputs() > 1
                && (heterogeneity().bySite() || !heterogeneity().columns().isEmpty())) {
            throw new InvalidInputException("heterogeneity " + heterogeneity().text()
                    + " is about columns or sites by themselves, which needs a loss of one score per row, not "
                    + loss().name()
                    + "; give true");
        }
        if (lambda() != 0 || l1() != 0 || path().isPresent() || bias() > 0) {
            throw new InvalidInputException(
                    asked + " needs a fit without regularisation; give lambda 0, and no l1, path or bias");
        }
    }

    /**
     * Whether the loss is a likelihood of classes or of times, rows of which have no standard errors but those of it.
     */
    private boolean isWholeLikelihood() {
        if ((standardErrors().isRobust() || standardErrors() == StandardErrors.RANDOM_INTERCEPT)
                && (loss().comparesRows() || loss().outputs() > 1)) {
            throw new InvalidInputException(
                    "standard-errors " + standardErrors().text() + " needs a loss of one score" + " per row, not "
                            + loss().name() + "; use model");
        }
        return loss().comparesRows() || loss().outputs() > 1;
    }

    /** Refuses parts of a path, or of folds, without the whole. */
    private void requireWhole() {
        boolean choosing = get(Setting.CV).isPresent();
        if (!choosing
                && !get(Setting.LAMBDA_PATH).isPresent()
                && !get(Setting.L1_RATIOS).isEmpty()) {
            throw new InvalidInputException("l1-ratios " + text(Setting.L1_RATIOS)
                    + " are for a path of lambdas; give lambda-path too, or for one problem l1 instead");
        }
        if (!choosing && (!get(Setting.CV_COLUMNS).isEmpty() || get(Setting.CV_RULE) != Folds.Rule.MIN)) {
            Setting<?> part = get(Setting.CV_COLUMNS).isEmpty() ? Setting.CV_RULE : Setting.CV_COLUMNS;
            throw new InvalidInputException(
                    part + " " + text(part) + " is for cross-validation; give cv too, for example 10");
        }
    }

    private void requireSeveralToChooseFrom() {
        if (folds().isPresent() && path().size() < 2) {
            throw new InvalidInputException("cv " + text(Setting.CV)
                    + " chooses among several values of lambda, and there is one; give lambda-path, for example "
                    + LambdaPath.USUAL_COUNT);
        }
    }

    private void requireMethod() {
        problems().forEach(problem -> Methods.requireTakes(method(), objective(problem)));
    }

    /** The points of the path, as far as methods tell them apart. */
    private List<LambdaPath.Point> problems() {
        return path().isPresent() ? path().examples() : List.of(new LambdaPath.Point(lambda(), l1()));
    }

    /**
     * All settings as text that {@link #of(Map)} parses: for configuration and model files, and for nodes to compare.
     */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        Setting.all().forEach(setting -> map.put(setting.name(), text(setting)));
        return Collections.unmodifiableMap(map);
    }

    private <T> String text(Setting<T> setting) {
        return setting.text(get(setting));
    }

    /** Whether all values, set or default, are the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Settings that
                && Setting.all().stream().allMatch(setting -> get(setting).equals(that.get(setting)));
    }

    @Override
    public int hashCode() {
        return toMap().hashCode();
    }

    /** The values that differ from the defaults. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("Settings[loss=" + loss().name());
        for (Setting<?> setting : Setting.all()) {
            if (setting != Setting.LOSS && !get(setting).equals(setting.usual())) {
                text.append(", ").append(setting).append('=').append(text(setting));
            }
        }
        return text.append(']').toString();
    }

    /** The value, as stored in rows, of the feature whose weight makes the intercept; 0 if there is no such feature. */
    public float constantFeature() {
        return intercept() ? 1 : (float) bias();
    }

    /** Whether scaling matters: without regularisation, the best model is the same on scaled features. */
    public boolean scales() {
        boolean same = lambda() == 0 && l1() == 0 && (intercept() || scaling() == Scaling.SCALE);
        return scaling() != Scaling.NONE && !same;
    }

    /** Whether nodes add up means and deviations: to scale by them, or to move features far from zero. */
    public boolean gathersMoments() {
        return scales() || intercept();
    }

    /** Selects the rows that are held out from training. */
    public RowSample heldOut() {
        return new RowSample(holdout(), seed());
    }

    /** Whether some rows are held out, or dealt to folds. */
    public boolean choosesRows() {
        return holdout() > 0 || folds().isPresent();
    }

    /** The objective of one problem of the path. */
    public Objective objective(LambdaPath.Point point) {
        return new Objective(loss(), Regulariser.elasticNet(point.lambda(), point.l1()), intercept());
    }

    /** The objective. */
    public Objective objective() {
        return objective(new LambdaPath.Point(lambda(), l1()));
    }

    /**
     * These settings for rows of so many classes: with the loss for all of them. More than two are told apart at once
     * if that can be; otherwise the settings say that each is told from the rest.
     */
    public Settings forClasses(int classes) {
        boolean two = loss().isClassification() && loss().outputs() == 1;
        if (classes <= 2 || !two) {
            return with(Setting.LOSS, loss().forClasses(classes));
        }
        if (get(Setting.ONE_VERSUS_REST) || objectionToTogether().isPresent()) {
            return with(Setting.ONE_VERSUS_REST, true);
        }
        Settings joint = with(Setting.LOSS, loss().together().orElseThrow().forClasses(classes));
        joint.requireLikelihood();
        return joint;
    }

    /** Why a loss for two classes cannot give way to one that tells several apart at once; empty if it can. */
    public Optional<String> objectionToTogether() {
        Optional<Settings> joint = loss().together().map(loss -> with(Setting.LOSS, loss));
        return joint.isPresent()
                ? joint.get().problems().stream()
                        .flatMap(problem ->
                                Methods.objectionTo(method(), joint.get().objective(problem)).stream())
                        .findFirst()
                : Optional.of(
                        "the loss " + loss().name() + " tells two classes apart, and no loss of its kind several");
    }

    /** Whether there is a method, or the chosen one is one, that can take the objective and rows of this shape. */
    public boolean suits(Shape shape) {
        try {
            Methods.chosen(method(), objective(), shape);
            return true;
        } catch (InvalidInputException e) {
            return false;
        }
    }

    /** When training may end. */
    public StoppingRule rule() {
        return new StoppingRule(gap(), maxEpochs());
    }

    /** The values of λ to solve for one after another, if there are several. */
    public LambdaPath path() {
        return get(Setting.LAMBDA_PATH).withL1Ratios(get(Setting.L1_RATIOS));
    }

    /** How cross-validation chooses one λ of the path, if it does. */
    public Folds folds() {
        return get(Setting.CV).by(get(Setting.CV_COLUMNS)).rule(get(Setting.CV_RULE));
    }

    /** See {@link Setting#LOSS}. */
    public Loss loss() {
        return get(Setting.LOSS);
    }

    /** See {@link Setting#LAMBDA}. */
    public double lambda() {
        return get(Setting.LAMBDA);
    }

    /** See {@link Setting#L1}. */
    public double l1() {
        return get(Setting.L1);
    }

    /** See {@link Setting#METHOD}. */
    public String method() {
        return get(Setting.METHOD);
    }

    /** See {@link Setting#GAP}. */
    public double gap() {
        return get(Setting.GAP);
    }

    /** See {@link Setting#MAX_EPOCHS}. */
    public double maxEpochs() {
        return get(Setting.MAX_EPOCHS);
    }

    /** See {@link Setting#MAX_SECONDS}. */
    public double maxSeconds() {
        return get(Setting.MAX_SECONDS);
    }

    /** See {@link Setting#SEED}. */
    public long seed() {
        return get(Setting.SEED);
    }

    /** See {@link Setting#TAU}. */
    public OptionalDouble delay() {
        return get(Setting.TAU);
    }

    /** See {@link Setting#BIAS}. */
    public double bias() {
        return get(Setting.BIAS);
    }

    /** See {@link Setting#INTERCEPT}. */
    public boolean intercept() {
        return get(Setting.INTERCEPT);
    }

    /** See {@link Setting#PRECISION}. */
    public Precision precision() {
        return get(Setting.PRECISION);
    }

    /** See {@link Setting#SCALING}. */
    public Scaling scaling() {
        return get(Setting.SCALING);
    }

    /** See {@link Setting#CLASS_WEIGHTS}. */
    public ClassWeighting classWeights() {
        return get(Setting.CLASS_WEIGHTS);
    }

    /** See {@link Setting#HOLDOUT}. */
    public double holdout() {
        return get(Setting.HOLDOUT);
    }

    /** See {@link Setting#CURVES}. */
    public Curves curves() {
        return get(Setting.CURVES);
    }

    /** See {@link Setting#PROPORTIONAL_HAZARDS}. */
    public TimeScale proportionalHazards() {
        return get(Setting.PROPORTIONAL_HAZARDS);
    }

    /** See {@link Setting#HETEROGENEITY}. */
    public Differences heterogeneity() {
        return get(Setting.HETEROGENEITY);
    }

    /** See {@link Setting#LABELS}. */
    public List<Double> labels() {
        return get(Setting.LABELS);
    }

    /** Whether rows with the same key must be at the same node: they are a cluster, a stratum or a site. */
    public boolean keepsKeysTogether() {
        return standardErrors().isClustered() || heterogeneity().isAsked() || loss().comparesRows();
    }

    /** See {@link Setting#STANDARD_ERRORS}. */
    public StandardErrors standardErrors() {
        return get(Setting.STANDARD_ERRORS);
    }

    /** Returns a copy with a path of λ. */
    public Settings withPath(LambdaPath value) {
        return with(Setting.LAMBDA_PATH, value.withL1Ratios(List.of())).with(Setting.L1_RATIOS, value.l1Ratios());
    }

    /** Returns a copy with cross-validation. */
    public Settings withFolds(Folds value) {
        return with(Setting.CV, value.withoutDetails())
                .with(Setting.CV_COLUMNS, value.columns())
                .with(Setting.CV_RULE, value.rule());
    }
}
