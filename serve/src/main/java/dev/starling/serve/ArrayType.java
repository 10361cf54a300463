package dev.starling.serve;

import dev.starling.data.InvalidInputException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** What the elements of an array in a frame are; all are little-endian. */
enum ArrayType {
    /** IEEE doubles. */
    F64(Double.BYTES, double.class) {
        @Override
        void get(ByteBuffer from, Object array, int at, int count) {
            from.asDoubleBuffer().get((double[]) array, at, count);
        }

        @Override
        void put(ByteBuffer to, Object array, int at, int count) {
            to.asDoubleBuffer().put((double[]) array, at, count);
        }
    },
    /** IEEE floats. */
    F32(Float.BYTES, float.class) {
        @Override
        void get(ByteBuffer from, Object array, int at, int count) {
            from.asFloatBuffer().get((float[]) array, at, count);
        }

        @Override
        void put(ByteBuffer to, Object array, int at, int count) {
            to.asFloatBuffer().put((float[]) array, at, count);
        }
    },
    /** Signed whole numbers of four bytes. */
    I32(Integer.BYTES, int.class) {
        @Override
        void get(ByteBuffer from, Object array, int at, int count) {
            from.asIntBuffer().get((int[]) array, at, count);
        }

        @Override
        void put(ByteBuffer to, Object array, int at, int count) {
            to.asIntBuffer().put((int[]) array, at, count);
        }
    },
    /** Bytes. */
    U8(1, byte.class) {
        @Override
        void get(ByteBuffer from, Object array, int at, int count) {
            from.duplicate().get((byte[]) array, at, count);
        }

        @Override
        void put(ByteBuffer to, Object array, int at, int count) {
            to.duplicate().put((byte[]) array, at, count);
        }
    };

    private final int bytes;
    private final Class<?> element;

    ArrayType(int bytes, Class<?> element) {
        this.bytes = bytes;
        this.element = element;
    }

    /** Copies elements from the start of a buffer, whose position does not change, to an array. */
    abstract void get(ByteBuffer from, Object array, int at, int count);

    /** Copies elements of an array to the start of a buffer, whose position does not change. */
    abstract void put(ByteBuffer to, Object array, int at, int count);

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
