package dev.starling.cli;

import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    private static final Pattern NUMBER = Pattern.compile("\"(objective|gap|epochs|rounds|seconds)\":([^,}]+)");

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
        Outputs.createFolder(folder);
        say("1. Make a table: an invented census with categories, missing values (?) and the label >50K.");
        run("generate @people.csv --table --rows " + Math.max(200, rows / 10));
        show(run("describe @people.csv"));
        say("");
        say("2. Train logistic regression on it. Categories become features; the most frequent value replaces"
                + " missing ones.");
        show(run("train @people.csv --label-column income --missing most-frequent --standardize --model @people.json"));
        say("");
        say("3. Predict: columns are matched by name, and the predictions are added as new columns.");
        run("predict @people.json @people.csv --append --probabilities --output @predicted.csv");
        lines("predicted.csv").subList(0, 3).forEach(line -> say("   " + line));
        say("");
        say("4. Many nodes. Generate " + rows + " rows with 50 features to learn from, and " + held()
                + " to test with.");
        run("generate @all.txt --rows " + (rows + held()) + " --features 50 --conditioning 100");
        split();
        say("");
        say("5. Train logistic regression with ADFS on four nodes in a ring: every node has a quarter of the rows and");
        say("   talks only to its two neighbours.");
        String threads = train("adfs", "threads --model @model.json --json");
        say("");
        say("6. The same in the simulator, where one thread runs all nodes. Time is idealised: a proximal step"
                + " (one step");
        say("   on one row) takes 1, and a message takes tau.");
        String simulated = train("adfs", "simulator --model @simulated.json --json --explain");
        say(String.format(
                Locale.US,
                "   Idealised time %.4g; the rate that theory guarantees predicts %.4g.",
                Double.parseDouble(found("\"idealisedTime\":([^,}]+)", simulated)),
                Double.parseDouble(found("\"predictedIdealisedTime\":\\{[^}]*\"value\":([^,}]+)", simulated))));
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
        train("auto", "threads --model @default.json --json");
        say("");
        say("8. Predict rows that the model has not seen.");
        say("   " + run("predict @model.json @test.txt --output @predictions.txt --json"));
        say("");
        say("All files are in " + folder + ".");
        return same ? Main.DONE : Main.UNCERTIFIED;
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
        say("   $ head -n " + rows + " " + at("all.txt") + " > " + at("train.txt"));
        say("   $ tail -n " + held() + " " + at("all.txt") + " > " + at("test.txt"));
        List<String> lines = lines("all.txt");
        try {
            Files.write(folder.resolve("train.txt"), lines.subList(0, rows));
            Files.write(folder.resolve("test.txt"), lines.subList(rows, lines.size()));
        } catch (IOException e) {
            throw new InvalidInputException(at("all.txt") + " cannot be split: " + e.getMessage(), e);
        }
    }

    private List<String> lines(String name) {
        try {
            return Files.readAllLines(folder.resolve(name));
        } catch (IOException e) {
            throw new InvalidInputException(at(name) + " cannot be read: " + e.getMessage(), e);
        }
    }

    private String train(String method, String runtime) {
        String result = run("train @train.txt --method " + method
                + " --lambda 1e-4 --nodes 4 --topology ring --gap 1e-6 --runtime " + runtime);
        say("   "
                + NUMBER.matcher(result)
                        .results()
                        .map(number -> number.group(1) + " " + shortened(number.group(2)))
                        .collect(Collectors.joining("; ")));
        return result;
    }

    private static String hash(String result) {
        return found("\"modelHash\":\"([0-9a-f]{64})\"", result);
    }

    private static String found(String pattern, String result) {
        Matcher matcher = Pattern.compile(pattern).matcher(result);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static String shortened(String number) {
        return number.contains(".") ? String.format(Locale.US, "%.4g", Double.parseDouble(number)) : number;
    }

    /** Runs a command, in which a word that starts with @ is a file of the demo. */
    private String run(String command) {
        String[] arguments = Stream.of(command.split(" "))
                .map(word -> word.startsWith("@") ? at(word.substring(1)) : word)
                .toArray(String[]::new);
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

    private void show(String result) {
        say(result.indent(3).stripTrailing());
    }

    private void say(String line) {
        out().println(line);
    }
}
