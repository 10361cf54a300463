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

/** The encoding of frames, and the gRPC method that carries them. */
final class Wire {

    static final int PROTOCOL = 6;

    /**
     * The most bytes of a vector that one frame holds; a longer vector is split into several frames, so that these stay
     * small.
     */
    static final int PART_BYTES = 1 << 20;

    /** The length of an entry that is sent as an integer, in bytes. */
    static final int LIMB_BYTES = 6;

    private static final double LIMB = 0x1p48;

    static final String SERVICE = "starling.link.v1.Neighbour";

    static final MethodDescriptor<Frame, Frame> LINK = MethodDescriptor.<Frame, Frame>newBuilder()
            .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Link"))
            .setRequestMarshaller(new FrameMarshaller())
            .setResponseMarshaller(new FrameMarshaller())
            .build();

    private Wire() {}

    /** Encodes a vector; the integers at its end, which in a sum are nearly all of it, are sent as limbs. */
    static Frame vector(long sequence, double clock, double[] payload, int length) {
        int doubles = length;
        while (doubles > 0 && isLimb(payload[doubles - 1])) {
            doubles--;
        }
        byte[] values = new byte[Double.BYTES * doubles];
        ByteBuffer.wrap(values).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().put(payload, 0, doubles);
        byte[] limbs = new byte[LIMB_BYTES * (length - doubles)];
        for (int k = 0; k < limbs.length; k++) {
            limbs[k] = (byte) ((long) payload[doubles + k / LIMB_BYTES] >>> (Byte.SIZE * (k % LIMB_BYTES)));
        }
        return vector(sequence, clock, values, limbs);
    }

    /** Whether a value can be sent as a limb; negative zero cannot, since it would arrive as positive zero. */
    private static boolean isLimb(double value) {
        return value >= 0 && value < LIMB && value == (long) value && Double.doubleToRawLongBits(value) >= 0;
    }

    /** Wraps bytes in a frame without copying; nobody may write to them again. */
    static Frame vector(long sequence, double clock, byte[] values, byte[] limbs) {
        Vector vector = Vector.newBuilder()
                .setSequence(sequence)
                .setClock(clock)
                .setValues(UnsafeByteOperations.unsafeWrap(values))
                .setLimbs(UnsafeByteOperations.unsafeWrap(limbs))
                .build();
        return Frame.newBuilder().setVector(vector).build();
    }

    /** The number of bytes that the entries in a frame take. */
    static int bytes(Vector part) {
        return part.getValues().size() + part.getLimbs().size();
    }

    /** The number of entries in a frame. */
    static int entries(Vector part) {
        return part.getValues().size() / Double.BYTES + part.getLimbs().size() / LIMB_BYTES;
    }

    /** Whether a frame holds at least one entry, and no incomplete ones. */
    static boolean isWhole(Vector part) {
        return entries(part) > 0
                && part.getValues().size() % Double.BYTES == 0
                && part.getLimbs().size() % LIMB_BYTES == 0;
    }

    /** Splits a vector's frame into the frames that are sent. */
    static List<Frame> parts(Frame frame) {
        Vector whole = frame.getVector();
        if (bytes(whole) <= PART_BYTES) {
            return List.of(frame);
        }
        List<Frame> parts = new ArrayList<>();
        int left = entries(whole);
        for (ByteString piece : pieces(whole.getValues(), Double.BYTES)) {
            left -= piece.size() / Double.BYTES;
            parts.add(part(whole, piece, ByteString.EMPTY, left));
        }
        for (ByteString piece : pieces(whole.getLimbs(), LIMB_BYTES)) {
            left -= piece.size() / LIMB_BYTES;
            parts.add(part(whole, ByteString.EMPTY, piece, left));
        }
        return parts;
    }

    private static List<ByteString> pieces(ByteString bytes, int entry) {
        int most = PART_BYTES / entry * entry;
        List<ByteString> pieces = new ArrayList<>();
        for (int from = 0; from < bytes.size(); from += most) {
            pieces.add(bytes.substring(from, Math.min(bytes.size(), from + most)));
        }
        return pieces;
    }

    private static Frame part(Vector whole, ByteString values, ByteString limbs, int following) {
        Vector part = whole.toBuilder()
                .setValues(values)
                .setLimbs(limbs)
                .setFollowing(following)
                .build();
        return Frame.newBuilder().setVector(part).build();
    }

    /** Decodes the entries of a frame into their place. */
    static void put(Vector part, double[] entries, int at) {
        int doubles = part.getValues().size() / Double.BYTES;
        part.getValues()
                .asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .get(entries, at, doubles);
        ByteString limbs = part.getLimbs();
        for (int k = 0; k < limbs.size() / LIMB_BYTES; k++) {
            long limb = 0;
            for (int b = LIMB_BYTES - 1; b >= 0; b--) {
                limb = (limb << Byte.SIZE) | Byte.toUnsignedLong(limbs.byteAt(LIMB_BYTES * k + b));
            }
            entries[at + doubles + k] = limb;
        }
    }

    /** Decodes bytes that are not a frame as the empty frame, which the receiver refuses and counts like any other. */
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
