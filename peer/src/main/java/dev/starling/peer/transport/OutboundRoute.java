package dev.starling.peer.transport;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * How a node reaches others.
 *
 * @param proxy the HTTP proxy to connect through (CONNECT), if there is one
 * @param relay the relay where it meets neighbours that it cannot reach directly or that cannot reach it, if there is
 *     one
 */
public record OutboundRoute(Optional<InetSocketAddress> proxy, Optional<InetSocketAddress> relay) {

    /** Directly to the neighbours. */
    public static final OutboundRoute DIRECT = new OutboundRoute(Optional.empty(), Optional.empty());
}
