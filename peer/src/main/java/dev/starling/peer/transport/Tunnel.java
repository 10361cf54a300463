package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.starling.peer.wire.Meeting;
import dev.starling.peer.wire.Piece;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.netty.buffer.ByteBuf;
import io.grpc.netty.shaded.io.netty.buffer.Unpooled;
import io.grpc.netty.shaded.io.netty.channel.Channel;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.function.Consumer;

/**
 * One end of a tunnel through a relay: once the other end is there, everything from a channel of this process is sent
 * to it, and vice versa. Neither side is read faster than the other accepts.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
final class Tunnel implements ClientResponseObserver<Piece, Piece> {

    /**
     * The callbacks of a tunnel.
     *
     * @param met called when the other end is there
     * @param ended called with the reason when the tunnel has ended
     */
    record Callbacks(Consumer<Tunnel> met, Consumer<Throwable> ended) {}

    private final Callbacks callbacks;
    private ClientCallStreamObserver<Piece> outgoing;
    private Channel channel;
    private boolean met;
    private boolean ended;

    private Tunnel(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    /** Starts waiting for the other end. */
    static Tunnel open(ManagedChannel relay, Meeting meeting, Callbacks callbacks) {
        Tunnel tunnel = new Tunnel(callbacks);
        ClientCalls.asyncBidiStreamingCall(relay.newCall(RelayWire.TUNNEL, CallOptions.DEFAULT), tunnel);
        tunnel.send(Piece.newBuilder().setMeeting(meeting).build());
        return tunnel;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<Piece> requests) {
        outgoing = requests;
        requests.disableAutoRequestWithInitial(1);
        requests.setOnReadyHandler(this::ready);
    }

    private synchronized void send(Piece piece) {
        if (!ended) {
            outgoing.onNext(piece);
        }
    }

    /** Joins the tunnel to a channel from which nothing has been read yet; both are read from now on. */
    void join(Channel joined) {
        synchronized (this) {
            channel = joined;
        }
        joined.pipeline().addLast(new Mouth());
        joined.config().setAutoRead(true);
        outgoing.request(1);
    }

    @Override
    public void onNext(Piece piece) {
        Channel joined;
        synchronized (this) {
            joined = channel;
        }
        if (!met && piece.getKindCase() == Piece.KindCase.MET) {
            met = true;
            callbacks.met().accept(this);
        } else if (joined != null && piece.getKindCase() == Piece.KindCase.CONTENT) {
            ByteBuf content = Unpooled.wrappedBuffer(piece.getContent().asReadOnlyByteBuffer());
            joined.writeAndFlush(content).addListener(written -> outgoing.request(1));
        } else {
            cancel();
        }
    }

    private void ready() {
        Channel joined;
        synchronized (this) {
            joined = channel;
        }
        if (joined != null) {
            joined.config().setAutoRead(true);
        }
    }

    void cancel() {
        boolean first;
        synchronized (this) {
            first = !ended;
            ended = true;
        }
        if (first) {
            outgoing.cancel("left", null);
        }
    }

    @Override
    public void onError(Throwable t) {
        end(t);
    }

    @Override
    public void onCompleted() {
        end(new IllegalStateException("the other end left"));
    }

    private void end(Throwable reason) {
        Channel joined;
        synchronized (this) {
            ended = true;
            joined = channel;
        }
        if (joined != null) {
            joined.close();
        }
        callbacks.ended().accept(reason);
    }

    /** Sends a channel's bytes into the tunnel. */
    private final class Mouth extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf buffer = (ByteBuf) message;
            try {
                while (buffer.isReadable()) {
                    byte[] part = new byte[Math.min(buffer.readableBytes(), RelayWire.PIECE_BYTES)];
                    buffer.readBytes(part);
                    ByteString content = UnsafeByteOperations.unsafeWrap(part);
                    send(Piece.newBuilder().setContent(content).build());
                }
            } finally {
                buffer.release();
            }
            if (!outgoing.isReady()) {
                context.channel().config().setAutoRead(false);
                if (outgoing.isReady()) {
                    // It became ready in between, in which case the handler may not be called again.
                    context.channel().config().setAutoRead(true);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            cancel();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
