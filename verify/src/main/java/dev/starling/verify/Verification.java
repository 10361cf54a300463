package dev.starling.verify;

import java.util.List;

/**
 * What verifying a model found.
 *
 * @param model what was found about the model itself
 * @param path what was found about each model on its path; empty if it has none
 * @param problem the problem that it was checked against
 * @param unchecked the parts of the file that were not checked, in words with the members in brackets
 */
public record Verification(Finding model, List<Finding> path, VerifiedProblem problem, List<String> unchecked) {

    /** Copies the lists. */
    public Verification {
        path = List.copyOf(path);
        unchecked = List.copyOf(unchecked);
    }

    /**
     * What a model claims, and what is true.
     *
     * @param lambda λ of its objective
     * @param l1 λ₁ of its objective
     * @param statedObjective the objective that it states
     * @param statedGap the smallest relative gap that it states; infinite if it states none
     * @param verdict whether that holds
     */
    public record Finding(double lambda, double l1, double statedObjective, double statedGap, Verdict verdict) {

        Finding with(Verdict other) {
            return new Finding(lambda, l1, statedObjective, statedGap, other);
        }

        /** Whether the certificate is proven. */
        public boolean holds() {
            return verdict.holds();
        }

        /** A sentence for people. */
        public String reason() {
            return verdict.reason();
        }
    }

    /** Whether the certificates of the model and of all models on its path are proven. */
    public boolean holds() {
        return model.holds() && path.stream().allMatch(Finding::holds);
    }
}
