package dev.starling.cli.options;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Advice of the library, which knows nothing of options, and its wording for commands that have an option for it.
 *
 * @param option the option
 * @param library a pattern of what the library's messages say
 * @param shell what to say instead
 */
public record Advice(String option, String library, String shell) {

    private static final List<Advice> ADVICE = List.of(
            new Advice(
                    "--label-column",
                    "say which one is the label, by name, by number from 1, or as 'last'",
                    "say with --label-column which one is the label, by name, by number from 1, or as 'last'"),
            new Advice(
                    "--missing",
                    "drop such rows, impute the values, or leave the columns out",
                    "drop such rows (--missing drop), impute the values (--missing most-frequent), or leave the"
                            + " columns out (--drop)"),
            new Advice(
                    "--missing",
                    "drop the rows where '(.*?)' is missing",
                    "drop the rows where it is missing (--missing '$1=drop')"),
            new Advice(
                    "--hash",
                    "leave out column '(.*?)', or hash its levels",
                    "leave it out (--drop '$1'), or hash its levels (--hash '$1=100')"),
            new Advice("--loss", "use a regression loss to predict them", "--loss squared predicts them"),
            new Advice("--loss", "use a regression loss", "use one for numbers, such as --loss squared"),
            new Advice(
                    "--missing-token",
                    "declare that ('.*?') means a missing value",
                    "give --missing-token $1 if it means" + " a missing value"),
            new Advice("--kind", "declare column '(.*?)' categorical", "--kind '$1=categorical' if it is one"),
            new Advice("--drop", "leave out column '(.*?)' if", "leave it out (--drop '$1') if"),
            new Advice("--kind", "declare column '(.*?)' numeric to round it", "round it (--kind '$1=numeric')"),
            new Advice(
                    "--kind",
                    "declare column '(.*?)' date-dmy or date-mdy",
                    "give --kind '$1=date-dmy' or '$1=date-mdy'"),
            new Advice(
                    "--column-names",
                    "give none, or remove this line",
                    "leave out --column-names, or remove this line"),
            new Advice("--column-names", "or give the names", "or give the names (--column-names)"),
            new Advice("--decimal", "name the decimal comma", "give --decimal , for decimal commas"),
            new Advice("--loss", "use a classification loss", "use one for classes, such as --loss logistic"),
            new Advice("--family", "use a classification loss", "use one for classes, such as --family binomial"),
            new Advice("--family", "the loss predicts numbers", "the family is one for numbers"));

    /** Rewords the library's advice in terms of a command's options. */
    public static String inOptions(String message, CommandSpec command) {
        String said = String.valueOf(message);
        for (Advice advice : ADVICE) {
            if (command.findOption(advice.option) != null) {
                said = said.replaceAll(advice.library, advice.shell);
            }
        }
        return said;
    }
}
