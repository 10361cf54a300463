package dev.starling.peer.transport;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * How a node gets out to others.
 *
 * @param proxy the HTTP proxy that lets connections through (CONNECT), if there is one
 * @param relay where it meets neighbours that cannot reach it or that it cannot reach, if there is such a place
 */
public record OutboundRoute(Optional<InetSocketAddress> proxy, Optional<InetSocketAddress> relay) {

    /** Straight to the neighbours. */
    public static final OutboundRoute DIRECT = new OutboundRoute(Optional.empty(), Optional.empty());
}
