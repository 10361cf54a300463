package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a message tells to do works: each remedy is in the message, and the command with it succeeds. */
class RemediesTest {

    /**
     * A command that is refused, and what its message proposes.
     *
     * @param command the command; words without a blank are files of the folder if there is one of that name
     * @param remedies what the message says, and the words that are added to the command
     */
    private record Refused(String command, List<Remedy> remedies) {
        @Override
        public String toString() {
            return command;
        }
    }

    /**
     * @param said a part of the message
     * @param added words to add
     * @param removed words to leave out
     */
    private record Remedy(String said, String added, String removed) {}

    private static Remedy add(String said) {
        return new Remedy(said, said, "");
    }

    private static Remedy add(String said, String added) {
        return new Remedy(said, added, "");
    }

    private static Refused refused(String command, Remedy... remedies) {
        return new Refused(command, List.of(remedies));
    }

    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");

    @TempDir
    private Path folder;

    @BeforeEach
    void makeFiles() throws IOException {
        Cli.run("generate", folder.resolve("people.csv"), "--table --rows 600");
        Cli.run("generate", folder.resolve("rows.txt"), "--rows 200 --features 2");
        Cli.run("train", folder.resolve("rows.txt"), "--model", folder.resolve("nameless.json"));
        write("gaps.csv", "x,d,y", "%d,2024-01-%02d,%s", k ->
                new Object[] {k % 7, k % 28 + 1, k % 9 == 0 ? "" : k % 2});
        write("dates.csv", "d,y", "%s,%s", k -> new Object[] {k % 9 == 0 ? "" : "2024-01-1" + k % 9, k % 2});
        write("stray.csv", "x,y", "%s,%s", k -> new Object[] {k == 40 ? "unknown" : k % 13, k % 2});
        write("days.csv", "d,y", "0%d/0%d/2024,%d", k -> new Object[] {k % 9 + 1, k % 7 + 1, k % 2});
        write("names.csv", "name,x,y", "person%d,%d,%d", k -> new Object[] {k, k % 13, k % 2});
        write("rings.csv", "x,rings", "%d,%d", k -> new Object[] {k % 13, k % 28});
        write("abc.csv", "a,b,c", "%d,%d,%d", k -> new Object[] {k % 13, k % 5, k % 2});
        write("words.csv", "x,y", "%d,%s", k -> new Object[] {k % 13, k % 2 == 0 ? "no" : "yes"});
        write("comma.csv", "x;y", "%s;%d", k -> new Object[] {k % 13 + ",5", k % 2});
    }

    private interface Cells {
        Object[] of(int row);
    }

    private void write(String name, String header, String format, Cells cells) throws IOException {
        List<String> lines = new ArrayList<>(List.of(header));
        for (int k = 0; k < 300; k++) {
            lines.add(String.format(format, cells.of(k)));
        }
        Files.write(folder.resolve(name), lines);
    }

