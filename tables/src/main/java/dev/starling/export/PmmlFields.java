package dev.starling.export;

import dev.starling.recipe.Column;
import dev.starling.recipe.Factor;
import dev.starling.recipe.Factor.Function;
import dev.starling.recipe.Lookup;
import dev.starling.recipe.Recipe;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The local transformations of a PMML document: the fields derived from raw columns, and their names. */
final class PmmlFields {

    private final Recipe recipe;
    private final Xml xml;
    private final Set<String> taken = new HashSet<>();

    /** The name of each column after missing values have been replaced. */
    private final Map<String, String> filled = new HashMap<>();

    /** The name of each derived field, by what it is: a column's indicator, a factor or a level. */
    private final Map<Object, String> derived = new HashMap<>();

    private record Level(String column, int place) {}

    PmmlFields(Recipe recipe, Xml xml) {
        this.recipe = recipe;
        this.xml = xml;
        recipe.columns().forEach(column -> taken.add(column.name()));
        recipe.offset().ifPresent(taken::add);
    }

    /** The fields that a regression table may refer to. */
    Set<String> predictors() {
        Set<String> names = new TreeSet<>(filled.values());
        names.addAll(derived.values());
        recipe.offset().ifPresent(names::add);
        return names;
    }

    /** The name of a column after missing values have been replaced. */
    String filled(Column column) {
        return filled.get(column.name());
    }

    /** The name of the field that is 1 where a column's value was missing. */
    Optional<String> indicator(Column column) {
        return Optional.ofNullable(derived.get(column));
    }

    /** The name of the field that is 1 where a column has a level. */
    String level(Column column, int place) {
        return derived.get(new Level(column.name(), place));
    }

    String name(Factor factor) {
        return factor.function() == Function.NONE ? filled.get(factor.column()) : derived.get(factor);
    }

    /** Writes all transformations. */
    void write() {
        xml.open("LocalTransformations");
        for (Column column : recipe.columns()) {
            fill(column);
        }
        for (Lookup term : recipe.lookups()) {
            for (Factor factor : term.numbers()) {
                if (factor.function() != Function.NONE && !derived.containsKey(factor)) {
                    function(factor);
                }
            }
            if (needsIndicators(term)) {
                for (Column column : term.columns()) {
                    for (int place = 0; place < Lookup.levels(column); place++) {
                        writeLevel(column, place);
                    }
                }
            }
        }
        xml.close();
    }

    /**
     * Whether a term needs levels as numbers, 0 or 1: levels on their own are predictors, but products need numbers.
     */
    static boolean needsIndicators(Lookup term) {
        return !term.columns().isEmpty()
                && term.numbers().size() + term.columns().size() > 1;
    }

    private void fill(Column column) {
        boolean levels = column.kind().hasLevels();
        filled.put(column.name(), column.name());
        if (Inputs.fill(column).isEmpty() && !column.unknownIsReference()) {
            return;
        }
        String type = levels ? "string" : "double";
        filled.put(column.name(), field(column.name() + " (filled)", levels ? "categorical" : "continuous", type));
        if (Inputs.fill(column).isPresent()) {
            xml.open("Apply", "function", "if");
            isMissing(column);
            xml.leaf("Constant", Inputs.fill(column).get(), "dataType", type);
            known(column, type);
            xml.close();
        } else {
            known(column, type);
        }
        xml.close();
        if (recipe.indicator(column) >= 0) {
            derived.put(column, field(column.name() + " (missing)", "continuous", "double"));
            xml.open("Apply", "function", "if");
            isMissing(column);
            xml.leaf("Constant", "1", "dataType", "double").leaf("Constant", "0", "dataType", "double");
            xml.close().close();
        }
    }

    private void isMissing(Column column) {
        xml.open("Apply", "function", "isMissing")
                .leaf("FieldRef", "", "field", column.name())
                .close();
    }

    /** The value itself, or the reference in place of an unknown level. */
    private void known(Column column, String type) {
        if (!column.unknownIsReference()) {
            xml.leaf("FieldRef", "", "field", column.name());
            return;
        }
        xml.open("Apply", "function", "if");
        isOneOf(column.name(), List.copyOf(Inputs.levels(column).keySet()));
        xml.leaf("FieldRef", "", "field", column.name());
        xml.leaf("Constant", column.levels().get(Inputs.otherPlace(column)), "dataType", type);
        xml.close();
    }

    private void isOneOf(String field, List<String> spellings) {
        xml.open("Apply", "function", "isIn").leaf("FieldRef", "", "field", field);
        spellings.forEach(word -> xml.leaf("Constant", word, "dataType", "string"));
        xml.close();
    }

    private void function(Factor factor) {
        derived.put(factor, field(factor.toString(), "continuous", "double"));
        String name = switch (factor.function()) {
            case LOG -> "ln";
            case POWER -> "pow";
            default -> factor.function().name().toLowerCase(Locale.ROOT);
        };
        xml.open("Apply", "function", name).leaf("FieldRef", "", "field", filled.get(factor.column()));
        if (factor.function() == Function.POWER) {
            xml.leaf("Constant", Integer.toString(factor.power()), "dataType", "double");
        }
        xml.close().close();
    }

    private void writeLevel(Column column, int place) {
        Level level = new Level(column.name(), place);
        if (derived.containsKey(level)) {
            return;
        }
        List<String> spellings = spellings(column, place);
        derived.put(level, field(column.name() + "=" + spellings.get(0), "continuous", "double"));
        xml.open("Apply", "function", "if");
        isOneOf(filled.get(column.name()), spellings);
        xml.leaf("Constant", "1", "dataType", "double").leaf("Constant", "0", "dataType", "double");
        xml.close().close();
    }

    /** All spellings of the level with an index. */
    private static List<String> spellings(Column column, int place) {
        return Inputs.levels(column).entrySet().stream()
                .filter(entry -> entry.getValue() == place)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Starts a derived field and returns its name. */
    private String field(String wanted, String kind, String type) {
        String name = unique(wanted);
        xml.open("DerivedField", "name", name, "optype", kind, "dataType", type);
        return name;
    }

    /** Returns a name that no other field has. */
    String unique(String wanted) {
        String name = wanted;
        while (!taken.add(name)) {
            name += "_";
        }
        return name;
    }
}
