package dev.starling.peer.transport;

import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/**
 * A node's place on the network: it listens for the neighbours with smaller numbers, dials those with larger ones,
 * again and again for as long as it is open, and gives one {@link Link} per neighbour.
 *
 * <p>TLS 1.3 only, both sides show certificates, and the one a neighbour shows must carry exactly the name it is known
 * by here. Addresses may be given later than the endpoint is opened, so that nodes can listen on ports the system picks
 * and tell each other.
 *
 * <pre>{@code
 * try (Endpoint endpoint = Endpoint.open(self, credentials, Optional.of(anyPort), neighbours, limits, events)) {
 *     endpoint.connect(addresses);
 *     endpoint.link(3).send(vector, vector.length, 0);
 * }
 * }</pre>
 *
 * <p>Longer than most classes: listening and dialling share one life cycle, and closing has to end both.
 */
public final class Endpoint implements AutoCloseable {

    private static final long FIRST_RETRY_MILLIS = 50;
    private static final long LAST_RETRY_MILLIS = 5_000;
    private static final long HELLO_SECONDS = 10;

    private final Identity self;
    private final Credentials credentials;
    private final Limits limits;
    private final LinkEvents events;
    private final Traffic traffic = new Traffic();
    private final Map<Integer, Link> links = new TreeMap<>();
    private final Map<Integer, ManagedChannel> channels = new TreeMap<>();
    private final ScheduledExecutorService timer;
    private final Optional<Server> server;
    private volatile boolean ready;
    private volatile boolean closed;

