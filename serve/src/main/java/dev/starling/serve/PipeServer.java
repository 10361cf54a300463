package dev.starling.serve;

import dev.starling.cores.Cores;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.internal.Version;
import dev.starling.runtime.StopSignal;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Answers the requests that come through a pipe, one at a time, until it ends. A request that cannot be used is
 * answered by an error, and the next one is read; a fit can be cancelled while it runs.
 */
public final class PipeServer {

    /** The version of the protocol. */
    static final int PROTOCOL = 1;

    /** The memory that training needs for a byte of arrays: they are copied once, to the nodes. */
    static final int MEMORY_PER_BYTE = 2;

    private final Frames frames;
    private final long most;
    private final AtomicReference<Optional<Running>> running = new AtomicReference<>(Optional.empty());

    /** A request under way, and the replies to what it has asked. */
    private record Running(long id, StopSignal signal, BlockingQueue<Request.Reply> replies) {

        Running(long id) {
            this(id, StopSignal.manual(), new LinkedBlockingQueue<>());
        }

        Request.Reply awaitReply() {
            while (!signal.isRaised()) {
                try {
                    Request.Reply reply = replies.poll(100, TimeUnit.MILLISECONDS);
                    if (reply != null) {
                        return reply;
                    }
                } catch (InterruptedException e) {
                    signal.request();
                }
            }
            throw new InvalidInputException("cancelled while waiting for a reply");
        }
    }

    /**
     * Creates a server for a pair of channels.
     *
     * @param memory the bytes that this process may use
     */
    PipeServer(ReadableByteChannel in, WritableByteChannel out, long memory) {
        this.most = memory / MEMORY_PER_BYTE;
        this.frames = new Frames(in, out, most);
    }

    /**
     * Serves standard input and output until input ends or is no longer a sequence of frames. Whatever else is printed
     * meanwhile goes to standard error.
     *
     * @return the exit code: 0, or 1 if the streams are broken
     */
    public static int serveStandardStreams() {
        System.setOut(System.err);
        Runnable endOfHelp = new Cores(Runtime.getRuntime().availableProcessors()).lend();
        try (FileInputStream in = new FileInputStream(FileDescriptor.in);
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            new PipeServer(
                            in.getChannel(),
                            out.getChannel(),
                            Runtime.getRuntime().maxMemory())
                    .serve();
            return 0;
        } catch (IOException e) {
            return 1;
        } finally {
            endOfHelp.run();
        }
    }

    /**
     * Answers requests until the stream ends.
     *
     * @throws IOException if the streams are broken, or what comes is no longer a sequence of frames
     */
    void serve() throws IOException {
        try {
            while (true) {
                Optional<Members> header = Optional.empty();
                try {
                    header = frames.next();
                    if (header.isEmpty()) {
                        return;
                    }
                    answer(header.get());
                } catch (InvalidInputException e) {
                    frames.write(refusal(idOf(header), e), Map.of());
                } catch (OutOfMemoryError e) {
                    frames.write(error(idOf(header), "memory", outOfMemory()), Map.of());
                } catch (RuntimeException e) {
                    frames.write(failure(idOf(header), e), Map.of());
                }
            }
        } catch (EOFException e) {
            throw e;
        } catch (IOException e) {
            frames.write(error(0, "lost", String.valueOf(e.getMessage())), Map.of());
            throw e;
        } finally {
            running.get().ifPresent(fit -> fit.signal.request());
        }
    }

    private static long idOf(Optional<Members> header) {
        try {
            return header.map(known -> known.whole("id", 0)).orElse(0L);
        } catch (InvalidInputException e) {
            return 0;
        }
    }

