package dev.starling.peer.transport;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.net.SocketAddress;
import java.util.Set;
import javax.net.ssl.SSLSession;

/**
 * Who calls, from the certificate that the TLS handshake has verified.
 *
 * @param names the names that the certificate carries
 * @param address where the call comes from
 */
record Caller(Set<String> names, SocketAddress address) {

    private static final Context.Key<Caller> KEY = Context.key("caller");

    /** Whose call is being answered. */
    static Caller current() {
        return KEY.get();
    }

    @Override
    public String toString() {
        return names + " at " + address;
    }

    /** Notes who calls, for {@link #current} to tell. */
    static final class Noting implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            SocketAddress address = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
            Context context = Context.current().withValue(KEY, new Caller(CertificateNames.of(session), address));
            return Contexts.interceptCall(context, call, headers, next);
        }
    }
}
