package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import java.nio.file.Path;

/**
 * A peer as a process, for tests: its log on standard error, one line of results on standard output. At the first line
 * of the log that has the text of {@code STARLING_TEST_HALT} in it the process dies, as if it were killed.
 */
public final class PeerMain {

    /** The exit code of a process that died on request. */
    static final int HALTED = 99;

    private PeerMain() {}

    private static void tell(String line) {
        System.err.println(line);
        String text = System.getenv("STARLING_TEST_HALT");
        if (text != null && line.contains(text)) {
            Runtime.getRuntime().halt(HALTED);
        }
    }

    /** Runs the site of a file. */
    public static void main(String[] arguments) throws Exception {
        int code;
        try {
            SiteConfig config = SiteConfig.read(Path.of(arguments[0]));
            Peer peer = new Peer(config, new LineLogger(PeerMain::tell));
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
                    + report.stepMicros() + " version="
                    + report.fit().model().provenance().version());
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
