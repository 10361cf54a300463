package dev.starling.peer.transport;

import io.grpc.BindableService;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Channels and servers as links need them: TLS 1.3, certificates on both sides, bounded frames, kept alive. */
final class Sockets {

    private static final String PROTOCOL = "TLSv1.3";
    private static final long HANDSHAKE_SECONDS = 10;
    private static final long KEEPALIVE_SECONDS = 5;
    private static final int METADATA_BYTES = 8192;

    private Sockets() {}

    static SslContext clientContext(Credentials credentials) throws SSLException {
        return GrpcSslContexts.configure(SslContextBuilder.forClient()
                        .keyManager(credentials.key(), chain(credentials))
                        .trustManager(authorities(credentials)))
                .protocols(PROTOCOL)
                .build();
    }

    private static X509Certificate[] chain(Credentials credentials) {
        return credentials.chain().toArray(new X509Certificate[0]);
    }

    private static X509Certificate[] authorities(Credentials credentials) {
        return credentials.authorities().toArray(new X509Certificate[0]);
    }

    /** A channel to an address whose certificate must carry a name. */
    static ManagedChannel dial(InetSocketAddress address, String name, SslContext context, int largestFrame) {
        return NettyChannelBuilder.forAddress(address.getHostString(), address.getPort())
                .overrideAuthority(name)
                .sslContext(context)
                .directExecutor()
                .maxInboundMessageSize(largestFrame)
                .maxInboundMetadataSize(METADATA_BYTES)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .disableRetry()
                .build();
    }

    /** A server that has started, and whose service can ask for the {@link Caller}. */
    static Server listen(
            InetSocketAddress address,
            Credentials credentials,
            int largestFrame,
            BindableService service,
            ServerStreamTracer.Factory tracer)
            throws IOException {
        SslContext context = GrpcSslContexts.configure(
                        SslContextBuilder.forServer(credentials.key(), chain(credentials))
                                .trustManager(authorities(credentials)))
                .clientAuth(ClientAuth.REQUIRE)
                .protocols(PROTOCOL)
                .build();
        return NettyServerBuilder.forAddress(address)
                .sslContext(context)
                .directExecutor()
                .maxInboundMessageSize(largestFrame)
                .maxInboundMetadataSize(METADATA_BYTES)
                .maxConcurrentCallsPerConnection(4)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .addStreamTracerFactory(tracer)
                .addService(ServerInterceptors.intercept(service, new Caller.Noting()))
                .build()
                .start();
    }
}
