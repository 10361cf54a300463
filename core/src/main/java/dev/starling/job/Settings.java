package dev.starling.job;

import dev.starling.certificate.StoppingRule;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowSample;
import dev.starling.loss.Logistic;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.problem.Regulariser;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Everything that a result depends on besides rows and graph, validated on construction. All front ends use this
 * record: the command line, the builder, a site's file, Spark's parameters. All nodes of a job have the same settings.
 *
 * @param loss the loss ℓ
 * @param lambda λ in mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁; 0 for no regularisation; ignored if there is a path
 * @param l1 λ₁; 0 for none; ignored if there is a path
 * @param path the values of λ to solve for one after another, if there are several, and how one of them is chosen
 * @param method the name of the method, or {@code auto}
 * @param gap the relative duality gap to reach
 * @param maxEpochs the number of passes over the samples after which training stops, certified or not
 * @param maxSeconds the number of seconds after which training stops, certified or not; infinite for no limit
 * @param seed the seed of all random choices
 * @param delay τ, the delay of a round in proximal steps, to tune for; empty to let the runtime determine it
 * @param bias the value of an extra feature whose weight, regularised like all others, makes the intercept; 0 for none
 * @param intercept whether there is a free intercept, one that is not regularised
 * @param scaling how features are scaled for training
 * @param classWeights how rows are weighted by class
 * @param holdout the fraction of rows that are held out from training to evaluate the model; 0 for none
 * @param labels all classes, if they are known beforehand; empty to use the labels of the rows
 */
