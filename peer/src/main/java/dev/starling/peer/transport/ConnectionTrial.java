package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.FailureWords;
import dev.starling.peer.trust.Printable;
import dev.starling.peer.trust.Refusal;
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
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;

/**
 * Connects to a neighbour exactly as a run does, completes the handshake, and disconnects: a check of whether the other
 * end is there, is who it should be, and accepts this node.
 */
public final class ConnectionTrial implements AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Limits LIMITS = new Limits(1, 1, 1);

    /** The outcome of a trial. */
    public enum Outcome {
        /** It is there and is who it should be. */
        THERE,
        /** Nobody is there, which may resolve itself. */
        NOT_THERE,
        /** Something is there, but it is not usable. */
        WRONG
    }

    /**
     * The outcome, and the reason for it.
     *
     * @param reason why it is not there or not usable; empty if it is there, or if the reason is unknown
     */
    public record Answer(Outcome outcome, String reason) {}

    /** What it may mean that somebody unknown answers. */
    private static final String OPENED =
            "; if this is the certificate of a proxy or firewall on the way that opens TLS,"
                    + " let it leave this address alone, or exchange rounds by file (peer --by-files)";

    /** How a proxy says that it wants to know who asks. */
    private static final String PROXY_LOGIN = "status: 407";

    private final Endpoint endpoint;
    private final Neighbour neighbour;
    private final AtomicReference<String> complaint;

    private ConnectionTrial(Endpoint endpoint, Neighbour neighbour, AtomicReference<String> complaint) {
        this.endpoint = endpoint;
        this.neighbour = neighbour;
        this.complaint = complaint;
    }

    /** Prepares a trial with a neighbour that this node dials, through a proxy if there is one. */
    public static ConnectionTrial of(Identity self, Credentials credentials, Neighbour neighbour, Optional<Proxy> proxy)
            throws IOException {
        AtomicReference<String> complaint = new AtomicReference<>("");
        LinkEvents events = new LinkEvents() {
            @Override
            public void onDown(Link link, String reason) {
                complaint.set(reason);
            }
        };
        Endpoint endpoint =
                Endpoint.open(self, () -> credentials, Optional.empty(), List.of(neighbour), LIMITS, events, proxy);
        return new ConnectionTrial(endpoint, neighbour, complaint);
    }

    /** Calls the neighbour at an address. */
    public Answer call(InetSocketAddress address) throws SSLException, InterruptedException {
        ManagedChannel channel = endpoint.channel(neighbour, address);
        long end = System.nanoTime() + PATIENCE_NANOS;
        ConnectivityState state = channel.getState(true);
        // A channel is ready once the handshake is over at both ends, so that the other end has checked our
        // certificate, too.
        while (state != ConnectivityState.READY && state != ConnectivityState.TRANSIENT_FAILURE) {
            if (System.nanoTime() > end) {
                String reason = complaint.get().isEmpty()
                        ? "no answer; a firewall on the way may drop the packets"
                        : complaint.get();
                return new Answer(Outcome.NOT_THERE, reason);
            }
            Thread.sleep(10);
            state = channel.getState(true);
        }
        return state == ConnectivityState.READY ? new Answer(Outcome.THERE, "") : failed(failure(channel));
    }

    private Answer failed(Throwable failure) {
        String reason = complaint.get().isEmpty() ? endpoint.describe(failure) : complaint.get();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains(PROXY_LOGIN)) {
                return new Answer(
                        Outcome.WRONG,
                        endpoint.hasLogin()
                                ? "the proxy does not accept the user and password given under proxy:"
                                : "the proxy asks for a user and password; give them as proxy: USER:PASSWORD@HOST:PORT");
            }
            int untrusted = String.valueOf(cause.getMessage()).indexOf(TlsToProxy.FAILED);
            if (untrusted >= 0) {
                return new Answer(
                        Outcome.WRONG,
                        Printable.of(cause.getMessage().substring(untrusted))
                                + "; name the authority of the proxy's certificate as proxy-authority, and use https://"
                                + " only if it wants TLS");
            }
            if (cause instanceof NoRouteToHostException) {
                return new Answer(Outcome.NOT_THERE, "there is no route to it yet");
            }
            if (cause instanceof ConnectException) {
                return new Answer(Outcome.NOT_THERE, "its machine answers, but the port is closed");
            }
            if (cause instanceof UnknownHostException) {
                return new Answer(Outcome.WRONG, "its host name is unknown; is it correct?");
            }
        }
        boolean opened = FailureWords.refusal(failure) == Refusal.AUTHORITY;
        return new Answer(Outcome.WRONG, opened ? reason + OPENED : reason);
    }

    /** Why a channel has no connection: a call that does not wait for one fails with the reason. */
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
            return new IOException("the connection is unstable", e);
        } finally {
            call.cancel("only a trial", null);
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
