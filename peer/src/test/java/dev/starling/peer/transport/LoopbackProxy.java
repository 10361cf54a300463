package dev.starling.peer.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/** A server on the loopback between two ends; what it does with a connection, its kinds say. */
public abstract class LoopbackProxy implements AutoCloseable {

    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** Listens on a port that is free. */
    protected LoopbackProxy(ServerSocketFactory factory) throws IOException {
        server = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    /** Begins to take connections; called last when one is made. */
    protected final void begin() {
        daemon(this::accept);
    }

    /** Takes a connection, on a thread of its own. */
    protected abstract void take(Socket near) throws IOException;

    /** Where it listens. */
    public final int port() {
        return server.getLocalPort();
    }

    /** Ends all connections that stand, as a proxy does that is started again. */
    public final void reset() {
        sockets.forEach(LoopbackProxy::closeQuietly);
        sockets.clear();
    }

    protected static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }

    protected static void daemon(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket near = server.accept();
                sockets.add(near);
                daemon(() -> {
                    try {
                        take(near);
                    } catch (IOException e) {
                        // Whoever calls hears that nobody is there, as without a proxy.
                        closeQuietly(near);
                    }
                });
            } catch (IOException e) {
                // that connection is lost; the next is taken all the same
            }
        }
    }

    /** The connection to a port that belongs to one that was taken. */
    protected final Socket reach(Socket near, int port) throws IOException {
        Socket far = new Socket();
        sockets.add(far);
        far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        return far;
    }

    @Override
    public final void close() throws IOException {
        server.close();
        reset();
    }
}
