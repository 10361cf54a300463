package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.FreshCredentials;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.metrics.Monitor;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Printable;
import dev.starling.peer.transport.Refusal;
import dev.starling.peer.transport.Relay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/** A relay that picks up renewed certificates and logs what happens: which sites it joined, and who was refused. */
public final class RelayHost implements AutoCloseable {

    private final Relay relay;
    private final Optional<Monitor> monitor;

    private RelayHost(Relay relay, Optional<Monitor> monitor) {
        this.relay = relay;
        this.monitor = monitor;
    }

    /**
     * Starts a relay.
     *
     * @param monitoring the address on which it serves {@code /metrics} and {@code /health} over plain HTTP, if any
     * @throws InvalidInputException if it cannot listen on the address, or the key files are invalid
     */
    public static RelayHost start(
            InetSocketAddress listen,
            KeyFiles files,
            Relay.Capacity capacity,
            Optional<InetSocketAddress> monitoring,
            System.Logger logger) {
        EventLog log = new EventLog(logger, "relay", new Status());
        RefusalLog refusals = new RefusalLog(log);
        FreshCredentials credentials = new FreshCredentials(
                files,
                renewed -> log.info(
                        "credentials-renewed",
                        "until",
                        renewed.certificate().getNotAfter().toInstant()),
                message -> log.warn("credentials-not-renewed", "reason", message));
        Relay.Events events = new Relay.Events() {
            @Override
            public void onMet(String one, String other) {
                log.info("met", "one", Printable.of(one), "other", Printable.of(other));
            }

            @Override
            public void onRefused(String who, Refusal why, String reason) {
                refusals.report(who, why, reason);
            }
        };
        try {
            Relay relay = Relay.open(listen, credentials, capacity, events);
            log.info("listening", "address", listen.getHostString() + ":" + relay.port());
            return new RelayHost(relay, monitoring.map(address -> watch(address, relay, credentials, log)));
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException("cannot listen on " + listen + ": " + cause.getMessage(), e);
        }
    }

    private static Monitor watch(InetSocketAddress address, Relay relay, FreshCredentials credentials, EventLog log) {
        try {
            Monitor monitor = Monitor.start(
                    address,
                    relay,
                    () -> credentials.get().certificate().getNotAfter().toInstant());
            log.info("metrics", "url", "http://" + address.getHostString() + ":" + monitor.port() + "/metrics");
            return monitor;
        } catch (InvalidInputException e) {
            relay.close();
            throw e;
        }
    }

    /** The port on which it listens. */
    public int port() {
        return relay.port();
    }

    @Override
    public void close() {
        monitor.ifPresent(Monitor::close);
        relay.close();
    }
}
