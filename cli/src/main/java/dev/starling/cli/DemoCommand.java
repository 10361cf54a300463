package dev.starling.cli;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows a whole session, from data to predictions, on generated data, with the commands it runs. */
@Command(
        name = "demo",
        description = {
            "Makes data, trains, predicts, and shows the commands.",
            "First it uses a table with column names, categories and missing values. Then it trains on four nodes in a"
                    + " ring: with ADFS on threads, again in the simulator, which gives the same model, and finally"
                    + " with the default method."
        },
        footer = {"", "Examples:", "  starling demo", "  starling demo --dir /tmp/starling"})
public final class DemoCommand extends ConsoleCommand {

    private static final Pattern HASH = Pattern.compile("\"modelHash\":\"([0-9a-f]{64})\"");
    private static final Pattern NUMBER =
            Pattern.compile("\"(objective|gap|epochs|rounds|idealisedTime|seconds)\":([^,}]+)");
    private static final Pattern PREDICTED = Pattern.compile("\"predictedIdealisedTime\":\\{[^}]*\"value\":([^,}]+)");

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "starling-demo",
            description = "Where to put the files (default: ${DEFAULT-VALUE}).")
    private Path folder;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "20000",
            description = "Rows to learn from (default: ${DEFAULT-VALUE}).")
    private int rows;

    @Override
    public Integer call() {
        if (rows < 4) {
            throw new InvalidInputException("--rows " + rows + "; there must be at least one for each of the 4 nodes");
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new InvalidInputException(folder + " cannot be created; choose another folder with --dir", e);
        }
        table();
        say("");
        say("4. Many nodes. Generate " + rows + " rows with 50 features to learn from, and " + held()
                + " to test with.");
        run(
                "generate",
                at("all.txt"),
                "--rows",
                Integer.toString(rows + held()),
                "--features",
                "50",
                "--conditioning",
                "100");
        split();
        say("");
        say("5. Train logistic regression with ADFS on four nodes in a ring: every node has a quarter of the rows and");
        say("   talks only to its two neighbours.");
        String threads = train("adfs", "threads", "model.json");
        say("");
        say("6. The same in the simulator, where one thread runs all nodes. Time is idealised: a proximal step"
                + " (one step");
        say("   on one row) takes 1, and a message takes tau.");
        String simulated = train("adfs", "simulator", "simulated.json", "--explain");
        double time = number(NUMBER, "idealisedTime", simulated);
        double predicted = Double.parseDouble(found(PREDICTED, 1, simulated));
        say(String.format(
                Locale.ROOT,
                "   Idealised time %.4g; the rate that theory guarantees predicts %.4g.",
                time,
                predicted));
        boolean same = hash(threads).equals(hash(simulated));
        say("   threads    " + hash(threads));
        say("   simulator  " + hash(simulated));
        say(same ? "   The models are the same, bit for bit." : "   The models differ: this should not have happened.");
        say("");
        say("7. The same with the default method. For a smooth loss this is Newton's method over a spanning tree"
                + " of the");
        say("   same graph: a few passes over the rows, after each of which the nodes add up sums. ADFS is the"
                + " default where");
        say("   a kink in the loss or an l1 term meets many features; ask for it where no message should be longer"
                + " than one");
        say("   vector.");
        train("auto", "threads", "default.json");
        say("");
        say("8. Predict rows that the model has not seen.");
        String metrics = run("predict", at("model.json"), at("test.txt"), "--output", at("predictions.txt"), "--json");
        say("   " + metrics);
        say("");
        say("All files are in " + folder + ".");
        return same ? Main.DONE : Main.UNCERTIFIED;
    }

    /** Starts with what most people have: a table with column names, categories and missing values. */
    private void table() {
        say("1. Make a table: an invented census with categories, missing values (?) and the label >50K.");
        run("generate", at("people.csv"), "--table", "--rows", Integer.toString(Math.max(200, rows / 10)));
        say(run("describe", at("people.csv")).indent(3).stripTrailing());
        say("");
        say("2. Train logistic regression on it. Categories become features; the most frequent value replaces"
                + " missing ones.");
        say(run(
                        "train",
                        at("people.csv"),
                        "--label-column",
                        "income",
                        "--missing",
                        "most-frequent",
                        "--standardize",
                        "--model",
                        at("people.json"))
                .indent(3)
                .stripTrailing());
        say("");
        say("3. Predict: columns are matched by name, and the predictions are added as new columns.");
        run(
                "predict",
                at("people.json"),
                at("people.csv"),
                "--append",
                "--probabilities",
                "--output",
                at("predicted.csv"));
        try (Stream<String> lines = Files.lines(folder.resolve("predicted.csv"))) {
            lines.limit(3).forEach(line -> say("   " + line));
        } catch (IOException e) {
            throw new InvalidInputException(at("predicted.csv") + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The number of rows that are held back for testing. */
    private int held() {
        return (rows + 3) / 4;
    }

    /**
     * Splits the file: the rows to test with must come from the same hidden model, so they are the end of the same
     * file.
     */
    private void split() {
        Path all = folder.resolve("all.txt");
        say("   $ head -n " + rows + " " + all + " > " + at("train.txt"));
        say("   $ tail -n " + held() + " " + all + " > " + at("test.txt"));
        try {
            List<String> lines = Files.readAllLines(all);
            Files.write(folder.resolve("train.txt"), lines.subList(0, rows));
            Files.write(folder.resolve("test.txt"), lines.subList(rows, lines.size()));
        } catch (IOException e) {
            throw new InvalidInputException(all + " cannot be split: " + e.getMessage(), e);
        }
    }

    private String train(String method, String runtime, String model, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "train",
                at("train.txt"),
                "--method",
                method,
                "--lambda",
                "1e-4",
                "--nodes",
                "4",
                "--topology",
                "ring",
                "--gap",
                "1e-6",
                "--runtime",
                runtime,
                "--model",
                at(model),
                "--json"));
        arguments.addAll(List.of(more));
        String result = run(arguments.toArray(String[]::new));
        Matcher numbers = NUMBER.matcher(result);
        List<String> shown = new ArrayList<>();
        while (numbers.find()) {
            if (!numbers.group(1).equals("idealisedTime")) {
                shown.add(numbers.group(1) + " " + shortened(numbers.group(2)));
            }
        }
        say("   " + String.join("; ", shown));
        return result;
    }

    private static String hash(String result) {
        return found(HASH, 1, result);
    }

    private static double number(Pattern numbers, String name, String result) {
        return Double.parseDouble(numbers.matcher(result)
                .results()
                .filter(match -> match.group(1).equals(name))
                .findFirst()
                .orElseThrow()
                .group(2));
    }

    private static String found(Pattern pattern, int group, String result) {
        Matcher matcher = pattern.matcher(result);
        return matcher.find() ? matcher.group(group) : "";
    }

    private static String shortened(String number) {
        return number.contains(".") ? String.format(Locale.ROOT, "%.4g", Double.parseDouble(number)) : number;
    }

    private String run(String... arguments) {
        say("   $ starling " + String.join(" ", arguments));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
        if (code != Main.DONE) {
            throw new RunFailure("the demo's '" + arguments[0] + "' failed: "
                    + err.toString().strip());
        }
        return out.toString().strip();
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }

    private void say(String line) {
        out().println(line);
        out().flush();
    }
}
