package dev.starling.peer.transport;

import dev.starling.peer.wire.Frame;
import io.grpc.stub.CallStreamObserver;

/** A stream that takes everything and tells nobody. */
class SilentStream extends CallStreamObserver<Frame> {

    @Override
    public boolean isReady() {
        return true;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void onNext(Frame frame) {}

    @Override
    public void onError(Throwable t) {}

    @Override
    public void onCompleted() {}
}
