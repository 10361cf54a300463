package dev.starling.peer.transport;

import dev.starling.peer.trust.Refusal;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/** The frames that come in on one stream. */
abstract class Incoming implements StreamObserver<Frame> {

    static final long HELLO_SECONDS = 10;

    /** The node to which frames come. */
    interface Host {
        /** Whether it accepts calls already. */
        boolean isReady();

        /** Counts and reports who was refused. */
        void refused(String who, Refusal why, String reason);

        /** Describes why a connection failed. */
        String describe(Throwable failure);
    }

    private final Host host;
    private final Connection connection;
    private final String who;
    private volatile Link link;

    Incoming(Host host, Connection connection, String who) {
        this.host = host;
        this.connection = connection;
        this.who = who;
    }

    /**
     * Returns the link that the sender of a Hello may use.
     *
     * @throws RefusedCertificateException if it may use none
     */
    abstract Link linkFor(Hello hello) throws RefusedCertificateException;

    @Override
    public void onNext(Frame frame) {
        try {
            String refusal = link == null ? begin(frame) : link.receive(connection, frame);
            if (refusal != null) {
                refuse(Refusal.MALFORMED, refusal);
            }
        } catch (RefusedCertificateException e) {
            refuse(e.refusal(), e.getMessage());
        } catch (RuntimeException e) {
            refuse(Refusal.MALFORMED, "a frame that cannot be handled: " + e);
        }
    }

    private void refuse(Refusal why, String reason) {
        host.refused(who, why, reason);
        drop(reason);
    }

    private String begin(Frame frame) throws RefusedCertificateException {
        if (frame.getKindCase() != Frame.KindCase.HELLO) {
            return "a stream that does not begin with a Hello";
        }
        Hello hello = frame.getHello();
        if (!host.isReady()) {
            drop("not ready yet");
            return null;
        }
        Link candidate = linkFor(hello);
        if (!candidate.dials()) {
            connection.send(candidate.handshake().hello());
        }
        link = candidate;
        if (candidate.accept(connection, hello)) {
            candidate.traffic().countConnection();
            connection.requestMore();
        } else {
            connection.complete();
        }
        return null;
    }

    void ready() {
        Link current = link;
        if (current != null) {
            current.ready(connection);
        }
    }

    /** Ends the stream unless it has become a link by now. */
    void expire(Consumer<String> silent) {
        if (link == null && !connection.isClosed()) {
            String reason = "no Hello within " + HELLO_SECONDS + " seconds";
            silent.accept(reason);
            drop(reason);
        }
    }

    private void drop(String reason) {
        connection.abort();
        ended(reason);
    }

    void ended(String reason) {
        Link current = link;
        if (current != null) {
            current.lost(connection, reason);
        }
    }

    boolean isLink() {
        return link != null;
    }

    @Override
    public void onError(Throwable t) {
        ended(host.describe(t));
    }

    @Override
    public void onCompleted() {
        connection.complete();
        ended("the neighbour left");
    }
}
