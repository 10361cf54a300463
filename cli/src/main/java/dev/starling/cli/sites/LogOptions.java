package dev.starling.cli.sites;

import java.io.PrintStream;
import java.time.Clock;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Option;

/** What a command that runs for long logs to stderr. */
final class LogOptions {

    /**
     * gRPC's own logger, which writes a stack trace for every frame that is too long; what matters of that is among the
     * events that are logged anyway. It is this process' to switch off, not the library's.
     */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc");

    @Option(
            names = {"-q", "--quiet"},
            description = "Log warnings only.")
    private boolean quiet;

    /** The log: an object per event, or keys and values. */
    LineLogger logger(boolean json) {
        System.Logger.Level least = quiet ? System.Logger.Level.WARNING : System.Logger.Level.INFO;
        return new LineLogger(standardError(), Clock.systemUTC(), least, json);
    }

    @SuppressWarnings("SystemOut")
    private static PrintStream standardError() {
        return System.err;
    }

    /** Keeps the transport's own words from stderr. */
    static void silenceTransport() {
        TRANSPORT.setLevel(Level.OFF);
    }
}