    private Endpoint(
            Identity self,
            Credentials credentials,
            Optional<InetSocketAddress> listen,
            Iterable<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            boolean moreNeighbours)
            throws IOException {
        this.self = self;
        this.credentials = credentials;
        this.limits = limits;
        this.events = events;
        meet(neighbours);
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "starling-dial");
            thread.setDaemon(true);
            return thread;
        });
        boolean expectsCallers = moreNeighbours || links.values().stream().anyMatch(link -> !link.dials());
        this.server = expectsCallers && listen.isPresent() ? Optional.of(serve(listen.get())) : Optional.empty();
    }

    /**
     * Opens an endpoint. It listens only if some neighbour will call, and only on the address given.
     *
     * @param listen where to listen; port 0 for one that is free
     * @throws IOException if that address cannot be listened on
     */
    public static Endpoint open(
            Identity self,
            Credentials credentials,
            Optional<InetSocketAddress> listen,
            Iterable<Neighbour> neighbours,
            Limits limits,
            LinkEvents events)
            throws IOException {
        return new Endpoint(self, credentials, listen, neighbours, limits, events, false);
    }

    /**
     * Opens an endpoint that listens before its neighbours are known: {@link #meet} names them once they are.
     *
     * @param listen where to listen; port 0 for one that is free
     * @throws IOException if that address cannot be listened on
     */
    public static Endpoint listening(
            Identity self, Credentials credentials, InetSocketAddress listen, Limits limits, LinkEvents events)
            throws IOException {
        return new Endpoint(self, credentials, Optional.of(listen), List.of(), limits, events, true);
    }

    /** Adds a link to each of these neighbours; before {@link #connect}. */
    public void meet(Iterable<Neighbour> neighbours) {
        if (ready) {
            throw new IllegalStateException("neighbours must be named before the endpoint connects");
        }
        for (Neighbour neighbour : neighbours) {
            links.put(neighbour.node(), new Link(self, neighbour, limits, events, traffic));
        }
    }

    /** The port it listens on; 0 if it does not listen. */
    public int port() {
        return server.map(Server::getPort).orElse(0);
    }

    /** The link to a neighbour. */
    public Link link(int node) {
        Link link = links.get(node);
        if (link == null) {
            throw new IllegalArgumentException("node " + node + " is not a neighbour of node " + self.node());
        }
        return link;
    }

    /** All links, by ascending number of the neighbour. */
    public Iterable<Link> links() {
        return links.values();
    }

    /** What went over the links so far. */
    public Traffic traffic() {
        return traffic;
    }

    /**
     * Takes calls from now on and dials the neighbours with larger numbers, until each link stands; lost links are
     * dialled again. States of links are restored before this.
     */
    public void connect(Map<Integer, InetSocketAddress> addresses) throws SSLException {
        ready = true;
        SslContext context = Sockets.clientContext(credentials);
        for (Link link : links.values()) {
            if (link.dials()) {
                InetSocketAddress address = addresses.get(link.neighbour().node());
                if (address == null) {
                    throw new IllegalArgumentException(
                            "no address for node " + link.neighbour().node());
                }
                ManagedChannel channel =
                        Sockets.dial(address, link.neighbour().certificateName(), context, limits.frameBytes());
                channels.put(link.neighbour().node(), channel);
                new Dialler(link, channel).dial();
            }
        }
    }

    private Server serve(InetSocketAddress address) throws IOException {
        BindableService service = () -> ServerServiceDefinition.builder(Wire.SERVICE)
                .addMethod(Wire.LINK, ServerCalls.asyncBidiStreamingCall(this::answer))
                .build();
        return Sockets.listen(address, credentials, limits.frameBytes(), service, new OversizedFrames());
    }

    /** Counts frames that were longer than any may be: they are cut off before anyone looks into them. */
    private final class OversizedFrames extends ServerStreamTracer.Factory {
        @Override
        public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
            return new ServerStreamTracer() {
                @Override
                public void streamClosed(Status status) {
                    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                        traffic.countMalformed();
                        events.onRefused(method, "a frame longer than " + limits.frameBytes() + " bytes");
                    }
                }
            };
        }
    }

    private StreamObserver<Frame> answer(StreamObserver<Frame> responses) {
        ServerCallStreamObserver<Frame> outgoing = (ServerCallStreamObserver<Frame>) responses;
        Caller caller = Caller.current();
        Connection connection = new Connection(
                outgoing,
                () -> outgoing.onError(Status.ABORTED.withDescription("refused").asRuntimeException()));
        Incoming incoming = new Incoming(connection, caller.toString()) {
            @Override
            Link linkFor(Hello hello) {
                Link link = links.get(hello.getNode());
                boolean known = link != null
                        && !link.dials()
                        && caller.names().contains(link.neighbour().certificateName());
                return known ? link : null;
            }
        };
        outgoing.disableAutoRequest();
        outgoing.setOnReadyHandler(incoming::ready);
        outgoing.setOnCancelHandler(() -> incoming.ended("connection lost"));
        outgoing.request(1);
        later(incoming::expire, TimeUnit.SECONDS.toMillis(HELLO_SECONDS));
        return incoming;
    }

    /** Runs a task after a while, unless the endpoint is closed by then. */
    private void later(Runnable task, long millis) {
        try {
            ScheduledFuture<?> unused = timer.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // the endpoint is closed already
        }
    }

    /** The frames that come in on one stream. */
    private abstract class Incoming implements StreamObserver<Frame> {
        final Connection connection;
        private final String who;
        private volatile Link link;

        Incoming(Connection connection, String who) {
            this.connection = connection;
            this.who = who;
        }

        /** The link that the sender of a Hello may speak on; null if it may not. */
        abstract Link linkFor(Hello hello);

        @Override
        public void onNext(Frame frame) {
            try {
                String refusal = link == null ? begin(frame) : link.receive(connection, frame);
                if (refusal != null) {
                    traffic.countMalformed();
                    events.onRefused(who, refusal);
                    drop(refusal);
                }
            } catch (RuntimeException e) {
                traffic.countMalformed();
                events.onRefused(who, "a frame that cannot be handled: " + e);
                drop("failed");
            }
        }

        private String begin(Frame frame) {
            if (frame.getKindCase() != Frame.KindCase.HELLO) {
                return "a stream that does not begin with a Hello";
            }
            Hello hello = frame.getHello();
            if (!ready) {
                drop("not ready yet");
                return null;
            }
            Link candidate = linkFor(hello);
            if (candidate == null) {
                traffic.countRefused();
                events.onRefused(who, "not a neighbour that may call as node " + hello.getNode());
                drop("not a neighbour");
                return null;
            }
            if (!candidate.dials()) {
                connection.send(candidate.handshake().hello());
            }
            link = candidate;
            if (candidate.accept(connection, hello)) {
                traffic.countConnection();
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

        void expire() {
            if (link == null) {
                drop("no Hello within " + HELLO_SECONDS + " seconds");
            }
        }

        void drop(String reason) {
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
            ended(reason(t));
        }

        @Override
        public void onCompleted() {
            connection.complete();
            ended("the neighbour left");
        }
    }

    private static String reason(Throwable t) {
        Throwable cause = t;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String text = String.valueOf(cause.getMessage());
        return text.length() > 200 ? text.substring(0, 200) + "…" : text.replaceAll("\\s+", " ");
    }

    /** Opens the stream of one link, again whenever it is lost. */
    private final class Dialler {
        private final Link link;
        private final ManagedChannel channel;
        private long retryMillis = FIRST_RETRY_MILLIS;

        Dialler(Link link, ManagedChannel channel) {
            this.link = link;
            this.channel = channel;
        }

        void dial() {
            if (closed) {
                return;
            }
            channel.resetConnectBackoff();
            ClientCall<Frame, Frame> call = channel.newCall(Wire.LINK, CallOptions.DEFAULT);
            Attempt attempt = new Attempt(call);
            ClientCalls.asyncBidiStreamingCall(call, attempt);
            attempt.start();
        }

        private void again() {
            long jitter = ThreadLocalRandom.current().nextLong(1 + retryMillis / 4);
            later(this::dial, retryMillis + jitter);
            retryMillis = Math.min(LAST_RETRY_MILLIS, 2 * retryMillis);
        }

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
                incoming = new Incoming(connection, link.neighbour().name()) {
                    @Override
                    Link linkFor(Hello hello) {
                        Set<String> names =
                                CertificateNames.of(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
                        boolean right = hello.getNode() == link.neighbour().node()
                                && names.contains(link.neighbour().certificateName());
                        if (right) {
                            retryMillis = FIRST_RETRY_MILLIS;
                        }
                        return right ? link : null;
                    }
                };
                outgoing.disableAutoRequestWithInitial(1);
                outgoing.setOnReadyHandler(incoming::ready);
            }

            void start() {
                connection.send(link.handshake().hello());
                later(incoming::expire, TimeUnit.SECONDS.toMillis(HELLO_SECONDS));
            }

            @Override
            public void onNext(Frame frame) {
                incoming.onNext(frame);
            }

            @Override
            public void onError(Throwable t) {
                if (Status.fromThrowable(t).getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                    traffic.countMalformed();
                }
                if (!incoming.isLink()) {
                    events.onDown(link, reason(t));
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
                    again();
                }
            }
        }
    }

    /** Ends all links after what was sent on them, and stops listening. */
    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        links.values().forEach(Link::close);
        server.ifPresent(Server::shutdown);
        channels.values().forEach(ManagedChannel::shutdown);
        try {
            for (ManagedChannel channel : channels.values()) {
                if (!channel.awaitTermination(1, TimeUnit.SECONDS)) {
                    channel.shutdownNow();
                }
            }
            if (server.isPresent() && !server.get().awaitTermination(1, TimeUnit.SECONDS)) {
                server.get().shutdownNow();
            }
        } catch (InterruptedException e) {
            channels.values().forEach(ManagedChannel::shutdownNow);
            server.ifPresent(Server::shutdownNow);
            Thread.currentThread().interrupt();
        }
    }
}
