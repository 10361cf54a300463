package dev.starling.study;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.table.Column;
import dev.starling.table.FillSearch;
import dev.starling.table.Kind;
import dev.starling.table.Missing;
import dev.starling.table.Range;
import dev.starling.table.Recipe;
import dev.starling.table.Survey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all owners of tables sign off before they learn from them together: the columns and what they mean, what is
 * predicted, and what is minimised. Nothing in it is left to be found out from rows but what can be added up over all
 * of them. Immutable.
 *
 * @param recipe the columns, with all levels and classes
 * @param units what numbers are measured in, by column, in the owners' own words
 * @param ranges where the values of columns lie, by column; for medians
 * @param settings what is minimised
 */
public record Study(Recipe recipe, Map<String, String> units, Map<String, Range> ranges, Settings settings) {

    /** Copies the maps, and refuses what would have to be found out from rows. */
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
                    "column '" + column.name() + "' is " + column.kind().text() + "; list its levels, all of them");
        }
    }

    /** A study as {@link #toMap} gives it; what is not understood is refused by name. */
    public static Study of(Map<String, ?> members) {
        return StudyMap.study(members);
    }

    /**
     * A proposal from what a recipe has learnt at one place: without what stands in for missing values, which is that
     * place's own, and with ranges where medians need them.
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

    /** The study as nested maps and lists of words and truths: what files hold. */
    public Map<String, Object> toMap() {
        return StudyMap.of(this);
    }

    /** What it settles of training, by the keys of {@link Settings#toMap}: all but what it leaves open. */
    public Map<String, String> agreed() {
        return StudyMap.agreed(settings);
    }

    /** SHA-256 of all that it says, in hexadecimal. */
    public String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            put(digest, toMap());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Every word with its length before it and every list with its size, so that nothing can be read in two ways. */
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

    /** The columns whose cells decide on a row's fold, where λ is chosen by cross-validation. */
    List<String> foldColumns() {
        return settings.path().folds().columns();
    }

    /** The recipe with all that is learnt from rows, where they are all in one place. */
    public Recipe learnt(Survey survey) {
        return search().over(survey);
    }

    /** A search for what stands in for missing values, at its start. */
    FillSearch search() {
        return new FillSearch(recipe, ranges);
    }
}
