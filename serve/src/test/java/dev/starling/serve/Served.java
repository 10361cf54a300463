package dev.starling.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server in a thread of the test, with the other ends of its pipes. */
final class Served implements AutoCloseable {

    private static final long MEMORY = 1L << 30;

    private final Pipe requests = Pipe.open();
    private final Pipe answers = Pipe.open();
    private final OutputStream out = Channels.newOutputStream(requests.sink());
    private final InputStream in = Channels.newInputStream(answers.source());
    private final CompletableFuture<Optional<IOException>> end;

    Served() throws IOException {
        PipeServer server = new PipeServer(requests.source(), answers.sink(), MEMORY);
        end = CompletableFuture.supplyAsync(() -> {
            try {
                server.serve();
                return Optional.empty();
            } catch (IOException e) {
                return Optional.of(e);
            }
        });
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void send(String header, byte[]... arrays) throws IOException {
        send(Wire.frame(header, arrays));
    }

    Wire.Answer receive() throws IOException {
        return Wire.read(in);
    }

    Wire.Answer ask(String header, byte[]... arrays) throws IOException {
        send(header, arrays);
        return receive();
    }

    /** Ends the requests and returns what the server then failed with, if it did. */
    Optional<IOException> end() throws IOException {
        out.close();
        return ending();
    }

    /** What the server fails with when it ends by itself, if it does. */
    Optional<IOException> ending() {
        try {
            return end.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the server has not ended", e);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
        in.close();
    }
}
