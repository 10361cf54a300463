package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.job.Settings;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options for a path: many values of lambda in one run. */
final class PathOptions {

    private static final String PATH = "--lambda-path";
    private static final String RATIOS = "--l1-ratios";

    @Option(
            names = PATH,
            paramLabel = "N",
            defaultValue = "",
            description = "Train for N values of lambda, or for those of a list such as 1e-2,1e-3,1e-4, each from where"
                    + " the last one ended. The N run from where no weight is left down to 1/10000 of that. The model is"
                    + " that of the smallest and holds the others.")
    private String values;

    @Option(
            names = RATIOS,
            paramLabel = "R",
            defaultValue = "",
            description = "With --lambda-path, the share of the l1 term in the penalty: L1 = L R/(1 - R). Several, with"
                    + " commas between them, give a path each (default: 0).")
    private String ratios;

    /** Takes from the settings of an earlier run what the options leave open. */
    void like(Settings settings, Predicate<String> isGiven) {
        boolean one = Stream.of("--lambda", "--c", "--l1").anyMatch(isGiven);
        values = isGiven.test(PATH) || one ? values : settings.toMap().get("lambda-path");
        ratios = isGiven.test(RATIOS) || one ? ratios : settings.toMap().get("l1-ratios");
    }

    /** The trainer for the path, if there is one. */
    Trainer apply(Trainer trainer, Predicate<String> isGiven) {
        for (String other : new String[] {"--lambda", "--c", "--l1"}) {
            if (!values.isBlank() && isGiven.test(other)) {
                throw new InvalidInputException(PATH + " " + values + " and " + other
                        + " both say how much to regularise; give one of them"
                        + (other.equals("--l1") ? ", and with a path " + RATIOS : ""));
            }
        }
        return trainer.lambdaPath(values, ratios);
    }
}
