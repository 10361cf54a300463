package dev.starling.cli;

import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Does the whole job on data it makes itself, and shows the commands that do it. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Generates data, trains, predicts, and shows the commands.",
            "Trains on four nodes in a ring, once on threads and once in the simulator, and shows that both give the"
                    + " same model."
        },
        footer = {"", "Examples:", "  starling demo", "  starling demo --dir /tmp/starling"})
public final class DemoCommand implements Callable<Integer> {

    private static final Pattern HASH = Pattern.compile("\"modelHash\":\"([0-9a-f]{64})\"");
    private static final Pattern NUMBER = Pattern.compile("\"(objective|gap|epochs|rounds|seconds)\":([^,}]+)");

    @Spec
    private CommandSpec spec;

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
        say("1. Make data: " + rows + " rows of 50 features to learn from, and " + held() + " to check with.");
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
        say("2. Train logistic regression on four nodes in a ring; every node sees a quarter of the rows.");
        String threads = train("threads", "model.json");
        say("");
        say("3. The same in the simulator, where one thread plays all nodes and time is idealised.");
        String simulator = train("simulator", "simulated.json");
        say("");
        boolean same = threads.equals(simulator);
        say("   threads    " + threads);
        say("   simulator  " + simulator);
        say(same ? "   The models are the same, bit for bit." : "   The models differ: this should not have happened.");
        say("");
        say("4. Predict rows that the model has not seen.");
        String metrics = run("predict", at("model.json"), at("test.txt"), "--output", at("predictions.txt"), "--json");
        say("   " + metrics);
        say("");
        say("All files are in " + folder + ".");
        return same ? Main.DONE : Main.UNCERTIFIED;
    }

    /** How many rows are held back to check with. */
    private int held() {
        return (rows + 3) / 4;
    }

    /** The rows to check with come from the same hidden model, so they are the end of the same file. */
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

    private String train(String runtime, String model) {
        String result = run(
                "train",
                at("train.txt"),
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
                "--json");
        Matcher numbers = NUMBER.matcher(result);
        StringBuilder shown = new StringBuilder("  ");
        while (numbers.find()) {
            shown.append(' ')
                    .append(numbers.group(1))
                    .append(' ')
                    .append(shortened(numbers.group(2)))
                    .append(';');
        }
        say(shown.substring(0, shown.length() - 1));
        Matcher hash = HASH.matcher(result);
        return hash.find() ? hash.group(1) : "";
    }

    private static String shortened(String number) {
        return number.contains(".") ? String.format(java.util.Locale.ROOT, "%.4g", Double.parseDouble(number)) : number;
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
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
