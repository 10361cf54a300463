package dev.starling.peer.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between two sites and can swallow everything that passes, in both directions, as a cut cable does. */
final class DroppingProxy implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean cut;
    private volatile long delayMillis;

    DroppingProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    void cut(boolean newCut) {
        cut = newCut;
    }

    /** Holds everything back for a while before it is passed on. */
    void delay(long millis) {
        delayMillis = millis;
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "dropping-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                Socket far = new Socket();
                sockets.add(near);
                sockets.add(far);
                far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 1000);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
                daemon(() -> copy(near, far));
                daemon(() -> copy(far, near));
            } catch (IOException e) {
                // that connection is lost, as a dropped one would be; the next is taken all the same
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        boolean torn = false;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                // A stream that has lost bytes is never whole again: it stays silent after the cut.
                torn |= cut;
                Thread.sleep(delayMillis);
                if (!torn) {
                    out.write(buffer, 0, count);
                }
            }
        } catch (IOException | InterruptedException e) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
