package dev.starling.model;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * How tables become the rows that a model takes, as far as the model and its files have to know it. The module
 * {@code dev.starling.tables} has the one implementation, its recipes.
 */
public interface TableEncoding {

    /** The names of the features that it makes. */
    List<String> features();

    /** Whether models of these features have an intercept unless they are told otherwise. */
    boolean intercept();

    /** A label as it is written in the tables. */
    String spelling(double label);

    /**
     * Encodes one row to predict, given by the names of its columns; {@code null} is a missing value.
     *
     * @throws InvalidInputException if a column is missing, or a cell does not fit
     */
    Dataset row(Map<String, ?> cells);

    /** All of it as nested maps and lists of strings, booleans and whole numbers, as stored in a model file. */
    Map<String, Object> toMap();

    /** Makes an encoding from what a model file holds; found as a service provider. */
    interface Reader {
        /**
         * Returns the encoding that {@link #toMap} described.
         *
         * @throws InvalidInputException if the members describe none
         */
        TableEncoding read(Map<?, ?> members);
    }

    /** Reads the encoding in a model file. */
    static TableEncoding of(Map<?, ?> members) {
        return ServiceLoader.load(Reader.class, TableEncoding.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new InvalidInputException("the model has a recipe, which the module"
                        + " dev.starling.tables reads; add starling-tables to the class path or module path"))
                .read(members);
    }
}
