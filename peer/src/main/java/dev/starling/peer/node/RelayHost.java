package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.FreshCredentials;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.metrics.Status;
import dev.starling.peer.transport.Printable;
import dev.starling.peer.transport.Refusal;
import dev.starling.peer.transport.Relay;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A relay that takes up renewed certificates and tells a logger what happens: who met whom, and who was refused. */
public final class RelayHost implements AutoCloseable {

    private final Relay relay;

    private RelayHost(Relay relay) {
        this.relay = relay;
    }

    /**
     * Starts a relay.
     *
     * @throws InvalidInputException if the address cannot be listened on, or the files are not what they should be
     */
    public static RelayHost start(
            InetSocketAddress listen, KeyFiles files, Relay.Capacity capacity, System.Logger logger) {
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
                refusals.tell(who, why, reason);
            }
        };
        try {
            Relay relay = Relay.open(listen, credentials, capacity, events);
            log.info("listening", "address", listen.getHostString() + ":" + relay.port());
            return new RelayHost(relay);
        } catch (IOException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new InvalidInputException("cannot listen on " + listen + ": " + cause.getMessage(), e);
        }
    }

    /** The port it listens on. */
    public int port() {
        return relay.port();
    }

    @Override
    public void close() {
        relay.close();
    }
}
