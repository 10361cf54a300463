package dev.starling.job;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** What the nodes of one process compute alike and so need compute only once: layouts, scales, tuning. */
public final class SharedWork {

    private final Map<String, Object> known = new ConcurrentHashMap<>();

    /** Nothing is known yet. */
    public SharedWork() {}

    /** The value under a name, made by whoever asks first. */
    @SuppressWarnings("unchecked") // one name, one type: the names are constants of this package
    <T> T once(String name, Supplier<T> made) {
        return (T) known.computeIfAbsent(name, any -> made.get());
    }

    void forget(String name) {
        known.remove(name);
    }
}
