package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command run in this process, with what it printed.
 *
 * @param code its exit code
 * @param out what it printed on stdout
 * @param err what it printed on stderr
 */
public record Cli(int code, String out, String err) {

    /** Runs a command; options may be written in one string, as "--nodes 4 --json". */
    public static Cli run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] words = Arrays.stream(arguments).flatMap(Cli::words).toArray(String[]::new);
        int code = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
        return new Cli(code, out.toString(), err.toString());
    }

    /** Runs a command that must end well. */
    public static Cli ok(Object... arguments) {
        return ended(0, arguments);
    }

    /** Runs a command that must end with an exit code. */
    public static Cli ended(int code, Object... arguments) {
        Cli ran = run(arguments);
        assertThat(ran.code).as(ran.out + ran.err).isEqualTo(code);
        return ran;
    }

    private static Stream<String> words(Object argument) {
        return argument instanceof String text && text.startsWith("-")
                ? Arrays.stream(text.split(" ", -1))
                : Stream.of(argument.toString());
    }

    /** The same with something on standard input, of which a process has one: one test at a time. */
    public static synchronized Cli piped(String input, Object... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(arguments);
        } finally {
            System.setIn(before);
        }
    }

    /** A number or a string of the JSON object on stdout. */
    public String value(String key) {
        Matcher matcher =
                Pattern.compile("\"" + key + "\":(\"[^\"]*\"|[^,}\\]]+)").matcher(out);
        if (!matcher.find()) {
            throw new AssertionError("no \"" + key + "\" in " + out + err);
        }
        return matcher.group(1).replace("\"", "");
    }

    public double number(String key) {
        return Double.parseDouble(value(key));
    }

    public static Path file(Path folder, String name, String... lines) {
        try {
            return Files.writeString(folder.resolve(name), String.join("\n", lines) + (lines.length > 0 ? "\n" : ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
