package dev.starling.data;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** How a file is packed, told from its first bytes rather than from its name. */
enum Decompression {
    NONE("text") {
        @Override
        InputStream open(InputStream in) {
            return in;
        }
    },
    GZIP("gzip") {
        @Override
        InputStream open(InputStream in) throws IOException {
            // The JDK's own stream stops silently between members when no byte happens to be available.
            return GzipCompressorInputStream.builder()
                    .setInputStream(in)
                    .setDecompressConcatenated(true)
                    .setBufferSize(PACKED_BUFFER)
                    .get();
        }
    },
    BZIP2("bzip2") {
        @Override
        InputStream open(InputStream in) throws IOException {
            return new BZip2CompressorInputStream(in, true);
        }
    };

    private static final int PACKED_BUFFER = 1 << 17;

    private final String label;

    Decompression(String label) {
        this.label = label;
    }

    /** The text inside; may read ahead in what it is given. */
    abstract InputStream open(InputStream in) throws IOException;

    /** What to call it in a message. */
    String label() {
        return label;
    }

    static BufferedInputStream buffered(InputStream in) {
        return new BufferedInputStream(in, PACKED_BUFFER);
    }

    /** Looks at the first bytes and puts them back. */
    static Decompression of(BufferedInputStream in) throws IOException {
        in.mark(4);
        byte[] magic = in.readNBytes(3);
        in.reset();
        if (magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
            return GZIP;
        }
        boolean bzip2 = magic.length == 3 && magic[0] == 'B' && magic[1] == 'Z' && magic[2] == 'h';
        return bzip2 ? BZIP2 : NONE;
    }
}
