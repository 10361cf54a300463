package dev.starling.peer.transport;

import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * The HTTP proxy through which a site connects (CONNECT).
 *
 * @param address where it is
 * @param login the user and password it asks for (Basic), with a colon between them
 * @param tls how to speak TLS with it; empty if it wants none
 */
public record Proxy(InetSocketAddress address, Optional<String> login, Optional<SslContext> tls) {

    /**
     * How to speak TLS with a proxy.
     *
     * @param authorities whom to believe who it is, and nothing else; empty for those that this Java trusts
     */
    public static SslContext tls(List<X509Certificate> authorities) {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        try {
            return (authorities.isEmpty() ? builder : builder.trustManager(authorities.toArray(X509Certificate[]::new)))
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

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
        return (tls.isPresent() ? "https://" : "") + address.getHostString() + ":" + address.getPort();
    }
}