    static Stream<Refused> refusals() {
        return Stream.of(
                refused(
                        "train people.csv --label-column income",
                        add("--missing drop"),
                        add("--missing most-frequent"),
                        add("leave the columns out (--drop)", "--drop workclass,occupation,hours-per-week")),
                refused("train gaps.csv", add("--missing 'y=drop'", "--missing y=drop")),
                refused("train gaps.csv --missing most-frequent", add("--missing 'y=drop'", "--missing y=drop")),
                refused("train dates.csv --missing median", add("--missing 'd=drop'", "--missing d=drop")),
                refused(
                        "train stray.csv",
                        add("--missing-token 'unknown'", "--missing-token unknown --missing drop"),
                        add("--kind 'x=categorical'", "--kind x=categorical")),
                refused(
                        "train days.csv",
                        add("--kind 'd=date-dmy'", "--kind d=date-dmy"),
                        add("'d=date-mdy'", "--kind d=date-mdy")),
                refused(
                        "train names.csv",
                        add("--drop 'name'", "--drop name"),
                        add("--hash 'name=100'", "--hash name=100")),
                refused(
                        "train rings.csv --label-column rings",
                        add("--loss squared"),
                        add("--kind 'rings=categorical'", "--kind rings=categorical")),
                refused("train comma.csv", add("--decimal ,"), add("--kind 'x=categorical'", "--kind x=categorical")),
                refused(
                        "train words.csv --loss squared",
                        new Remedy("--loss logistic", "--loss logistic", "--loss squared")),
                refused("glm words.csv \"y ~ x\"", add("--family binomial")),
                refused(
                        "glm words.csv \"y ~ x\" --family poisson",
                        new Remedy("--family binomial", "--family binomial", "--family poisson")),
                refused("train abc.csv", add("--label-column", "--label-column c")),
                refused("predict nameless.json abc.csv", add("--label-column", "--label-column last")),
                refused(
                        "train people.csv --missing median --formula \"income ~ . - hours-per-week\"",
                        new Remedy(
                                "did you mean `hours-per-week`, in backticks",
                                "--formula \"income ~ . - `hours-per-week`\"",
                                "--formula \"income ~ . - hours-per-week\"")),
                refused(
                        "train people.csv --missing median --label-column income --reference sex=male",
                        new Remedy("did you mean 'Male'?", "--reference sex=Male", "--reference sex=male")),
                refused(
                        "train people.csv --missing median --label-column income --l1-ratios 0.5",
                        add("--lambda-path", "--lambda-path 3"),
                        new Remedy("--l1 instead", "--l1 0.001", "--l1-ratios 0.5")),
                refused("train abc.csv --formula \"sqrt(a) ~ b\"", add("--loss squared")));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void whatAMessageProposesWorks(Refused refused) {
        Cli result = run(refused.command);
        assertThat(result.code()).as(refused.command).isEqualTo(2);
        assertThat(result.err()).hasLineCount(1);
        for (Remedy remedy : refused.remedies) {
            assertThat(result.err()).contains(remedy.said);
            Cli mended = run(refused.command.replace(remedy.removed, "") + " " + remedy.added);
            assertThat(mended.code())
                    .as(refused.command + " with " + remedy.added + ": " + mended.err())
                    .isZero();
        }
    }

    @Test
    void aRecipeWithMissingValuesNamesTheLineToChange() throws IOException {
        Path recipe = folder.resolve("recipe.yaml");
        assertThat(run("describe people.csv --label-column income --recipe recipe.yaml")
                        .code())
                .isZero();
        for (int tries = 0; tries < 3; tries++) {
            Cli refused = run("train people.csv --recipe recipe.yaml");
            assertThat(refused.code()).isEqualTo(2);
            Matcher line = Pattern.compile("recipe.yaml, line ([0-9]+), say 'missing: drop' for '(.*?)', or"
                            + " 'missing: most-frequent'")
                    .matcher(refused.err());
            assertThat(line.find()).as(refused.err()).isTrue();
            List<String> lines = new ArrayList<>(Files.readAllLines(recipe));
            int at = Integer.parseInt(line.group(1)) - 1;
            assertThat(lines.get(at)).contains("missing: refuse");
            lines.set(at, lines.get(at).replace("refuse", tries == 0 ? "drop" : "most-frequent"));
            Files.write(recipe, lines);
        }
        Cli mended = run("train people.csv --recipe recipe.yaml");
        assertThat(mended.code()).as(mended.err()).isZero();
    }

    private Cli run(String command) {
        Matcher words = WORD.matcher(command + (command.startsWith("train") ? " --model out.json" : ""));
        List<Object> arguments = new ArrayList<>();
        while (words.find()) {
            String word = words.group().replace("\"", "");
            arguments.add(word.matches("[a-z]+\\.(csv|txt|json|yaml)") ? folder.resolve(word) : word);
        }
        return Cli.run(arguments.toArray());
    }

    @Test
    void noMessageProposesAnOptionThatDoesNotExist() {
        refusals().forEach(refused -> {
            String command = refused.command.substring(0, refused.command.indexOf(' '));
            List<String> options =
                    Arrays.asList(Cli.run(command, "--help").out().split("[\\s,=\\[\\]]+"));
            String message = run(refused.command).err();
            Matcher option = Pattern.compile("--[a-z][a-z0-9-]+").matcher(message);
            while (option.find()) {
                assertThat(options).as(message).contains(option.group());
            }
        });
    }
}
