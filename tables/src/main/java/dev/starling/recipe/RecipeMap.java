package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.table.Kind;
import dev.starling.table.MissingTokens;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts a recipe to and from nested maps and lists, for files that people edit: defaults are left out. */
final class RecipeMap {

    private static final String REFUSE = "refuse";
    private static final String REFERENCE = "reference";

    private RecipeMap() {}

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
        Members members = Members.of("the recipe", map);
        members.requireOnly(Recipe.MEMBERS);
        Target target = target(Members.of("the label of the recipe", members.value("label")));
        members.value("columns");
        List<Column> columns = new ArrayList<>();
        for (Object column : members.list("columns")) {
            columns.add(column(Members.of("column " + (columns.size() + 1) + " of the recipe", column)));
        }
        return new Recipe(
                columns,
                target,
                members.text("weights"),
                members.text("offset"),
                members.texts("ids"),
                members.has("missingTokens") ? members.texts("missingTokens") : MissingTokens.USUAL,
                members.text("formula"),
                members.flag("standardize"));
    }

    private static Target target(Members members) {
        members.requireOnly(Set.of("column", "classes", "missing"));
        return new Target(
                members.required("column"),
                members.texts("classes"),
                Missing.named(members.text("missing").orElse(REFUSE)));
    }

    private static Column column(Members members) {
        members.requireOnly(Column.MEMBERS);
        String unknown = members.text("unknown").orElse(REFUSE);
        if (!List.of(REFUSE, REFERENCE).contains(unknown)) {
            throw InvalidInputException.unknownName("policy for unknown levels", unknown, List.of(REFUSE, REFERENCE));
        }
        return new Column(
                members.required("name"),
                Kind.named(members.required("kind")),
                members.texts("levels"),
                members.text(REFERENCE),
                members.texts("rare"),
                unknown.equals(REFERENCE),
                (int) Math.min(members.whole("buckets", 0), Integer.MAX_VALUE),
                Missing.named(members.text("missing").orElse(REFUSE)),
                members.text("fill"),
                members.flag("indicator"));
    }
}
