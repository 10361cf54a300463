package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.network.Timing;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is slow in idealised time: the options of commands that measure it. */
@Under(Section.FAILURES)
public final class TimingOptions {

    private static final Pattern NODE = Pattern.compile("(\\d{1,9})=(\\S+)");
    private static final Pattern EDGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})=(\\S+)");

    @Mixin
    private DelayOption delay;

    @Option(
            names = "--slow",
            paramLabel = "NODE=T",
            split = ",",
            description = "Time of a proximal step at a node, if it is not 1, such as 3=10; may be repeated.")
    private List<String> nodes = List.of();

    @Option(
            names = "--edge-delay",
            paramLabel = "A-B=T",
            split = ",",
            description = "Time of a message between two neighbours, if it is not that of --tau, such as 2-5=20; may be"
                    + " repeated.")
    private List<String> edges = List.of();

    @Option(
            names = "--even-tuning",
            description =
                    "Tune all methods as if nothing were slow. Otherwise methods of the ADFS family know what is slow.")
    private boolean evenTuning;

    /** How long steps and messages take. */
    public Timing timing() {
        Timing timing = Timing.even(delay.tau());
        for (String text : nodes) {
            Matcher node = matched(NODE, text, "--slow", "NODE=T, such as 3=10");
            timing = timing.withNode(Integer.parseInt(node.group(1)), number("--slow", node.group(2), text));
        }
        for (String text : edges) {
            Matcher edge = matched(EDGE, text, "--edge-delay", "A-B=T, such as 2-5=20");
            timing = timing.withEdge(
                    Integer.parseInt(edge.group(1)),
                    Integer.parseInt(edge.group(2)),
                    number("--edge-delay", edge.group(3), text));
        }
        return timing;
    }

    /** Whether methods are tuned as if nothing were slow. */
    public boolean evenTuning() {
        return evenTuning;
    }

    private static Matcher matched(Pattern form, String text, String option, String right) {
        Matcher matcher = form.matcher(text.strip());
        if (!matcher.matches()) {
            throw new InvalidInputException(option + " '" + text + "' must be " + right);
        }
        return matcher;
    }

    private static double number(String option, String number, String text) {
        return InvalidInputException.parsed(
                () -> Double.parseDouble(number),
                () -> option + " '" + text + "': " + number + " must be a number, such as 10");
    }
}
