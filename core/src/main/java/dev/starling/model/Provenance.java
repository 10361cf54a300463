package dev.starling.model;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.network.GraphRecipe;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a model was made: enough to make it again, bit for bit, from the same data.
 *
 * @param version the version of Starling
 * @param settings all settings of the run as text, by name, in their usual order
 * @param method the method that was used, where the settings leave the choice open
 * @param graph the graph that the nodes talked over
 * @param delay τ, the delay the run was tuned for
 * @param certificate what is proven of the model, summed over the classes where there are several
 * @param exactness what is known of coefficients where nothing is regularised
 * @param certified whether that is the gap that was asked for
 * @param fingerprint SHA-256 of the data
 * @param signatures who vouches for the model, where several sites have made it
 * @param validation how its λ was chosen, where that was left to cross-validation
 * @param evaluations how well it predicts rows that it was not trained on, by which rows those are
 */
public record Provenance(
        String version,
        Map<String, String> settings,
        String method,
        GraphRecipe graph,
        double delay,
        Certificate certificate,
        Exactness exactness,
        boolean certified,
        String fingerprint,
        Signatures signatures,
        Optional<CrossValidation> validation,
        Map<String, EvaluationRecord> evaluations) {

    /** A model whose making is not known, as one read from another program's file. */
    public static final Provenance UNKNOWN =
            new Provenance("", Map.of(), "", GraphRecipe.UNKNOWN, Double.NaN, Certificate.NONE, false, "");

    /** The making of a model that nobody has signed. */
    public Provenance(
            String version,
            Map<String, String> settings,
            String method,
            GraphRecipe graph,
            double delay,
            Certificate certificate,
            boolean certified,
            String fingerprint) {
        this(
                version,
                settings,
                method,
                graph,
                delay,
                certificate,
                Exactness.UNKNOWN,
                certified,
                fingerprint,
                Signatures.NONE,
                Optional.empty(),
                Map.of());
    }

    /** The same, signed. */
    public Provenance with(Signatures by) {
        return with(by, evaluations);
    }

    /** The same, with how well the model predicts some rows. */
    public Provenance with(String by, EvaluationRecord evaluated) {
        Map<String, EvaluationRecord> all = new LinkedHashMap<>(evaluations);
        all.put(by, evaluated);
        return with(signatures, all);
    }

    private Provenance with(Signatures by, Map<String, EvaluationRecord> all) {
        return new Provenance(
                version,
                settings,
                method,
                graph,
                delay,
                certificate,
                exactness,
                certified,
                fingerprint,
                by,
                validation,
                all);
    }

    /** Copies the maps. */
    public Provenance {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        evaluations = Collections.unmodifiableMap(new LinkedHashMap<>(evaluations));
    }
}
