package dev.starling.data.text;

import dev.starling.data.InvalidInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of an object that somebody wrote, in JSON or YAML, each checked when it is asked for; the message of a
 * refusal names it.
 *
 * @param what the object, in messages
 */
public record Members(String what, Map<?, ?> all) {

    /** Takes a value that must be an object. */
    public static Members of(String what, Object value) {
        if (value instanceof Map<?, ?> map) {
            return new Members(what, map);
        }
        throw new InvalidInputException(what + " must be an object with names and values");
    }

    /** Refuses members that nobody asks for, so that a misspelt one does not go unnoticed. */
    public void requireOnly(Set<String> known) {
        for (Object key : all.keySet()) {
            String name = String.valueOf(key);
            if (!known.contains(name)) {
                throw InvalidInputException.unknownName(
                        "member of " + what, name, known.stream().sorted().toList());
            }
        }
    }

    /** Whether there is a member. */
    public boolean has(String name) {
        return all.containsKey(name);
    }

    /** A member that is text, a number or a truth value, as text. */
    public Optional<String> text(String name) {
        Object value = all.get(name);
        if (value instanceof Map || value instanceof List) {
            throw new InvalidInputException(what + ": \"" + name + "\" must be a text or a number");
        }
        return Optional.ofNullable(value).map(Object::toString);
    }

    /** A member that must be there. */
    public Object value(String name) {
        return Optional.<Object>ofNullable(all.get(name))
                .orElseThrow(() -> new InvalidInputException(what + " has no \"" + name + "\"; it needs one"));
    }

    /** A member that must be there, as text. */
    public String required(String name) {
        value(name);
        return text(name).orElseThrow();
    }

    /** A whole number, 0 or more. */
    public long whole(String name, long otherwise) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        // Eighteen digits are a long in any case.
        if (!text.get().matches("[0-9]{1,18}")) {
            throw new InvalidInputException(
                    what + ": \"" + name + "\" is '" + text.get() + "'; it must be a whole number, 0 or more");
        }
        return Long.parseLong(text.get());
    }

    /** A number. */
    public double number(String name, double otherwise) {
        Optional<String> text = text(name);
        return InvalidInputException.parsed(
                () -> text.map(Double::parseDouble).orElse(otherwise),
                () -> what + ": \"" + name + "\" is '" + text.get() + "'; it must be a number");
    }

    /** A truth value; false if it is not there. */
    public boolean flag(String name) {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidInputException(what + ": \"" + name + "\" is '" + text + "'; it must be true or false");
        }
        return text.equals("true");
    }

    /** A list; empty if it is not there. */
    public List<?> list(String name) {
        Object value = all.containsKey(name) ? all.get(name) : List.of();
        if (value instanceof List<?> list) {
            return list;
        }
        throw new InvalidInputException(what + ": \"" + name + "\" must be a list");
    }

    /** A list of texts. */
    public List<String> texts(String name) {
        List<?> list = list(name);
        if (list.stream().noneMatch(each -> each instanceof Map || each instanceof List)) {
            return list.stream().map(String::valueOf).toList();
        }
        throw new InvalidInputException(what + ": \"" + name + "\" must be a list of texts");
    }

    /** An object whose values are texts, numbers or truth values, all as text. */
    public Map<String, String> map(String name) {
        Members inner = of(what + ": \"" + name + "\"", all.containsKey(name) ? all.get(name) : Map.of());
        Map<String, String> texts = new LinkedHashMap<>();
        inner.all.keySet().forEach(key -> texts.put(key.toString(), inner.required(key.toString())));
        return texts;
    }
}
