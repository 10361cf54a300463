package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A caller that can say anything: bytes as they are, over TLS of any version. */
final class RawStream {

    private RawStream() {}

    static ManagedChannel channel(int port, String name, Credentials credentials, String protocol) throws IOException {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .overrideAuthority(name)
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient()
                                .keyManager(
                                        credentials.key(), credentials.chain().toArray(new X509Certificate[0]))
                                .trustManager(credentials.authorities().toArray(new X509Certificate[0])))
                        .protocols(protocol)
                        .build())
                .build();
    }

    /** Sends raw frames on a new stream and waits for how it ends. */
    static Status.Code send(ManagedChannel channel, List<byte[]> frames) throws Exception {
        CompletableFuture<Status.Code> end = new CompletableFuture<>();
        ClientCall<byte[], byte[]> call = channel.newCall(method(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status.getCode());
                    }
                },
                new Metadata());
        call.request(100);
        for (byte[] frame : frames) {
            call.sendMessage(frame);
        }
        return end.get(30, TimeUnit.SECONDS);
    }

    private static MethodDescriptor<byte[], byte[]> method() {
        MethodDescriptor.Marshaller<byte[]> raw = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                return new byte[0];
            }
        };
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(Wire.SERVICE + "/Link")
                .setRequestMarshaller(raw)
                .setResponseMarshaller(raw)
                .build();
    }
}
