package dev.starling.lab.leakage;

import java.util.List;
import java.util.Optional;

/**
 * A printed table of coefficients, by whatever program.
 *
 * @param name what to call it
 * @param terms the names of the coefficients
 * @param estimates the coefficients
 * @param covariance their covariance, if it was printed
 */
public record Table(String name, List<String> terms, double[] estimates, Optional<double[][]> covariance) {

    /** Copies the list. */
    public Table {
        terms = List.copyOf(terms);
    }

    /** The place of the intercept among the terms; negative if there is none. */
    int intercept() {
        for (int k = 0; k < terms.size(); k++) {
            if (terms.get(k).matches("(?i)\\(?(intercept|const|_cons)\\)?")) {
                return k;
            }
        }
        return -1;
    }
}
