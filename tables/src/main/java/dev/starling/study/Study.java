package dev.starling.study;

import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.Fingerprint;
import dev.starling.recipe.Column;
import dev.starling.recipe.FillSearch;
import dev.starling.recipe.Formula;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Range;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Scaling;
import dev.starling.settings.Settings;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all owners of tables agree on before they learn from them together: the columns and what they mean, what is
 * predicted, and what is minimised. All it leaves to be learnt from rows is what can be summed over all of them.
 * Immutable.
 *
 * @param recipe the columns, with all levels and classes
 * @param units the units of numbers, by column, in the owners' own words
 * @param ranges where values lie, by column; needed for medians
 * @param settings what is minimised
 */
public record Study(Recipe recipe, Map<String, String> units, Map<String, Range> ranges, Settings settings) {

    /** Copies the maps and rejects a study that would have to learn more from rows. */
    public Study {
        units = Collections.unmodifiableMap(new LinkedHashMap<>(units));
        ranges = Collections.unmodifiableMap(new LinkedHashMap<>(ranges));
        recipe = recipe.withColumns(
                        recipe.columns().stream().map(Study::withReference).toList())
                .withStandardize(settings.scaling() == Scaling.STANDARDIZE);
        recipe.columns().forEach(Study::requireListed);
        if (settings.loss().isClassification() && recipe.target().classes().size() < 2) {
            throw new InvalidInputException("label column '" + recipe.target().column()
                    + "' needs a list of at least two classes, since the loss is "
                    + settings.loss().name());
        }
        if (!settings.loss().isClassification() && !recipe.target().classes().isEmpty()) {
            throw new InvalidInputException("label column '" + recipe.target().column() + "' has classes, but the loss "
                    + settings.loss().name() + " predicts numbers; leave them out");
        }
        recipe.formula().map(Formula::parse).ifPresent(Formula::requireShareable);
        new FillSearch(recipe, ranges);
        recipe.features();
    }

    private static Column withReference(Column column) {
        return column.levels().isEmpty() || column.reference().isPresent()
                ? column
                : column.reference(column.levels().get(0));
    }

    private static void requireListed(Column column) {
        if (column.kind().hasLevels() && column.levels().isEmpty() && column.buckets() == 0) {
            throw new InvalidInputException(
                    "column '" + column.name() + "' is " + column.kind().text() + "; list all its levels");
        }
    }

    /** Creates a study from a map such as {@link #toMap} returns; unknown members are rejected by name. */
    public static Study of(Map<String, ?> members) {
        return StudyMap.study(members);
    }

    /**
     * Proposes a study from a recipe learnt by one owner: without the values that replace missing ones, since those
     * come from that owner's rows only, and with ranges for columns that use medians.
     */
    public static Study proposed(Recipe learnt, Survey survey, Settings settings) {
        Map<String, Range> ranges = new LinkedHashMap<>();
        List<Column> columns = learnt.columns().stream()
                .map(column -> column.missing().isImputed() ? column.unfilled(true) : column)
                .toList();
        for (Column column : columns) {
            if (column.kind() == Kind.NUMERIC && column.missing() == Missing.MEDIAN) {
                ranges.put(column.name(), RoundRange.around(survey.column(column.name())));
            }
        }
        return new Study(
                learnt.withColumns(columns), Map.of(), ranges, StudyMap.settled(learnt.withColumns(columns), settings));
    }

    /** The study as nested maps and lists of strings and booleans, as stored in files. */
    public Map<String, Object> toMap() {
        return StudyMap.of(this);
    }

    /** The settings of training that the study fixes, with the keys of {@link Settings#toMap}. */
    public Map<String, String> agreed() {
        return StudyMap.agreed(settings);
    }

    /** The SHA-256 of the whole study, in hexadecimal. */
    public String digest() {
        MessageDigest digest = Fingerprint.sha256();
        put(digest, toMap());
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Puts its length before every string and its size before every list, so that the encoding is unambiguous. */
    private static void put(MessageDigest digest, Object value) {
        if (value instanceof Map<?, ?> map) {
            put(digest, 'm', map.size());
            map.forEach((key, member) -> {
                put(digest, key);
                put(digest, member);
            });
        } else if (value instanceof List<?> list) {
            put(digest, 'l', list.size());
            list.forEach(member -> put(digest, member));
        } else {
            byte[] word = value.toString().getBytes(StandardCharsets.UTF_8);
            put(digest, 'w', word.length);
            digest.update(word);
        }
    }

    private static void put(MessageDigest digest, char kind, int size) {
        digest.update((byte) kind);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(size).array());
    }

    /** The columns whose cells determine a row's fold if λ is chosen by cross-validation. */
    List<String> foldColumns() {
        return settings.folds().columns();
    }

    /** The recipe with everything learnt from rows that are all in one place. */
    public Recipe learnt(Survey survey) {
        return search().over(survey);
    }

    /**
     * Surveys a table.
     *
     * @param ignored indices of the rows, from 0, that are left out
     */
    Survey survey(Table table, BitSet ignored) {
        return Survey.of(table, recipe.missingTokens(), ignored);
    }

    /** Starts a search for the values that replace missing ones. */
    FillSearch search() {
        return new FillSearch(recipe, ranges);
    }
}
