package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Survey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the values that replace missing ones from numbers that are summed over all rows, wherever these are. In each
 * round every part of the rows contributes its numbers and receives the totals; the results are the same, to the last
 * bit, however the rows are distributed.
 *
 * <pre>{@code
 * Survey mine = Survey.of(table);
 * FillSearch search = new FillSearch(Recipe.of(Map.of()), Map.of("age", new Range(0, 128)));
 * while (search.numbers() > 0) {
 *     double[] totals = search.addend(mine);   // plus everybody else's
 *     search.told(totals);
 * }
 * Recipe filled = search.recipe();
 * }</pre>
 */
public final class FillSearch {

    private final Recipe recipe;
    private final Map<String, FillQuestion> questions = new LinkedHashMap<>();

    /**
     * Starts a search.
     *
     * @param recipe a recipe that lists all levels
     * @param ranges where the values lie, by name of the column, for columns whose median is needed
     * @throws InvalidInputException if a column's value cannot be found by adding up numbers
     */
    public FillSearch(Recipe recipe, Map<String, Range> ranges) {
        this.recipe = recipe;
        for (Column column : recipe.columns()) {
            if (column.missing().isImputed() && column.fill().isEmpty()) {
                questions.put(column.name(), FillQuestion.of(column, ranges.get(column.name())));
            }
        }
    }

    /** How many numbers the current round sums; 0 once the search is finished. */
    public int numbers() {
        return questions.values().stream().mapToInt(FillQuestion::numbers).sum();
    }

    /** How many numbers all rounds from the current one on sum. */
    public int numbersLeft() {
        return questions.values().stream().mapToInt(FillQuestion::numbersLeft).sum();
    }

    /** How many rounds there are from the current one on. */
    public int roundsLeft() {
        return questions.values().stream()
                .mapToInt(FillQuestion::roundsLeft)
                .max()
                .orElse(0);
    }

    /** The numbers that some of the rows contribute to the current round. */
    public double[] addend(Survey rows) {
        double[] addend = new double[numbers()];
        int at = 0;
        for (Map.Entry<String, FillQuestion> entry : questions.entrySet()) {
            FillQuestion question = entry.getValue();
            if (question.numbers() > 0) {
                question.contribute(rows.column(entry.getKey()), addend, at);
                at += question.numbers();
            }
        }
        return addend;
    }

    /** Receives the totals of the current round and moves on to the next. */
    public void told(double[] totals) {
        int at = 0;
        for (FillQuestion question : questions.values()) {
            int numbers = question.numbers();
            if (numbers > 0) {
                question.receive(totals, at);
                at += numbers;
            }
        }
    }

    /** The recipe with the values found, once the search is finished; indicators stay as they are. */
    public Recipe recipe() {
        List<Column> columns = new ArrayList<>();
        for (Column column : recipe.columns()) {
            FillQuestion question = questions.get(column.name());
            columns.add(question == null ? column : column.fill(question.answer(), column.indicator()));
        }
        return recipe.withColumns(columns);
    }

    /** Runs the whole search over rows that are all in one place. */
    public Recipe over(Survey rows) {
        while (numbers() > 0) {
            told(addend(rows));
        }
        return recipe();
    }
}
