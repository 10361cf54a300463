package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonObject;
import dev.starling.internal.Version;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a command has measured, in all its output formats. */
interface Measurements {

    /** Prints a table for people. */
    void print(PrintWriter out);

    /** Prints comma-separated values. */
    void csv(PrintWriter out);

    /** Writes the members of one JSON object. */
    void write(JsonObject json);

    /** Writes the time that each method took; null for one that did not reach the target. */
    static void writeTimes(JsonObject json, Map<String, OptionalDouble> byMethod) {
        json.object("time", one -> byMethod.forEach((method, time) -> one.with(method, time.orElse(Double.NaN))));
    }

    /** The time that each method took, on one line. */
    static String times(Map<String, OptionalDouble> byMethod) {
        return byMethod.entrySet().stream()
                .map(entry -> entry.getKey() + " " + NumberFormats.shortText(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** Prints numbers for people; what was not measured is a dash. */
    static void print(PrintWriter out, List<String> heads, Stream<? extends List<?>> rows) {
        table(heads, rows, NumberFormats::shortText).print(out);
    }

    /** Prints numbers with all their digits, separated by commas; what was not measured is empty. */
    static void csv(PrintWriter out, List<String> heads, Stream<? extends List<?>> rows) {
        table(heads, rows, number -> Double.isFinite(number) ? Json.text(number) : "")
                .print(TextTable.Form.CSV, out);
    }

    private static TextTable table(List<String> heads, Stream<? extends List<?>> rows, DoubleFunction<String> number) {
        return new TextTable(Stream.concat(
                        Stream.of(heads),
                        rows.map(row ->
                                row.stream().map(cell -> cell(cell, number)).toList()))
                .toList());
    }

    private static String cell(Object cell, DoubleFunction<String> number) {
        if (cell instanceof OptionalDouble some) {
            return number.apply(some.orElse(Double.NaN));
        }
        return cell instanceof Double value ? number.apply(value) : cell.toString();
    }

    /** Writes how the measurements came about. */
    static void writeOrigin(JsonObject json, boolean complete) {
        json.with("complete", complete);
        json.with("version", Version.current());
    }

    /** Returns a chart for papers; a command without one must refuse the option before it starts. */
    default LineChart chart() {
        throw new UnsupportedOperationException("no picture");
    }

    /** Returns an HTML page; a command without one must refuse the option before it starts. */
    default String page() {
        throw new UnsupportedOperationException("no page");
    }
}
