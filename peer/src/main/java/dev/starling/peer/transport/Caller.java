package dev.starling.peer.transport;

import dev.starling.peer.trust.CertificateNames;
import dev.starling.peer.trust.Printable;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The caller of a service, as identified by the certificate that the TLS handshake has verified.
 *
 * @param chain its certificate and any intermediate ones; empty if it presented none
 * @param address the address that the call comes from
 */
record Caller(List<X509Certificate> chain, SocketAddress address) {

    private static final Context.Key<Caller> KEY = Context.key("caller");

    /** The caller of the call that is being handled. */
    static Caller current() {
        return KEY.get();
    }

    /** The names that its certificate carries. */
    Set<String> names() {
        return chain.isEmpty() ? Set.of() : CertificateNames.of(chain.get(0));
    }

    /** The chain that the other end of a TLS session presented; empty if it presented none. */
    static List<X509Certificate> chain(SSLSession session) {
        try {
            Certificate[] presented = session == null ? new Certificate[0] : session.getPeerCertificates();
            return Arrays.stream(presented).map(X509Certificate.class::cast).toList();
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    @Override
    public String toString() {
        return names().stream().map(Printable::of).collect(Collectors.joining(", ")) + " at " + address;
    }

    /** Records the caller for {@link #current}. */
    static final class Noting implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
            Context context = Context.current().withValue(KEY, new Caller(chain(session), address));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }
}
