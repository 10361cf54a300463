package dev.starling.study;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.loss.Logistic;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Range;
import dev.starling.recipe.Recipe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Converts a study to and from nested maps and lists: those of a recipe, with a few more members. */
final class StudyMap {

    /** The members that are settings, in the order of a file. */
    static final List<String> SETTINGS = List.of(
            "loss",
            "lambda",
            "l1",
            "lambda-path",
            "l1-ratios",
            "cv",
            "cv-columns",
            "cv-rule",
            "intercept",
            "bias",
            "scaling");

    /** Those that say which λ are tried, and how one is chosen. */
    private static final List<String> PATH = List.of("lambda-path", "l1-ratios");

    private static final List<String> FOLDS = List.of("cv", "cv-columns", "cv-rule");

    private static final String COLUMNS = "columns";
    private static final String NAME = "name";
    private static final String UNIT = "unit";
    private static final String RANGE = "range";
    private static final String MISSING = "missing";
    private static final String INDICATOR = "indicator";

    private StudyMap() {}

    static Map<String, Object> of(Study study) {
        Map<String, Object> map = new LinkedHashMap<>(study.recipe().toMap());
        List<Object> columns = new ArrayList<>();
        for (Object column : (List<?>) map.get(COLUMNS)) {
            columns.add(column(study, (Map<?, ?>) column));
        }
        map.put(COLUMNS, columns);
        map.remove("standardize");
        map.putAll(settings(study.settings()));
        return map;
    }

    private static Map<String, Object> column(Study study, Map<?, ?> ofRecipe) {
        Map<String, Object> column = new LinkedHashMap<>();
        ofRecipe.forEach((key, value) -> column.put(key.toString(), value));
        String name = column.get(NAME).toString();
        Optional.ofNullable(study.units().get(name)).ifPresent(unit -> column.put(UNIT, unit));
        Optional.ofNullable(study.ranges().get(name))
                .ifPresent(range -> column.put(RANGE, List.of(Labels.text(range.from()), Labels.text(range.to()))));
        if (Missing.named(column.get(MISSING).toString()).isImputed()) {
            column.putIfAbsent(INDICATOR, false);
        }
        return column;
    }

    /** Leaves out defaults, except for those that every reader looks for. */
    private static Map<String, String> settings(Settings settings) {
        Map<String, String> all = settings.toMap();
        Map<String, String> usual = Settings.of(new Logistic()).toMap();
        boolean path = settings.path().isPresent();
        List<String> always = path ? List.of("loss", "intercept") : List.of("loss", "lambda", "intercept");
        Map<String, String> shown = new LinkedHashMap<>();
        for (String key : SETTINGS) {
            boolean replaced = path && List.of("lambda", "l1").contains(key);
            if (always.contains(key) || (!replaced && !all.get(key).equals(usual.get(key)))) {
                shown.put(key, all.get(key));
            }
        }
        return shown;
    }

    /** All settings except those of a path, or of folds, if the study has none. */
    static Map<String, String> agreed(Settings settings) {
        Map<String, String> agreed = new LinkedHashMap<>(settings.toMap());
        agreed.keySet().retainAll(SETTINGS);
        if (!settings.path().isPresent()) {
            agreed.keySet().removeAll(PATH);
        }
        if (!settings.path().folds().isPresent()) {
            agreed.keySet().removeAll(FOLDS);
        }
        return agreed;
    }

    static Study study(Map<String, ?> members) {
        Map<String, Object> ofRecipe = new LinkedHashMap<>(members);
        Map<String, String> given = new LinkedHashMap<>();
        for (String key : SETTINGS) {
            Optional.ofNullable(ofRecipe.remove(key)).ifPresent(value -> given.put(key, text(value)));
        }
        Map<String, String> units = new LinkedHashMap<>();
        Map<String, Range> ranges = new LinkedHashMap<>();
        if (ofRecipe.get(COLUMNS) instanceof List<?> list) {
            ofRecipe.put(
                    COLUMNS,
                    list.stream().map(column -> column(column, units, ranges)).toList());
        }
        Recipe recipe = Recipe.of(ofRecipe);
        given.putIfAbsent("intercept", String.valueOf(recipe.intercept()));
        if (recipe.standardize()) {
            String scaling = given.putIfAbsent("scaling", Scaling.STANDARDIZE.lowerCase());
            if (scaling != null) {
                throw new InvalidInputException(
                        "standardize and scaling " + scaling + " are both given; leave one out");
            }
        }
        return new Study(recipe, units, ranges, settled(recipe, Settings.of(given)));
    }

    /** The settings with the labels of all classes. */
    static Settings settled(Recipe recipe, Settings settings) {
        return settings.withLabels(
                recipe.target().classes().stream().map(recipe.target()::label).toList());
    }

    /** A column of a recipe, without the members that belong to the study alone. */
    private static Object column(Object value, Map<String, String> units, Map<String, Range> ranges) {
        if (!(value instanceof Map<?, ?> map)) {
            return value;
        }
        Map<String, Object> column = new LinkedHashMap<>();
        map.forEach((key, member) -> column.put(String.valueOf(key), member));
        String name = String.valueOf(column.get(NAME));
        Optional.ofNullable(column.remove(UNIT)).ifPresent(unit -> units.put(name, text(unit)));
        Optional.ofNullable(column.remove(RANGE)).ifPresent(range -> ranges.put(name, range(name, range)));
        if (column.get(MISSING) != null
                && Missing.named(text(column.get(MISSING))).isImputed()) {
            column.putIfAbsent(INDICATOR, true);
        }
        return column;
    }

    private static Range range(String column, Object value) {
        if (value instanceof List<?> ends && ends.size() == 2) {
            try {
                return new Range(
                        Double.parseDouble(text(ends.get(0)).strip()),
                        Double.parseDouble(text(ends.get(1)).strip()));
            } catch (NumberFormatException e) {
                throw notARange(column, value, e);
            } catch (InvalidInputException e) {
                throw new InvalidInputException("column '" + column + "': " + e.getMessage(), e);
            }
        }
        throw notARange(column, value, null);
    }

    private static InvalidInputException notARange(String column, Object value, Exception cause) {
        return new InvalidInputException(
                "column '" + column + "': range " + value + " must be two numbers, such as [0, 100]", cause);
    }

    private static String text(Object value) {
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).collect(Collectors.joining(","))
                : String.valueOf(value);
    }
}
