package dev.starling.peer.transport;

import dev.starling.peer.trust.FailureWords;
import dev.starling.peer.trust.Refusal;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Admits at most a fixed number of connections at a time, and reports those that never completed the TLS handshake,
 * since the server behind it never learns of them.
 *
 * @param most how many connections there may be at a time
 * @param inside how many there are
 * @param own returns the certificate that is presented to callers
 * @param refusals is told about those that were not admitted
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
record Doorkeeper(int most, AtomicInteger inside, Supplier<X509Certificate> own, Refusals refusals) {

    private static final int TLS_HANDSHAKE = 0x16;

    Doorkeeper(int most, Supplier<X509Certificate> own, Refusals refusals) {
        this(most, new AtomicInteger(), own, refusals);
    }

    /** Is told about each caller that was refused. */
    @FunctionalInterface
    interface Refusals {
        void refused(String who, Refusal why, String reason);
    }

    /** Whether there is room for another caller; one that is admitted is watched until the handshake is over. */
    private boolean admits(Channel caller) {
        if (inside.incrementAndGet() > most) {
            inside.decrementAndGet();
            refusals.refused(
                    String.valueOf(caller.remoteAddress()),
                    Refusal.TOO_MANY,
                    "there are already " + most + " connections");
            return false;
        }
        caller.closeFuture().addListener(closed -> inside.decrementAndGet());
        caller.pipeline().addLast(new PendingHandshake(this));
        return true;
    }

    /** A listening socket with a doorkeeper. */
    static final class Door extends NioServerSocketChannel {
        private final Doorkeeper keeper;

        Door(Doorkeeper keeper) {
            this.keeper = keeper;
        }

        @Override
        protected int doReadMessages(List<Object> callers) throws Exception {
            int before = callers.size();
            int read = super.doReadMessages(callers);
            for (int k = callers.size() - 1; k >= before; k--) {
                Channel caller = (Channel) callers.get(k);
                if (!keeper.admits(caller)) {
                    callers.remove(k);
                    caller.unsafe().closeForcibly();
                    read--;
                }
            }
            return read;
        }
    }

    /** Watches a caller until the handshake is over. */
    private static final class PendingHandshake extends ChannelInboundHandlerAdapter {
        private final Doorkeeper keeper;
        private boolean hasSent;
        private boolean tls;
        private boolean watched;
        private Throwable failure;

        PendingHandshake(Doorkeeper keeper) {
            this.keeper = keeper;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!hasSent && message instanceof ByteBuf bytes && bytes.isReadable()) {
                hasSent = true;
                tls = bytes.getByte(bytes.readerIndex()) == TLS_HANDSHAKE;
            }
            SslHandler handshake = watched ? null : context.pipeline().get(SslHandler.class);
            if (handshake != null) {
                watched = true;
                handshake.handshakeFuture().addListener(end -> {
                    failure = end.cause();
                    if (end.isSuccess()) {
                        context.pipeline().remove(this);
                    }
                });
            }
            context.fireChannelRead(message);
        }

        /** Once a caller has completed the handshake, its visitor is no longer in the pipeline. */
        @Override
        public void channelInactive(ChannelHandlerContext context) {
            String who = String.valueOf(context.channel().remoteAddress());
            if (!tls) {
                keeper.refusals()
                        .refused(
                                who,
                                Refusal.NOT_TLS,
                                hasSent ? "what it sent is not TLS" : "it left without sending anything");
            } else if (failure == null) {
                keeper.refusals().refused(who, Refusal.HANDSHAKE, "it left in the middle of the TLS handshake");
            } else {
                keeper.refusals()
                        .refused(
                                who,
                                FailureWords.refusal(failure),
                                FailureWords.of(failure, keeper.own().get()));
            }
            context.fireChannelInactive();
        }
    }
}