    private void answer(Members header) throws IOException {
        long id = header.whole("id", 0);
        String wanted = header.required("op");
        switch (wanted) {
            case "hello" -> hello(header, id);
            case "cancel" -> {
                header.requireOnly(Set.of("op", "id", "arrays"));
                // A fit that has just ended is not there to be cancelled; its answer is on its way.
                running.get().filter(fit -> fit.id == id).ifPresent(fit -> fit.signal.request());
            }
            case "fit" -> begin(id, () -> FitRequest.of(header, frames.arrays(header)));
            case "cox" -> begin(id, () -> CoxRequest.of(header, frames.arrays(header)));
            case "compare" -> begin(id, () -> CompareRequest.of(header, frames.arrays(header)));
            case "plan" -> begin(id, () -> PlanRequest.of(header));
            case "reply" -> {
                header.requireOnly(Set.of("op", "id", "work", "arrays"));
                Request.Reply reply = new Request.Reply(header, frames.arrays(header));
                running.get().filter(one -> one.id == id).ifPresent(one -> one.replies.add(reply));
            }
            default ->
                throw InvalidInputException.unknownName(
                        "op", wanted, List.of("cancel", "compare", "cox", "fit", "hello", "plan", "reply"));
        }
    }

    private void hello(Members header, long id) throws IOException {
        header.requireOnly(Set.of("op", "id", "arrays"));
        Map<String, Object> answer = event("hello", id);
        answer.put("protocol", PROTOCOL);
        answer.put("version", Version.current());
        answer.put("java", Runtime.version().toString());
        answer.put("process", ProcessHandle.current().pid());
        answer.put("most", most);
        frames.write(answer, Map.of());
    }

    /** Takes a request apart when its frame has come. */
    @FunctionalInterface
    private interface Sent {
        Request read() throws IOException;
    }

    private void begin(long id, Sent sent) throws IOException {
        Optional<Running> other = running.get();
        if (other.isPresent()) {
            throw new InvalidInputException("fit " + other.get().id + " is running; wait for its answer or cancel it");
        }
        Request request = sent.read();
        Running one = new Running(id);
        Thread thread = new Thread(() -> run(request, one), "starling-fit");
        thread.setDaemon(true);
        running.set(Optional.of(one));
        thread.start();
    }

    private Request.Events events(Running one) {
        return new Request.Events() {
            @Override
            public void send(String name, Map<String, Object> members, Map<String, Object> arrays) {
                Map<String, Object> event = event(name, one.id);
                event.putAll(members);
                try {
                    frames.write(event, arrays);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public Request.Reply ask(String name, Map<String, Object> members, Map<String, Object> arrays) {
                send(name, members, arrays);
                return one.awaitReply();
            }
        };
    }

    private void run(Request request, Running one) {
        long id = one.id;
        StopSignal signal = one.signal;
        Map<String, Object> header;
        Map<String, Object> arrays = Map.of();
        try {
            Answer answer = request.run(signal, events(one));
            if (signal.isRaised()) {
                header = error(id, "cancelled", "the fit was cancelled");
            } else {
                header = event(answer.event(), id);
                header.putAll(answer.header());
                arrays = answer.arrays();
            }
        } catch (IllegalArgumentException e) {
            header = signal.isRaised() ? error(id, "cancelled", "the fit was cancelled") : refusal(id, e);
        } catch (OutOfMemoryError e) {
            header = error(id, "memory", outOfMemory());
        } catch (RuntimeException e) {
            header = failure(id, e);
        }
        // Whoever has the answer may send the next request at once.
        running.set(Optional.empty());
        try {
            frames.write(header, arrays);
        } catch (IOException e) {
            // Nobody can read answers any longer, so the next request is of no use either.
            signal.request();
            frames.closeInput();
        }
    }

    private static Map<String, Object> event(String name, long id) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("event", name);
        header.put("id", id);
        return header;
    }

    private static Map<String, Object> refusal(long id, IllegalArgumentException e) {
        return error(id, e instanceof Frames.TooLargeException ? "memory" : "input", String.valueOf(e.getMessage()));
    }

    private static Map<String, Object> error(long id, String kind, String message) {
        Map<String, Object> header = event("error", id);
        header.put("kind", kind);
        header.put("message", message);
        return header;
    }

    private static Map<String, Object> failure(long id, RuntimeException e) {
        return error(id, "failure", e + " at " + e.getStackTrace()[0] + "; please report this");
    }

    private static String outOfMemory() {
        return String.format(
                Locale.US,
                "training needs more memory than this process may use, %.3g GB; start it with a larger -Xmx",
                Runtime.getRuntime().maxMemory() * 1e-9);
    }
}
