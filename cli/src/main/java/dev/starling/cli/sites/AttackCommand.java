package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowSample;
import dev.starling.lab.leakage.Attacks;
import dev.starling.lab.leakage.Finding;
import dev.starling.lab.leakage.Pass;
import dev.starling.lab.leakage.Table;
import dev.starling.model.LinearModel;
import dev.starling.model.inference.Inference;
import dev.starling.objective.PassLayout;
import dev.starling.peer.sums.RunTotals;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tries the published attacks on what runs and printed tables disclose, and says what was rebuilt. */
@Command(
        name = "attack",
        description = {
            "Tries published attacks on what was disclosed, and says which rows were rebuilt.",
            "Takes the folders of runs (state-a/run-1), of which any site has the totals, models with standard errors, and"
                    + " tables of coefficients with covariances that any program has printed. Nothing is sent."
        },
        footer = {
            "",
            "Examples:",
            "  starling attack state-a/run-1 state-a/run-2",
            "  starling attack before.csv after.csv --truth rows.csv",
            "",
            "Exit codes: 0 nothing was rebuilt, 1 something was, 2 bad input."
        })
public final class AttackCommand extends ConsoleCommand {

    private static final int MOST_SHOWN = 10;
    private static final int MOST_NUMBERS = 8;
    private static final double MEMBER = 5;

    @Parameters(
            arity = "1..*",
            paramLabel = "RUN",
            description =
                    "Folders of runs, models with standard errors, or CSV tables: term, estimate, then a column of"
                            + " the covariance per term.")
    private List<Path> sources;

    @Option(
            names = "--known",
            paramLabel = "FILE",
            description = "Rows that the attacker has: all sites' but one, in any format that 'train' reads.")
    private Path known;

    @Option(
            names = "--target",
            paramLabel = "FILE",
            description = "Rows of people of whom the attacker asks whether they came or went between runs.")
    private Path target;

    @Option(
            names = "--seeds",
            split = ",",
            paramLabel = "SEED",
            description = "The seed of each run, in order: --target is then asked of the rows that they hold out.")
    private List<Long> seeds;

    @Option(names = "--holdout", paramLabel = "PART", description = "What part of the rows runs hold out.")
    private double holdout;

    @Option(
            names = "--truth",
            paramLabel = "FILE",
            description = "True rows, to compare with: only what is near one of them counts as rebuilt.")
    private Path truth;

    @Option(
            names = "--tolerance",
            paramLabel = "T",
            description = "How near, relative to the row (default: ${DEFAULT-VALUE}).")
    private double tolerance = 1e-3;

    @Override
    public Integer call() throws IOException {
        List<Pass> passes = new ArrayList<>();
        List<Table> tables = new ArrayList<>();
        for (Path source : sources) {
            if (Files.isDirectory(source)) {
                passes.addAll(passes(source));
            } else if (LinearModel.isModel(source)) {
                tables.add(table(source.getFileName().toString(), LinearModel.load(source)));
            } else {
                tables.add(table(source));
            }
        }
        List<Finding> found = new ArrayList<>(Attacks.differencesOfRuns(passes));
        found.addAll(Attacks.singleRows(passes));
        found.addAll(Attacks.steering(passes));
        found.addAll(Attacks.reconstruction(passes));
        found.addAll(Attacks.differencesOfTables(tables));
        if (known != null) {
            found.addAll(Attacks.informed(passes, rows(known)));
        }
        PrintWriter out = out();
        int rebuilt = report(out, found);
        int members = target == null ? 0 : members(out, passes);
        out.println((rebuilt == 0 ? "nothing was rebuilt" : "rebuilt " + rebuilt + (rebuilt == 1 ? " row" : " rows"))
                + " from " + passes.size() + " passes of "
                + passes.stream().map(Pass::run).distinct().count()
                + " runs and " + tables.size() + " tables"
                + (truth == null && rebuilt > 0 ? "; give --truth to see whether they are right" : "")
                + (members == 0
                        ? ""
                        : "; " + members + " people are known to "
                                + (seeds == null ? "have come or gone" : "be among the rows")));
        return rebuilt + members == 0 ? Main.DONE : Main.UNCERTIFIED;
    }

    private int report(PrintWriter out, List<Finding> found) {
        Optional<Dataset> truths = Optional.ofNullable(truth).map(AttackCommand::rows);
        int rebuilt = 0;
        int shown = 0;
        for (Finding one : found) {
            Nearest nearest = truths.map(rows -> nearest(one, rows)).orElse(new Nearest(0, 0));
            boolean right = nearest.distance <= tolerance;
            rebuilt += right ? 1 : 0;
            if (shown++ < MOST_SHOWN) {
                out.println((right ? "REBUILT " : "wrong   ") + one.attack() + ", " + one.from() + ": "
                        + text(one.row()) + (one.scaled() ? "" : " up to a factor")
                        + (truth == null
                                ? ""
                                : String.format(Locale.US, ", off row %d by %.1e", nearest.row + 1, nearest.distance)));
            }
        }
        return rebuilt;
    }

    private int members(PrintWriter out, List<Pass> passes) {
        Dataset asked = rows(target);
        int members = 0;
        for (int row = 0; row < asked.rows(); row++) {
            double deviations = seeds == null
                    ? Attacks.membership(passes, Attacks.features(asked, row))
                    : overSeeds(passes, asked, row);
            if (deviations > MEMBER) {
                members++;
                out.println(String.format(
                        Locale.US, "MEMBER  row %d of %s, by %.1f deviations", row + 1, target, deviations));
            }
        }
        return members;
    }

