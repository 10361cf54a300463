package dev.starling.peer.transport;

import com.google.protobuf.ByteString;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.wire.Durable;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import dev.starling.peer.wire.Note;
import dev.starling.peer.wire.Vector;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.util.List;
import java.util.Random;

/** Sends a site frames that make no sense, over good TLS and with a neighbour's own certificate. */
public final class FrameFuzzer {

    private FrameFuzzer() {}

    /** How many frames were sent and how many streams were closed on them. */
    public record Outcome(int frames, int closed) {}

    /** Random bytes, damaged frames, frames of the wrong kind, oversized ones, each on a stream of its own. */
    public static Outcome attack(int port, String name, Credentials credentials, int frames, long seed)
            throws Exception {
        ManagedChannel channel = RawStream.channel(port, name, credentials, "TLSv1.3");
        Random random = new Random(seed);
        int closed = 0;
        try {
            for (int k = 0; k < frames; k++) {
                closed += RawStream.send(channel, List.of(frame(random))) == Status.Code.OK ? 0 : 1;
            }
        } finally {
            channel.shutdownNow();
        }
        return new Outcome(frames, closed);
    }

    private static byte[] frame(Random random) {
        byte[] noise = new byte[1 + random.nextInt(200)];
        random.nextBytes(noise);
        return switch (random.nextInt(6)) {
            case 0 -> noise;
            case 1 ->
                Frame.newBuilder()
                        .setVector(Vector.newBuilder()
                                .setSequence(random.nextLong())
                                .setLimbs(ByteString.copyFrom(noise, 0, random.nextInt(noise.length)))
                                .setValues(ByteString.copyFrom(noise)))
                        .build()
                        .toByteArray();
            case 2 ->
                Frame.newBuilder()
                        .setNote(Note.newBuilder()
                                .setOrigin(random.nextInt())
                                .setTopic(random.nextInt(4))
                                .setBody(ByteString.copyFrom(noise)))
                        .build()
                        .toByteArray();
            case 3 ->
                Frame.newBuilder()
                        .setDurable(Durable.newBuilder().setBefore(random.nextLong()))
                        .build()
                        .toByteArray();
            case 4 -> damaged(random);
            default -> new byte[random.nextInt(20) == 0 ? 9_000_000 : 300];
        };
    }

    /** A Hello that is almost right. */
    private static byte[] damaged(Random random) {
        byte[] hello = Frame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocol(Wire.PROTOCOL)
                        .setRun("test")
                        .setNode(random.nextInt(3)))
                .build()
                .toByteArray();
        hello[random.nextInt(hello.length)] ^= (byte) (1 << random.nextInt(8));
        return hello;
    }
}
