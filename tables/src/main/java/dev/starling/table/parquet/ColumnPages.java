package dev.starling.table.parquet;

import dev.starling.data.InvalidInputException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorInputStream;
import org.apache.commons.compress.compressors.snappy.SnappyCompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdUtils;

/** The values of one column in one group of rows, page by page. */
final class ColumnPages {

    private static final int DATA = 0;
    private static final int DICTIONARY = 2;
    private static final int DATA_2 = 3;
    private static final int PLAIN = 0;
    private static final int PLAIN_DICTIONARY = 2;
    private static final int RLE = 3;
    private static final int DELTA_BINARY_PACKED = 5;
    private static final int DELTA_LENGTH_BYTE_ARRAY = 6;
    private static final int DELTA_BYTE_ARRAY = 7;
    private static final int RLE_DICTIONARY = 8;
    private static final int BYTE_STREAM_SPLIT = 9;
    private static final List<String> ENCODINGS = List.of(
            "PLAIN",
            "1",
            "PLAIN_DICTIONARY",
            "RLE",
            "BIT_PACKED",
            "DELTA_BINARY_PACKED",
            "DELTA_LENGTH_BYTE_ARRAY",
            "DELTA_BYTE_ARRAY",
            "RLE_DICTIONARY",
            "BYTE_STREAM_SPLIT");
    private static final int ZSTD = 6;
    private static final List<String> CODECS =
            List.of("none", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw");

    /** The codecs that can be read. */
    private static final Set<Integer> READ = Set.of(0, 1, 2, ZSTD, 7);

    private final String where;
    private final ParquetType type;
    private final boolean optional;
    private final int codec;
    private final Bytes chunk;
    private long rows;
    private List<String> dictionary = List.of();
    private long left;
    private RunLengths presence;
    private Supplier<String> values;

    /**
     * Creates a reader before the first value of the column.
     *
     * @param where the file and the column, for messages
     * @param optional whether values may be null
     * @param codec how pages are compressed, as numbered in parquet.thrift
     * @param chunk all pages of the column
     * @param rows how many values there are, including nulls
     */
    ColumnPages(String where, ParquetType type, boolean optional, int codec, byte[] chunk, long rows) {
        if (!READ.contains(codec)) {
            throw new InvalidInputException(where + " is compressed with " + name(CODECS, codec)
                    + ", which cannot be read; write the file with snappy, gzip, zstd, lz4_raw or without compression");
        }
        if (codec == ZSTD && !ZstdUtils.isZstdCompressionAvailable()) {
            throw new InvalidInputException(where + " is compressed with zstd, which the library zstd-jni reads; add"
                    + " com.github.luben:zstd-jni to the class path, or write the file with snappy or gzip");
        }
        this.where = where;
        this.rows = rows;
        this.type = type;
        this.optional = optional;
        this.codec = codec;
        this.chunk = new Bytes(chunk);
    }

    /** The next value; empty if it is null. */
    Optional<String> next() {
        while (left == 0) {
            page();
        }
        left--;
        return optional && presence.next() == 0 ? Optional.empty() : Optional.of(values.get());
    }

    private void page() {
        Thrift.Struct header = new Thrift(chunk).struct();
        Bytes compressed = chunk.part((int) header.number(3));
        int size = (int) header.number(2);
        switch ((int) header.number(1)) {
            case DATA -> data(header.struct(5), new Bytes(decompressed(compressed, size)));
            case DATA_2 -> data2(header.struct(8), compressed, size);
            case DICTIONARY -> {
                Bytes page = new Bytes(decompressed(compressed, size));
                long count = header.struct(7).number(1);
                List<String> entries = new ArrayList<>();
                for (long k = 0; k < count; k++) {
                    entries.add(type.next(page));
                }
                dictionary = entries;
            }
            default -> {
                // Index pages hold nothing that is not in the data pages.
            }
        }
    }

    private void data(Thrift.Struct header, Bytes page) {
        if (optional) {
            presence = new RunLengths(page.part((int) page.fixed(Integer.BYTES)), 1);
        }
        begin(header.number(1), (int) header.number(2), page);
    }

    private void data2(Thrift.Struct header, Bytes compressed, int size) {
        int repetitions = (int) header.number(6, 0);
        int definitions = (int) header.number(5, 0);
        compressed.part(repetitions);
        presence = new RunLengths(compressed.part(definitions), 1);
        boolean isCompressed = header.bool(7, true);
        Bytes page = isCompressed ? new Bytes(decompressed(compressed, size - repetitions - definitions)) : compressed;
        begin(header.number(1), (int) header.number(4), page);
    }

    private void begin(long count, int encoding, Bytes page) {
        if (count < 0 || count > rows) {
            throw new CorruptException("a page of " + count + " values, with " + rows + " rows left");
        }
        rows -= count;
        left = count;
        switch (encoding) {
            case PLAIN -> values = type.physical() == ParquetType.BOOLEAN ? booleans(page) : () -> type.next(page);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> values = fromDictionary(page);
            case RLE -> {
                RunLengths runs = new RunLengths(page.part((int) page.fixed(Integer.BYTES)), 1);
                values = () -> Boolean.toString(runs.next() == 1);
            }
            default -> values = otherwise(count, encoding, page);
        }
    }

    private Supplier<String> otherwise(long count, int encoding, Bytes page) {
        boolean whole = type.physical() == ParquetType.INT32 || type.physical() == ParquetType.INT64;
        boolean bytes = type.physical() == ParquetType.BYTE_ARRAY || type.physical() == ParquetType.FIXED_LENGTH;
        if (encoding == DELTA_BINARY_PACKED && whole) {
            Deltas numbers = new Deltas(page);
            return () -> type.whole(numbers.next());
        }
        if (encoding == DELTA_LENGTH_BYTE_ARRAY && bytes) {
            return text(suffixes(page, count));
        }
        if (encoding == DELTA_BYTE_ARRAY && bytes) {
            return text(afterPrefixes(new Deltas(page).lengths(count), suffixes(page, count)));
        }
        if (encoding == BYTE_STREAM_SPLIT && type.width() > 0) {
            Bytes joined = joined(page.take(page.left()), type.width());
            return () -> type.next(joined);
        }
        throw new InvalidInputException(where + " is encoded as " + name(ENCODINGS, encoding)
                + ", which cannot be read; write the file with dictionaries or plain values");
    }

    private Supplier<String> text(Supplier<byte[]> all) {
        return () -> type.text(all.get());
    }

    /** Values stored as all lengths, followed by all bytes. */
    private static Supplier<byte[]> suffixes(Bytes page, long most) {
        int[] lengths = new Deltas(page).lengths(most);
        int[] taken = {0};
        return () -> {
            if (taken[0] == lengths.length) {
                throw new CorruptException("a value is missing");
            }
            return page.take(lengths[taken[0]++]);
        };
    }

    /** Values that each share a prefix with the one before; its length is given. */
    private static Supplier<byte[]> afterPrefixes(int[] prefixes, Supplier<byte[]> suffixes) {
        byte[][] last = {new byte[0]};
        int[] taken = {0};
        return () -> {
            byte[] suffix = suffixes.get();
            int prefix = taken[0] < prefixes.length ? prefixes[taken[0]++] : -1;
            if (prefix < 0 || prefix > last[0].length) {
                throw new CorruptException("a value shares a prefix that the one before it does not have");
            }
            byte[] value = Arrays.copyOf(last[0], prefix + suffix.length);
            System.arraycopy(suffix, 0, value, prefix, suffix.length);
            last[0] = value;
            return value;
        };
    }

    /** Undoes the splitting: the first bytes of all values are stored before all second bytes, and so on. */
    private static Bytes joined(byte[] split, int width) {
        int count = split.length / width;
        byte[] joined = new byte[count * width];
        for (int k = 0; k < joined.length; k++) {
            joined[k] = split[k % width * count + k / width];
        }
        return new Bytes(joined);
    }

    private static Supplier<String> booleans(Bytes page) {
        // One bit each, like a single run of groups of eight.
        int[] bits = {0, 0};
        return () -> {
            if (bits[1] == 0) {
                bits[0] = page.next();
                bits[1] = Byte.SIZE;
            }
            boolean value = (bits[0] & 1) == 1;
            bits[0] >>= 1;
            bits[1]--;
            return Boolean.toString(value);
        };
    }

    private Supplier<String> fromDictionary(Bytes page) {
        if (page.left() == 0) {
            // All values are null.
            return () -> {
                throw new CorruptException("a value is missing");
            };
        }
        RunLengths places = new RunLengths(page, page.next());
        return () -> {
            int place = places.next();
            if (place < 0 || place >= dictionary.size()) {
                throw new CorruptException("entry " + place + " of a dictionary of " + dictionary.size());
            }
            return dictionary.get(place);
        };
    }

    private byte[] decompressed(Bytes compressed, int size) {
        byte[] bytes = compressed.take(compressed.left());
        if (codec == 0 || size == 0) {
            return bytes;
        }
        if (size < 0) {
            throw new CorruptException("a page of " + size + " bytes");
        }
        try (InputStream in = opened(new ByteArrayInputStream(bytes))) {
            return whole(in.readNBytes(size), size);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new CorruptException("a page cannot be decompressed: " + e.getMessage());
        }
    }

    private static byte[] whole(byte[] page, int size) {
        if (page.length < size) {
            throw new CorruptException("a page ends too early");
        }
        return page;
    }

    private InputStream opened(InputStream compressed) throws IOException {
        return switch (codec) {
            case 1 -> new SnappyCompressorInputStream(compressed);
            case 2 -> new GZIPInputStream(compressed);
            case ZSTD -> new ZstdCompressorInputStream(compressed);
            default -> new BlockLZ4CompressorInputStream(compressed);
        };
    }

    private static String name(List<String> names, int number) {
        return number >= 0 && number < names.size() ? names.get(number) : Integer.toString(number);
    }
}
