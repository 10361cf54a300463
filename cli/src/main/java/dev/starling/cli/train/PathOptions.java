package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.data.InvalidInputException;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for a path: many values of lambda in one run. */
final class PathOptions {

    private static final String PATH = "--lambda-path";
    private static final String RATIOS = "--l1-ratios";

    @Option(
            names = PATH,
            paramLabel = "N",
            defaultValue = "",
            description = "Train for N values of lambda, or for a list such as 1e-2,1e-3, each starting from the"
                    + " solution of the one before. N values run from the one at which all weights are 0"
                    + " down to 1/10000 of it. The model is that of the smallest lambda; its file also holds the"
                    + " others.")
    private String values;

    @Option(
            names = RATIOS,
            paramLabel = "R",
            defaultValue = "",
            description =
                    "With --lambda-path or --cv, the share of the l1 term in the penalty: L1 = L R/(1 - R). With 1, a"
                            + " lasso, lambda is 0 and the values are those of L1. Several shares, separated by commas,"
                            + " give one path each (default: 0).")
    private String ratios;

    @Mixin
    private CvOptions cv;

    /** The options for choosing one of the values. */
    CvOptions cv() {
        return cv;
    }

    /** Fills in what the options leave open from the settings of an earlier run. */
    void like(Settings settings, Predicate<String> isGiven) {
        boolean one = Stream.of("--lambda", "--c", "--l1").anyMatch(isGiven);
        if (!one) {
            cv.like(settings, isGiven);
        }
        values = isGiven.test(PATH) || one ? values : settings.toMap().get("lambda-path");
        ratios = isGiven.test(RATIOS) || one ? ratios : settings.toMap().get("l1-ratios");
    }

    /**
     * Sets the path, if there is one, on a trainer.
     *
     * @param ids the columns that identify rows
     */
    Trainer apply(Trainer trainer, Predicate<String> isGiven, List<String> ids) {
        String path = values.isBlank() && cv.isPresent() ? String.valueOf(LambdaPath.USUAL_COUNT) : values;
        for (String other : new String[] {"--lambda", "--c", "--l1"}) {
            if (!path.isBlank() && isGiven.test(other)) {
                throw new InvalidInputException(
                        (values.isBlank() ? CvOptions.CV : PATH + " " + values) + " and " + other
                                + " both say how much to regularise; give one of them"
                                + (other.equals("--l1") ? ", and with a path " + RATIOS : ""));
            }
        }
        return cv.apply(
                trainer.with(Setting.LAMBDA_PATH, Setting.LAMBDA_PATH.parse(path))
                        .with(Setting.L1_RATIOS, Setting.L1_RATIOS.parse(ratios)),
                ids);
    }
}
