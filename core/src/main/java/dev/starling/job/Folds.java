package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.model.CrossValidation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How one λ of a path is chosen by cross-validation: rows are divided into folds, and each is predicted by models that
 * were trained without it.
 *
 * @param count how many folds rows are divided into; 0 where folds are nodes, or where there are none
 * @param sites whether a fold is what one node has
 * @param columns the columns whose cells decide on a row's fold; if empty, all that the row says does
 * @param rule which λ is taken
 */
public record Folds(int count, boolean sites, List<String> columns, Rule rule) {

    /** No cross-validation. */
    public static final Folds NONE = new Folds(0, false, List.of(), Rule.MIN);

    private static final String SITES = "sites";
    private static final int MOST = 1000;

    /** Which λ is taken. */
    public enum Rule {
        /** The one with the smallest mean loss. */
        MIN("min"),

        /**
         * The largest one, for the same share of the l1 term, whose mean loss is at most one standard error above the
         * smallest.
         */
        ONE_STANDARD_ERROR("1se");

        private final String text;

        Rule(String text) {
            this.text = text;
        }

        /** What it is called in settings. */
        public String text() {
            return text;
        }

        /** What settings may name. */
        public static List<String> names() {
            return Stream.of(values()).map(Rule::text).toList();
        }

        /**
         * The λ that is taken.
         *
         * @param lines what was found for each, of one share of the l1 term from the largest λ down
         * @param first the first of the best one's share
         * @param best the one with the smallest mean loss
         */
        int chosen(List<CrossValidation.Line> lines, int first, int best) {
            CrossValidation.Estimate lowest = lines.get(best).loss();
            double most = this == MIN ? lowest.mean() : lowest.mean() + lowest.error();
            int chosen = first;
            while (lines.get(chosen).loss().mean() > most) {
                chosen++;
            }
            return chosen;
        }

        static Rule named(String name) {
            return Arrays.stream(values())
                    .filter(rule -> rule.text.equals(name.strip().toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .orElseThrow(() -> InvalidInputException.unknownName("cv-rule", name, names()));
        }
    }

    /** Copies the list. */
    public Folds {
        columns = List.copyOf(columns);
    }

    /**
     * Folds from text.
     *
     * @param cv how many, or {@code sites} for one per node; none if blank
     * @param columns names with commas between them; if blank, all that a row says
     * @param rule {@code min} or {@code 1se}
     */
    public static Folds of(String cv, String columns, String rule) {
        Rule chosen = Rule.named(rule);
        List<String> by = columns.isBlank() ? List.of() : List.of(columns.split(","));
        if (cv.isBlank()) {
            if (!by.isEmpty() || chosen != Rule.MIN) {
                throw new InvalidInputException((by.isEmpty() ? "cv-rule " + rule : "cv-columns " + columns)
                        + " is for cross-validation; give cv too, for example 10");
            }
            return NONE;
        }
        if (cv.strip().equals(SITES)) {
            if (!by.isEmpty()) {
                throw new InvalidInputException("cv sites makes a fold of what each node has, whatever column "
                        + columns + " says; leave it out");
            }
            return new Folds(0, true, by, chosen);
        }
        if (!cv.strip().matches("\\d{1,9}")) {
            throw new InvalidInputException("cv is '" + cv + "'; it must be a number of folds such as 10, or sites");
        }
        int count = Integer.parseInt(cv.strip());
        if (count < 2 || count > MOST) {
            throw new InvalidInputException("cv " + count + " must be between 2 and " + MOST + " folds");
        }
        return new Folds(count, false, by, chosen);
    }

    /** Whether there are any. */
    public boolean isPresent() {
        return count > 0 || sites;
    }

    /** How many there are among so many nodes. */
    int among(int nodes) {
        return sites ? nodes : count;
    }

    /** The number as {@link #of} reads it. */
    String text() {
        return sites ? SITES : count == 0 ? "" : Integer.toString(count);
    }

    /** What decides on a row's fold, in words. */
    String by() {
        return sites ? "site" : columns.isEmpty() ? "content" : columnsText();
    }

    /** The columns as {@link #of} reads them. */
    String columnsText() {
        return String.join(",", columns);
    }
}
