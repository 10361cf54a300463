package dev.starling.cli.sites;

import java.io.PrintStream;
import java.time.Clock;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Option;

/** What a long-running command logs to stderr. */
final class LogOptions {

    /**
     * gRPC's own logger, which writes a stack trace for every frame that is too long, although the events that peers
     * log already say what matters. Switching it off is up to this process, not to the library.
     */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc");

    @Option(
            names = {"-q", "--quiet"},
            description = "Log only warnings.")
    private boolean quiet;

    /** Returns the log, which writes events as JSON objects, or as keys and values. */
    LineLogger logger(boolean json) {
        System.Logger.Level least = quiet ? System.Logger.Level.WARNING : System.Logger.Level.INFO;
        return new LineLogger(standardError(), Clock.systemUTC(), least, json);
    }

    @SuppressWarnings("SystemOut")
    private static PrintStream standardError() {
        return System.err;
    }

    /** Keeps the transport's own messages off stderr. */
    static void silenceTransport() {
        TRANSPORT.setLevel(Level.OFF);
    }
}
