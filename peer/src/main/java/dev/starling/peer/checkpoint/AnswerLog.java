package dev.starling.peer.checkpoint;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.peer.keys.OwnerOnly;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.CRC32;

/**
 * What a job was told from outside, such as a measured delay, in the order in which it asked. An answer is on disk
 * before the job has it, in a file that is only ever appended to, so that whichever checkpoint a site falls back on, it
 * is told the same again.
 */
public final class AnswerLog implements Stateful, Closeable {

    private final FileChannel channel;
    private final List<double[]> answers = new ArrayList<>();
    private int next;

    private AnswerLog(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Opens the answers of a run. A crash may have left an incomplete one, which nobody was told; it is removed. Its
     * length may have reached the disk without its content, so that only the checksum tells.
     */
    public static AnswerLog open(Path file) throws IOException {
        List<double[]> known = new ArrayList<>();
        if (Files.exists(file)) {
            ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(file));
            int complete = 0;
            while (content.remaining() >= Integer.BYTES) {
                double[] answer =
                        new double[Math.max(0, Math.min(content.getInt(), content.remaining() / Double.BYTES))];
                content.slice().asDoubleBuffer().get(answer);
                byte[] written = encoded(answer);
                content.position(complete);
                if (content.remaining() < written.length
                        || content.slice().limit(written.length).mismatch(ByteBuffer.wrap(written)) >= 0) {
                    break;
                }
                known.add(answer);
                complete += written.length;
                content.position(complete);
            }
            try (FileChannel incomplete = FileChannel.open(file, StandardOpenOption.WRITE)) {
                incomplete.truncate(complete);
                incomplete.force(true);
            }
        }
        AnswerLog log = new AnswerLog(OwnerOnly.appending(file));
        log.answers.addAll(known);
        return log;
    }

    /** Its length, its numbers and a checksum. */
    private static byte[] encoded(double[] answer) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + Double.BYTES * answer.length);
        bytes.putInt(answer.length).asDoubleBuffer().put(answer);
        CRC32 checksum = new CRC32();
        checksum.update(bytes.array(), 0, bytes.capacity() - Integer.BYTES);
        return bytes.putInt(bytes.capacity() - Integer.BYTES, (int) checksum.getValue())
                .array();
    }

    /** The answer to the next question: the one that was given before, or else a new one. */
    public double[] next(Supplier<double[]> anew) {
        if (next == answers.size()) {
            double[] answer = anew.get();
            try {
                OwnerOnly.append(channel, encoded(answer));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            answers.add(answer);
        }
        return answers.get(next++).clone();
    }

    @Override
    public void state(State s) throws IOException {
        next = s.number(next);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
