package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.cli.options.OptionWords;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** Whether a model has an intercept, and of which kind. */
@Under(Section.OBJECTIVE)
final class InterceptOptions {

    @Option(names = "--bias", arity = "0..1", fallbackValue = "1")
    private Double bias;

    @Option(names = "--intercept")
    private Boolean intercept;

    @Option(names = "--no-intercept", description = "Train without an intercept.")
    private boolean noIntercept;

    /** Sets what the options, or an earlier run, say; the trainer has a default for what is left open. */
    Trainer apply(Trainer trainer) {
        Trainer biased = bias == null ? trainer : trainer.bias(bias);
        if (intercept != null) {
            return biased.intercept(intercept);
        }
        return noIntercept ? biased.intercept(false) : biased;
    }

    /** Remarks on a model that has no intercept because no method for its objective can take one. */
    void remarkOnNone(Settings used, Dataset rows, Consumer<String> remark) {
        boolean open = !used.has(Setting.INTERCEPT) && !used.has(Setting.BIAS);
        if (open && !rows.names().isEmpty()) {
            try {
                Methods.chosen(
                        used.method(),
                        used.with(Setting.INTERCEPT, true).objective(),
                        Shape.of(rows.withFeatures(rows.features() + 1)));
            } catch (InvalidInputException e) {
                remark.accept("the model has no intercept: " + OptionWords.of(e.getMessage()));
            }
        }
    }
}
