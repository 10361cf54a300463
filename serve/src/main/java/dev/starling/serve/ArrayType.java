package dev.starling.serve;

import dev.starling.data.InvalidInputException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** What the elements of an array in a frame are; all are little-endian. */
enum ArrayType {
    /** IEEE doubles. */
    F64(
            Double.BYTES,
            double.class,
            (from, array, at, count) -> from.asDoubleBuffer().get((double[]) array, at, count),
            (to, array, at, count) -> to.asDoubleBuffer().put((double[]) array, at, count)),
    /** IEEE floats. */
    F32(
            Float.BYTES,
            float.class,
            (from, array, at, count) -> from.asFloatBuffer().get((float[]) array, at, count),
            (to, array, at, count) -> to.asFloatBuffer().put((float[]) array, at, count)),
    /** Signed whole numbers of four bytes. */
    I32(
            Integer.BYTES,
            int.class,
            (from, array, at, count) -> from.asIntBuffer().get((int[]) array, at, count),
            (to, array, at, count) -> to.asIntBuffer().put((int[]) array, at, count)),
    /** Bytes. */
    U8(
            1,
            byte.class,
            (from, array, at, count) -> from.duplicate().get((byte[]) array, at, count),
            (to, array, at, count) -> to.duplicate().put((byte[]) array, at, count));

    /** Copies some elements between an array and the start of a buffer, whose position does not change. */
    private interface Copy {
        void copy(ByteBuffer buffer, Object array, int at, int count);
    }

    private final int bytes;
    private final Class<?> element;
    private final Copy get;
    private final Copy put;

    ArrayType(int bytes, Class<?> element, Copy get, Copy put) {
        this.bytes = bytes;
        this.element = element;
        this.get = get;
        this.put = put;
    }

    /** Copies elements from the start of a buffer, whose position does not change, to an array. */
    void get(ByteBuffer from, Object array, int at, int count) {
        get.copy(from, array, at, count);
    }

    /** Copies elements of an array to the start of a buffer, whose position does not change. */
    void put(ByteBuffer to, Object array, int at, int count) {
        put.copy(to, array, at, count);
    }

    /** The bytes of an element. */
    int bytes() {
        return bytes;
    }

    /** An array of this type. */
    Object array(int length) {
        return Array.newInstance(element, length);
    }

    /** The name in headers. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type with a name. */
    static ArrayType named(String name) {
        return InvalidInputException.named("type of array", name, Arrays.asList(values()), ArrayType::text);
    }

    /** The type of an array. */
    static ArrayType of(Object array) {
        return Arrays.stream(values())
                .filter(type -> type.element == array.getClass().getComponentType())
                .findFirst()
                .orElseThrow();
    }
}
