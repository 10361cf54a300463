package dev.starling.peer.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A file system of a few megabytes that can be filled to the last byte and freed again. */
record SmallDisk(Path directory) implements AutoCloseable {

    private static final int MEGABYTES = 8;

    /** A disk at a directory, which is made; none where mounting is not permitted. */
    static Optional<SmallDisk> mountedAt(Path directory) throws IOException {
        Files.createDirectories(directory);
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "mode=700,size=" + MEGABYTES + "m", "tmpfs", directory);
        return mounted ? Optional.of(new SmallDisk(directory)) : Optional.empty();
    }

    private static boolean run(Object... words) {
        String[] command = new String[words.length];
        for (int k = 0; k < words.length; k++) {
            command[k] = words[k].toString();
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Path filler() {
        return directory.resolve("filler");
    }

    void fill() {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler())) {
            for (int block4k = 0; block4k <= MEGABYTES * 256; block4k++) {
                out.write(block);
            }
        } catch (IOException e) {
            // That is when it is full.
        }
    }

    void free() throws IOException {
        Files.deleteIfExists(filler());
    }

    @Override
    public void close() {
        run("umount", "-l", directory);
    }
}
