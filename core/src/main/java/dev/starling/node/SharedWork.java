package dev.starling.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Results that would be the same at all nodes of a process and are therefore computed only once: layouts, scales,
 * tuning, decisions.
 */
public final class SharedWork {

    private final Map<String, Lazy<?>> known = new ConcurrentHashMap<>();

    /** Creates an empty store. */
    public SharedWork() {}

    /**
     * Returns the value with a name, which the first caller computes while the others wait. Computing one value may ask
     * for another, which {@link ConcurrentHashMap#computeIfAbsent} forbids, so the map holds lazy values.
     *
     * @param <T> the type of the value; the same for every call with that name
     */
    @SuppressWarnings("unchecked") // one name, one type: the names are constants of a job
    public <T> T once(String name, Supplier<T> maker) {
        return ((Lazy<T>) known.computeIfAbsent(name, any -> new Lazy<T>())).get(maker);
    }

    /** Drops the value with a name, which will not be asked for again. */
    public void forget(String name) {
        known.remove(name);
    }

    /** A value that is computed when first asked for; if that fails, the next caller tries again. */
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
