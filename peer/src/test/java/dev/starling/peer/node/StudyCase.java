package dev.starling.peer.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What is different at a site that follows a study, and what comes of it.
 *
 * @param study what it does to the study
 * @param table what it does to the table
 * @param says what the site says that refuses; empty if all is well
 */
record StudyCase(String name, UnaryOperator<String> study, UnaryOperator<String> table, String says) {

    /** A table that does as well. */
    static StudyCase right(String name, UnaryOperator<String> table) {
        return new StudyCase(name, UnaryOperator.identity(), table, "");
    }

    private static StudyCase table(String name, UnaryOperator<String> table, String says) {
        return new StudyCase(name, UnaryOperator.identity(), table, "does not fit the study: " + says);
    }

    private static StudyCase study(String right, String wrong, String says) {
        return new StudyCase(
                "study with " + wrong,
                text -> replaced(text, right, wrong),
                UnaryOperator.identity(),
                "site site-0 and site site-1 follow different studies: " + says);
    }

    /** The text with a part of it, which it must have, replaced. */
    static String replaced(String text, String right, String wrong) {
        assertThat(text).contains(right);
        return text.replace(right, wrong);
    }

    private static UnaryOperator<String> cell(String column, int row, String value) {
        return text -> cells(text, (names, line, number) -> {
            if (number == row) {
                line.set(names.indexOf(column), value);
            }
        });
    }

    private static UnaryOperator<String> everyCell(String column, UnaryOperator<String> edit) {
        return text -> cells(text, (names, line, number) -> {
            if (number > 0) {
                int at = names.indexOf(column);
                line.set(at, edit.apply(line.get(at)));
            }
        });
    }

    private static UnaryOperator<String> header(String column, String name) {
        return text -> cells(text, (names, line, number) -> {
            if (number == 0) {
                line.set(line.indexOf(column), name);
            }
        });
    }

    /** Leaves a column out of a table. */
    static UnaryOperator<String> without(String column) {
        return text -> cells(text, (names, line, number) -> line.remove(names.indexOf(column)));
    }

    @FunctionalInterface
    private interface LineEdit {
        /** @param number 0 for the header */
        void edit(List<String> names, List<String> line, int number);
    }

    private static String cells(String text, LineEdit edit) {
        List<String> lines = text.lines().toList();
        List<String> names = List.of(lines.get(0).split(",", -1));
        return IntStream.range(0, lines.size())
                .mapToObj(number -> {
                    List<String> line =
                            new ArrayList<>(List.of(lines.get(number).split(",", -1)));
                    edit.edit(names, line, number);
                    return String.join(",", line) + "\n";
                })
                .collect(Collectors.joining());
    }

    private static String reversed(String text) {
        return cells(text, (names, line, number) -> Collections.reverse(line));
    }

