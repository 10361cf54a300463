package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A server on an address, with a doorkeeper in front.
 *
 * @param server the server
 * @param loops the threads on which it runs
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
record Listener(Server server, EventLoopGroup loops) {

    private static final int THREADS = 2;

    /** A neighbour resets a stream when its connection breaks; more than this is an attack. */
    private static final int MOST_RESETS = 200;

    private static final int RESET_SECONDS = 30;

    /** How long its threads may take to end on a busy machine. */
    private static final long LONGEST_SECONDS = 10;

    /** The methods that a server offers, and how much it accepts at a time. */
    record Service(
            ServerServiceDefinition methods,
            int callsPerConnection,
            int largestFrame,
            int mostConnections,
            int flowWindow) {}

    /** Starts a server whose methods can get the current {@link Caller}. */
    static Listener start(
            InetSocketAddress address,
            Supplier<Credentials> credentials,
            Service service,
            Doorkeeper.Refusals refusals,
            ServerStreamTracer.Factory tracer)
            throws IOException {
        Doorkeeper keeper = new Doorkeeper(
                service.mostConnections(), () -> credentials.get().certificate(), refusals);
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                THREADS, new DefaultThreadFactory("starling-listen", true), NioIoHandler.newFactory());
        try {
            NettyServerBuilder builder = NettyServerBuilder.forAddress(address)
                    .channelFactory(() -> new Doorkeeper.Door(keeper))
                    .bossEventLoopGroup(loops)
                    .workerEventLoopGroup(loops);
            Server server = Sockets.server(builder, credentials, service.largestFrame())
                    .maxConcurrentCallsPerConnection(service.callsPerConnection())
                    .flowControlWindow(service.flowWindow())
                    .maxRstFramesPerWindow(MOST_RESETS, RESET_SECONDS)
                    .addStreamTracerFactory(tracer)
                    .addService(ServerInterceptors.intercept(service.methods(), new Caller.Noting()))
                    .build()
                    .start();
            return new Listener(server, loops);
        } catch (IOException e) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    int port() {
        return server.getPort();
    }

    /** Stops listening; calls in progress may complete. */
    void shutdown() {
        server.shutdown();
    }

    /**
     * Waits briefly for calls to end, aborts those that do not, and releases the port. A socket that is registered with
     * a selector is not closed until that selector has run once more, which may be after the server reports that it has
     * terminated; the port can be reused only when its threads have ended, too.
     */
    void end() throws InterruptedException {
        try {
            if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(LONGEST_SECONDS, TimeUnit.SECONDS);
        }
    }
}
