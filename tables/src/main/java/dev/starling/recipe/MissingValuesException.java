package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Says that columns have missing values, which the recipe refuses. */
public final class MissingValuesException extends InvalidInputException {

    private static final long serialVersionUID = 1;

    private final String found;
    private final transient List<String> columns;

    /**
     * @param counts how many values are missing in each column
     * @param fixed columns whose values cannot be imputed: the label, dates, strata and clusters
     */
    MissingValuesException(String source, Map<String, Integer> counts, List<String> fixed) {
        super(found(source, counts)
                + (fixed.isEmpty()
                        ? "; drop such rows, impute the values, or leave the columns out"
                        : "; drop the rows where '" + fixed.get(0)
                                + "' is missing, since labels, dates, strata and clusters are not imputed"));
        this.found = found(source, counts);
        this.columns = List.copyOf(counts.keySet());
    }

    private static String found(String source, Map<String, Integer> counts) {
        return source + " has missing values in "
                + counts.entrySet().stream()
                        .map(one -> "'" + one.getKey() + "' (" + one.getValue() + ")")
                        .collect(Collectors.joining(", "));
    }

    /** The message without advice. */
    public String found() {
        return found;
    }

    /** The columns that have missing values, in the order of the table. */
    public List<String> columns() {
        return columns;
    }
}
