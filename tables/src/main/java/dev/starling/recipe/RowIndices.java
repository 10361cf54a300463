package dev.starling.recipe;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;
import java.util.RandomAccess;

/** Indices of rows in ascending order, without an object for each. */
final class RowIndices extends AbstractList<Integer> implements RandomAccess {

    private int[] indices = new int[16];
    private int size;

    /** Adds an index that is not less than the last one. */
    void append(int index) {
        if (size == indices.length) {
            indices = Arrays.copyOf(indices, 2 * size);
        }
        indices[size++] = index;
    }

    @Override
    public Integer get(int place) {
        return indices[Objects.checkIndex(place, size)];
    }

    @Override
    public int size() {
        return size;
    }
}
