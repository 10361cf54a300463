package dev.starling.peer.transport;

import dev.starling.peer.trust.FailureWords;
import dev.starling.peer.trust.Refusal;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Opens the stream of one link, and reopens it whenever it is lost. */
final class Dialler {

    private static final long FIRST_RETRY_MILLIS = 50;
    private static final long LAST_RETRY_MILLIS = 5_000;

    private final Endpoint endpoint;
    private final Link link;
    private final ManagedChannel channel;
    private long retryMillis = FIRST_RETRY_MILLIS;

    /** Creates a dialler that has not dialled yet. */
    Dialler(Endpoint endpoint, Link link, ManagedChannel channel) {
        this.endpoint = endpoint;
        this.link = link;
        this.channel = channel;
    }

    void dial() {
        if (endpoint.isClosed()) {
            return;
        }
        channel.resetConnectBackoff();
        ClientCall<Frame, Frame> call = channel.newCall(Wire.LINK, CallOptions.DEFAULT);
        Attempt attempt = new Attempt(call);
        ClientCalls.asyncBidiStreamingCall(call, attempt);
        attempt.start();
    }

    private void dialAgain() {
        long jitter = ThreadLocalRandom.current().nextLong(1 + retryMillis / 4);
        endpoint.later(this::dial, retryMillis + jitter);
        retryMillis = Math.min(LAST_RETRY_MILLIS, 2 * retryMillis);
    }

    /** One stream, until it ends. */
    private final class Attempt implements ClientResponseObserver<Frame, Frame> {
        private final ClientCall<Frame, Frame> call;
        private Connection connection;
        private Incoming incoming;
        private boolean over;

        Attempt(ClientCall<Frame, Frame> call) {
            this.call = call;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<Frame> outgoing) {
            connection = new Connection(outgoing, () -> outgoing.cancel("dropped", null));
            incoming = new Incoming(endpoint, connection, link.neighbour().name()) {
                @Override
                Link linkFor(Hello hello) throws RefusedCertificateException {
                    endpoint.requireNeighbour(
                            link, hello, Caller.chain(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION)));
                    retryMillis = FIRST_RETRY_MILLIS;
                    return link;
                }
            };
            outgoing.disableAutoRequestWithInitial(1);
            outgoing.setOnReadyHandler(incoming::ready);
        }

        void start() {
            connection.send(link.handshake().hello());
            endpoint.later(
                    () -> incoming.expire(reason -> endpoint.events().onDown(link, reason)),
                    TimeUnit.SECONDS.toMillis(Incoming.HELLO_SECONDS));
        }

        @Override
        public void onNext(Frame frame) {
            incoming.onNext(frame);
        }

        @Override
        public void onError(Throwable t) {
            if (Status.fromThrowable(t).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                endpoint.refused(link.neighbour().name(), Refusal.OVERSIZED, "a frame longer than the limit");
            }
            if (!incoming.isLink()) {
                Refusal why = FailureWords.refusal(t);
                if (why != Refusal.HANDSHAKE) {
                    endpoint.refused(link.neighbour().name(), why, endpoint.describe(t));
                }
                endpoint.events().onDown(link, endpoint.describe(t));
            }
            incoming.onError(t);
            redial();
        }

        @Override
        public void onCompleted() {
            incoming.onCompleted();
            redial();
        }

        private void redial() {
            if (!over) {
                over = true;
                dialAgain();
            }
        }
    }
}
