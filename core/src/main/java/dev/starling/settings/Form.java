package dev.starling.settings;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.model.Differences;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How values of one type are written as text in files, options and messages; the grammar of all settings is here.
 *
 * @param type the type of a value; a text if it is not a number or a boolean
 * @param parser parses a text; its first argument is the setting's name, for messages
 * @param writer writes a value as text that the parser reads
 */
record Form<T>(Class<?> type, BiFunction<String, String, T> parser, Function<T, String> writer) {

    static final Form<Double> NUMBER = new Form<>(Double.class, Form::number, String::valueOf);

    static final Form<Long> WHOLE = new Form<>(Long.class, Form::whole, String::valueOf);

    static final Form<Boolean> TRUTH = new Form<>(Boolean.class, Form::truth, String::valueOf);

    static final Form<String> TEXT = new Form<>(String.class, (name, text) -> text, text -> text);

    static final Form<List<String>> TEXTS =
            new Form<>(String.class, (name, text) -> parts(text).toList(), texts -> String.join(",", texts));

    static final Form<List<Double>> NUMBERS = new Form<>(String.class, Form::numbers, Form::joined);

    static final Form<OptionalDouble> NUMBER_OR_AUTO = new Form<>(
            String.class,
            (name, text) -> text.equals(Methods.AUTO) ? OptionalDouble.empty() : OptionalDouble.of(number(name, text)),
            value -> value.isPresent() ? String.valueOf(value.getAsDouble()) : Methods.AUTO);

    static final Form<Loss> LOSS = new Form<>(String.class, (name, text) -> Losses.named(text), Loss::name);

    static final Form<LambdaPath> PATH = new Form<>(
            String.class, Form::path, path -> path.count() > 0 ? String.valueOf(path.count()) : joined(path.lambdas()));

    static final Form<Folds> FOLDS = new Form<>(
            String.class,
            Form::folds,
            folds -> folds.ofSites() ? Folds.SITES : folds.count() == 0 ? "" : String.valueOf(folds.count()));

    static final Form<Folds.Rule> RULE =
            new Form<>(String.class, (name, text) -> Folds.Rule.named(text), Folds.Rule::text);

    static final Form<Scaling> SCALING =
            new Form<>(String.class, (name, text) -> Scaling.named(text), Scaling::lowerCase);

    static final Form<Precision> PRECISION =
            new Form<>(String.class, (name, text) -> Precision.named(text), Precision::lowerCase);

    static final Form<StandardErrors> STANDARD_ERRORS =
            new Form<>(String.class, (name, text) -> StandardErrors.named(text), StandardErrors::text);

    static final Form<Curves> CURVES = new Form<>(String.class, (name, text) -> Curves.named(text), Curves::text);

    static final Form<TimeScale> TIME_SCALE =
            new Form<>(String.class, (name, text) -> TimeScale.named(text), TimeScale::text);

    static final Form<Differences> DIFFERENCES =
            new Form<>(String.class, (name, text) -> Differences.named(text), Differences::text);

    static final Form<ClassWeighting> CLASS_WEIGHTS = new Form<>(
            String.class,
            Form::classWeights,
            weights -> weights.balanced()
                    ? ClassWeighting.BALANCED_TEXT
                    : weights.byLabel().entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(",")));

    private static double number(String name, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException e) {
            throw new InvalidInputException(name + " is '" + text + "'; it must be a number", e);
        }
    }

    private static long whole(String name, String text) {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new InvalidInputException(name + " is '" + text + "'; it must be a whole number", e);
        }
    }

    private static boolean truth(String name, String text) {
        return switch (text.strip()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidInputException(name + " is '" + text + "'; it must be true or false");
        };
    }

    private static Stream<String> parts(String text) {
        return text.isBlank() ? Stream.empty() : Stream.of(text.split(","));
    }

    private static List<Double> numbers(String name, String text) {
        return parts(text).map(part -> number(name, part)).toList();
    }

    private static String joined(Collection<Double> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** The number of values of λ, or the values themselves. */
    private static LambdaPath path(String name, String text) {
        List<Double> numbers = numbers(name, text);
        if (numbers.isEmpty()) {
            return LambdaPath.NONE;
        }
        if (!text.strip().matches("\\d+")) {
            return LambdaPath.values(numbers);
        }
        LambdaPath.requireSeveral(numbers.get(0).longValue());
        return LambdaPath.of(numbers.get(0).intValue());
    }

    private static Folds folds(String name, String text) {
        String count = text.strip();
        if (count.isEmpty()) {
            return Folds.NONE;
        }
        if (count.equals(Folds.SITES)) {
            return Folds.sites();
        }
        if (!count.matches("\\d{1,9}")) {
            throw new InvalidInputException(
                    name + " is '" + text + "'; it must be a number of folds such as 10, or " + Folds.SITES);
        }
        return Folds.of(Integer.parseInt(count));
    }

    private static ClassWeighting classWeights(String name, String text) {
        if (text.strip().equals(ClassWeighting.BALANCED_TEXT)) {
            return ClassWeighting.BALANCED;
        }
        Map<Double, Double> weights = new TreeMap<>();
        parts(text).forEach(part -> {
            int equals = part.indexOf('=');
            if (equals < 0) {
                throw new InvalidInputException(name + " has '" + part + "'; each must be LABEL=WEIGHT, such as 1=2.5,"
                        + " or the whole setting " + ClassWeighting.BALANCED_TEXT);
            }
            double label = number(name, part.substring(0, equals));
            if (weights.put(label, number(name, part.substring(equals + 1))) != null) {
                throw ClassWeighting.labelTwice(label);
            }
        });
        return ClassWeighting.of(weights);
    }
}
