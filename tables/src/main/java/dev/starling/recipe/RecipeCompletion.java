package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.table.CellParsing;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Completes a recipe with what has to be learnt from rows. */
final class RecipeCompletion {

    private static final int MOST_CLASSES = 100;

    private RecipeCompletion() {}

    /**
     * A column with its levels and the value that replaces missing ones.
     *
     * @param rareBelow levels that occur in fewer rows than this share a feature
     */
    static Column complete(Column column, ColumnSurvey rows, String source, int rareBelow) {
        if (rows.present() == 0) {
            throw new InvalidInputException(
                    source + ": column '" + column.name() + "' holds nothing but missing values; leave it out");
        }
        Column complete = column.kind().hasLevels() && column.levels().isEmpty() && column.buckets() == 0
                ? levels(column, rows, source, rareBelow)
                : column;
        if (complete.kind().hasLevels()
                && complete.buckets() == 0
                && complete.reference().isEmpty()) {
            complete = complete.reference(complete.levels().get(0));
        }
        return complete.missing().isImputed() && complete.fill().isEmpty()
                ? complete.fill(fill(complete, rows, source), rows.missing() > 0)
                : complete;
    }

    private static Column levels(Column column, ColumnSurvey rows, String source, int rareBelow) {
        if (rows.hasTooManyLevels()) {
            String text = rows.firstText().isEmpty()
                    ? ""
                    : "; '" + CellReader.shown(rows.firstText()) + "' in " + rows.firstTextPlace() + " is not a number";
            throw new InvalidInputException(source + ": column '" + column.name() + "' has "
                    + (rows.levels().size() > ColumnSurvey.MOST_LEVELS ? "over " : "")
                    + Math.min(rows.levels().size(), ColumnSurvey.MOST_LEVELS)
                    + " different values" + text
                    + "; leave the column out, hash it, or declare that this value means a missing one");
        }
        if (column.kind() == Kind.BOOLEAN) {
            List<String> words = CellParsing.noAndYes(rows.levels().keySet())
                    .orElseThrow(() -> new InvalidInputException(
                            source + ": column '" + column.name() + "' is not boolean; it holds "
                                    + String.join(", ", rows.levels().keySet())));
            return column.levels(words, List.of());
        }
        List<String> common = new ArrayList<>();
        List<String> rare = new ArrayList<>();
        for (Map.Entry<String, Long> level : inOrder(rows.levels())) {
            boolean isRare = level.getValue() < rareBelow && column.kind() == Kind.CATEGORICAL;
            (isRare ? rare : common).add(level.getKey());
        }
        // A single rare level is a level like any other.
        if (rare.size() == 1 || common.isEmpty()) {
            return column.levels(
                    inOrder(rows.levels()).stream().map(Map.Entry::getKey).toList(), List.of());
        }
        return column.levels(common, rare);
    }

    /** Sorts levels as numbers if all of them are, otherwise as text. */
    private static List<Map.Entry<String, Long>> inOrder(SortedMap<String, Long> levels) {
        List<Map.Entry<String, Long>> entries = new ArrayList<>(levels.entrySet());
        if (levels.keySet().stream().noneMatch(level -> Double.isNaN(CellParsing.number(level)))) {
            entries.sort(Comparator.comparingDouble(entry -> CellParsing.number(entry.getKey())));
        }
        return entries;
    }

    private static String fill(Column column, ColumnSurvey rows, String source) {
        if (column.kind() == Kind.NUMERIC && !rows.firstTextPlace().isEmpty()) {
            throw new InvalidInputException(source + ", " + rows.firstTextPlace() + ": column '" + column.name()
                    + "' holds '" + CellReader.shown(rows.firstText()) + "', which is not a number");
        }
        return switch (column.missing()) {
            case MEAN -> Labels.text(rows.mean());
            case MEDIAN -> Labels.text(rows.median());
            default ->
                column.levels().isEmpty()
                        ? rows.mostFrequent()
                        : FillQuestion.mostFrequent(column, FillQuestion.counts(column, rows));
        };
    }

    /**
     * The target with its classes, as the data writes them.
     *
     * @param classes whether labels are classes
     */
    static Target complete(Target target, ColumnSurvey rows, String source, boolean classes) {
        if (rows.present() == 0) {
            throw new InvalidInputException(
                    source + ": label column '" + target.column() + "' holds nothing but missing values");
        }
        boolean text = !rows.firstText().isEmpty();
        if (!classes && (text || !target.classes().isEmpty())) {
            throw new InvalidInputException(source + ": label column '" + target.column() + "' holds "
                    + (text ? "'" + CellReader.shown(rows.firstText()) + "'" : "classes")
                    + ", but the loss predicts numbers; use a classification loss");
        }
        if (!classes || !target.classes().isEmpty()) {
            return target;
        }
        List<String> found = new ArrayList<>();
        double last = Double.NaN;
        for (Map.Entry<String, Long> level : inOrder(rows.levels())) {
            double number = text ? Double.NaN : CellParsing.number(level.getKey());
            if (number != last) {
                found.add(level.getKey());
            }
            last = number;
        }
        // Too many classes, or fractions, are numbers to predict: training will report that.
        boolean numbers = !text
                && found.stream().anyMatch(word -> CellParsing.number(word) != Math.rint(CellParsing.number(word)));
        if (numbers || (!text && found.size() > MOST_CLASSES)) {
            return target;
        }
        if (found.size() > MOST_CLASSES) {
            throw new InvalidInputException(source + ": label column '" + target.column() + "' has more than "
                    + MOST_CLASSES + " different labels, the first '" + CellReader.shown(rows.firstText())
                    + "'; at most " + MOST_CLASSES + " classes can be told apart");
        }
        return new Target(target.column(), found, target.missing());
    }
}
