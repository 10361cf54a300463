package dev.starling.peer.transport;

import dev.starling.peer.wire.Frame;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;

/**
 * Calls a relay, or a neighbour by way of a relay or proxy, exactly as a run does, as far as the handshakes, and hangs
 * up: whether it is there, is who it should be, and takes this node for who it is.
 */
public final class ConnectionTrial implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Limits LIMITS = new Limits(1, 1, 1);

    /** What came of a call. */
    public enum Outcome {
        /** It is there and is who it should be. */
        THERE,
        /** Nobody is there, which may change by itself. */
        NOT_THERE,
        /** Something is, and will not do. */
        WRONG
    }

    /**
     * An answer, or why there is none.
     *
     * @param reason in words; empty if it is there, or says nothing
     */
    public record Answer(Outcome outcome, String reason) {}

    private final Endpoint endpoint;
    private final Neighbour neighbour;
    private final AtomicReference<String> complaint;

    private ConnectionTrial(Endpoint endpoint, Neighbour neighbour, AtomicReference<String> complaint) {
        this.endpoint = endpoint;
        this.neighbour = neighbour;
        this.complaint = complaint;
    }

    /** Prepares to call a neighbour that this node dials. */
    public static ConnectionTrial of(Identity self, Credentials credentials, Neighbour neighbour, OutboundRoute outward)
            throws IOException {
        AtomicReference<String> complaint = new AtomicReference<>("");
        LinkEvents events = new LinkEvents() {
            @Override
            public void onDown(Link link, String reason) {
                complaint.set(reason);
            }
        };
        Endpoint endpoint =
                Endpoint.open(self, () -> credentials, Optional.empty(), List.of(neighbour), LIMITS, events, outward);
        return new ConnectionTrial(endpoint, neighbour, complaint);
    }

    /** Calls the relay itself, through the proxy if there is one. */
    public Answer relay() throws SSLException, InterruptedException {
        return call(endpoint.wayToTheRelay());
    }

    /** Calls the neighbour by every way there is, the straight one first, until one leads to it. */
    public Answer neighbour(Optional<InetSocketAddress> address) throws SSLException, InterruptedException {
        Answer answer = new Answer(Outcome.NOT_THERE, "");
        for (ManagedChannel way : endpoint.ways(endpoint.link(neighbour.node()), address)) {
            answer = call(way);
            if (answer.outcome() != Outcome.NOT_THERE) {
                return answer;
            }
        }
        return answer;
    }

    private Answer call(ManagedChannel channel) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        ConnectivityState state = channel.getState(true);
        // Ready is one whose handshakes are over at both ends, so that it has looked at our certificate, too.
        while (state != ConnectivityState.READY && state != ConnectivityState.TRANSIENT_FAILURE) {
            if (System.nanoTime() > end) {
                return new Answer(Outcome.NOT_THERE, complaint.get());
            }
            Thread.sleep(10);
            state = channel.getState(true);
        }
        return state == ConnectivityState.READY ? new Answer(Outcome.THERE, "") : failed(failure(channel));
    }

    private Answer failed(Throwable failure) {
        String reason = complaint.get().isEmpty() ? endpoint.words(failure) : complaint.get();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
                return new Answer(Outcome.NOT_THERE, reason);
            }
        }
        return new Answer(Outcome.WRONG, reason);
    }

    /** Why a channel has no connection: a call that does not wait for one is told. */
    private static Throwable failure(ManagedChannel channel) throws InterruptedException {
        CompletableFuture<Status> closed = new CompletableFuture<>();
        ClientCall<Frame, Frame> call = channel.newCall(Wire.LINK, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        closed.complete(status);
                    }
                },
                new Metadata());
        try {
            return closed.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS).asRuntimeException();
        } catch (ExecutionException | TimeoutException e) {
            return new IOException("the connection comes and goes", e);
        } finally {
            call.cancel("only a trial", null);
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
