package dev.starling.peer.transport;

import dev.starling.peer.wire.Piece;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/** The one method of a relay, and how much of what it takes. */
final class RelayWire {

    static final String SERVICE = "starling.relay.v1.Relay";

    /** The name that a relay's certificate carries, unless it carries that of its host. */
    static final String NAME = "relay";

    /** Bytes that one piece carries at most. */
    static final int PIECE_BYTES = 1 << 16;

    /** Bytes of the longest message: a piece, and what is around it. */
    static final int LARGEST_FRAME = PIECE_BYTES + 1024;

    static final MethodDescriptor<Piece, Piece> TUNNEL = MethodDescriptor.<Piece, Piece>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Tunnel"))
            .setRequestMarshaller(ProtoUtils.marshaller(Piece.getDefaultInstance()))
            .setResponseMarshaller(ProtoUtils.marshaller(Piece.getDefaultInstance()))
            .build();

    private RelayWire() {}
}
