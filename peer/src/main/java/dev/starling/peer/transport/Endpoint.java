package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.FailureWords;
import dev.starling.peer.trust.Printable;
import dev.starling.peer.trust.Refusal;
import dev.starling.peer.trust.RefusedCertificateException;
import dev.starling.peer.trust.Trust;
import dev.starling.peer.wire.Frame;
import dev.starling.peer.wire.Hello;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;

/**
 * A node's endpoint on the network: it listens for the neighbours with smaller numbers, dials those with larger ones
 * again and again for as long as it is open, and provides one {@link Link} per neighbour.
 *
 * <p>Only TLS 1.3 is used, both sides present certificates, and a neighbour's certificate must carry exactly the name
 * by which the neighbour is known here. Addresses may be given after the endpoint was opened, so that nodes can listen
 * on ports that the system picks and then tell each other.
 *
 * <pre>{@code
 * try (Endpoint endpoint = Endpoint.open(self, credentials, Optional.of(anyPort), neighbours, limits, events)) {
 *     endpoint.connect(addresses);
 *     endpoint.link(3).send(vector, vector.length, 0);
 * }
 * }</pre>
 */
public final class Endpoint implements Edges, Incoming.Host {

    /** How many callers may be connected at a time, including strangers that have not presented a certificate yet. */
    private static final int MOST_CONNECTIONS = 1000;

    private static final int CALLS_PER_CONNECTION = 4;

    /** How many bytes a neighbour may send before they are read. */
    private static final int FLOW_WINDOW = 1 << 20;

    private final Identity self;
    private final Supplier<Credentials> credentials;
    private final Limits limits;
    private final LinkEvents events;
    private final Traffic traffic = new Traffic();
    private final Map<Integer, Link> links = new TreeMap<>();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final ScheduledExecutorService timer;
    private final Optional<Listener> listener;
    private final Optional<Proxy> proxy;
    private volatile boolean ready;
    private volatile boolean closed;

    private Endpoint(
            Identity self,
            Supplier<Credentials> credentials,
            Optional<InetSocketAddress> listen,
            Iterable<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            Optional<Proxy> proxy,
            boolean moreNeighbours)
            throws IOException {
        this.self = self;
        this.proxy = proxy;
        this.credentials = credentials;
        this.limits = limits;
        this.events = events;
        meet(neighbours);
        this.timer = Executors.newSingleThreadScheduledExecutor(RealSurroundings.daemon("starling-dial"));
        boolean expectsCallers = moreNeighbours || links.values().stream().anyMatch(link -> !link.dials());
        this.listener = expectsCallers && listen.isPresent() ? Optional.of(serve(listen.get())) : Optional.empty();
    }

    /**
     * Opens an endpoint. It listens only if some neighbour will dial it, and only on the address given.
     *
     * @param listen where to listen; port 0 for any free port
     * @throws IOException if it cannot listen on that address
     */
    public static Endpoint open(
            Identity self,
            Credentials credentials,
            Optional<InetSocketAddress> listen,
            Iterable<Neighbour> neighbours,
            Limits limits,
            LinkEvents events)
            throws IOException {
        return open(self, () -> credentials, listen, neighbours, limits, events, Optional.empty());
    }

    /** Whether it tells a proxy a user and password. */
    boolean hasLogin() {
        return proxy.flatMap(Proxy::login).isPresent();
    }

    /**
     * Opens an endpoint whose credentials may be renewed while it is open, and that may use a proxy.
     *
     * @param credentials called for every connection
     * @param proxy the HTTP proxy through which it connects (CONNECT), if there is one
     */
    public static Endpoint open(
            Identity self,
            Supplier<Credentials> credentials,
            Optional<InetSocketAddress> listen,
            Iterable<Neighbour> neighbours,
            Limits limits,
            LinkEvents events,
            Optional<Proxy> proxy)
            throws IOException {
        return new Endpoint(self, credentials, listen, neighbours, limits, events, proxy, false);
    }

    /**
     * Opens an endpoint that listens before its neighbours are known; {@link #meet} adds them later.
     *
     * @param listen where to listen; port 0 for any free port
     * @throws IOException if it cannot listen on that address
     */
    public static Endpoint listening(
            Identity self, Credentials credentials, InetSocketAddress listen, Limits limits, LinkEvents events)
            throws IOException {
        return new Endpoint(
                self, () -> credentials, Optional.of(listen), List.of(), limits, events, Optional.empty(), true);
    }

    /** Adds a link to each of these neighbours; must be called before {@link #connect}. */
    public void meet(Iterable<Neighbour> neighbours) {
        if (ready) {
            throw new IllegalStateException("neighbours must be added before the endpoint connects");
        }
        for (Neighbour neighbour : neighbours) {
            links.put(
                    neighbour.node(), new Link(self, neighbour, limits, events, traffic.ofOneLink(), System::nanoTime));
        }
    }

    /** The port on which it listens; 0 if it does not listen. */
    public int port() {
        return listener.map(Listener::port).orElse(0);
    }

    /** The link to a neighbour. */
    public Link link(int node) {
        Link link = links.get(node);
        if (link == null) {
            throw new IllegalArgumentException("node " + node + " is not a neighbour of node " + self.node());
        }
        return link;
    }

