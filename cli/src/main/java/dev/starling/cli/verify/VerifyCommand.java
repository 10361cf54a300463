package dev.starling.cli.verify;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.options.SourceOptions;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.RowWeights;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.recipe.Encoded;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import dev.starling.verify.Verdict;
import dev.starling.verify.Verification;
import dev.starling.verify.Verification.Finding;
import dev.starling.verify.VerifiedProblem;
import dev.starling.verify.Verifier;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the certificate of a model file. */
@Command(
        name = "verify",
        description = {
            "Checks the certificate of a model, from the model and its data alone.",
            "Objective and gap are computed again, with twice the digits, by code that training does not use.",
            "If the file holds a path, every model on it is checked. The problem is the one that the file states: it is"
                    + " printed, because a proof of another problem than yours is of no use."
        },
        footer = {
            "",
            "Examples:",
            "  starling verify a9a.json a9a.gz",
            "  starling verify houses.json houses.csv --label-column price --json",
            "  starling verify model.json rows.txt --weights weights.txt",
            "  starling verify model-a.json all-rows.txt --site a.yaml",
            "  starling verify model-a.json --signatures-only --site a.yaml",
            "",
            "Exit codes: 0 the certificate holds, 1 it does not or could not be confirmed, or a signature is missing"
                    + " or wrong, 2 bad input."
        })
public final class VerifyCommand extends ConsoleCommand {

    private static final Duration BETWEEN_NEWS = Duration.ofSeconds(10);