    /** All that was thought of. */
    static final List<StudyCase> ALL = List.of(
            right("the same", UnaryOperator.identity()),
            right("columns in another order", StudyCase::reversed),
            right("a column more", text -> cells(text, (names, line, number) -> line.add(0, number == 0 ? "x" : "7"))),
            right("no id", without("id")),
            right("semicolons", text -> text.replace(',', ';')),
            right("tabs", text -> text.replace(',', '\t')),
            right("quotes", everyCell("town", town -> town.equals("?") ? "?" : '"' + town + '"')),
            right("NA instead of ?", text -> text.replace("?", "NA")),
            right("yes and no in capitals", everyCell("smoker", word -> word.toUpperCase(Locale.ROOT))),
            right("numbers spelt otherwise", everyCell("weight", number -> number.equals("?") ? "?" : number + "0")),
            right("lines that end as on Windows", text -> text.replace("\n", "\r\n")),
            new StudyCase(
                    "study in another order of members",
                    text -> "lambda: 1e-2\n" + replaced(text, "lambda: 0.01\n", ""),
                    UnaryOperator.identity(),
                    ""),
            table("a column missing", without("age"), "column 'age' is missing"),
            table("a column renamed", header("age", "Age"), "column 'age' is missing (is 'Age' the same?)"),
            table("two columns renamed", header("sex", "gender"), "column 'sex' is missing"),
            table("no label", without("income"), "label column 'income' is missing"),
            table("label renamed", header("income", "salary"), "label column 'income' is missing"),
            new StudyCase(
                    "no header",
                    UnaryOperator.identity(),
                    text -> text.substring(text.indexOf('\n') + 1),
                    "site-1.csv, line 1: the columns have no names"),
            table(
                    "words for a number",
                    cell("age", 3, "old"),
                    "column 'age' is categorical here, numeric in the study"),
            table("dates for numbers", everyCell("age", age -> "2024-01-02"), "column 'age' is date here, numeric in"),
            table("numbers for dates", everyCell("visit", day -> "12"), "column 'visit' is numeric here, date in the"),
            table("a date that is none", cell("visit", 5, "2024-02-30"), "column 'visit' is categorical here, date in"),
            table(
                    "numbers for levels",
                    everyCell("sex", sex -> "1"),
                    "column 'sex' has levels that the study does not"),
            table(
                    "a new level",
                    everyCell("town", town -> "Paris"),
                    "column 'town' has levels that the study does not list: 'Paris'"),
            table(
                    "a new level of one row",
                    cell("town", 2, "Paris"),
                    "column 'town' has levels that the study does not list: 1 that"),
            table(
                    "a level in capitals",
                    everyCell("sex", sex -> "MALE"),
                    "column 'sex' has levels that the study does not list: 'MALE'"),
            table("a new step", cell("size", 4, "huge"), "column 'size' has levels that the study does not list"),
            table("neither yes nor no", cell("smoker", 4, "maybe"), "column 'smoker' has levels that the study does"),
            table("a new class", cell("income", 4, "middle"), "label column 'income' has classes that the study does"),
            table("columns swapped below the header", StudyCase::swapped, "column 'sex' has levels that the study"),
            table("another missing token", cell("age", 4, "none"), "column 'age' is categorical here, numeric in the"),
            table("a missing level", cell("sex", 4, "?"), "column 'sex' has 1 missing values, which the study refuses"),
            table("a missing label", cell("income", 4, ""), "label column 'income' has 1 missing values"),
            table("nothing but missing", everyCell("weight", kg -> ""), "column 'weight' holds nothing but missing"),
            new StudyCase(
                    "a name twice",
                    UnaryOperator.identity(),
                    header("weight", "age"),
                    "two columns are called 'age'; give every column a name of its own"),
            new StudyCase("a line too short", UnaryOperator.identity(), text -> text + "1,2,3\n", "line 62"),
            study(
                    "kind: numeric, unit: kg",
                    "kind: numeric, unit: lb",
                    "unit of column 'weight': kg at site site-0, lb at"),
            study(", unit: kg", "", "unit of column 'weight': kg at site site-0, nothing at site site-1"),
            study("[small, medium, large]", "[large, medium, small]", "levels of column 'size': not the same"),
            study("[female, male]", "[female, male, other]", "levels of column 'sex': not the same"),
            study("reference: Lyon", "reference: Gap", "reference of column 'town': not the same"),
            study("missing: mean", "missing: drop", "missing of column 'weight': mean at site site-0, drop at site"),
            study("[0, 128]", "[0, 100]", "range of column 'age': 0, 128 at site site-0, 0, 100 at site site-1"),
            study(", indicator: false", "", "indicator of column 'town': false at site site-0, true at site site-1"),
            study("sex*smoker", "sex + smoker", "formula: income ~ age + weight + sex*smoker + town + size + visit at"),
            study("[low, high]", "[high, low]", "classes of the label: not the same"),
            study("lambda: 0.01", "lambda: 0.02", "lambda: 0.01 at site site-0, 0.02 at site site-1"),
            study(
                    "lambda: 0.01",
                    "lambda-path: '0.1,0.01'",
                    "lambda: 0.01 at site site-0, nothing at site site-1, and 1 more"),
            study("loss: logistic", "loss: squared-hinge", "loss: logistic at site site-0, squared-hinge at site"),
            study(
                    "standardize: true",
                    "standardize: false",
                    "scaling: standardize at site site-0, nothing at site site-1"),
            study("['', NA, '?']", "['', NA, '?', '-']", "missingTokens: , NA, ? at site site-0, , NA, ?, - at"),
            study("ids: [id]", "ids: [id, name]", "ids: id at site site-0, id, name at site site-1"),
            study(
                    "[Gap, Lyon, Nice]",
                    "[Gap, Lyon, Nice], unknown: reference",
                    "unknown of column 'town': nothing at site site-0, reference at site site-1"),
            study("missing: mean", "missing: mean, fill: 70", "fill of column 'weight': not the same"),
            study(
                    "kind: ordered",
                    "kind: categorical",
                    "kind of column 'size': ordered at site site-0, categorical at"),
            new StudyCase(
                    "study without a column",
                    text -> text.replaceAll("- \\{name: size.*\n", "").replace(" + size", ""),
                    UnaryOperator.identity(),
                    "column 'size' exists only at site site-0"),
            new StudyCase(
                    "study with columns in another order",
                    text -> text.replaceAll("(- \\{name: age.*\n)(- \\{name: weight.*\n)", "$2$1"),
                    UnaryOperator.identity(),
                    "order of the columns: age, weight, sex"),
            new StudyCase(
                    "study that leaves levels open",
                    text -> replaced(text, ", levels: [female, male]", ""),
                    UnaryOperator.identity(),
                    "column 'sex' is categorical; list all its levels"));

    /** What is in columns sex and size changes places, their names do not. */
    private static String swapped(String text) {
        return cells(text, (names, line, number) -> {
            if (number > 0) {
                Collections.swap(line, names.indexOf("sex"), names.indexOf("size"));
            }
        });
    }
}
