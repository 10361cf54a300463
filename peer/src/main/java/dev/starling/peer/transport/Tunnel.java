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
 * A way through a relay as one end has it: when the other end is there, whatever comes out of a channel of this process
 * goes to it, and the other way round. Neither is read faster than the other takes.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty's closings and listeners, whose end nobody waits for
final class Tunnel implements ClientResponseObserver<Piece, Piece> {

    /**
     * What becomes of a tunnel.
     *
     * @param met told when the other end is there, if that ever happens
     * @param ended told why it is over
     */
    record Fate(Consumer<Tunnel> met, Consumer<Throwable> ended) {}

    private final Fate fate;
    private ClientCallStreamObserver<Piece> outgoing;
    private Channel channel;
    private boolean met;
    private boolean ended;

    private Tunnel(Fate fate) {
        this.fate = fate;
    }

    /** Begins to wait for the other end. */
    static Tunnel open(ManagedChannel relay, Meeting meeting, Fate fate) {
        Tunnel tunnel = new Tunnel(fate);
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

    /** Joins the tunnel to a channel, which must not have been read from: both are read from now on. */
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
            fate.met().accept(this);
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
        fate.ended().accept(reason);
    }

    /** Where a channel's bytes go into the tunnel. */
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
                    // There was room again before anybody could be told to wait for it.
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
