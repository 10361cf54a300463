package dev.starling.cli.options;

import dev.starling.Trainer;
import dev.starling.cli.console.Json;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The objective: options for the loss and the regularisation. */
@Under(Section.OBJECTIVE)
public final class LossOptions {

    @Option(names = "--loss")
    private String loss;

    @Option(
            names = "--delta",
            paramLabel = "D",
            description = "Parameter of the huber loss: the error beyond which it is linear.")
    private Double delta;

    @Option(
            names = "--epsilon",
            paramLabel = "E",
            description = "Parameter of the epsilon-insensitive losses: errors up to this cost nothing.")
    private Double epsilon;

    @Option(names = "--quantile", paramLabel = "Q", description = "Parameter of the quantile loss, between 0 and 1.")
    private Double quantile;

    @Option(
            names = "--smoothing",
            paramLabel = "G",
            description = "Parameter of the smoothed-hinge loss: the width of its quadratic part.")
    private Double smoothing;

    @Option(names = "--lambda")
    private Double lambda;

    @Option(
            names = "--c",
            paramLabel = "C",
            description = "Regularisation as LIBLINEAR's C, instead of --lambda: L = 1/(C times the number of rows).")
    private Double c;

    @Option(names = "--l1")
    private double l1;

    /** λ₁ of an elastic net; 0 for none. */
    public double l1() {
        return l1;
    }

    /** The loss that was asked for. */
    public Loss loss() {
        String name = loss;
        for (Map.Entry<String, Double> parameter : parameters().entrySet()) {
            if (parameter.getValue() != null) {
                name = withParameter(name, parameter.getKey(), parameter.getValue());
            }
        }
        return Losses.named(name);
    }

    private Map<String, Double> parameters() {
        Map<String, Double> parameters = new LinkedHashMap<>();
        parameters.put("--delta", delta);
        parameters.put("--epsilon", epsilon);
        parameters.put("--quantile", quantile);
        parameters.put("--smoothing", smoothing);
        return parameters;
    }

    private static String withParameter(String name, String option, double value) {
        List<String> owners = switch (option) {
            case "--delta" -> List.of("huber");
            case "--epsilon" -> List.of("epsilon-insensitive", "squared-epsilon-insensitive");
            case "--quantile" -> List.of("quantile");
            default -> List.of("smoothed-hinge");
        };
        if (!owners.contains(name)) {
            throw new InvalidInputException(option + " " + Json.text(value) + " is a parameter of --loss "
                    + String.join(" or ", owners) + ", not of --loss " + name);
        }
        return name + "(" + value + ")";
    }

    /** Checks what can be checked before the data is read. */
    public void check() {
        loss();
        checkRegularisation();
    }

    /** The part of {@link #check()} that does not depend on the loss. */
    public void checkRegularisation() {
        if (lambda != null && c != null) {
            throw new InvalidInputException("--lambda " + Json.text(lambda) + " and --c " + Json.text(c)
                    + " both say how much to regularise; give one of them");
        }
        requirePositive("--c", c, "1");
        try {
            Settings.of(Map.of()).with(Setting.LAMBDA, lambda()).with(Setting.L1, l1);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(OptionWords.of(e.getMessage()), e);
        }
    }

    public static void requirePositive(String option, Double value, String example) {
        if (value != null && (!(value > 0) || Double.isInfinite(value))) {
            throw new InvalidInputException(
                    option + " " + Json.text(value) + " must be positive and finite, for example " + example);
        }
    }

    /** λ, unless it was given as C. */
    public double lambda() {
        return lambda == null ? Setting.LAMBDA.usual() : lambda;
    }

    /** λ for these rows. */
    public double lambda(Dataset rows) {
        return c == null ? lambda() : trainer().settingsFor(rows).lambda();
    }

    /** A trainer for the objective. */
    public Trainer trainer() {
        Trainer trainer = Trainer.of(loss()).l1(l1);
        if (c != null) {
            return trainer.c(c);
        }
        return lambda == null ? trainer : trainer.lambda(lambda);
    }
}
