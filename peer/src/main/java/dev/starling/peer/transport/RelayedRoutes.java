package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import dev.starling.peer.wire.Meeting;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.bootstrap.Bootstrap;
import io.grpc.netty.shaded.io.netty.bootstrap.ServerBootstrap;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelFuture;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelInitializer;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.local.LocalAddress;
import io.grpc.netty.shaded.io.netty.channel.local.LocalChannel;
import io.grpc.netty.shaded.io.netty.channel.local.LocalIoHandler;
import io.grpc.netty.shaded.io.netty.channel.local.LocalServerChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * A node's routes to its neighbours through a relay. To the channels and servers of this process, the other end appears
 * to be within the process; what they send goes through a tunnel, one per neighbour. A node that is dialled by a
 * neighbour opens the tunnel in advance, and again whenever it ends.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
final class RelayedRoutes implements AutoCloseable {

    private static final long FIRST_RETRY_MILLIS = 50;
    private static final long LAST_RETRY_MILLIS = 5_000;

    private final Endpoint endpoint;
    private final Identity self;
    private final Supplier<Credentials> credentials;
    private final InetSocketAddress relay;
    private final Optional<InetSocketAddress> proxy;
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("starling-tunnel", true), LocalIoHandler.newFactory());

    RelayedRoutes(
            Endpoint endpoint,
            Identity self,
            Supplier<Credentials> credentials,
            InetSocketAddress relay,
            Optional<InetSocketAddress> proxy) {
        this.endpoint = endpoint;
        this.self = self;
        this.credentials = credentials;
        this.relay = relay;
        this.proxy = proxy;
    }

    /** Returns a new address that only this process knows. */
    static LocalAddress newAddress() {
        return new LocalAddress("starling-" + UUID.randomUUID());
    }

    /** Opens a channel to the relay, which must identify itself as such. */
    ManagedChannel channel() throws SSLException {
        SiteTrustManager.Holder holder = certificate -> {
            Set<String> names = CertificateNames.of(certificate);
            if (!names.contains(RelayWire.NAME) && !names.contains(relay.getHostString())) {
                throw new RefusedCertificateException(
                        Refusal.NAME,
                        "the relay's certificate carries neither the name " + RelayWire.NAME + " nor "
                                + relay.getHostString());
            }
        };
        ManagedChannel channel = Sockets.dial(
                Sockets.address(relay, proxy).sslContext(Sockets.clientContext(credentials, holder)),
                RelayWire.LARGEST_FRAME);
        channels.add(channel);
        return channel;
    }

    /** The message by which the relay recognises the two ends of an edge; nobody else sends the same. */
    private Meeting meeting(Neighbour neighbour) {
        Set<String> names = CertificateNames.of(credentials.get().certificate());
        String own = names.contains(self.name()) || names.isEmpty()
                ? self.name()
                : names.iterator().next();
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(self.networkDigest().toByteArray());
            digest.update(self.run().getBytes(StandardCharsets.UTF_8));
            return Meeting.newBuilder()
                    .setNetwork(ByteString.copyFrom(digest.digest()))
                    .setSelf(own)
                    .setOther(neighbour.certificateName())
                    .build();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private void complain(Link link, Throwable reason) {
        if (!link.isUp()) {
            endpoint.events()
                    .onDown(
                            link,
                            "through the relay " + relay.getHostString() + ":" + relay.getPort() + ": "
                                    + endpoint.describe(reason));
        }
    }

    /** Returns the builder of a channel to a neighbour that this node dials. */
    NettyChannelBuilder to(Link link) throws SSLException {
        ManagedChannel channel = channel();
        LocalAddress address = newAddress();
        new ServerBootstrap()
                .group(loops)
                .channel(LocalServerChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childHandler(new ChannelInboundHandlerAdapter() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }

                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                        dial(link, channel, context.channel());
                    }
                })
                .bind(address)
                .syncUninterruptibly();
        return NettyChannelBuilder.forAddress(address)
                .channelType(LocalChannel.class, LocalAddress.class)
                .eventLoopGroup(loops);
    }

    private void dial(Link link, ManagedChannel channel, Channel caller) {
        channel.resetConnectBackoff();
        Tunnel tunnel = Tunnel.open(
                channel, meeting(link.neighbour()), new Tunnel.Callbacks(met -> met.join(caller), reason -> {
                    complain(link, reason);
                    caller.close();
                }));
        caller.closeFuture().addListener(closed -> tunnel.cancel());
    }

    /** Waits at the relay for a neighbour that dials this node, and connects it to this node's server. */
    void offer(Link link, LocalAddress server) throws SSLException {
        new Offer(link, channel(), server).open();
    }

    /** A tunnel that waits for a neighbour, reopened whenever it has ended. */
    private final class Offer {
        private final Link link;
        private final ManagedChannel channel;
        private final LocalAddress server;
        private long retryMillis = FIRST_RETRY_MILLIS;

        Offer(Link link, ManagedChannel channel, LocalAddress server) {
            this.link = link;
            this.channel = channel;
            this.server = server;
        }

        void open() {
            if (!endpoint.isClosed()) {
                channel.resetConnectBackoff();
                Tunnel.open(channel, meeting(link.neighbour()), new Tunnel.Callbacks(this::met, this::ended));
            }
        }

        private void met(Tunnel tunnel) {
            retryMillis = FIRST_RETRY_MILLIS;
            ChannelFuture connecting = new Bootstrap()
                    .group(loops)
                    .channel(LocalChannel.class)
                    .option(ChannelOption.AUTO_READ, false)
                    .handler(new ChannelInitializer<Channel>() {
                        @Override
                        protected void initChannel(Channel fresh) {}
                    })
                    .connect(server);
            connecting.channel().closeFuture().addListener(closed -> tunnel.cancel());
            connecting.addListener(end -> {
                if (end.isSuccess()) {
                    tunnel.join(connecting.channel());
                }
            });
        }

        private void ended(Throwable reason) {
            complain(link, reason);
            endpoint.later(this::open, retryMillis);
            retryMillis = Math.min(LAST_RETRY_MILLIS, 2 * retryMillis);
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        loops.shutdownGracefully(100, 1000, TimeUnit.MILLISECONDS);
    }
}
