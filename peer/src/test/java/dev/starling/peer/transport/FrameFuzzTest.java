package dev.starling.peer.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.wire.Durable;
import dev.starling.peer.wire.Finished;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.GivingUp;
import dev.starling.peer.wire.Hello;
import dev.starling.peer.wire.Note;
import dev.starling.peer.wire.Probe;
import dev.starling.peer.wire.Vector;
import dev.starling.peer.wire.Waiting;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Frames that are almost right, given straight to a link and its bulletin: as many as {@code starling.fuzz.frames}
 * says. Each must be taken or refused in words; nothing may be thrown, and what waits to be taken in stays bounded.
 */
class FrameFuzzTest {

    private static final int LONGEST = 64;

    private final Random random = new Random(11);
    private final Bulletin bulletin = new Bulletin(0, 3, (site, reason, objection, gone) -> {});
    private final LinkEvents events = new LinkEvents() {
        @Override
        public boolean onNote(Link link, int origin, int topic, byte[] body) {
            return bulletin.hear(origin, topic, body);
        }
    };
    private final Link link = new Link(
            new Identity(0, "a", "r", "n"),
            new Neighbour(1, "b", "b", Optional.empty()),
            new Limits(LONGEST, Bulletin.LONGEST_NOTE, Bulletin.mostNotes(3)),
            events,
            new Traffic(),
            System::nanoTime);

    @Test
    void acceptsOrRefusesEveryFrameWithoutThrowing() throws Exception {
        takeOrRefuse(20_000);
    }

    @Tag("faults")
    @Test
    void acceptsOrRefusesAMillionFramesWithoutThrowing() throws Exception {
        takeOrRefuse(Integer.getInteger("starling.fuzz.frames", 1_000_000));
    }

    private void takeOrRefuse(int frames) throws Exception {
        Hello hello = new Link(
                        new Identity(1, "b", "r", "n"),
                        new Neighbour(0, "a", "a", Optional.empty()),
                        new Limits(LONGEST, 4, 4),
                        events,
                        new Traffic(),
                        System::nanoTime)
                .handshake()
                .hello()
                .getHello();
        Connection connection = connected(hello);
        int refused = 0;
        int taken = 0;
        for (int k = 0; k < frames; k++) {
            byte[] bytes = damaged(likely().toByteArray());
            Frame frame = Wire.LINK.parseRequest(new ByteArrayInputStream(bytes));
            if (link.receive(connection, frame) == null) {
                taken++;
            } else {
                refused++;
                link.lost(connection, "refused");
                connection = connected(hello.toBuilder().setNext(link.sent()).build());
            }
            while (link.hasMessage()) {
                assertThat(link.poll().values()).hasSizeLessThanOrEqualTo(LONGEST);
            }
            if (connection.early != null || connection.arriving != null) {
                // The node never comes to expect it: only another connection goes on.
                link.lost(connection, "held back");
                connection = connected(hello);
            }
        }
        System.out.println("FAULTS frames given to a link: " + frames + ", taken " + taken + ", refused " + refused
                + ", thrown 0");
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
        assertThat(link.keptBytes()).isZero();
    }

    private Connection connected(Hello hello) {
        Connection connection = new Connection(new SilentStream(), () -> {});
        assertThat(link.accept(connection, hello)).isTrue();
        return connection;
    }

    /** A frame as a neighbour might send it. */
    private Frame likely() {
        Frame.Builder frame = Frame.newBuilder();
        byte[] noise = new byte[random.nextInt(80)];
        random.nextBytes(noise);
        return switch (random.nextInt(9)) {
            case 0, 1, 2 ->
                frame.setVector(Vector.newBuilder()
                                .setSequence(random.nextInt(4) == 0 ? random.nextLong() : link.taken())
                                .setClock(random.nextInt(8) == 0 ? Double.NaN : random.nextDouble())
                                .setFollowing(random.nextInt(4) == 0 ? random.nextInt() : 0)
                                .setLimbs(ByteString.copyFrom(
                                        noise, 0, noise.length / 6 * (random.nextInt(9) == 0 ? 5 : 6)))
                                .setValues(ByteString.copyFrom(new byte[8 * (1 + random.nextInt(LONGEST + 4))])))
                        .build();
            case 3 -> note(1, noise);
            case 4 ->
                note(
                        2,
                        GivingUp.newBuilder()
                                .setNumber(random.nextInt(9))
                                .setReason("a reason")
                                .setGone(random.nextInt(6))
                                .build()
                                .toByteArray());
            case 5 ->
                note(
                        6,
                        Waiting.newBuilder()
                                .setNumber(random.nextInt(1000))
                                .addAllSites(List.of(random.nextInt(4), random.nextInt(4)))
                                .build()
                                .toByteArray());
            case 6 ->
                frame.setDurable(Durable.newBuilder().setBefore(random.nextInt(3)))
                        .build();
            case 7 ->
                frame.setProbe(Probe.newBuilder()
                                .setId(random.nextInt())
                                .setAnswer(random.nextBoolean())
                                .setPadding(ByteString.copyFrom(noise)))
                        .build();
            default ->
                random.nextBoolean()
                        ? frame.setFinished(Finished.getDefaultInstance()).build()
                        : frame.setHello(Hello.getDefaultInstance()).build();
        };
    }

    private Frame note(int topic, byte[] body) {
        return Frame.newBuilder()
                .setNote(Note.newBuilder()
                        .setOrigin(random.nextInt(4))
                        .setTopic(topic)
                        .setBody(ByteString.copyFrom(body)))
                .build();
    }

    /** The same, every other time with a few bits flipped, bytes cut off or bytes added. */
    private byte[] damaged(byte[] bytes) {
        if (bytes.length == 0 || random.nextBoolean()) {
            return bytes;
        }
        byte[] other = java.util.Arrays.copyOf(
                bytes, random.nextInt(4) == 0 ? 1 + random.nextInt(bytes.length + 8) : bytes.length);
        for (int flips = random.nextInt(4); flips >= 0; flips--) {
            other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return other;
    }
}
