package dev.starling.data;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the weights of rows from a separate file: one per line, in the order of the rows; blank lines are skipped. */
public final class RowWeights {

    private RowWeights() {}

    /**
     * Returns the rows with the weights in a file.
     *
     * @throws InvalidInputException if it cannot be read, holds anything but positive numbers, or does not have one for
     *     each row
     */
    public static Dataset read(Path file, Dataset data) {
        double[] weights = new double[data.rows()];
        int count = 0;
        int number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (line.isBlank()) {
                    continue;
                }
                double weight = weight(file, number, line.strip());
                if (count < weights.length) {
                    weights[count] = weight;
                }
                count++;
            }
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give a file with one weight per line", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
        if (count != weights.length) {
            throw new InvalidInputException(
                    file + " has " + count + " weights for " + weights.length + " rows; there must be one per row");
        }
        return data.withWeights(weights);
    }

    private static double weight(Path file, int line, String text) {
        double weight;
        try {
            weight = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            weight = Double.NaN;
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new InvalidInputException(
                    file + ", line " + line + ": weight '" + text + "' must be a positive number");
        }
        return weight;
    }
}
