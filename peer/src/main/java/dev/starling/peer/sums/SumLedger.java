package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.SumRequest;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A record of what left a site in a run, line by line; each line is chained to the one before by a digest, and on disk
 * before anything is sent. It holds none of the site's numbers: only a keyed digest of every addend, with which the
 * site, and nobody else, can later show what it was.
 */
public final class SumLedger implements SumBook, Closeable {

    private static final HexFormat HEX = HexFormat.of();
    private static final String TITLE = "starling ledger 1";

    private final Path file;
    private final byte[] key;
    private final FileChannel channel;
    /** Lines about sums, by the number of the sum; concurrent, since monitoring may read them at any time. */
    private final Map<Long, LedgerLine> released = new ConcurrentSkipListMap<>();

    private final Map<String, String> notes = new HashMap<>();
    private byte[] chain;
    private long lines;

    private SumLedger(Path file, byte[] key) throws IOException {
        this.file = file;
        this.key = key;
        this.chain = Sha256.of(TITLE).value();
        if (Files.exists(file)) {
            resume();
        }
        this.channel = OwnerOnly.appending(file);
    }

    /**
     * Opens the ledger of a run, or creates a new one.
     *
     * @param key keeps addends from being guessed from their digests
     * @throws InvalidInputException if the file was altered
     */
    public static SumLedger open(Path file, byte[] key) throws IOException {
        return new SumLedger(file, key);
    }

    /**
     * Reads the lines of a ledger and checks their chain; an incomplete one, which a crash may have left, is ignored.
     */
    public static List<LedgerLine> read(Path file) throws IOException {
        byte[] chain = Sha256.of(TITLE).value();
        byte[] bytes = Files.readAllBytes(file);
        List<LedgerLine> lines = new String(bytes, 0, complete(bytes), StandardCharsets.UTF_8)
                .lines()
                .map(LedgerLine::parse)
                .toList();
        for (int k = 0; k < lines.size(); k++) {
            chain = next(chain, lines.get(k).content());
            if (!lines.get(k).chain().equals(HEX.formatHex(chain))) {
                throw new InvalidInputException(
                        file + ", line " + (k + 1) + " was altered, or a line before it is missing");
            }
        }
        return lines;
    }

    /**
     * Reads an existing ledger. A crash may have left an incomplete line, for which nothing was sent; it is removed.
     */
    private void resume() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int end = complete(bytes);
        if (end < bytes.length) {
            try (FileChannel incomplete = FileChannel.open(file, java.nio.file.StandardOpenOption.WRITE)) {
                incomplete.truncate(end);
                incomplete.force(true);
            }
        }
        for (LedgerLine line : read(file)) {
            chain = HEX.parseHex(line.chain());
            lines++;
            if (line.sum() > 0) {
                released.put(line.sum(), line);
            } else {
                notes.put(line.what(), line.detail());
            }
        }
    }

    /** The length of all complete lines. */
    private static int complete(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    private static byte[] next(byte[] chain, String content) {
        return Sha256.of(TITLE)
                .put(chain)
                .put(content.getBytes(StandardCharsets.UTF_8))
                .value();
    }

    /** {@inheritDoc} After a restart the same addend may be requested again, and is accepted. */
    @Override
    public void record(long number, byte[] question, SumRequest request, double[] words) {
        String digest = digest(key, question, words);
        LedgerLine before = released.get(number);
        if (before == null) {
            LedgerLine line = LedgerLine.ofSum(lines + 1, number, request, HEX.formatHex(question), digest);
            append(line);
            released.put(number, line);
            return;
        }
        if (!before.question().equals(HEX.formatHex(question))) {
            throw new InvalidInputException(
                    "sum " + number + " is requested again in a different way, which would reveal "
                            + "how the two answers differ; nothing was sent");
        }
        if (!before.digest().equals(digest)) {
            throw new InvalidInputException(
                    "sum " + number + " would now have a different answer than before, since rows "
                            + "have changed; nothing was sent. Restore them, or start a run under another name at all sites");
        }
    }

    /** Adds a note, unless the last note with this name has the same text. */
    public void note(String what, String detail) {
        LedgerLine line = LedgerLine.ofNote(lines + 1, what, detail);
        if (!line.detail().equals(notes.put(what, line.detail()))) {
            append(line);
        }
    }

    private void append(LedgerLine line) {
        try {
            byte[] following = next(chain, line.content());
            String text = line.with(HEX.formatHex(following)) + "\n";
            OwnerOnly.append(channel, text.getBytes(StandardCharsets.UTF_8));
            chain = following;
            lines++;
        } catch (IOException e) {
            throw new LedgerException(file + " cannot be written, so nothing was sent: " + e.getMessage(), e);
        }
    }

    /** Computes the keyed digest of an answer. */
    static String digest(byte[] key, byte[] question, double[] words) {
        return HEX.formatHex(Sha256.mac(key, question, bytes(words)));
    }

    private static byte[] bytes(double[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * words.length);
        bytes.asDoubleBuffer().put(words);
        return bytes.array();
    }

    /** What has left the site so far; may be called by any thread. */
    public List<ReleasedSums> released() {
        return ReleasedSums.of(released.values());
    }

    /** The number of sums whose addends have left the site. */
    public long sums() {
        return released.size();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Arrays.fill(key, (byte) 0);
    }
}
