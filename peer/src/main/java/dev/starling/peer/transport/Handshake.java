package dev.starling.peer.transport;

import dev.starling.peer.trust.Printable;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;

/**
 * The first messages of the two ends of a link, and the reasons why they may not fit together.
 *
 * @param self this end
 * @param neighbour the other end
 * @param expected the number of the vector that this end expects next
 * @param oldest the number of the oldest vector that it can still send
 */
record Handshake(Identity self, Neighbour neighbour, long expected, long oldest) {

    private static final int LONGEST_QUOTE = 40;

    Frame hello() {
        Hello hello = Hello.newBuilder()
                .setProtocol(Wire.PROTOCOL)
                .setRun(self.run())
                .setNode(self.node())
                .setNetwork(self.networkDigest())
                .setNext(expected)
                .setOldest(oldest)
                .build();
        return Frame.newBuilder().setHello(hello).build();
    }

    /** Returns why the other end's Hello is refused; null if it is accepted. */
    String mismatch(Hello hello) {
        String other = "site " + neighbour.name();
        String here = "site " + self.name();
        if (hello.getProtocol() != Wire.PROTOCOL) {
            return other + " speaks protocol " + hello.getProtocol() + ", " + here + " protocol " + Wire.PROTOCOL
                    + "; run versions of Starling with the same protocol at both";
        }
        if (!hello.getRun().equals(self.run())) {
            return other + " takes part in run " + quoted(hello.getRun()) + ", " + here + " in " + quoted(self.run())
                    + "; 'run' must be the same in both files";
        }
        if (!hello.getNetwork().equals(self.networkDigest())) {
            return other + " and " + here
                    + " are configured for different networks; 'sites', 'edges' and 'keys' must be the same in both files";
        }
        if (hello.getNext() < oldest) {
            return other + " asks for message " + hello.getNext() + ", but the oldest that " + here + " keeps is "
                    + oldest + "; " + other + " has lost its checkpoints and cannot continue this run";
        }
        if (hello.getOldest() > expected) {
            return here + " needs message " + expected + ", but the oldest that " + other + " keeps is "
                    + hello.getOldest() + "; " + here + " has lost its checkpoints: restore them, or start a new "
                    + "run under another name at all sites";
        }
        return null;
    }

    private static String quoted(String text) {
        return "'" + Printable.of(text, LONGEST_QUOTE) + "'";
    }
}
