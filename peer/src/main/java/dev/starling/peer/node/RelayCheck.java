package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Version;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.ConnectionTrial;
import dev.starling.peer.transport.Credentials;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Neighbour;
import dev.starling.peer.transport.OutboundRoute;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collections;

/**
 * Checks whether a relay can be reached, through a proxy if there is one, and whether neighbours can be reached through
 * them: TLS to the relay, and within it TLS to the neighbour.
 *
 * @param config the site's configuration, which has a relay, a proxy, or both
 */
record RelayCheck(SiteConfig config, Credentials credentials) {

    SiteCheck.Finding relay() throws IOException {
        String where = "relay " + text(config.relay().orElseThrow()) + throughProxy();
        // To check that the relay is there, any neighbour will do.
        int anyone = Collections.max(config.neighbours().keySet());
        return finding(where, "is not started yet, or cannot be reached", anyone, ConnectionTrial::relay);
    }

    SiteCheck.Finding neighbour(int node) throws IOException {
        boolean relayed = config.relay().isPresent();
        String where =
                "neighbour " + config.sites().get(node) + (relayed ? ", through the relay," : "") + throughProxy();
        return finding(
                where,
                relayed ? "is not at the relay yet" : "is not started yet, or cannot be reached",
                node,
                trial -> trial.neighbour(config.neighbours().get(node).address()));
    }

    private String throughProxy() {
        return config.proxy().map(proxy -> " through the proxy " + text(proxy)).orElse("");
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    @FunctionalInterface
    private interface Call {
        ConnectionTrial.Answer make(ConnectionTrial trial) throws IOException, InterruptedException;
    }

    private SiteCheck.Finding finding(String where, String absent, int node, Call call) throws IOException {
        Identity self =
                new Identity(config.node(), config.site(), Version.current(), config.run(), config.networkText());
        Neighbour neighbour = new Neighbour(
                node, config.sites().get(node), config.neighbours().get(node).certificateName(), config.pin(node));
        try (ConnectionTrial trial =
                ConnectionTrial.of(self, credentials, neighbour, new OutboundRoute(config.proxy(), config.relay()))) {
            ConnectionTrial.Answer answer = call.make(trial);
            String reason = answer.reason().isEmpty() ? "" : " (" + answer.reason() + ")";
            return switch (answer.outcome()) {
                case THERE -> SiteCheck.ok(where + " answers and is who it should be");
                case NOT_THERE -> new SiteCheck.Finding(SiteCheck.Verdict.LATER, where + " " + absent + reason);
                case WRONG ->
                    throw new InvalidInputException(where + " answers, but is not usable: " + answer.reason());
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while calling " + where, e);
        }
    }
}
