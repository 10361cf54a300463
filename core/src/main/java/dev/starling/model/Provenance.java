package dev.starling.model;

/**
 * How a model was made: enough to make it again, bit for bit, from the same data.
 *
 * @param version the version of Starling
 * @param lambda the regularisation λ, in the average form
 * @param objective the certified objective
 * @param gap the certified relative duality gap
 * @param certified whether that gap is the one that was asked for
 * @param network the graph, in words
 * @param nodes how many nodes it has
 * @param delay τ, the delay the run was tuned for
 * @param seed the seed of the run
 * @param bias the value of the intercept's feature; 0 for none
 * @param standardized whether features were brought to mean 0 and variance 1 for training
 * @param fingerprint SHA-256 of the data
 */
public record Provenance(
        String version,
        double lambda,
        double objective,
        double gap,
        boolean certified,
        String network,
        int nodes,
        double delay,
        long seed,
        double bias,
        boolean standardized,
        String fingerprint) {

    /** A model whose making is not known, as one read from another program's file. */
    public static final Provenance UNKNOWN =
            new Provenance("", Double.NaN, Double.NaN, Double.NaN, false, "", 0, Double.NaN, 0, 0, false, "");
}
