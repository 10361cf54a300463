package dev.starling.serve;

import dev.starling.data.InvalidInputException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The members of a JSON object that somebody sent, each checked when it is asked for; the message of a refusal names
 * it.
 *
 * @param what the object, in messages
 */
record Members(String what, Map<?, ?> all) {

    /** Takes a value that must be an object. */
    static Members of(String what, Object value) {
        if (value instanceof Map<?, ?> map) {
            return new Members(what, map);
        }
        throw new InvalidInputException(what + " must be an object, in braces");
    }

    /** Refuses members that nobody asks for, so that a misspelt one does not go unnoticed. */
    void requireOnly(Set<String> known) {
        for (Object name : all.keySet()) {
            if (!known.contains(name)) {
                throw InvalidInputException.unknownName(
                        "member of " + what,
                        name.toString(),
                        known.stream().sorted().toList());
            }
        }
    }

    /** Whether there is a member. */
    boolean has(String name) {
        return all.containsKey(name);
    }

    /** A member that is text, a number or a truth value, as text. */
    Optional<String> text(String name) {
        Object value = all.get(name);
        if (value == null || value instanceof String) {
            return Optional.ofNullable((String) value);
        }
        throw new InvalidInputException(what + ": \"" + name + "\" must be a text or a number");
    }

    /** A member that must be there, as text. */
    String required(String name) {
        return text(name).orElseThrow(() -> new InvalidInputException(what + " has no \"" + name + "\"; it needs one"));
    }

    /** A whole number, 0 or more. */
    long whole(String name, long otherwise) {
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
    double number(String name, double otherwise) {
        Optional<String> text = text(name);
        return InvalidInputException.parsed(
                () -> text.map(Double::parseDouble).orElse(otherwise),
                () -> what + ": \"" + name + "\" is '" + text.get() + "'; it must be a number");
    }

    /** A truth value; false if it is not there. */
    boolean flag(String name) {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw new InvalidInputException(what + ": \"" + name + "\" is '" + text + "'; it must be true or false");
        }
        return text.equals("true");
    }

    /** A list; empty if it is not there. */
    List<?> list(String name) {
        Object value = all.containsKey(name) ? all.get(name) : List.of();
        if (value instanceof List<?> list) {
            return list;
        }
        throw new InvalidInputException(what + ": \"" + name + "\" must be a list, in brackets");
    }

    /** A list of texts. */
    List<String> texts(String name) {
        List<?> list = list(name);
        if (list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String.class::cast).toList();
        }
        throw new InvalidInputException(what + ": \"" + name + "\" must be a list of texts");
    }

    /** An object whose values are texts, numbers or truth values, all as text. */
    Map<String, String> map(String name) {
        Members inner = of(what + ": \"" + name + "\"", all.containsKey(name) ? all.get(name) : Map.of());
        Map<String, String> texts = new LinkedHashMap<>();
        inner.all.keySet().forEach(key -> texts.put(key.toString(), inner.required(key.toString())));
        return texts;
    }
}
