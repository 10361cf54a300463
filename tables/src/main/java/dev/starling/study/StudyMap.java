package dev.starling.study;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.data.text.Members;
import dev.starling.recipe.Column;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Range;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts a study to and from nested maps and lists: those of a recipe, with a few more members. */
final class StudyMap {

    /** The members that are settings. */
    private static final List<Setting<?>> AGREED =
            Setting.all().stream().filter(Setting::isAgreed).toList();

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

    /** Leaves out defaults, except for those that every reader looks for, and what a path replaces. */
    private static Map<String, String> settings(Settings settings) {
        Map<String, String> shown = new LinkedHashMap<>(agreed(settings));
        boolean path = settings.path().isPresent();
        AGREED.forEach(setting -> {
            boolean sought = setting == Setting.LOSS || setting == Setting.INTERCEPT || setting == Setting.LAMBDA;
            boolean replaced = path && (setting == Setting.LAMBDA || setting == Setting.L1);
            boolean usual = setting.usualText().equals(shown.get(setting.name()));
            if (replaced || (usual && !sought)) {
                shown.remove(setting.name());
            }
        });
        return shown;
    }

    /** All settings on which sites agree, except those of a path, or of folds, if the study has none. */
    static Map<String, String> agreed(Settings settings) {
        Map<String, String> agreed = settings.toMap();
        Map<String, String> result = new LinkedHashMap<>();
        for (Setting<?> setting : AGREED) {
            boolean left = Setting.OF_FOLDS.contains(setting)
                    ? !settings.folds().isPresent()
                    : setting.heading() == Setting.Heading.CHOOSING_LAMBDA
                            && !settings.path().isPresent();
            if (!left) {
                result.put(setting.name(), agreed.get(setting.name()));
            }
        }
        return result;
    }

    static Study study(Map<String, ?> members) {
        new Members("the study", members)
                .requireOnly(
                        Stream.concat(Recipe.MEMBERS.stream(), AGREED.stream().map(Setting::name))
                                .collect(Collectors.toSet()));
        Map<String, Object> ofRecipe = new LinkedHashMap<>(members);
        Map<String, String> given = new LinkedHashMap<>();
        for (Setting<?> setting : AGREED) {
            Optional.ofNullable(ofRecipe.remove(setting.name()))
                    .ifPresent(value -> given.put(setting.name(), text(value)));
        }
        Map<String, String> units = new LinkedHashMap<>();
        Map<String, Range> ranges = new LinkedHashMap<>();
        if (ofRecipe.get(COLUMNS) instanceof List<?> list) {
            ofRecipe.put(
                    COLUMNS,
                    list.stream().map(column -> column(column, units, ranges)).toList());
        }
        Recipe recipe = Recipe.of(ofRecipe);
        given.putIfAbsent(Setting.INTERCEPT.name(), String.valueOf(recipe.intercept()));
        if (recipe.standardize()) {
            String scaling = given.putIfAbsent(Setting.SCALING.name(), Scaling.STANDARDIZE.lowerCase());
            if (scaling != null) {
                throw new InvalidInputException(
                        "standardize and scaling " + scaling + " are both given; leave one out");
            }
        }
        return new Study(recipe, units, ranges, settled(recipe, Settings.of(given)));
    }

    /** The settings with the labels of all classes. */
    static Settings settled(Recipe recipe, Settings settings) {
        return settings.with(
                Setting.LABELS,
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
        new Members("column " + name + " of the study", column)
                .requireOnly(Stream.concat(Column.MEMBERS.stream(), Stream.of(UNIT, RANGE))
                        .collect(Collectors.toSet()));
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
