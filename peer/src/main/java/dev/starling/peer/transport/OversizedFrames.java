package dev.starling.peer.transport;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.function.Consumer;

/** Reports frames that exceed the limit, which gRPC rejects before anybody else sees them. */
final class OversizedFrames extends ServerStreamTracer.Factory {

    private final Consumer<String> listener;

    /** @param listener receives the name of the method that the frame was for */
    OversizedFrames(Consumer<String> listener) {
        this.listener = listener;
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new ServerStreamTracer() {
            @Override
            public void streamClosed(Status status) {
                if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                    listener.accept(method);
                }
            }
        };
    }
}
