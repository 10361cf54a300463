package dev.starling.cli.table;

import dev.starling.cli.console.Json;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import java.io.PrintWriter;
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
 * @param delimiter the character that separates the cells of a file; empty for other tables
 */
record Description(Survey survey, Optional<Character> delimiter) {

    private static final int SHOWN_LEVELS = 5;
    private static final int LISTED_LEVELS = 50;
    private static final int LONGEST_LEVEL = 24;
    private static final int BINS = 24;

    void print(PrintWriter out) {
        int width = survey.columns().stream()
                .mapToInt(column -> column.name().length())
                .max()
                .orElse(0);
        out.println(survey.source() + ": " + survey.rows() + " rows, "
                + survey.columns().size() + " columns" + separator());
        String format = "%-" + Math.max(width, "column".length()) + "s  %-11s  %7s  %s%n";
        out.printf(Locale.ROOT, format, "column", "kind", "missing", "values");
        for (ColumnSurvey column : survey.columns()) {
            out.printf(Locale.ROOT, format, column.name(), column.kind().text(), column.missing(), values(column));
        }
        survey.columns().forEach(column -> column.doubt().ifPresent(doubt -> out.println(doubt)));
        out.flush();
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
        if (column.kind().isDate() && !column.hasTooManyLevels()) {
            return column.levels().firstKey() + " to " + column.levels().lastKey();
        }
        int count = column.levels().size();
        String first = frequent(column, SHOWN_LEVELS).stream()
                .map(level -> shortened(level.getKey()) + " " + level.getValue())
                .collect(Collectors.joining(", "));
        String what = column.kind().isDate() ? " dates: " : " levels: ";
        return (column.hasTooManyLevels() ? "too many" + what.replace(":", " to list:") : count + what)
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
        json.writeArrayPropertyStart("columns");
        for (ColumnSurvey column : survey.columns()) {
            json.writeStartObject();
            json.writeStringProperty("name", column.name());
            json.writeStringProperty("kind", column.kind().text());
            json.writeNumberProperty("missing", column.missing());
            if (column.kind() == Kind.NUMERIC && column.present() > 0) {
                numbers(json, column);
            } else {
                levels(json, column);
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void numbers(JsonGenerator json, ColumnSurvey column) {
        Json.number(json, "smallest", column.quantile(0));
        Json.number(json, "largest", column.quantile(1));
        Json.number(json, "mean", column.mean());
        Json.number(json, "deviation", column.deviation());
        Json.number(json, "median", column.median());
        json.writeArrayPropertyStart("histogram");
        for (long count : column.histogram(BINS)) {
            json.writeNumber(count);
        }
        json.writeEndArray();
    }

    private static void levels(JsonGenerator json, ColumnSurvey column) {
        json.writeNumberProperty("different", column.levels().size());
        json.writeBooleanProperty("tooMany", column.kind().hasLevels() && column.hasTooManyLevels());
        json.writeArrayPropertyStart("levels");
        for (Map.Entry<String, Long> level : frequent(column, LISTED_LEVELS)) {
            json.writeStartObject();
            json.writeStringProperty("level", level.getKey());
            json.writeNumberProperty("rows", level.getValue());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
