package dev.starling.peer.transport;

import io.grpc.netty.shaded.io.netty.channel.ChannelDuplexHandler;
import io.grpc.netty.shaded.io.netty.channel.ChannelHandlerContext;
import io.grpc.netty.shaded.io.netty.channel.ChannelInboundHandlerAdapter;
import io.grpc.netty.shaded.io.netty.channel.ChannelPromise;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslCompletionEvent;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import javax.net.ssl.SSLParameters;

/**
 * TLS between a site and its proxy, in which the TLS between sites passes. It is not a TLS handler itself, although all
 * it does is to pass on to one: gRPC takes the first such handler of a connection for that between the sites.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures of Netty on which nobody waits
final class TlsToProxy extends ChannelDuplexHandler {

    /** How a failure begins. */
    static final String FAILED = "no TLS to the proxy: ";

    private final SslHandler tls;

    private TlsToProxy(SslHandler tls) {
        this.tls = tls;
    }

    /** Returns a connection to a proxy that has not been made yet. */
    static NioSocketChannel channel(Proxy proxy) {
        NioSocketChannel channel = new NioSocketChannel();
        String host = proxy.address().getHostString();
        SslHandler tls = proxy.tls()
                .orElseThrow()
                .newHandler(channel.alloc(), host, proxy.address().getPort());
        SSLParameters parameters = tls.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.engine().setSSLParameters(parameters);
        channel.pipeline().addLast(new TlsToProxy(tls), new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
                // gRPC would take news of this TLS for news of its own.
                if (!(event instanceof SslCompletionEvent)) {
                    super.userEventTriggered(context, event);
                }
            }
        });
        return channel;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) throws Exception {
        tls.handlerAdded(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) throws Exception {
        tls.handlerRemoved(context);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        tls.handshakeFuture().addListener(done -> {
            if (!done.isSuccess()) {
                context.fireExceptionCaught(
                        new IOException(FAILED + done.cause().getMessage(), done.cause()));
            }
        });
        tls.channelActive(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        tls.channelInactive(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        tls.channelRead(context, message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) throws Exception {
        tls.channelReadComplete(context);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
        tls.exceptionCaught(context, cause);
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) throws Exception {
        tls.close(context, promise);
    }

    @Override
    public void read(ChannelHandlerContext context) throws Exception {
        tls.read(context);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        tls.write(context, message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) throws Exception {
        tls.flush(context);
    }
}