public record Settings(
        Loss loss,
        double lambda,
        double l1,
        LambdaPath path,
        String method,
        double gap,
        double maxEpochs,
        double maxSeconds,
        long seed,
        OptionalDouble delay,
        double bias,
        boolean intercept,
        Scaling scaling,
        ClassWeighting classWeights,
        double holdout,
        List<Double> labels) {

    /** Validates every value. */
    public Settings {
        if (!(lambda >= 0) || Double.isInfinite(lambda)) {
            throw new InvalidInputException("lambda " + lambda + " must be 0 or more, and finite, for example 1e-4");
        }
        if (!(l1 >= 0) || Double.isInfinite(l1)) {
            throw new InvalidInputException("l1 " + l1 + " must be 0 or more, and finite, for example 1e-4");
        }
        // After λ = 0, a builder may still set an l1 term; if it does not, the job refuses.
        boolean open = !path.isPresent()
                && lambda + l1 == 0
                && Methods.canTake(method, new Objective(loss, new Regulariser.Lasso(1), intercept));
        List<LambdaPath.Point> alone = open ? List.of() : List.of(new LambdaPath.Point(lambda, l1));
        for (LambdaPath.Point point : path.isPresent() ? path.examples() : alone) {
            Methods.requireTakes(
                    method, new Objective(loss, Regulariser.elasticNet(point.lambda(), point.l1()), intercept));
        }
        new StoppingRule(gap, maxEpochs);
        if (!(maxSeconds > 0)) {
            throw new InvalidInputException("max-seconds " + maxSeconds + " must be positive");
        }
        if (delay.isPresent() && (!(delay.getAsDouble() >= 0) || Double.isInfinite(delay.getAsDouble()))) {
            throw new InvalidInputException("tau " + delay.getAsDouble() + " must be 0 or more, and finite");
        }
        if (!(bias >= 0) || Double.isInfinite((float) bias)) {
            throw new InvalidInputException("bias " + bias + " must be positive, for example 1, or 0 for none");
        }
        if (bias > 0 && intercept) {
            throw new InvalidInputException("bias " + bias + " and intercept both add an intercept, regularised by"
                    + " the first and not by the second; leave one out");
        }
        if (classWeights.balanced() && !loss.isClassification()) {
            throw new InvalidInputException(
                    "class-weights balanced goes with losses for classes, not with " + loss.name() + "; leave it out");
        }
        if (!(holdout >= 0) || !(holdout < 1)) {
            throw new InvalidInputException(
                    "holdout " + holdout + " must be a fraction of the rows below 1, for example 0.2, or 0 for none");
        }
        labels = labels.isEmpty()
                ? List.of()
                : labels.stream().map(label -> label + 0.0).sorted().distinct().toList();
    }

    /** The defaults for a loss: λ = 1e-4, a gap of 1e-6, 10,000 epochs, seed 1. */
    public static Settings of(Loss loss) {
        return new Settings(
                loss,
                1e-4,
                0,
                LambdaPath.NONE,
                Methods.AUTO,
                1e-6,
                10_000,
                Double.POSITIVE_INFINITY,
                1,
                OptionalDouble.empty(),
                0,
                false,
                Scaling.NONE,
                ClassWeighting.NONE,
                0,
                List.of());
    }

    /** The value, as stored in rows, of the feature whose weight makes the intercept; 0 if there is no such feature. */
    public float constantFeature() {
        return intercept ? 1 : (float) bias;
    }

    /** Whether scaling matters: without regularisation, the best model is the same on scaled features. */
    public boolean scales() {
        boolean same = lambda == 0 && l1 == 0 && (intercept || scaling == Scaling.SCALE);
        return scaling != Scaling.NONE && !same;
    }

    /** Selects the rows that are held out from training. */
    public RowSample heldOut() {
        return new RowSample(holdout, seed);
    }

    /** The objective of one problem of the path. */
    Objective objective(LambdaPath.Point point) {
        return new Objective(loss, Regulariser.elasticNet(point.lambda(), point.l1()), intercept);
    }

    /** The objective. */
    public Objective objective() {
        return objective(new LambdaPath.Point(lambda, l1));
    }

    /** When training may end. */
    public StoppingRule rule() {
        return new StoppingRule(gap, maxEpochs);
    }

    /** Returns a copy with another λ. */
    public Settings withLambda(double value) {
        return changed(draft -> draft.lambda = value);
    }

    /** Returns a copy with another λ₁. */
    public Settings withL1(double value) {
        return changed(draft -> draft.l1 = value);
    }

    /** Returns a copy with a path of λ. */
    public Settings withPath(LambdaPath value) {
        return changed(draft -> draft.path = value);
    }

    /** Returns a copy with another method. */
    public Settings withMethod(String value) {
        return changed(draft -> draft.method = value);
    }

    /** Returns a copy with another gap. */
    public Settings withGap(double value) {
        return changed(draft -> draft.gap = value);
    }

    /** Returns a copy with another limit on epochs. */
    public Settings withMaxEpochs(double value) {
        return changed(draft -> draft.maxEpochs = value);
    }

    /** Returns a copy with another limit on seconds. */
    public Settings withMaxSeconds(double value) {
        return changed(draft -> draft.maxSeconds = value);
    }

    /** Returns a copy with another seed. */
    public Settings withSeed(long value) {
        return changed(draft -> draft.seed = value);
    }

    /** Returns a copy with another τ. */
    public Settings withDelay(OptionalDouble value) {
        return changed(draft -> draft.delay = value);
    }

    /** Returns a copy with another bias. */
    public Settings withBias(double value) {
        return changed(draft -> draft.bias = value);
    }

    /** Returns a copy with or without a free intercept. */
    public Settings withIntercept(boolean value) {
        return changed(draft -> draft.intercept = value);
    }

    /** Returns a copy with another scaling. */
    public Settings withScaling(Scaling value) {
        return changed(draft -> draft.scaling = value);
    }

    /** Returns a copy with other class weights. */
    public Settings withClassWeights(ClassWeighting value) {
        return changed(draft -> draft.classWeights = value);
    }

    /** Returns a copy with another fraction of rows that are held out from training. */
    public Settings withHoldout(double value) {
        return changed(draft -> draft.holdout = value);
    }

    /** Returns a copy with other classes. */
    public Settings withLabels(List<Double> value) {
        return changed(draft -> draft.labels = value);
    }

    private Settings changed(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.checked();
    }

    /** A mutable copy of settings, from which changed ones are made. */
    private static final class Draft {
        private final Loss loss;
        private double lambda;
        private double l1;
        private LambdaPath path;
        private String method;
        private double gap;
        private double maxEpochs;
        private double maxSeconds;
        private long seed;
        private OptionalDouble delay;
        private double bias;
        private boolean intercept;
        private Scaling scaling;
        private ClassWeighting classWeights;
        private double holdout;
        private List<Double> labels;

        Draft(Settings from) {
            this.loss = from.loss;
            this.lambda = from.lambda;
            this.l1 = from.l1;
            this.path = from.path;
            this.method = from.method;
            this.gap = from.gap;
            this.maxEpochs = from.maxEpochs;
            this.maxSeconds = from.maxSeconds;
            this.seed = from.seed;
            this.delay = from.delay;
            this.bias = from.bias;
            this.intercept = from.intercept;
            this.scaling = from.scaling;
            this.classWeights = from.classWeights;
            this.holdout = from.holdout;
            this.labels = from.labels;
        }

        Settings checked() {
            return new Settings(
                    loss,
                    lambda,
                    l1,
                    path,
                    method,
                    gap,
                    maxEpochs,
                    maxSeconds,
                    seed,
                    delay,
                    bias,
                    intercept,
                    scaling,
                    classWeights,
                    holdout,
                    labels);
        }
    }

    /**
     * All settings as text that {@link #of(Map)} parses: for configuration and model files, and for nodes to compare.
     */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("loss", loss.name());
        map.put("lambda", String.valueOf(lambda));
        map.put("l1", String.valueOf(l1));
        map.put("lambda-path", path.text());
        map.put("l1-ratios", path.ratiosText());
        map.put("cv", path.folds().text());
        map.put("cv-columns", path.folds().columnsText());
        map.put("cv-rule", path.folds().rule().text());
        map.put("method", method);
        map.put("gap", String.valueOf(gap));
        map.put("max-epochs", String.valueOf(maxEpochs));
        map.put("max-seconds", String.valueOf(maxSeconds));
        map.put("seed", String.valueOf(seed));
        map.put("tau", delay.isPresent() ? String.valueOf(delay.getAsDouble()) : Methods.AUTO);
        map.put("bias", String.valueOf(bias));
        map.put("intercept", String.valueOf(intercept));
        map.put("scaling", scaling.lowerCase());
        map.put("class-weights", classWeights.text());
        map.put("holdout", String.valueOf(holdout));
        map.put("labels", labels.stream().map(String::valueOf).collect(Collectors.joining(",")));
        return Collections.unmodifiableMap(map);
    }

    /**
     * Parses settings from text, by the keys of {@link #toMap}; missing ones have their defaults.
     *
     * @throws InvalidInputException if a key is unknown or a value is invalid; the message names it
     */
    public static Settings of(Map<String, String> map) {
        return of(map, Losses::named);
    }

    /** Like {@link #of(Map)}, with a function that finds losses by name, for losses that are not Starling's own. */
    public static Settings of(Map<String, String> map, Function<String, Loss> losses) {
        Settings defaults = of(new Logistic());
        Map<String, String> all = new LinkedHashMap<>(defaults.toMap());
        map.forEach((key, value) -> {
            if (!all.containsKey(key)) {
                throw InvalidInputException.unknownName("setting", key, all.keySet());
            }
            all.put(key, value);
        });
        return new Settings(
                losses.apply(all.get("loss")),
                number("lambda", all),
                number("l1", all),
                LambdaPath.of(all.get("lambda-path"), all.get("l1-ratios"))
                        .with(Folds.of(all.get("cv"), all.get("cv-columns"), all.get("cv-rule"))),
                all.get("method"),
                number("gap", all),
                number("max-epochs", all),
                number("max-seconds", all),
                integer("seed", all),
                all.get("tau").equals(Methods.AUTO) ? OptionalDouble.empty() : OptionalDouble.of(number("tau", all)),
                number("bias", all),
                bool("intercept", all),
                Scaling.named(all.get("scaling")),
                ClassWeighting.of(all.get("class-weights")),
                number("holdout", all),
                numbers("labels", all.get("labels")));
    }

    private static double number(String key, Map<String, String> map) {
        return number(key, map.get(key));
    }

    static double number(String key, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new InvalidInputException(key + " is '" + text + "'; it must be a number", e);
        }
    }

    private static long integer(String key, Map<String, String> map) {
        try {
            return Long.parseLong(map.get(key).strip());
        } catch (NumberFormatException e) {
            throw new InvalidInputException(key + " is '" + map.get(key) + "'; it must be a whole number", e);
        }
    }

    private static boolean bool(String key, Map<String, String> map) {
        return switch (map.get(key).strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidInputException(key + " is '" + map.get(key) + "'; it must be true or false");
        };
    }

    /** Parses numbers separated by commas. */
    static List<Double> numbers(String key, String text) {
        return text.isBlank()
                ? List.of()
                : List.of(text.split(",")).stream()
                        .map(part -> number(key, part))
                        .toList();
    }
}
