package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.page.LineChart;
import dev.starling.internal.JsonTree;
import dev.starling.internal.Version;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.core.JsonGenerator;

/** What a command has measured, in all its output formats. */
interface Measurements {

    /** Prints a table for people. */
    void print(PrintWriter out);

    /** Prints comma-separated values. */
    void csv(PrintWriter out);

    /** Writes the members of one JSON object. */
    void write(JsonGenerator json);

    /** Writes the seeds of the runs. */
    static void writeSeeds(JsonGenerator json, List<Long> seeds) {
        JsonTree.value(json, "seeds", seeds);
    }

    /** Writes the time that each method took; null for one that did not reach the target. */
    static void writeTimes(JsonGenerator json, Map<String, OptionalDouble> byMethod) {
        JsonTree.object(
                json,
                "time",
                () -> byMethod.forEach((method, time) -> Json.number(json, method, time.orElse(Double.NaN))));
    }

    /** Writes how the measurements came about. */
    static void writeOrigin(JsonGenerator json, boolean complete) {
        json.writeBooleanProperty("complete", complete);
        json.writeStringProperty("version", Version.current());
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