    @Parameters(index = "0", paramLabel = "MODEL", description = "Model file, in Starling's JSON format.")
    private Path model;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "DATA",
            description = "Rows that the model was trained on; '-' is standard input.")
    private Path file;

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description = "File with the weights of the rows, one per line, if the model was trained with them.")
    private Path weights;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "Make at most N passes over the rows to find a proof (default: what takes less than a minute,"
                    + " but at least 300).")
    private Integer passes;

    @Option(
            names = "--site",
            paramLabel = "SITE.YAML",
            description = "File of one of the sites that made the model: all sites in it must have signed the model.")
    private Path site;

    @Option(
            names = "--signatures-only",
            description = "Check only who has signed the model, without rows: no site has those of all.")
    private boolean signaturesOnly;

    @Mixin
    private SourceOptions data;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() {
        if (passes != null && passes < 0) {
            throw new InvalidInputException("--passes " + passes + " must be 0 or more");
        }
        if (signaturesOnly) {
            return signatures();
        }
        data.check(file);
        if (Files.exists(model) && !Files.isRegularFile(model) && !Files.isDirectory(model)) {
            throw new InvalidInputException(
                    model + " must be a file, because it is read twice, which a pipe does not allow");
        }
        LinearModel linear = LinearModel.load(model);
        Verifier claimed = Verifier.of(linear, model).watch(new News(err()));
        Verifier verifier = passes == null ? claimed : claimed.passes(passes);
        Verification found = verified(verifier, linear);
        Verdict verdict = found.model().verdict();
        Signers signers = Signers.of(linear, Optional.ofNullable(site));
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, generator -> {
                generator.with("verdict", name(verdict));
                generator.with("reason", verdict.reason());
                generator.with("statedObjective", found.model().statedObjective());
                generator.with("objective", verdict.objective());
                generator.with("dual", verdict.dual());
                generator.with("statedGap", found.model().statedGap());
                generator.with("gap", verdict.gap());
                generator.with("passes", verdict.passes());
                if (!found.path().isEmpty()) {
                    generator.objects("path", found.path(), VerifyCommand::write);
                }
                write(found.problem(), generator);
                generator.with("unchecked", found.unchecked());
                generator.with("modelHash", linear.hash());
                signers.write(generator);
            });
        } else {
            out.println("the certificate " + verb(verdict) + ": " + verdict.reason());
            out.println("problem: " + found.problem());
            out.println("not checked: " + String.join("; ", found.unchecked()));
            long stated = linear.provenance().rows().count();
            if (!found.holds() && stated > found.problem().rowsGiven()) {
                out.println("the model was trained on " + stated + " rows, and "
                        + found.problem().rowsGiven()
                        + " were given: give all of them, or check only who signed it (--signatures-only)");
            }
            print(found.path(), out);
            signers.lines().forEach(out::println);
        }
        return found.holds() && signers.areGood() ? Main.DONE : Main.UNCERTIFIED;
    }

    private Verification verified(Verifier verifier, LinearModel linear) {
        Optional<Recipe> stratified =
                Recipe.of(linear).filter(recipe -> !recipe.strata().isEmpty());
        if (stratified.isEmpty()) {
            Dataset read = data.read(file, linear);
            return verifier.verify(weights == null ? read : RowWeights.read(weights, read));
        }
        Table table = data.readTable(file);
        Encoded encoded = stratified.get().encode(table);
        return verifier.strata(table.keys(stratified.get().strata(), encoded.kept()))
                .verify(weights == null ? encoded.rows() : RowWeights.read(weights, encoded.rows()));
    }

    private int signatures() {
        if (file != null) {
            throw new InvalidInputException("--signatures-only reads no rows; leave out " + file);
        }
        LinearModel linear = LinearModel.load(model);
        Signers signers = Signers.of(linear, Optional.ofNullable(site));
        PrintWriter out = out();
        if (json.isGiven()) {
            Json.print(out, generator -> {
                generator.with("modelHash", linear.hash());
                signers.write(generator);
            });
        } else {
            signers.lines().forEach(out::println);
            out.println("the certificate was not checked: that takes the rows of all sites");
        }
        boolean signed = !linear.provenance().signatures().signers().isEmpty();
        return signed && signers.areGood() ? Main.DONE : Main.UNCERTIFIED;
    }

    private static void print(List<Finding> path, PrintWriter out) {
        if (!path.isEmpty() && path.stream().allMatch(Finding::holds)) {
            out.println("path: the certificates of all " + path.size() + " values hold");
        }
        path.stream()
                .filter(one -> !one.holds())
                .forEach(one -> out.println("path: lambda " + one.lambda() + ", l1 " + one.l1() + ": the certificate "
                        + verb(one.verdict()) + ": " + one.reason()));
    }

    private static void write(JsonObject generator, Finding found) {
        generator.with("lambda", found.lambda());
        generator.with("l1", found.l1());
        generator.with("verdict", name(found.verdict()));
        generator.with("reason", found.reason());
        generator.with("statedGap", found.statedGap());
        generator.with("gap", found.verdict().gap());
    }

    private static void write(VerifiedProblem problem, JsonObject generator) {
        generator.with("rows", problem.rows());
        generator.object(
                "problem",
                one -> one.with("loss", problem.loss())
                        .with("lambda", problem.lambda())
                        .with("l1", problem.l1())
                        .with("intercept", problem.intercept())
                        .with("scaling", problem.scaling())
                        .with("precision", problem.rounded() ? "float" : "exact")
                        .with("classWeights", problem.classWeights())
                        .with("rowsGiven", problem.rowsGiven())
                        .with("rowsHeldOut", problem.rowsGiven() - problem.rows())
                        .with("weighted", problem.weighted())
                        .with("features", problem.features())
                        .with("leftOut", problem.leftOut()));
    }

    private static String name(Verdict verdict) {
        return verdict.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static String verb(Verdict verdict) {
        return switch (verdict.outcome()) {
            case HOLDS -> "holds";
            case FALSE -> "does not hold";
            case UNCONFIRMED -> "cannot be confirmed";
        };
    }

    /** Reports the progress of a long search every few seconds. */
    private static final class News implements Verifier.Watch {

        private final PrintWriter err;
        private long last = System.nanoTime();

        News(PrintWriter err) {
            this.err = err;
        }

        @Override
        public void searched(int passes, double bound, double stated) {
            if (System.nanoTime() - last >= BETWEEN_NEWS.toNanos()) {
                last = System.nanoTime();
                err.println("verify: after " + passes + " passes the gap is at most " + Verdict.atMost(bound)
                        + ", the file states " + stated);
            }
        }
    }
}
