package dev.starling.cli.table;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonTree;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Histogram;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/**
 * What a table holds, as lines for people and as a JSON object for programs and pages.
 *
 * @param label the column that would be predicted; empty if none is named and none has a usual name
 * @param delimiter the character that separates the cells of a file; empty for other tables
 */
record Description(Survey survey, Optional<String> label, Optional<Character> delimiter) {

    private static final int SHOWN_LEVELS = 5;
    private static final int LISTED_LEVELS = 50;
    private static final int LONGEST_LEVEL = 24;
    private static final int BINS = 24;

    void print(PrintWriter out) {
        int width = survey.columns().stream()
                .mapToInt(column -> column.name().length())
                .max()
                .orElse(0);
        out.println(survey.source() + ": " + survey.rows() + (survey.rows() == 1 ? " row, " : " rows, ")
                + survey.columns().size() + " columns" + separator());
        String format =
                "%-" + Math.max(width, "column".length()) + "s  %-" + (label.isPresent() ? 18 : 11) + "s  %7s  %s%n";
        out.printf(Locale.ROOT, format, "column", "kind", "missing", "values");
        for (ColumnSurvey column : survey.columns()) {
            out.printf(Locale.ROOT, format, column.name(), kind(column), column.missing(), values(column));
        }
        survey.columns().forEach(column -> remarks(column).forEach(out::println));
        out.flush();
    }

    private boolean isLabel(ColumnSurvey column) {
        return label.filter(column.name()::equals).isPresent();
    }

    private String kind(ColumnSurvey column) {
        return column.kind().text() + (isLabel(column) ? ", label" : "");
    }

    /** What may be wrong with a column. */
    private List<String> remarks(ColumnSurvey column) {
        List<String> remarks = new ArrayList<>();
        column.doubt().ifPresent(remarks::add);
        if (column.isConstant()) {
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
                    Locale.ROOT,
                    "%s to %s, mean %.4g, median %.4g",
                    Json.text(column.quantile(0)),
                    Json.text(column.quantile(1)),
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

    private static String shortened(String level) {
        String line = level.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= LONGEST_LEVEL ? line : line.substring(0, LONGEST_LEVEL) + "…";
    }

    void write(JsonGenerator json) {
        json.writeStringProperty("data", survey.source());
        json.writeNumberProperty("rows", survey.rows());
        delimiter.ifPresent(character -> json.writeStringProperty("delimiter", character.toString()));
        JsonTree.objects(json, "columns", survey.columns(), column -> {
            json.writeStringProperty("name", column.name());
            json.writeStringProperty("kind", column.kind().text());
            json.writeNumberProperty("missing", column.missing());
            json.writeBooleanProperty("label", isLabel(column));
            JsonTree.value(json, "remarks", remarks(column));
            if (column.kind() == Kind.NUMERIC && column.present() > 0) {
                numbers(json, column);
            } else if (column.kind().isDate() && column.present() > 0) {
                json.writeStringProperty("first", column.firstDate());
                json.writeStringProperty("last", column.lastDate());
                column.days(BINS).ifPresent(histogram -> histogram(json, histogram));
            } else {
                levels(json, column);
            }
        });
    }

    private static void numbers(JsonGenerator json, ColumnSurvey column) {
        Json.number(json, "smallest", column.quantile(0));
        Json.number(json, "largest", column.quantile(1));
        Json.number(json, "mean", column.mean());
        Json.number(json, "deviation", column.deviation());
        Json.number(json, "median", column.median());
        histogram(json, column.histogram(BINS));
    }

    private static void histogram(JsonGenerator json, Histogram histogram) {
        Json.number(json, "histogramFrom", histogram.low());
        Json.number(json, "binWidth", histogram.width());
        json.writeArrayPropertyStart("histogram");
        for (long count : histogram.counts()) {
            json.writeNumber(count);
        }
        json.writeEndArray();
    }

    private static void levels(JsonGenerator json, ColumnSurvey column) {
        json.writeNumberProperty("different", column.levels().size());
        json.writeBooleanProperty("tooMany", column.kind().hasLevels() && column.hasTooManyLevels());
        JsonTree.objects(json, "levels", frequent(column, LISTED_LEVELS), level -> {
            json.writeStringProperty("level", level.getKey());
            json.writeNumberProperty("rows", level.getValue());
        });
    }
}
