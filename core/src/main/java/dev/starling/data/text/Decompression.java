package dev.starling.data.text;

import dev.starling.data.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** How a file is compressed, which is detected from its first bytes rather than from its name. */
public enum Decompression {
    NONE("text") {
        @Override
        public InputStream open(InputStream in) {
            return in;
        }
    },
    GZIP("gzip") {
        @Override
        public InputStream open(InputStream in) throws IOException {
            // The JDK's own stream stops silently between members when no byte happens to be available.
            return GzipCompressorInputStream.builder()
                    .setInputStream(in)
                    .setDecompressConcatenated(true)
                    .setBufferSize(COMPRESSED_BUFFER)
                    .get();
        }
    },
    BZIP2("bzip2") {
        @Override
        public InputStream open(InputStream in) throws IOException {
            return new BZip2CompressorInputStream(in, true);
        }
    };

    /** Small, so that hardly more bytes have been read from a file than have been decompressed. */
    private static final int COMPRESSED_BUFFER = 1 << 14;

    private static final int LONGEST_MAGIC = 4;
    private static final String PARQUET = "50415231";

    private final String label;

    Decompression(String label) {
        this.label = label;
    }

    /** Opens the decompressed text; may read ahead in the given stream. */
    public abstract InputStream open(InputStream in) throws IOException;

    /** Its name in messages. */
    public String label() {
        return label;
    }

    public static BufferedInputStream buffered(InputStream in) {
        return new BufferedInputStream(in, COMPRESSED_BUFFER);
    }

    /**
     * Looks at the first bytes and puts them back. Well-known compressions that cannot be read, and Parquet files, are
     * rejected by name.
     */
    public static Decompression of(BufferedInputStream in, String file) throws IOException {
        in.mark(LONGEST_MAGIC + 1);
        String magic = HexFormat.of().formatHex(in.readNBytes(LONGEST_MAGIC));
        in.reset();
        if (magic.startsWith("1f8b")) {
            return GZIP;
        }
        if (magic.startsWith("425a68")) {
            return BZIP2;
        }
        if (magic.equals(PARQUET)) {
            throw new InvalidInputException(
                    file + " is a Parquet file, which holds a table; read it as a table, from a file");
        }
        String foreign = magic.startsWith("fd377a58")
                ? "xz"
                : magic.startsWith("28b52ffd") ? "zstd" : magic.startsWith("504b0304") ? "zip" : "";
        if (!foreign.isEmpty()) {
            throw new InvalidInputException(file + " is compressed with " + foreign
                    + "; decompress it first: plain text, gzip and bzip2 are read");
        }
        return NONE;
    }
}
