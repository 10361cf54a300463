package dev.starling.peer.transport;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The HTTP proxy through which a site connects (CONNECT).
 *
 * @param address where it is
 * @param login the user and password it asks for (Basic), with a colon between them
 */
public record Proxy(InetSocketAddress address, Optional<String> login) {

    /** The user; empty if the proxy asks for none. */
    String user() {
        return login.map(text -> text.substring(0, Math.max(0, text.indexOf(':'))))
                .orElse("");
    }

    String password() {
        return login.map(text -> text.substring(text.indexOf(':') + 1)).orElse("");
    }

    /** Never shows the password. */
    @Override
    public String toString() {
        return address.getHostString() + ":" + address.getPort();
    }
}
