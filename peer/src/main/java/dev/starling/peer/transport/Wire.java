package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Vector;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Frames as bytes, and the one method they travel by. */
final class Wire {

    static final int PROTOCOL = 1;

    /** Bytes of a vector that one frame holds; a longer one comes in several, so that frames stay small. */
    static final int PART_BYTES = 1 << 20;

    static final String SERVICE = "starling.link.v1.Neighbour";

    static final MethodDescriptor<Frame, Frame> LINK = MethodDescriptor.<Frame, Frame>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Link"))
            .setRequestMarshaller(new FrameMarshaller())
            .setResponseMarshaller(new FrameMarshaller())
            .build();

    private Wire() {}

    static Frame vector(long sequence, double clock, double[] payload, int length) {
        byte[] bytes = new byte[Double.BYTES * length];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().put(payload, 0, length);
        return vector(sequence, clock, bytes);
    }

    /** A frame around bytes that nobody will write to again. */
    static Frame vector(long sequence, double clock, byte[] bytes) {
        Vector vector = Vector.newBuilder()
                .setSequence(sequence)
                .setClock(clock)
                .setValues(UnsafeByteOperations.unsafeWrap(bytes))
                .build();
        return Frame.newBuilder().setVector(vector).build();
    }

    /** The frames that a vector's frame is sent as. */
    static List<Frame> parts(Frame frame) {
        Vector whole = frame.getVector();
        int size = whole.getValues().size();
        if (size <= PART_BYTES) {
            return List.of(frame);
        }
        List<Frame> parts = new ArrayList<>();
        for (int from = 0; from < size; from += PART_BYTES) {
            int to = Math.min(size, from + PART_BYTES);
            Vector part = whole.toBuilder()
                    .setValues(whole.getValues().substring(from, to))
                    .setFollowing(size - to)
                    .build();
            parts.add(Frame.newBuilder().setVector(part).build());
        }
        return parts;
    }

    /** Puts doubles in their place. */
    static void doubles(ByteString bytes, double[] values, int at) {
        bytes.asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(values, at, bytes.size() / Double.BYTES);
    }

    /** Turns bytes that are no frame into the empty frame, which the receiver refuses and counts like any other. */
    private static final class FrameMarshaller implements MethodDescriptor.Marshaller<Frame> {
        private final MethodDescriptor.Marshaller<Frame> delegate = ProtoUtils.marshaller(Frame.getDefaultInstance());

        @Override
        public InputStream stream(Frame value) {
            return delegate.stream(value);
        }

        @Override
        public Frame parse(InputStream stream) {
            try {
                return delegate.parse(stream);
            } catch (StatusRuntimeException e) {
                return Frame.getDefaultInstance();
            }
        }
    }
}
