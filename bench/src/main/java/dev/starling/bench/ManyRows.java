package dev.starling.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Writes a CSV file of dense rows on all cores, as fast as files are written: {@code ManyRows FILE ROWS FEATURES}. The
 * label, −1 or 1, comes first; the other numbers are halves between −9.5 and 9.5 in four characters, which are exact in
 * floats.
 */
public final class ManyRows {

    private static final int ROWS_AT_A_TIME = 10_000;
    private static final int CELL = 5;
    private static final int MOST = 19;
    private static final double FLIPPED = 0.1;

    private ManyRows() {}

    /** Writes the file. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        int rows = Integer.parseInt(args[1]);
        int features = Integer.parseInt(args[2]);
        int length = 2 + CELL * features + 1;
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.truncate(0);
            IntStream.rangeClosed(0, (rows - 1) / ROWS_AT_A_TIME).parallel().forEach(block -> {
                int first = block * ROWS_AT_A_TIME;
                int count = Math.min(ROWS_AT_A_TIME, rows - first);
                write(out, (long) first * length, text(block, count, features, length));
            });
        }
    }

    private static void write(FileChannel out, long position, ByteBuffer text) {
        try {
            while (text.hasRemaining()) {
                out.write(text, position + text.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuffer text(int block, int count, int features, int length) {
        SplittableRandom random = new SplittableRandom(block);
        byte[] text = new byte[count * length];
        for (int row = 0; row < count; row++) {
            int at = row * length + 2;
            double score = 0;
            for (int c = 0; c < features; c++) {
                int halves = random.nextInt(2 * MOST + 1) - MOST;
                score += halves * (c % 3 - 1);
                text[at++] = ',';
                if (halves < 0) {
                    text[at++] = '-';
                }
                text[at++] = (byte) ('0' + Math.abs(halves) / 2);
                text[at++] = '.';
                text[at++] = (byte) (halves % 2 == 0 ? '0' : '5');
                if (halves >= 0) {
                    text[at++] = '0';
                }
            }
            text[at] = '\n';
            boolean positive = score >= 0 != random.nextDouble() < FLIPPED;
            text[row * length] = (byte) (positive ? '+' : '-');
            text[row * length + 1] = '1';
        }
        return ByteBuffer.wrap(text);
    }
}
