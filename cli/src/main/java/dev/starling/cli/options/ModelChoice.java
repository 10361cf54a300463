package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import java.nio.file.Path;
import java.util.OptionalDouble;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which model a command uses: the file and, if that holds a path of lambdas, which model of the path. */
public final class ModelChoice {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "Model file.")
    private Path file;

    @Option(
            names = "--lambda",
            paramLabel = "L",
            description = "Which model of a path to use (default: the last, which has the smallest lambda).")
    private Double lambda;

    @Option(
            names = "--l1",
            paramLabel = "L1",
            description =
                    "Which model to use if the path has several for each lambda; without --lambda, that of a lasso.")
    private Double l1;

    /** The file. */
    public Path file() {
        return file;
    }

    /** Reads the file and returns the chosen model. */
    public LinearModel load() {
        return load(file);
    }

    private boolean isQuiet() {
        OptionSpec quiet = spec.findOption("--quiet");
        return quiet != null && Boolean.TRUE.equals(quiet.getValue());
    }

    /** Reads another file and returns the model that is chosen in the same way. */
    public LinearModel load(Path other) {
        LinearModel last = LinearModel.load(other);
        if (last.inference().flatMap(Inference::random).isPresent() && !isQuiet()) {
            spec.commandLine()
                    .getErr()
                    .println(other + ": the coefficients used here are those of the fit without random intercepts;"
                            + " 'starling glm " + other
                            + "' prints those of the fit with them, which makes no predictions");
        }
        if (lambda == null && l1 == null) {
            return last;
        }
        try {
            return last.at(lambda == null ? 0 : lambda, l1 == null ? OptionalDouble.empty() : OptionalDouble.of(l1));
        } catch (InvalidInputException e) {
            throw new InvalidInputException(other + ": " + e.getMessage(), e);
        }
    }
}
