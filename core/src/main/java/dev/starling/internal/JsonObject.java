package dev.starling.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

/** A JSON object that is being put together; its members keep their order. */
public final class JsonObject {

    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Adds a member: null, or anything that {@link JsonTree} writes. */
    public JsonObject with(String name, Object value) {
        members.put(name, value);
        return this;
    }

    /** Adds a member if there is one. */
    public JsonObject with(String name, Optional<?> value) {
        value.ifPresent(some -> with(name, some));
        return this;
    }

    /** Adds an object, whose members somebody else adds. */
    public JsonObject object(String name, Consumer<JsonObject> content) {
        return with(name, of(content));
    }

    /** Adds an array with an object for every element, whose members somebody else adds. */
    public <T> JsonObject objects(String name, Iterable<T> elements, BiConsumer<JsonObject, T> content) {
        List<Object> list = new ArrayList<>();
        elements.forEach(element -> list.add(of(object -> content.accept(object, element))));
        return with(name, list);
    }

    /** Adds an array with some number of objects, whose members somebody else adds. */
    public JsonObject objects(String name, int count, ObjIntConsumer<JsonObject> content) {
        return objects(name, IntStream.range(0, count).boxed().toList(), content::accept);
    }

    /** The members of an object that somebody else puts together. */
    public static Map<String, Object> of(Consumer<JsonObject> content) {
        JsonObject object = new JsonObject();
        content.accept(object);
        return Collections.unmodifiableMap(object.members);
    }
}
