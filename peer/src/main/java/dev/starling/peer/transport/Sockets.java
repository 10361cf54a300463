package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.SiteKeyManager;
import dev.starling.peer.trust.SiteTrustManager;
import dev.starling.peer.trust.Trust;
import io.grpc.ConnectivityState;
import io.grpc.HttpConnectProxiedSocketAddress;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/** Channels and servers as links need them: with TLS 1.3, certificates on both sides, bounded frames and keep-alive. */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
final class Sockets {

    private static final String PROTOCOL = "TLSv1.3";
    private static final long HANDSHAKE_SECONDS = 10;
    private static final long KEEPALIVE_SECONDS = 5;
    private static final long IDLE_SECONDS = 30;
    private static final int METADATA_BYTES = 8192;

    private Sockets() {}

    /** Opens a channel to a neighbour, whose certificate must be that neighbour's, through a proxy if there is one. */
    static ManagedChannel dial(
            Neighbour neighbour,
            Supplier<Credentials> credentials,
            InetSocketAddress address,
            Optional<Proxy> proxy,
            int largestFrame)
            throws SSLException {
        SslContext context = GrpcSslContexts.configure(SslContextBuilder.forClient()
                        .keyManager(new SiteKeyManager(credentials))
                        .trustManager(new SiteTrustManager(
                                credentials,
                                certificate -> Trust.requireHolder(
                                        certificate, neighbour.certificateName(), neighbour.pin()))))
                .protocols(PROTOCOL)
                .build();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.getHostString(), address.getPort());
        proxy.ifPresent(through -> builder.proxyDetector(target -> through((InetSocketAddress) target, through)));
        Optional<Proxy> wrapped = proxy.filter(through -> through.tls().isPresent());
        Optional<EventLoopGroup> loops = wrapped.map(through -> new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("starling-proxy", true), NioIoHandler.newFactory()));
        loops.ifPresent(
                group -> builder.eventLoopGroup(group).channelFactory(() -> TlsToProxy.channel(wrapped.orElseThrow())));
        ManagedChannel channel = builder.overrideAuthority(neighbour.certificateName())
                .sslContext(context)
                .directExecutor()
                .maxInboundMessageSize(largestFrame)
                .maxInboundMetadataSize(METADATA_BYTES)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .disableRetry()
                .build();
        loops.ifPresent(group -> whenShutDown(channel, group::shutdownGracefully));
        return channel;
    }

    private static void whenShutDown(ManagedChannel channel, Runnable action) {
        ConnectivityState state = channel.getState(false);
        if (state == ConnectivityState.SHUTDOWN) {
            action.run();
        } else {
            channel.notifyWhenStateChanged(state, () -> whenShutDown(channel, action));
        }
    }

    private static HttpConnectProxiedSocketAddress through(InetSocketAddress target, Proxy proxy) {
        InetSocketAddress address = proxy.address();
        HttpConnectProxiedSocketAddress.Builder builder = HttpConnectProxiedSocketAddress.newBuilder()
                .setProxyAddress(new InetSocketAddress(address.getHostString(), address.getPort()))
                .setTargetAddress(target);
        if (proxy.login().isPresent()) {
            builder.setUsername(proxy.user()).setPassword(proxy.password());
        }
        return builder.build();
    }

    /** Configures a server with the limits that all servers have; callers must present a trusted certificate. */
    static NettyServerBuilder server(NettyServerBuilder builder, Supplier<Credentials> credentials, int largestFrame)
            throws SSLException {
        SslContext context = GrpcSslContexts.configure(SslContextBuilder.forServer(new SiteKeyManager(credentials))
                        .trustManager(new SiteTrustManager(credentials, SiteTrustManager.Holder.ANY)))
                .clientAuth(ClientAuth.REQUIRE)
                .protocols(PROTOCOL)
                .build();
        return builder.sslContext(context)
                .directExecutor()
                .maxInboundMessageSize(largestFrame)
                .maxInboundMetadataSize(METADATA_BYTES)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxConnectionIdle(IDLE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_SECONDS, TimeUnit.SECONDS);
    }
}
