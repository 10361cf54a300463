package dev.starling.cli.train;

import dev.starling.Trainer;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Setting;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for a path: many values of lambda in one run. */
@Under(Section.CHOOSING_LAMBDA)
final class PathOptions {

    private static final String PATH = "--lambda-path";
    private static final String RATIOS = "--l1-ratios";

    @Option(names = PATH)
    private String values;

    @Option(names = RATIOS)
    private String ratios;

    @Mixin
    private CvOptions cv;

    /** The options for choosing one of the values. */
    CvOptions cv() {
        return cv;
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
