package dev.starling.data.text;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Reads the weights of rows from a separate file: one per line, in the order of the rows; blank lines are skipped. */
public final class RowWeights {

    private RowWeights() {}

    /**
     * Returns the rows with the weights in a file, without those of weight 0.
     *
     * @throws InvalidInputException if it cannot be read, holds anything but numbers from 0 on, or does not have one
     *     for each row
     */
    public static Dataset read(Path file, Dataset data) {
        return of(data, read(file, data.rows()));
    }

    /** Returns the rows with weights, without those of weight 0. */
    public static Dataset of(Dataset data, double... weights) {
        int[] kept = positive(weights);
        return kept.length == weights.length
                ? data.withWeights(weights)
                : data.picked(kept)
                        .withWeights(Arrays.stream(kept)
                                .mapToDouble(row -> weights[row])
                                .toArray());
    }

    /** The indices of the weights that are not 0. */
    public static int[] positive(double... weights) {
        return IntStream.range(0, weights.length)
                .filter(row -> weights[row] > 0)
                .toArray();
    }

    /** Reads as many weights as there are rows. */
    public static double[] read(Path file, int rows) {
        double[] weights = new double[rows];
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
        return weights;
    }

    private static double weight(Path file, int line, String text) {
        double weight;
        try {
            weight = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            weight = Double.NaN;
        }
        if (!(weight >= 0) || Double.isInfinite(weight)) {
            throw new InvalidInputException(
                    file + ", line " + line + ": weight '" + text + "' must be a number, 0 or more");
        }
        return weight;
    }
}
