package dev.starling.support;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for sites that a test starts. */
public final class FreePorts {

    private static final int SMALLEST = 10_000;
    private static final int LARGEST = 32_000;

    /** Tests run in parallel, and a port is free until its site is started: none is handed out twice. */
    private static int next = ThreadLocalRandom.current().nextInt(SMALLEST, LARGEST);

    private FreePorts() {}

    /**
     * The first of a run of ports that are free at the moment, none of which the system gives to connections that go
     * out: one of those could take the port of a site that is down, even the very one by which its neighbour dials it.
     */
    public static synchronized int first(int count) throws IOException {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int first = next + count > LARGEST ? SMALLEST : next;
            next = first + count;
            if (allFree(first, count)) {
                return first;
            }
        }
        throw new IOException("no " + count + " free ports in a row from " + SMALLEST + " to " + LARGEST);
    }

    private static boolean allFree(int first, int count) {
        for (int port = first; port < first + count; port++) {
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (!probe.isBound()) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
