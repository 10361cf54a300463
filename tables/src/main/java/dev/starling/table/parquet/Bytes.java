package dev.starling.table.parquet;

import java.util.Arrays;

/** A block of bytes that is read from the front; one that ends too early is corrupt. */
final class Bytes {

    private final byte[] array;
    private final int end;
    private int at;

    Bytes(byte[] array) {
        this(array, 0, array.length);
    }

    private Bytes(byte[] array, int from, int end) {
        this.array = array;
        this.at = from;
        this.end = end;
    }

    int left() {
        return end - at;
    }

    /** The next byte, from 0 to 255. */
    int next() {
        require(1);
        return array[at++] & 0xff;
    }

    byte[] take(int count) {
        require(count);
        at += count;
        return Arrays.copyOfRange(array, at - count, at);
    }

    /** Takes the next bytes as a block of their own. */
    Bytes part(int count) {
        require(count);
        at += count;
        return new Bytes(array, at - count, at);
    }

    /** Takes a whole number of {@code count} bytes, the lowest first. */
    long fixed(int count) {
        require(count);
        long value = 0;
        for (int k = 0; k < count; k++) {
            value |= (array[at++] & 0xffL) << (8 * k);
        }
        return value;
    }

    /** One of the remaining bits, counted from the lowest of the next byte; 0 after the last. */
    int bit(int place) {
        int index = at + place / Byte.SIZE;
        return index < end ? array[index] >> place % Byte.SIZE & 1 : 0;
    }

    /** Takes a whole number stored in groups of seven bits, the lowest first. */
    long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = next();
            value |= (next & 0x7fL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new CorruptException("a number of more than 64 bits");
    }

    /** Takes a varint that is the number of items that follow, each of which takes at least one byte. */
    int length() {
        long length = varint();
        if (length < 0 || length > left()) {
            throw new CorruptException("a length of " + length + ", with " + left() + " bytes left");
        }
        return (int) length;
    }

    private void require(int count) {
        if (count < 0 || count > left()) {
            throw new CorruptException("it ends too early");
        }
    }
}