    @Override
    public Iterable<Link> links() {
        return links.values();
    }

    @Override
    public Traffic traffic() {
        return traffic;
    }

    @Override
    public void connect(Map<Integer, InetSocketAddress> addresses) throws SSLException {
        ready = true;
        for (Link link : links.values()) {
            if (link.dials()) {
                new Dialler(
                                this,
                                link,
                                channel(
                                        link.neighbour(),
                                        addresses.get(link.neighbour().node())))
                        .dial();
            }
        }
    }

    /** Opens a channel to a neighbour. */
    ManagedChannel channel(Neighbour neighbour, InetSocketAddress address) throws SSLException {
        if (address == null) {
            throw new IllegalArgumentException("there is no address for node " + neighbour.node());
        }
        ManagedChannel channel = Sockets.dial(neighbour, credentials, address, proxy, limits.frameBytes());
        channels.add(channel);
        return channel;
    }

    private Listener serve(InetSocketAddress address) throws IOException {
        return Listener.start(address, credentials, service(), this::refused, oversized());
    }

    private Listener.Service service() {
        ServerServiceDefinition methods = ServerServiceDefinition.builder(Wire.SERVICE)
                .addMethod(Wire.LINK, ServerCalls.asyncBidiStreamingCall(this::answer))
                .build();
        return new Listener.Service(methods, CALLS_PER_CONNECTION, limits.frameBytes(), MOST_CONNECTIONS, FLOW_WINDOW);
    }

    /** Reports frames that exceed the limit, which gRPC rejects before anybody else sees them. */
    private ServerStreamTracer.Factory oversized() {
        return new ServerStreamTracer.Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
                return new ServerStreamTracer() {
                    @Override
                    public void streamClosed(Status status) {
                        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                            refused(
                                    Printable.of(method),
                                    Refusal.OVERSIZED,
                                    "a frame longer than " + limits.frameBytes() + " bytes");
                        }
                    }
                };
            }
        };
    }

    private StreamObserver<Frame> answer(StreamObserver<Frame> responses) {
        ServerCallStreamObserver<Frame> outgoing = (ServerCallStreamObserver<Frame>) responses;
        Caller caller = Caller.current();
        Connection connection = new Connection(
                outgoing,
                () -> outgoing.onError(Status.ABORTED.withDescription("refused").asRuntimeException()));
        Incoming incoming = new Incoming(this, connection, caller.toString()) {
            @Override
            Link linkFor(Hello hello) throws RefusedCertificateException {
                Link link = links.get(hello.getNode());
                if (link == null || link.dials()) {
                    throw new RefusedCertificateException(
                            Refusal.NAME, "not a neighbour that may connect as node " + hello.getNode());
                }
                requireNeighbour(link, hello, caller.chain());
                return link;
            }
        };
        outgoing.disableAutoRequest();
        outgoing.setOnReadyHandler(incoming::ready);
        outgoing.setOnCancelHandler(() -> incoming.ended("connection lost"));
        outgoing.request(1);
        later(
                () -> incoming.expire(reason -> refused(caller.toString(), Refusal.SILENT, reason)),
                TimeUnit.SECONDS.toMillis(Incoming.HELLO_SECONDS));
        return incoming;
    }

    /**
     * Checks that whoever sent a Hello is the neighbour of a link. The handshake has already checked the certificate,
     * but a resumed TLS session skips that, and the revocation list may be newer.
     */
    void requireNeighbour(Link link, Hello hello, List<X509Certificate> chain) throws RefusedCertificateException {
        Neighbour neighbour = link.neighbour();
        credentials.get().trust().require(chain, Instant.now());
        Trust.requireHolder(chain.get(0), neighbour.certificateName(), neighbour.pin());
        if (hello.getNode() != neighbour.node()) {
            throw new RefusedCertificateException(
                    Refusal.NAME, "site " + neighbour.name() + " claims to be node " + hello.getNode());
        }
    }

    @Override
    public void refused(String who, Refusal why, String reason) {
        traffic.countRefused(why);
        events.onRefused(who, why, reason);
    }

    @Override
    public String describe(Throwable failure) {
        return FailureWords.of(failure, credentials.get().certificate());
    }

    /** Runs a task after a while, unless the endpoint is closed by then. */
    void later(Runnable task, long millis) {
        try {
            ScheduledFuture<?> unused = timer.schedule(task, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // the endpoint is already closed
        }
    }

    LinkEvents events() {
        return events;
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        timer.shutdownNow();
        links.values().forEach(Link::close);
        listener.ifPresent(Listener::shutdown);
        channels.forEach(ManagedChannel::shutdown);
        try {
            for (ManagedChannel channel : channels) {
                if (!channel.awaitTermination(1, TimeUnit.SECONDS)) {
                    channel.shutdownNow();
                }
            }
            if (listener.isPresent()) {
                listener.get().end();
            }
        } catch (InterruptedException e) {
            channels.forEach(ManagedChannel::shutdownNow);
            Thread.currentThread().interrupt();
        }
    }
}