    /**
     * Whether somebody is among the rows follows from the totals of runs that would hold the person out, and of others.
     */
    private double overSeeds(List<Pass> passes, Dataset asked, int row) {
        List<Pass> firsts = passes.stream()
                .filter(pass -> pass.first() && pass.hessian().isPresent())
                .toList();
        if (firsts.size() != seeds.size() || !(holdout > 0)) {
            throw new InvalidInputException("--seeds needs one seed for each of the " + firsts.size()
                    + " runs that begin with a Hessian, and --holdout");
        }
        boolean[] held = new boolean[seeds.size()];
        for (int run = 0; run < held.length; run++) {
            held[run] = new RowSample(holdout, seeds.get(run)).has(asked, row);
        }
        return Attacks.membershipOverSeeds(firsts, held, Attacks.features(asked, row));
    }

    private record Nearest(int row, double distance) {}

    private static Nearest nearest(Finding one, Dataset rows) {
        Nearest best = new Nearest(0, Double.POSITIVE_INFINITY);
        for (int row = 0; row < rows.rows(); row++) {
            double[] features = Attacks.features(rows, row);
            // A table's terms begin with the intercept, and sums end with it.
            double[] withOne = new double[features.length + 1];
            withOne[0] = 1;
            System.arraycopy(features, 0, withOne, 1, features.length);
            double distance = Math.min(
                    one.distance(features),
                    one.row().length == withOne.length ? one.distance(withOne) : Double.POSITIVE_INFINITY);
            best = distance < best.distance ? new Nearest(row, distance) : best;
        }
        return best;
    }

    private static String text(double[] row) {
        return Arrays.stream(row)
                        .limit(MOST_NUMBERS)
                        .mapToObj(value -> String.format(Locale.US, "%.6g", value))
                        .collect(Collectors.joining(" "))
                + (row.length > MOST_NUMBERS ? " …" : "");
    }

    private static Dataset rows(Path file) {
        return DatasetReader.standard().read(file);
    }

    /** The passes of a run over all rows, of its first problem. */
    private static List<Pass> passes(Path folder) throws IOException {
        List<Pass> passes = new ArrayList<>();
        for (RunTotals sum : RunTotals.read(folder)) {
            if (sum.isPass()) {
                passes.add(pass(folder.getFileName().toString(), sum, passes.isEmpty()));
            }
        }
        return passes;
    }

    private static Pass pass(String run, RunTotals sum, boolean first) {
        double[] totals = sum.totals();
        Optional<PassLayout> layout = sum.isCurved() ? layout(totals.length) : Optional.empty();
        int features = layout.map(PassLayout::parameters).orElse(totals.length - PassLayout.GRADIENT);
        return new Pass(
                run,
                sum.line().sum(),
                first,
                totals[PassLayout.WEIGHT],
                Arrays.copyOfRange(totals, PassLayout.GRADIENT, PassLayout.GRADIENT + features),
                layout.map(known -> hessian(totals, known.hessian(), features)));
    }

    /** The layout with a Hessian that has this length. */
    private static Optional<PassLayout> layout(int length) {
        for (int features = 1; features <= length; features++) {
            for (boolean intercept : new boolean[] {false, true}) {
                PassLayout layout = new PassLayout(features, intercept);
                if (layout.lengthWith(features) == length) {
                    return Optional.of(layout);
                }
            }
        }
        return Optional.empty();
    }

    private static double[][] hessian(double[] totals, int from, int features) {
        double[][] hessian = new double[features][features];
        int at = from;
        for (int r = 0; r < features; r++) {
            for (int c = 0; c <= r; c++) {
                hessian[r][c] = totals[at];
                hessian[c][r] = totals[at++];
            }
        }
        return hessian;
    }

    /** The table of a model that was fitted with standard errors. */
    private static Table table(String name, LinearModel model) {
        Inference known = model.inference()
                .orElseThrow(() -> new InvalidInputException(name
                        + " has no standard errors, so that estimates alone would be compared: fit it with"
                        + " standard-errors, or give the folders of its runs"));
        List<String> terms = new ArrayList<>(model.coefficients().keySet());
        if (known.intercept()) {
            terms.add("(Intercept)");
        }
        double[][] covariance = new double[terms.size()][terms.size()];
        for (int r = 0; r < covariance.length; r++) {
            for (int c = 0; c < covariance.length; c++) {
                covariance[r][c] = Inference.entry(known.covariance(), r, c);
            }
        }
        return new Table(name, terms, model.tabled(known.intercept()), Optional.of(covariance));
    }

    /** Reads a table as R's write.csv(cbind(estimate = coef(m), vcov(m))) writes it. */
    private static Table table(Path file) throws IOException {
        List<String> terms = new ArrayList<>();
        List<double[]> numbers = new ArrayList<>();
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            String[] cells = line.replace("\"", "").split(",");
            terms.add(cells[0]);
            try {
                numbers.add(Arrays.stream(cells)
                        .skip(1)
                        .mapToDouble(Double::parseDouble)
                        .toArray());
            } catch (NumberFormatException e) {
                throw new InvalidInputException(
                        file + ": '" + line + "' is not a term, its estimate and a row of the covariance", e);
            }
        }
        boolean whole = numbers.stream().allMatch(row -> row.length == terms.size() + 1);
        if (terms.isEmpty() || !(whole || numbers.stream().allMatch(row -> row.length == 1))) {
            throw new InvalidInputException(
                    file + " is neither the folder of a run nor a table: a header, then for each"
                            + " term its name, its estimate and, if they are known, its covariances with all terms");
        }
        return new Table(
                file.getFileName().toString(),
                terms,
                numbers.stream().mapToDouble(row -> row[0]).toArray(),
                whole
                        ? Optional.of(numbers.stream()
                                .map(row -> Arrays.copyOfRange(row, 1, row.length))
                                .toArray(double[][]::new))
                        : Optional.empty());
    }
}
