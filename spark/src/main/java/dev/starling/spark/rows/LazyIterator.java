package dev.starling.spark.rows;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * What is made part by part, as it is asked for.
 *
 * @param <T> what the parts are
 */
abstract class LazyIterator<T> implements Iterator<T> {

    private T next;

    /** The next part; null after the last. */
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
        T part = next;
        next = null;
        return part;
    }
}
