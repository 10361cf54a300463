package dev.starling.spark.rows;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * An iterator that computes each element when it is needed.
 *
 * @param <T> the type of the elements
 */
public abstract class LazyIterator<T> implements Iterator<T> {

    private T next;

    /** Computes the next element; returns null after the last one. */
    protected abstract T make();

    @Override
    public final boolean hasNext() {
        if (next == null) {
            next = make();
        }
        return next != null;
    }

    @Override
    public final T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        T element = next;
        next = null;
        return element;
    }
}
