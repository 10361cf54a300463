package dev.starling.cli.table;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonObject;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Histogram;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a table holds, as lines for people and as a JSON object for programs and pages.
 *
 * @param label the column that would be predicted; empty if none is named and none has a usual name
 * @param delimiter the character that separates the cells of a file; empty for other tables
 * @param wording says in options what the library advises
 */
record Description(
        Survey survey, Optional<String> label, Optional<Character> delimiter, UnaryOperator<String> wording) {

    private static final int SHOWN_LEVELS = 5;
    private static final int LISTED_LEVELS = 50;
    private static final int LONGEST_LEVEL = 24;
    private static final int LONGEST_NUMBER = 10;
    private static final int BINS = 24;

    void print(PrintWriter out) {
        int width = survey.columns().stream()
                .mapToInt(column -> column.name().length())
                .max()
                .orElse(0);
        out.println(survey.source() + ": " + survey.rows() + (survey.rows() == 1 ? " row, " : " rows, ")
                + survey.columns().size() + (survey.columns().size() == 1 ? " column" : " columns") + separator());
        String format =
                "%-" + Math.max(width, "column".length()) + "s  %-" + (label.isPresent() ? 18 : 11) + "s  %7s  %s%n";
        out.printf(Locale.US, format, "column", "kind", "missing", "values");
        for (ColumnSurvey column : survey.columns()) {
            out.printf(Locale.US, format, column.name(), kind(column), column.missing(), values(column));
        }
        survey.columns().forEach(column -> remarks(column).forEach(out::println));
    }

    private boolean isLabel(ColumnSurvey column) {
        return label.filter(column.name()::equals).isPresent();
    }

    private String kind(ColumnSurvey column) {
        return Table.namesRows(column.name())
                ? "names of rows"
                : column.kind().text() + (isLabel(column) ? ", label" : "");
    }

    /** What may be wrong with a column. */
    private List<String> remarks(ColumnSurvey column) {
        List<String> remarks = new ArrayList<>();
        column.doubt().map(wording).ifPresent(remarks::add);
        if (Table.namesRows(column.name())) {
            remarks.add("column '" + column.name() + "' is not learnt from; --id-column makes it the id of the rows");
        } else if (column.isConstant()) {
            remarks.add("column '" + column.name() + "' has the same value in all rows, which tells nothing");
        } else if (column.looksLikeIds() && !isLabel(column)) {
            remarks.add("column '" + column.name() + "' has another value in every row; if these name the rows, give"
                    + " --id-column '" + column.name() + "' or --drop '" + column.name() + "'");
        }
        return remarks;
    }

    private String separator() {
        return delimiter
                .map(character -> ", separated by " + (character == '\t' ? "tabs" : "'" + character + "'"))
                .orElse("");
    }

    private static String values(ColumnSurvey column) {
        if (column.present() == 0) {
            return "none";
        }
        if (column.kind() == Kind.NUMERIC) {
            return String.format(
                    Locale.US,
                    "%s to %s, mean %.4g, median %.4g",
                    shortened(column.quantile(0)),
                    shortened(column.quantile(1)),
                    column.mean(),
                    column.median());
        }
        if (column.kind().isDate()) {
            return column.firstDate() + " to " + column.lastDate();
        }
        int count = column.levels().size();
        String first = frequent(column, SHOWN_LEVELS).stream()
                .map(level -> shortened(level.getKey()) + " " + level.getValue())
                .collect(Collectors.joining(", "));
        return (column.hasTooManyLevels()
                        ? "too many levels to list: "
                        : count + (count == 1 ? " level: " : " levels: "))
                + first
                + (count > SHOWN_LEVELS ? ", …" : "");
    }

    private static List<Map.Entry<String, Long>> frequent(ColumnSurvey column, int most) {
        return column.levels().entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(most)
                .toList();
    }

    /** A number as it stands in the file, or with six digits if it has many more. */
    private static String shortened(double number) {
        String exact = Json.text(number);
        return exact.length() <= LONGEST_NUMBER ? exact : String.format(Locale.US, "%.6g", number);
    }

    private static String shortened(String level) {
        String line = level.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST_LEVEL ? line : line.substring(0, LONGEST_LEVEL) + "…";
    }

    void write(JsonObject json) {
        json.with("data", survey.source());
        json.with("rows", survey.rows());
        json.with("delimiter", delimiter);
        json.objects("columns", survey.columns(), (one, column) -> {
            one.with("name", column.name());
            one.with("kind", column.kind().text());
            one.with("missing", column.missing());
            one.with("label", isLabel(column));
            one.with("remarks", remarks(column));
            if (Table.namesRows(column.name())) {
                one.with("namesRows", true);
            }
            if (column.kind() == Kind.NUMERIC && column.present() > 0) {
                numbers(one, column);
            } else if (column.kind().isDate() && column.present() > 0) {
                one.with("first", column.firstDate());
                one.with("last", column.lastDate());
                column.days(BINS).ifPresent(histogram -> histogram(one, histogram));
            } else {
                levels(one, column);
            }
        });
    }

    private static void numbers(JsonObject json, ColumnSurvey column) {
        json.with("smallest", column.quantile(0));
        json.with("largest", column.quantile(1));
        json.with("mean", column.mean());
        json.with("deviation", column.deviation());
        json.with("median", column.median());
        histogram(json, column.histogram(BINS));
    }

    private static void histogram(JsonObject json, Histogram histogram) {
        json.with("histogramFrom", histogram.low());
        json.with("binWidth", histogram.width());
        json.with("histogram", histogram.counts());
    }

    private static void levels(JsonObject json, ColumnSurvey column) {
        json.with("different", column.levels().size());
        json.with("tooMany", column.kind().hasLevels() && column.hasTooManyLevels());
        json.objects(
                "levels",
                frequent(column, LISTED_LEVELS),
                (one, level) -> one.with("level", level.getKey()).with("rows", level.getValue()));
    }
}
