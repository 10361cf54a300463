package dev.starling.cli.compare;

import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonObject;
import dev.starling.internal.Version;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What a command has measured, in all its output formats. */
interface Measurements {

    /** Prints a table for people. */
    void print(PrintWriter out);

    /** Prints comma-separated values. */
    void csv(PrintWriter out);

    /** Writes the members of one JSON object. */
    void write(JsonObject json);

    /** Writes the seeds of the runs. */
    static void writeSeeds(JsonObject json, List<Long> seeds) {
        json.with("seeds", seeds);
    }

    /** Writes the time that each method took; null for one that did not reach the target. */
    static void writeTimes(JsonObject json, Map<String, OptionalDouble> byMethod) {
        json.object("time", one -> byMethod.forEach((method, time) -> one.with(method, time.orElse(Double.NaN))));
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
