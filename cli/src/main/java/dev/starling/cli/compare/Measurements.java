package dev.starling.cli.compare;

import dev.starling.cli.page.LineChart;
import java.io.PrintWriter;
import tools.jackson.core.JsonGenerator;

/** What a command has measured, in every form that it can be asked for. */
interface Measurements {

    /** A table for people. */
    void print(PrintWriter out);

    /** Rows with commas. */
    void csv(PrintWriter out);

    /** The members of one JSON object. */
    void write(JsonGenerator json);

    /** A picture for papers; a command that has none refuses to be asked for it before it starts. */
    default LineChart chart() {
        throw new UnsupportedOperationException("no picture");
    }

    /** One page for browsers; likewise. */
    default String page() {
        throw new UnsupportedOperationException("no page");
    }
}
