package dev.starling.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that cannot be used: one line that says why, exit code 2, and nothing written. */
class MalformedTablesTest {

    @TempDir
    private Path folder;

    private record Case(String name, byte[] bytes, String options, String message) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, String text, String options, String message) {
        return new Case(name, text.getBytes(StandardCharsets.UTF_8), options, message);
    }

    /** Options are separated by blanks; an underscore stands for one within an option. */
    static Stream<Case> cases() throws IOException {
        String good = "y,a,g\n1,2,u\n0,3,v\n1,4,u\n";
        String wide = "y,name\n"
                + IntStream.range(0, 300).mapToObj(i -> i % 2 + ",person" + i).collect(Collectors.joining("\n"));
        String classes = "y,a\n"
                + IntStream.range(0, 150).mapToObj(i -> "c" + i + "," + i).collect(Collectors.joining("\n"));
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write((good.repeat(2000)).getBytes(StandardCharsets.UTF_8));
        }
        return Stream.of(
                of("nothing", "", "", "holds no rows; at least one is needed"),
                of("names only", "y,a,g\n", "--drop g", "holds no rows; at least one is needed"),
                of("names and blank lines", "y,a,g\n\n  \n\n", "--drop g", "holds no rows"),
                of("two equal names", "y,a,a\n1,2,u\n", "", "two columns are called 'a'"),
                of("a row too short", good + "1,2\n", "", "line 5: 2 fields; there are 3 columns"),
                of("a row too long", good + "1,2,u,7\n", "", "line 5: 4 fields; there are 3 columns"),
                of("an open quote", good + "1,2,\"u\n", "", "line 5: a double quote is not closed"),
                of("an open quote above", "y,\"a,g\n1,2,u\n", "--drop g", "line 1: a double quote is not closed"),
                of("text after a quote", good + "1,2,\"u\"v\n", "", "line 5: text follows a closing double quote"),
                of("a quote within a cell", good + "1,2,u\"v\n", "", "line 5: a double quote within a cell"),
                of("a zero byte", "y,a,g\n1,2,u\u0000\n", "", "holds zero bytes"),
                new Case("UTF-16", good.getBytes(StandardCharsets.UTF_16), "", "is UTF-16 text"),
                new Case(
                        "Latin-1",
                        (good + "1,2,\u00e9t\u00e9\n").getBytes(StandardCharsets.ISO_8859_1),
                        "",
                        "line 5: this is not UTF-8 text"),
                new Case(
                        "truncated gzip",
                        Arrays.copyOf(packed.toByteArray(), packed.size() / 2),
                        "",
                        "the gzip data ends too early"),
                of(
                        "the beginning of a Parquet file",
                        "PAR1 and no more",
                        "",
                        "is not a complete Parquet file: it does not end"),
                of("no label", "b,a,g\n1,2,u\n", "", "no column is called label, target, y, class"),
                of("another label", good, "--label-column z", "unknown label column 'z'"),
                of("a column of nothing", "y,a,g\n1,?,u\n0,,v\n", "", "column 'a' holds nothing but missing values"),
                of("missing values", good + "1,?,NA\n0,,u\n", "", "missing values in 'a' (2), 'g' (1); drop such rows"),
                of("a missing label", good + "?,2,u\n", "", "missing values in 'y' (1)"),
                of("only one class", "y,a,g\nu,2,u\nu,3,v\n", "", "only one class"),
                of(
                        "free text",
                        wide,
                        "",
                        "column 'name' has 300 different values, the first text 'person0' in line 2; leave it out (--drop 'name')"),
                of("too many classes", classes, "", "has more than 100 different labels"),
                of(
                        "words to regress on",
                        "y,a\nu,2\nv,3\n",
                        "--loss squared",
                        "holds 'u', but the loss predicts numbers"),
                of(
                        "a weight below 0",
                        good + "1,-1,u\n",
                        "--weights-column a",
                        "line 5: column 'a' holds the weight '-1'"),
                of("a word for a weight", good, "--weights-column g", "column 'g' holds the weight 'u'"),
                of("a word for an offset", good, "--offset-column g", "line 2: column 'g' holds the offset 'u'"),
                of("an unknown offset", good, "--offset-column b", "unknown column 'b'"),
                of("the label for an offset", good, "--offset-column y", "column 'y' is the offset; it cannot be"),
                of(
                        "an offset with kinks",
                        good,
                        "--offset-column a --loss hinge --no-intercept",
                        "the rows have offsets, which method"),
                of(
                        "an offset and three classes",
                        good + "2,1,u\n",
                        "--offset-column a",
                        "the rows have offsets, which the loss softmax cannot take"),
                of("a formula cut short", good, "--formula y_~_a_+", "character 8: expected a column"),
                of("a formula of strangers", good, "--formula y_~_b", "unknown column 'b'"),
                of("a logarithm of words", good, "--formula y_~_log(g)", "column 'g' is categorical, but a number is"),
                of(
                        "a logarithm of 0",
                        good + "1,0,u\n",
                        "--formula y_~_log(a)",
                        "line 5: column 'a' makes log(a) -Inf"),
                of(
                        "a root below 0",
                        good + "1,-1,u\n",
                        "--formula y_~_sqrt(a)",
                        "line 5: column 'a' makes sqrt(a) NaN"),
                of("two labels", good, "--label-column a --formula y_~_g", "predicts 'y', but the label is column 'a'"),
                of("keeping a stranger", good, "--keep a,b", "unknown column 'b'"),
                of("dropping everything", good, "--drop a,g", "no columns to learn from"),
                of("words as numbers", good, "--kind g=numeric", "line 2: column 'g' holds 'u', which is not a number"),
                of("words as truths", good, "--kind g=boolean", "column 'g' is not boolean; it holds u, v"),
                of("words as days", good, "--kind g=date", "line 2: column 'g' holds 'u', which is not a date"),
                of("an unknown kind", good, "--kind g=text", "unknown kind 'text'"),
                of("an unknown policy", good, "--missing guess", "unknown missing policy 'guess'"),
                of(
                        "an unknown reference",
                        good,
                        "--reference g=w",
                        "column 'g' has no level 'w' to use as the reference"),
                of("the mean of words", good, "--missing g=mean", "column 'g' has levels, which have no mean"),
                of(
                        "a level that is not listed",
                        good,
                        "--levels g=u,w",
                        "line 3: column 'g' holds 'v', which is not a"),
                of("a number too large", good + "1,1e309,u\n", "", "line 5: column 'a' holds '1e309'"),
                of("names too few", "1,2,u\n0,3,v\n", "--column-names y,a", "line 1: 3 fields for 2 names"),
                of("no names at all", "1,2,u\n0,3,v\n", "--drop g", "line 1: the columns have no names"),
                of("LIBSVM", "1 1:2 3:4\n", "--format libsvm --drop g", "is LIBSVM text, whose columns have no names"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isRefusedInOneLineAndNothingIsWritten(Case bad) throws IOException {
        Path file = folder.resolve("bad.csv");
        Path model = folder.resolve("model.json");
        Files.write(file, bad.bytes);
        List<Object> arguments = new ArrayList<>(List.of("train", file, "--model", model, "--runtime", "simulator"));
        if (!bad.options.isEmpty()) {
            Arrays.stream(bad.options.split(" "))
                    .map(word -> word.replace('_', ' '))
                    .forEach(arguments::add);
        }
        Cli result = Cli.run(arguments.toArray());
        assertThat(result.err()).contains(bad.message);
        assertThat(result.err().strip().lines()).hasSize(1);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }
}
