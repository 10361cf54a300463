package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts a recipe to and from nested maps and lists, for files that people edit: defaults are left out. */
final class RecipeMap {

    private final String where;
    private final Map<String, Object> members;

    private RecipeMap(String where, Object members) {
        if (!(members instanceof Map<?, ?> map)) {
            throw new InvalidInputException("recipe" + where + " must be an object with names and values");
        }
        this.where = where;
        this.members = new HashMap<>();
        map.forEach((key, value) -> this.members.put(String.valueOf(key), value));
    }

    static Map<String, Object> of(Recipe recipe) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("label", of(recipe.target()));
        map.put("columns", recipe.columns().stream().map(RecipeMap::of).toList());
        recipe.weights().ifPresent(name -> map.put("weights", name));
        recipe.offset().ifPresent(name -> map.put("offset", name));
        putUnless(recipe.ids().isEmpty(), map, "ids", recipe.ids());
        map.put("missingTokens", recipe.missingTokens());
        recipe.formula().ifPresent(text -> map.put("formula", text));
        putUnless(!recipe.standardize(), map, "standardize", true);
        return map;
    }

    private static Map<String, Object> of(Target target) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("column", target.column());
        putUnless(target.classes().isEmpty(), map, "classes", target.classes());
        putUnless(
                target.missing() == Missing.REFUSE,
                map,
                "missing",
                target.missing().text());
        return map;
    }

    private static Map<String, Object> of(Column column) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", column.name());
        map.put("kind", column.kind().text());
        putUnless(column.levels().isEmpty(), map, "levels", column.levels());
        column.reference().ifPresent(level -> map.put("reference", level));
        putUnless(column.rare().isEmpty(), map, "rare", column.rare());
        putUnless(!column.unknownIsReference(), map, "unknown", "reference");
        putUnless(column.buckets() == 0, map, "buckets", column.buckets());
        map.put("missing", column.missing().text());
        column.fill().ifPresent(cell -> map.put("fill", cell));
        putUnless(!column.indicator(), map, "indicator", true);
        return map;
    }

    private static void putUnless(boolean isDefault, Map<String, Object> map, String key, Object value) {
        if (!isDefault) {
            map.put(key, value);
        }
    }

    static Recipe recipe(Map<?, ?> map) {
        RecipeMap members = new RecipeMap("", map);
        Target target = target(new RecipeMap(", label", members.need("label")));
        List<Column> columns = new ArrayList<>();
        for (Object column : members.list("columns")) {
            columns.add(column(new RecipeMap(", column " + (columns.size() + 1), column)));
        }
        Recipe recipe = new Recipe(
                columns,
                target,
                members.string("weights"),
                members.string("offset"),
                members.strings("ids"),
                members.members.containsKey("missingTokens") ? members.strings("missingTokens") : MissingTokens.USUAL,
                members.string("formula"),
                members.bool("standardize"));
        members.end();
        return recipe;
    }

    private static Target target(RecipeMap members) {
        Target target = new Target(
                members.string("column").orElseThrow(() -> members.lacks("column")),
                members.strings("classes"),
                Missing.named(members.string("missing").orElse("refuse")));
        members.end();
        return target;
    }

    private static Column column(RecipeMap members) {
        String unknown = members.string("unknown").orElse("refuse");
        if (!List.of("refuse", "reference").contains(unknown)) {
            throw InvalidInputException.unknownName(
                    "policy for unknown levels", unknown, List.of("refuse", "reference"));
        }
        Column column = new Column(
                members.string("name").orElseThrow(() -> members.lacks("name")),
                Kind.named(members.string("kind").orElseThrow(() -> members.lacks("kind"))),
                members.strings("levels"),
                members.string("reference"),
                members.strings("rare"),
                unknown.equals("reference"),
                members.whole("buckets"),
                Missing.named(members.string("missing").orElse("refuse")),
                members.string("fill"),
                members.bool("indicator"));
        members.end();
        return column;
    }

    private Optional<Object> take(String key) {
        return Optional.ofNullable(members.remove(key));
    }

    private Object need(String key) {
        return take(key).orElseThrow(() -> lacks(key));
    }

    private InvalidInputException lacks(String key) {
        return new InvalidInputException("recipe" + where + " has no '" + key + "'"
                + InvalidInputException.meant(key, members.keySet())
                        .map(name -> "; is '" + name + "' misspelt?")
                        .orElse(""));
    }

    private Optional<String> string(String key) {
        return take(key).map(value -> {
            if (value instanceof Map || value instanceof List) {
                throw new InvalidInputException("recipe" + where + ": '" + key + "' must be a single value");
            }
            return value.toString();
        });
    }

    private List<?> list(String key) {
        Object value = need(key);
        if (value instanceof List<?> list) {
            return list;
        }
        throw new InvalidInputException("recipe" + where + ": '" + key + "' must be a list");
    }

    private List<String> strings(String key) {
        return members.containsKey(key)
                ? list(key).stream().map(String::valueOf).toList()
                : List.of();
    }

    private boolean bool(String key) {
        String value = string(key).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new InvalidInputException(
                    "recipe" + where + ": '" + key + "' is '" + value + "'; it must be true or false");
        }
        return value.equals("true");
    }

    private int whole(String key) {
        String value = string(key).orElse("0");
        if (!value.matches("[0-9]{1,9}")) {
            throw new InvalidInputException(
                    "recipe" + where + ": '" + key + "' is '" + value + "'; it must be a whole number");
        }
        return Integer.parseInt(value);
    }

    /** Rejects members that were not used: most likely they are misspelt. */
    private void end() {
        members.keySet().stream().sorted().findFirst().ifPresent(key -> {
            throw new InvalidInputException("recipe" + where + ": '" + key + "' is not known; check its spelling");
        });
    }
}
