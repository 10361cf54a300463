package dev.starling.spark;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * The local file system under the scheme {@code failing}, in which writing one state fails as often as is asked for.
 */
public final class FailingFileSystem extends RawLocalFileSystem {

    static final AtomicInteger FAILURES_LEFT = new AtomicInteger();
    static final AtomicInteger STATES_READ = new AtomicInteger();
    private static volatile String failsOn = "";

    /** Writing a state of this number fails this many times. */
    static void failOn(long number, int times) {
        failsOn = "state-" + number + ".bin";
        FAILURES_LEFT.set(times);
        STATES_READ.set(0);
    }

    @Override
    public URI getUri() {
        return URI.create("failing:///");
    }

    @Override
    public FSDataOutputStream create(
            Path file,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        if (file.getName().contains(failsOn) && FAILURES_LEFT.getAndDecrement() > 0) {
            throw new IOException("asked to fail");
        }
        return super.create(file, permission, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataOutputStream create(
            Path file, boolean overwrite, int bufferSize, short replication, long blockSize, Progressable progress)
            throws IOException {
        if (file.getName().contains(failsOn) && FAILURES_LEFT.getAndDecrement() > 0) {
            throw new IOException("asked to fail");
        }
        return super.create(file, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataInputStream open(Path file, int bufferSize) throws IOException {
        if (file.getName().startsWith("state-")) {
            STATES_READ.incrementAndGet();
        }
        return super.open(file, bufferSize);
    }
}
