package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.table.CellParsing;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Completes a recipe with what has to be learnt from rows. */
final class RecipeCompletion {

    private static final int MOST_CLASSES = 100;

    /** More different numbers than this are not taken for classes unless that is said. */
    private static final int MOST_NUMBERS = 20;

    private static final Pattern PIECE = Pattern.compile("(?s)[0-9]+(?:\\.[0-9]+)?|.");

    private RecipeCompletion() {}

    /**
     * A column with its levels and the value that replaces missing ones.
     *
     * @param rareBelow levels that occur in fewer rows than this share a feature
     * @param indicators whether a feature indicates where a value was missing
     */
    static Column complete(Column column, ColumnSurvey rows, String source, int rareBelow, boolean indicators) {
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
                ? complete.fill(fill(complete, rows, source), indicators && rows.missing() > 0)
                : complete;
    }

    private static Column levels(Column column, ColumnSurvey rows, String source, int rareBelow) {
        if (rows.hasTooManyLevels()) {
            String text = rows.firstText().isEmpty()
                    ? ""
                    : ", the first text '" + CellReader.shown(rows.firstText()) + "' in " + rows.firstTextPlace();
            throw new InvalidInputException(source + ": column '" + column.name() + "' has "
                    + (rows.levels().size() > ColumnSurvey.MOST_LEVELS ? "over " : "")
                    + Math.min(rows.levels().size(), ColumnSurvey.MOST_LEVELS)
                    + " different values" + text
                    + "; leave out column '" + column.name() + "', or hash its levels");
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

    /** Sorts levels as numbers if all of them are, otherwise as text in which numbers are compared as numbers. */
    private static List<Map.Entry<String, Long>> inOrder(SortedMap<String, Long> levels) {
        boolean numbers = levels.keySet().stream().noneMatch(level -> Double.isNaN(CellParsing.number(level)));
        Comparator<String> order =
                numbers ? Comparator.comparingDouble(CellParsing::number) : RecipeCompletion::compareNaturally;
        return levels.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(order))
                .toList();
    }

    /** Compares texts piece by piece, where a piece is a number without a sign or a character. */
    static int compareNaturally(String one, String other) {
        Matcher left = PIECE.matcher(one);
        Matcher right = PIECE.matcher(other);
        while (left.find()) {
            if (!right.find()) {
                return 1;
            }
            boolean numbers = Character.isDigit(left.group().charAt(0))
                    && Character.isDigit(right.group().charAt(0));
            int compared = numbers
                    ? new BigDecimal(left.group()).compareTo(new BigDecimal(right.group()))
                    : left.group().compareTo(right.group());
            if (compared != 0) {
                return compared;
            }
        }
        return right.find() ? -1 : one.compareTo(other);
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

    /** The text of a formula, with everything that its functions take from rows. */
    static String fixed(Formula formula, Survey survey) {
        return formula.fixed(factor -> {
            ColumnSurvey rows = survey.column(factor.column());
            if (rows.kind() != Kind.NUMERIC) {
                throw new InvalidInputException(survey.source() + ": " + factor + ": column '" + factor.column()
                        + "' is " + rows.kind().text() + ", but a number is needed");
            }
            double[] numbers = rows.numbers();
            if (numbers.length < 2) {
                throw new InvalidInputException(survey.source() + ": " + factor + " takes constants from the numbers"
                        + " in column '" + factor.column() + "', which are not at hand here; give them, as in "
                        + factor.example());
            }
            return factor.learnt(numbers);
        });
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
        if (text) {
            return withAllClasses(target, rows, source);
        }
        Map<Double, String> spellings = new TreeMap<>();
        inOrder(rows.levels())
                .forEach(level -> spellings.putIfAbsent(CellParsing.number(level.getKey()) + 0.0, level.getKey()));
        return withClasses(target, source, spellings);
    }

    /**
     * The target with the classes that numbers stand for. Fractions are numbers to predict, and training will report
     * that.
     *
     * @param spellings how each number is written, ascending
     * @throws InvalidInputException if there are so many that they are more likely numbers to predict
     */
    static Target withClasses(Target target, String source, Map<Double, String> spellings) {
        if (!spellings.keySet().stream().allMatch(label -> label == Math.rint(label))) {
            return target;
        }
        if (spellings.size() > MOST_NUMBERS) {
            throw new InvalidInputException(source + ": label column '" + target.column() + "' holds "
                    + spellings.size()
                    + " different numbers; use a regression loss to predict them, or declare column '"
                    + target.column() + "' categorical");
        }
        return new Target(target.column(), List.copyOf(spellings.values()), target.missing());
    }

    /** The target with each different label as a class, however many there are. */
    static Target withAllClasses(Target target, ColumnSurvey rows, String source) {
        List<String> found =
                inOrder(rows.levels()).stream().map(Map.Entry::getKey).toList();
        if (found.size() > MOST_CLASSES) {
            throw new InvalidInputException(source + ": label column '" + target.column() + "' has more than "
                    + MOST_CLASSES + " different labels, the first '" + CellReader.shown(found.get(0))
                    + "'; at most " + MOST_CLASSES + " classes can be told apart");
        }
        return new Target(target.column(), found, target.missing());
    }
}
