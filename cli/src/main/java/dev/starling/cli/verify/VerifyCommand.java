package dev.starling.cli.verify;

import dev.starling.cli.Main;
import dev.starling.cli.console.Json;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.verify.Verdict.Outcome;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.RowWeights;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks the certificate of a model file. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Checks the certificate of a model, from the model and its data alone.",
            "Objective and gap are computed anew, with twice the digits, by code that training does not use."
        },
        footer = {
            "",
            "Examples:",
            "  starling verify a9a.json a9a.gz",
            "  starling verify houses.json houses.csv --label-column price --json",
            "  starling verify model.json rows.txt --weights weights.txt",
            "  starling verify model-a.json all-rows.txt --site a.yaml",
            "",
            "Exit codes: 0 the certificate holds, 1 it does not or could not be confirmed, or a signature is missing"
                    + " or wrong, 2 bad input."
        })
public final class VerifyCommand implements Callable<Integer> {

    private static final int FEWEST_PASSES = 100;

    /** Values that can be gone through in well under a minute. */
    private static final long AFFORDABLE_WORK = 1_000_000_000L;

    /** What a step takes besides its row's values, in values. */
    private static final long ROW_OVERHEAD = 10;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "MODEL", description = "Model file, in Starling's JSON format.")
    private Path model;

    @Parameters(index = "1", paramLabel = "DATA", description = "The rows it was trained on; '-' is standard input.")
    private Path file;

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description = "Weights of the rows, one per line, if it was trained with them.")
    private Path weights;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "Go through the rows at most N times to find a proof (default: what takes under a minute,"
                    + " 100 at least).")
    private Integer passes;

    @Option(
            names = "--site",
            paramLabel = "SITE.YAML",
            description =
                    "The file of one of the sites that made the model: all sites in it must have signed the model.")
    private Path site;

    @Mixin
    private DataOptions data;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if (passes != null && passes < 0) {
            throw new InvalidInputException("--passes " + passes + " must be 0 or more");
        }
        LinearModel linear = LinearModel.load(model);
        Claim claim = Claim.of(linear, model);
        Dataset read = data.read(file, linear);
        Dataset rows = claim.heldOut().without(weights == null ? read : RowWeights.read(weights, read));
        Checker checker = new Checker(linear, claim, passes == null ? affordable(rows, linear.scores()) : passes);
        Verdict verdict = checker.check(rows);
        Signers signers = Signers.of(linear, Optional.ofNullable(site));
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Json.print(out, generator -> {
                generator.writeStringProperty(
                        "verdict", verdict.outcome().name().toLowerCase(Locale.ROOT));
                generator.writeStringProperty("reason", verdict.reason());
                Json.number(generator, "statedObjective", claim.objective());
                Json.number(generator, "objective", verdict.objective());
                Json.number(generator, "dual", verdict.dual());
                Json.number(generator, "statedGap", claim.gap());
                Json.number(generator, "gap", verdict.gap());
                generator.writeNumberProperty("passes", verdict.passes());
                generator.writeNumberProperty("rows", rows.rows());
                generator.writeStringProperty("modelHash", linear.hash());
                signers.write(generator);
            });
        } else {
            String verb = switch (verdict.outcome()) {
                case HOLDS -> "holds";
                case FALSE -> "does not hold";
                case UNCONFIRMED -> "cannot be confirmed";
            };
            out.println("the certificate " + verb + ": " + verdict.reason());
            signers.lines().forEach(out::println);
            out.flush();
        }
        return verdict.outcome() == Outcome.HOLDS && signers.areGood() ? Main.DONE : Main.UNCERTIFIED;
    }

    /** A number of passes that takes a minute at most unless rows are very many; the same on every machine. */
    private static int affordable(Dataset rows, int scores) {
        long work = scores * (rows.storedValues() + ROW_OVERHEAD * rows.rows());
        return (int) Math.max(FEWEST_PASSES, AFFORDABLE_WORK / work);
    }
}
