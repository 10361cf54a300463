package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.settings.Settings;
import dev.starling.table.Recipe;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** Whether a model has an intercept, and of which kind. */
final class InterceptOptions {

    @Option(
            names = "--bias",
            paramLabel = "B",
            arity = "0..1",
            fallbackValue = "1",
            defaultValue = "0",
            description =
                    "Add a feature with value B (default: 1) to every row. Its weight acts as an intercept that is"
                            + " regularised like the other weights.")
    private double bias;

    @Option(
            names = "--intercept",
            description = "Add an intercept that is not regularised: the default if columns have names, unless the"
                    + " method is one of the ADFS family.")
    private boolean intercept;

    @Option(names = "--no-intercept", description = "Train without an intercept.")
    private boolean noIntercept;

    private boolean isSettled;

    /** Fills in what the options leave open from the settings of an earlier run, after which nothing is open. */
    void like(Settings settings, Predicate<String> isGiven) {
        if (!intercept && !noIntercept && !isGiven.test("--bias")) {
            bias = settings.bias();
            intercept = settings.intercept();
        }
        isSettled = true;
    }

    /** The value of the intercept's feature; 0 for none. */
    double bias() {
        return bias;
    }

    /** Whether an intercept that is not regularised was asked for. */
    boolean isAsked() {
        return intercept;
    }

    /** Adds the default intercept: if no option decides, columns have names and the method supports one. */
    Trainer withUsual(Trainer trainer, Dataset rows, Optional<Recipe> recipe, Consumer<String> remark) {
        if (!isOpen()
                || rows.names().isEmpty()
                || !recipe.map(Recipe::intercept).orElse(true)) {
            return trainer;
        }
        try {
            Trainer extended = trainer.intercept(true);
            Settings settings = extended.settings();
            Methods.chosen(settings.method(), settings.objective(), Shape.of(rows.withFeatures(rows.features() + 1)));
            return extended;
        } catch (InvalidInputException e) {
            remark.accept("the model has no intercept: " + OptionWords.of(e.getMessage()));
            return trainer;
        }
    }

    /** Whether neither an option nor an earlier run decides about the intercept. */
    private boolean isOpen() {
        return !isSettled && !intercept && !noIntercept && bias == 0;
    }
}
