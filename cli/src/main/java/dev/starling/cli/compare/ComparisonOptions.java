package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How methods are run and how results are presented: the options shared by the commands that compare methods. */
@Under(Section.OUTPUT)
final class ComparisonOptions {

    @Under(Section.STOPPING)
    @Option(
            names = "--gap",
            paramLabel = "G",
            description = "Stop a method at this relative suboptimality (default, unless --time is given: 1e-6; 1e-7 in"
                    + " reproduce, and 1e-4 in its time-against-n).")
    private Double gap;

    @Under(Section.STOPPING)
    @Option(
            names = "--gradient",
            paramLabel = "G",
            description = "Stop a method once the norm of the objective's gradient is at most G at every watched node,"
                    + " instead of at a suboptimality; the table then shows what that took.")
    private Double gradient;

    @Under(Section.STOPPING)
    @Option(
            names = "--time",
            paramLabel = "T",
            description =
                    "Idealised time at which methods are cut off (default: 10 times what theory predicts for ADFS; the"
                            + " figure's own in reproduce, and 3 times what theory predicts in its time-against-n).")
    private Double time;

    @Under(Section.NODES)
    @Option(
            names = "--seed",
            paramLabel = "S,...",
            defaultValue = "1",
            description = "Seed of all random choices; with several, curves are medians, with a band from the 10 %% to"
                    + " the 90 %% quantile (default: ${DEFAULT-VALUE}).")
    private String seeds;

    @Option(
            names = "--points",
            paramLabel = "N",
            description =
                    "Draw at most N points per curve (default: 80; 40 in reproduce, and 200 in its time-against-n).")
    private Integer points;

    @Option(
            names = "--watch",
            paramLabel = "N",
            defaultValue = "4",
            description = "Average the suboptimality over N nodes spread over the graph, or all if there are fewer"
                    + " (default: ${DEFAULT-VALUE}; each costs a pass over all rows at every point).")
    private int watch;

    @Mixin
    private CurveOutput curves;

    @Option(
            names = "--explain",
            description = "Show the constants of ADFS, and what the split of the rows is: how well the whole, the nodes"
                    + " and the rows are conditioned, and how much the nodes differ.")
    private boolean explain;

    @Option(
            names = "--report",
            paramLabel = "OUT",
            description = "Write a self-contained HTML page with the curves, the graph and all numbers.")
    private Path report;

    @Option(
            names = {"-q", "--quiet"},
            description = "Show no progress bar and print no remarks on stderr.")
    private boolean quiet;

    /** Checks what can be checked before any of the inputs is read. */
    void check(List<Path> inputs) {
        if (gap != null && !(gap > 0 && gap < 1)) {
            throw new InvalidInputException("--gap " + Json.text(gap) + " must be between 0 and 1, for example 1e-6");
        }
        if (gap != null && gradient != null) {
            throw new InvalidInputException("--gap " + Json.text(gap) + " and --gradient " + Json.text(gradient)
                    + " both say where to stop; give one of them");
        }
        LossOptions.requirePositive("--gradient", gradient, "1e-9");
        LossOptions.requirePositive("--time", time, "5e5");
        if (points != null && points < 2) {
            throw new InvalidInputException("--points " + points + "; a curve needs at least 2");
        }
        if (watch < 1) {
            throw new InvalidInputException("--watch " + watch + "; at least 1 node must be watched");
        }
        seeds();
        curves.check(inputs);
        report().ifPresent(out -> Outputs.requireWritable(out, inputs));
        Outputs.requireDifferent("--report", report(), "--svg", svg());
    }

    List<Long> seeds() {
        return InvalidInputException.parsed(
                () -> words(seeds).stream().map(Long::valueOf).toList(),
                all -> all.stream().distinct().count() == all.size(),
                () -> "--seed '" + seeds + "' must be different whole numbers, separated by commas, such as 1,2,3");
    }

    /** Splits words at commas. */
    static List<String> words(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    Optional<Double> gap() {
        return Optional.ofNullable(gap);
    }

    Optional<Double> time() {
        return Optional.ofNullable(time);
    }

    Optional<Integer> points() {
        return Optional.ofNullable(points);
    }

    int watch() {
        return watch;
    }

    boolean quiet() {
        return quiet;
    }

    Optional<Path> report() {
        return Optional.ofNullable(report);
    }

    Optional<Path> svg() {
        return curves.svg();
    }

    Optional<Double> gradient() {
        return Optional.ofNullable(gradient);
    }

    boolean explain() {
        return explain;
    }

    /** Whether the constants of the run are shown or drawn: finding them takes as long as planning a training. */
    boolean needsConstants() {
        return explain || report != null || curves.needsConstants();
    }

    /** Prints and writes results in the formats that were asked for. */
    void deliver(Measurements result, PrintWriter out, PrintWriter err) {
        Optional<String> picture = curves.deliver(result, out);
        if (report != null) {
            Outputs.write(() ->
                    AtomicFiles.write(report, file -> file.write(result.page().getBytes(StandardCharsets.UTF_8))));
            remark(err, "page written to " + report);
        }
        picture.ifPresent(text -> remark(err, text));
    }

    /** Prints a remark on stderr, unless {@code --quiet} was given. */
    void remark(PrintWriter err, String text) {
        if (!quiet) {
            err.println(text);
        }
    }
}
