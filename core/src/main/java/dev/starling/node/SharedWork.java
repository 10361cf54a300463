package dev.starling.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What all nodes of a process would compute alike, and so is computed only once: layouts, scales, tuning, decisions.
 */
public final class SharedWork {

    private final Map<String, Lazy<?>> known = new ConcurrentHashMap<>();

    /** Nothing is known yet. */
    public SharedWork() {}

    /**
     * The value under a name, made by whoever asks first; the others wait for it. Making one value may ask for another,
     * which {@link ConcurrentHashMap#computeIfAbsent} forbids, so the map holds only the places where values go.
     *
     * @param <T> the type of everything under that name
     */
    @SuppressWarnings("unchecked") // one name, one type: the names are constants of a job
    public <T> T once(String name, Supplier<T> maker) {
        return ((Lazy<T>) known.computeIfAbsent(name, any -> new Lazy<T>())).get(maker);
    }

    /** Drops the value under a name, which nobody asks for any more. */
    public void forget(String name) {
        known.remove(name);
    }

    /** A value that is made when it is first asked for; if that fails, the next to ask tries again. */
    private static final class Lazy<T> {
        private T value;

        synchronized T get(Supplier<T> maker) {
            if (value == null) {
                value = maker.get();
            }
            return value;
        }
    }
}
