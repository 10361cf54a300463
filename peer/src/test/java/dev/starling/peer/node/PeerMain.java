package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.metrics.Journal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;

/**
 * A peer as a process, for tests: the journal on standard error, one line of results on standard output. At the first
 * line of the journal that has the text of {@code STARLING_TEST_HALT} in it the process dies, as if it were killed.
 */
public final class PeerMain {

    /** The exit code of a process that died on request. */
    static final int HALTED = 99;

    private PeerMain() {}

    private static PrintStream journal() {
        String text = System.getenv("STARLING_TEST_HALT");
        if (text == null) {
            return System.err;
        }
        return new PrintStream(System.err, true, StandardCharsets.UTF_8) {
            @Override
            public void println(Object line) {
                super.println(line);
                if (String.valueOf(line).contains(text)) {
                    Runtime.getRuntime().halt(HALTED);
                }
            }
        };
    }

    /** Runs the site of a file. */
    public static void main(String[] arguments) throws Exception {
        int code;
        try {
            SiteConfig config = SiteConfig.read(Path.of(arguments[0]));
            Journal journal = new Journal(journal(), config.site(), Clock.systemUTC(), false);
            Peer peer = new Peer(config, journal);
            Thread main = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                peer.leave();
                try {
                    main.join(10_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            PeerReport report = peer.run(done -> {});
            System.out.println("hash=" + report.fit().model().hash() + " gap="
                    + report.fit().gap() + " tau=" + report.tau() + " rounds="
                    + report.fit().rounds() + " seconds=" + report.fit().seconds() + " recoveries="
                    + report.recoveries() + " time=" + report.fit().idealisedTime() + " updates="
                    + report.fit().updates() + " micros=" + report.tauMeasuredMicros() + " step="
                    + report.stepMicros());
            code = 0;
        } catch (PeerStoppedException e) {
            System.err.println("stopped: " + e.getMessage());
            code = 1;
        } catch (InvalidInputException e) {
            System.err.println("invalid: " + e.getMessage());
            code = 2;
        }
        System.out.flush();
        Runtime.getRuntime().halt(code);
    }
}
