package dev.starling.peer.transport;

import dev.starling.peer.wire.Piece;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/** The only method of a relay, and the sizes of its messages. */
final class RelayWire {

    static final String SERVICE = "starling.relay.v1.Relay";

    /** The name that a relay's certificate carries, unless it carries the name of its host. */
    static final String NAME = "relay";

    /** The most bytes that one piece carries. */
    static final int PIECE_BYTES = 1 << 16;

    /** The length of the longest message in bytes: a piece and its overhead. */
    static final int LARGEST_FRAME = PIECE_BYTES + 1024;

    static final MethodDescriptor<Piece, Piece> TUNNEL = MethodDescriptor.<Piece, Piece>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Tunnel"))
            .setRequestMarshaller(ProtoUtils.marshaller(Piece.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Piece.getDefaultInstance()))
            .build();

    private RelayWire() {}
}
