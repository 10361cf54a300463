package dev.starling.table;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The search for what stands in for missing values, by numbers that are added up over all rows, wherever they are. In
 * each round every part of the rows says its numbers and is told the totals; the answers are the same, to the last bit,
 * however the rows are dealt out.
 *
 * <pre>{@code
 * Survey mine = Survey.of(table);
 * FillSearch search = new FillSearch(Recipe.of(Map.of()), Map.of("age", new Range(0, 128)));
 * while (search.numbers() > 0) {
 *     double[] totals = search.addend(mine);   // and everybody else's added to it
 *     search.told(totals);
 * }
 * Recipe filled = search.recipe();
 * }</pre>
 */
public final class FillSearch {

    private final Recipe recipe;
    private final Map<String, FillQuestion> questions = new LinkedHashMap<>();

    /**
     * A search at its start.
     *
     * @param recipe one that has all its levels
     * @param ranges where the values of columns lie whose median is wanted, by name
     * @throws InvalidInputException if a column's question cannot be answered by adding up
     */
    public FillSearch(Recipe recipe, Map<String, Range> ranges) {
        this.recipe = recipe;
        for (Column column : recipe.columns()) {
            if (column.missing().isImputed() && column.fill().isEmpty()) {
                questions.put(column.name(), FillQuestion.of(column, ranges.get(column.name())));
            }
        }
    }

    /** How many numbers the present round asks for; 0 once all is known. */
    public int numbers() {
        return questions.values().stream().mapToInt(FillQuestion::numbers).sum();
    }

    /** How many numbers all rounds from the present one on ask for. */
    public int numbersLeft() {
        return questions.values().stream().mapToInt(FillQuestion::numbersLeft).sum();
    }

    /** How many rounds there are from the present one on. */
    public int roundsLeft() {
        return questions.values().stream()
                .mapToInt(FillQuestion::roundsLeft)
                .max()
                .orElse(0);
    }

    /** What some of the rows say in the present round. */
    public double[] addend(Survey rows) {
        double[] addend = new double[numbers()];
        int at = 0;
        for (Map.Entry<String, FillQuestion> entry : questions.entrySet()) {
            FillQuestion question = entry.getValue();
            if (question.numbers() > 0) {
                question.ask(rows.column(entry.getKey()), addend, at);
                at += question.numbers();
            }
        }
        return addend;
    }

    /** Takes the totals of the present round, and goes on to the next. */
    public void told(double[] totals) {
        int at = 0;
        for (FillQuestion question : questions.values()) {
            int numbers = question.numbers();
            if (numbers > 0) {
                question.told(totals, at);
                at += numbers;
            }
        }
    }

    /** The recipe with the answers, once all is known; indicators stay as they are. */
    public Recipe recipe() {
        List<Column> columns = new ArrayList<>();
        for (Column column : recipe.columns()) {
            FillQuestion question = questions.get(column.name());
            columns.add(question == null ? column : column.fill(question.answer(), column.indicator()));
        }
        return recipe.withColumns(columns);
    }

    /** The answers where all rows are in one place. */
    public Recipe over(Survey rows) {
        while (numbers() > 0) {
            told(addend(rows));
        }
        return recipe();
    }
}
