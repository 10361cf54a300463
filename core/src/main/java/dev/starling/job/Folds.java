package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.model.CrossValidation;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How cross-validation chooses one λ of a path: rows are divided into folds, and each fold is predicted by models that
 * were trained without it.
 *
 * @param count the number of folds; 0 if every node's rows are a fold, or if there is no cross-validation
 * @param sites whether every node's rows are a fold
 * @param columns the columns whose cells determine a row's fold; if empty, the whole content of the row does
 * @param rule the rule by which λ is chosen
 */
public record Folds(int count, boolean sites, List<String> columns, Rule rule) {

    /** No cross-validation. */
    public static final Folds NONE = new Folds(0, false, List.of(), Rule.MIN);

    private static final String SITES = "sites";
    private static final int MOST = 1000;

    /** The rule by which λ is chosen. */
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

        /** The name of the rule in settings. */
        public String text() {
            return text;
        }

        /** The names of all rules. */
        public static List<String> names() {
            return Stream.of(values()).map(Rule::text).toList();
        }

        /**
         * The index of the chosen line.
         *
         * @param lines the results for each λ; those with the same share of the l1 term follow each other, largest λ
         *     first
         * @param first the index of the first line with the same share of the l1 term as the best one
         * @param best the index of the line with the smallest mean loss
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
     * Parses folds from text.
     *
     * @param cv the number of folds, or {@code sites} for one per node; blank for no cross-validation
     * @param columns the names of the columns that determine a row's fold, separated by commas; blank for its whole
     *     content
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
                throw new InvalidInputException(
                        "cv sites makes each node's rows a fold, whatever column " + columns + " says; leave it out");
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

    /** Whether there is cross-validation. */
    public boolean isPresent() {
        return count > 0 || sites;
    }

    /** The number of folds if there are this many nodes. */
    int among(int nodes) {
        return sites ? nodes : count;
    }

    /** The number of folds as text that {@link #of} parses. */
    String text() {
        return sites ? SITES : count == 0 ? "" : Integer.toString(count);
    }

    /** What determines a row's fold, as stored in model files. */
    String by() {
        return sites ? "site" : columns.isEmpty() ? "content" : columnsText();
    }

    /** The columns as text that {@link #of} parses. */
    String columnsText() {
        return String.join(",", columns);
    }
}
