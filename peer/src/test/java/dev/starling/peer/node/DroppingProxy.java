package dev.starling.peer.node;

import dev.starling.peer.transport.LoopbackProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;

/**
 * Stands between two sites, as a cable does: it can take a while, carry only so much a second, and swallow everything
 * that passes, in both directions.
 */
final class DroppingProxy extends LoopbackProxy {

    /** Pieces under way in one direction of a connection, each at most as long as what is read at once. */
    private static final int MOST_UNDER_WAY = 1024;

    private static final byte[] END = {};

    private final int target;
    private volatile boolean cut;
    private volatile long delayNanos;
    private volatile double nanosPerByte;

    private record Piece(long due, byte[] bytes) {}

    DroppingProxy(int target) throws IOException {
        super(ServerSocketFactory.getDefault());
        this.target = target;
        begin();
    }

    void cut(boolean newCut) {
        cut = newCut;
    }

    /** Everything arrives so much later. */
    void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Every direction of a connection carries so many bits a second. */
    void carries(double bitsPerSecond) {
        nanosPerByte = 8e9 / bitsPerSecond;
    }

    @Override
    protected void take(Socket near) throws IOException {
        Socket far = reach(near, target);
        join(near, far);
        join(far, near);
    }

    private void join(Socket from, Socket to) {
        BlockingQueue<Piece> underWay = new ArrayBlockingQueue<>(MOST_UNDER_WAY);
        daemon(() -> takeIn(from, underWay));
        daemon(() -> handOut(underWay, from, to));
    }

    private void takeIn(Socket from, BlockingQueue<Piece> underWay) {
        byte[] buffer = new byte[1 << 16];
        boolean torn = false;
        long free = System.nanoTime();
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                // A stream that has lost bytes is never whole again: it stays silent after the cut.
                torn |= cut;
                if (!torn) {
                    free = Math.max(free, System.nanoTime()) + (long) (count * nanosPerByte);
                    underWay.put(new Piece(free + delayNanos, Arrays.copyOf(buffer, count)));
                }
            }
        } catch (IOException e) {
            // The end, however it came about.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!underWay.offer(new Piece(System.nanoTime() + delayNanos, END))) {
            closeQuietly(from);
        }
    }

    private static void handOut(BlockingQueue<Piece> underWay, Socket from, Socket to) {
        try (from;
                to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = underWay.take(); piece.bytes() != END; piece = underWay.take()) {
                for (long left = piece.due() - System.nanoTime(); left > 0; left = piece.due() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.bytes());
            }
        } catch (IOException e) {
            // The connection is lost, and both ends hear of it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
