package dev.starling.peer.transport;

import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.local.LocalAddress;
import io.grpc.netty.shaded.io.netty.channel.local.LocalIoHandler;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A server on an address, with a doorkeeper in front.
 *
 * @param server what answers
 * @param loops the threads it runs on
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty's closings and listeners, whose end nobody waits for
record Listener(Server server, EventLoopGroup loops) {

    private static final int THREADS = 2;

    /** What a server answers, and how much of it at a time. */
    record Service(
            ServerServiceDefinition methods,
            int callsPerConnection,
            int largestFrame,
            int mostConnections,
            int flowWindow) {}

    /** Starts a server on an address, whose service can ask for the {@link Caller}. */
    static Listener start(
            InetSocketAddress address,
            Supplier<Credentials> credentials,
            Service service,
            Doorkeeper.Refusals refusals,
            ServerStreamTracer.Factory tracer)
            throws IOException {
        Doorkeeper keeper = keeper(credentials, service, refusals);
        return start(
                NettyServerBuilder.forAddress(address).channelFactory(() -> new Doorkeeper.Door(keeper)),
                NioIoHandler.newFactory(),
                credentials,
                service,
                tracer);
    }

    /** Starts a server that only this process can reach. */
    static Listener start(
            LocalAddress address,
            Supplier<Credentials> credentials,
            Service service,
            Doorkeeper.Refusals refusals,
            ServerStreamTracer.Factory tracer)
            throws IOException {
        Doorkeeper keeper = keeper(credentials, service, refusals);
        return start(
                NettyServerBuilder.forAddress(address).channelFactory(() -> new Doorkeeper.LocalDoor(keeper)),
                LocalIoHandler.newFactory(),
                credentials,
                service,
                tracer);
    }

    private static Doorkeeper keeper(Supplier<Credentials> credentials, Service service, Doorkeeper.Refusals refusals) {
        return new Doorkeeper(service.mostConnections(), () -> credentials.get().certificate(), refusals);
    }

    private static Listener start(
            NettyServerBuilder builder,
            IoHandlerFactory io,
            Supplier<Credentials> credentials,
            Service service,
            ServerStreamTracer.Factory tracer)
            throws IOException {
        EventLoopGroup loops =
                new MultiThreadIoEventLoopGroup(THREADS, new DefaultThreadFactory("starling-listen", true), io);
        try {
            builder.bossEventLoopGroup(loops).workerEventLoopGroup(loops);
            Server server = Sockets.server(builder, credentials, service.largestFrame())
                    .maxConcurrentCallsPerConnection(service.callsPerConnection())
                    .flowControlWindow(service.flowWindow())
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

    /** Stops listening; calls may end. */
    void shutdown() {
        server.shutdown();
    }

    /** Waits a little for calls to end, and ends those that do not. */
    void end() throws InterruptedException {
        try {
            if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } finally {
            loops.shutdownGracefully(100, 1000, TimeUnit.MILLISECONDS);
        }
    }
}
