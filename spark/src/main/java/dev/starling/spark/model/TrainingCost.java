package dev.starling.spark.model;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.Serializable;
import java.io.StringReader;
import java.util.Properties;

/**
 * What training took: the part of a summary that a model file does not say.
 *
 * @param passes how often a row was visited, on average
 * @param rounds the number of communication rounds
 * @param updates the number of visits to rows at all nodes together
 * @param bytes the payload of all messages
 * @param seconds the time from the call of {@code fit} to the model
 * @param solveSeconds the part of that time in which nodes trained
 * @param rows the number of rows
 * @param attempts how often the stage was run
 */
public record TrainingCost(
        double passes,
        long rounds,
        long updates,
        long bytes,
        double seconds,
        double solveSeconds,
        long rows,
        int attempts)
        implements Serializable {

    /** The figures as text, a line for each. */
    String text() {
        return "passes=" + passes + "\nrounds=" + rounds + "\nupdates=" + updates + "\nbytes=" + bytes + "\nseconds="
                + seconds + "\nsolveSeconds=" + solveSeconds + "\nrows=" + rows + "\nattempts=" + attempts + "\n";
    }

    /**
     * Reads what {@link #text} wrote.
     *
     * @param name the name of the text in messages
     */
    static TrainingCost of(String text, String name) {
        Properties lines = new Properties();
        try {
            lines.load(new StringReader(text));
            return new TrainingCost(
                    Double.parseDouble(lines.getProperty("passes", "")),
                    Long.parseLong(lines.getProperty("rounds", "")),
                    Long.parseLong(lines.getProperty("updates", "")),
                    Long.parseLong(lines.getProperty("bytes", "")),
                    Double.parseDouble(lines.getProperty("seconds", "")),
                    Double.parseDouble(lines.getProperty("solveSeconds", "")),
                    Long.parseLong(lines.getProperty("rows", "")),
                    Integer.parseInt(lines.getProperty("attempts", "")));
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidInputException(
                    name + " does not say what training took: " + e.getMessage() + "; save the model again", e);
        }
    }
}
