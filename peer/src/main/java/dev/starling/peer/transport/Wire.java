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

    static final int PROTOCOL = 2;

    /** Bytes of a vector that one frame holds at the most; a longer one comes in several, so that frames stay small. */
    static final int PART_BYTES = 1 << 20;

    /** Bytes of an entry that is a whole number. */
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

    /** A vector; the whole numbers at its end travel as limbs, which in a sum is nearly all of it. */
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

    /** Negative zero is none: it would come out positive. */
    private static boolean isLimb(double value) {
        return value >= 0 && value < LIMB && value == (long) value && Double.doubleToRawLongBits(value) >= 0;
    }

    /** A frame around bytes that nobody will write to again. */
    static Frame vector(long sequence, double clock, byte[] values, byte[] limbs) {
        Vector vector = Vector.newBuilder()
                .setSequence(sequence)
                .setClock(clock)
                .setValues(UnsafeByteOperations.unsafeWrap(values))
                .setLimbs(UnsafeByteOperations.unsafeWrap(limbs))
                .build();
        return Frame.newBuilder().setVector(vector).build();
    }

    /** Bytes that the entries in a frame take. */
    static int bytes(Vector part) {
        return part.getValues().size() + part.getLimbs().size();
    }

    /** Entries in a frame. */
    static int entries(Vector part) {
        return part.getValues().size() / Double.BYTES + part.getLimbs().size() / LIMB_BYTES;
    }

    /** Whether a frame holds entries, and whole ones. */
    static boolean isWhole(Vector part) {
        return entries(part) > 0
                && part.getValues().size() % Double.BYTES == 0
                && part.getLimbs().size() % LIMB_BYTES == 0;
    }

    /** The frames that a vector's frame is sent as. */
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

    /** Puts the entries of a frame in their place. */
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
