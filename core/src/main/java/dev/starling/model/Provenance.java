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
 * @param method the method that was used; the settings may leave the choice open
 * @param graph the graph over which the nodes communicated
 * @param delay τ, the delay that the run was tuned for
 * @param certificate the proof of how good the model is, summed over the classes if there are more than two
 * @param exactness what is known about the coefficients if nothing is regularised
 * @param certified whether the certificate proves the requested gap
 * @param rows what is known about the rows it was trained on
 * @param fingerprint the {@linkplain dev.starling.data.keys.Fingerprint fingerprint} of the data
 * @param signatures the signatures of the sites that made the model together, if several did
 * @param validation how cross-validation chose its λ, if it did
 * @param evaluations how well it predicts rows that it was not trained on, by the name of the set of rows
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
        TrainingRows rows,
        String fingerprint,
        Signatures signatures,
        Optional<CrossValidation> validation,
        Map<String, EvaluationRecord> evaluations) {

    /** The provenance of a model of unknown origin, such as one read from another program's file. */
    public static final Provenance UNKNOWN =
            new Provenance("", Map.of(), "", GraphRecipe.UNKNOWN, Double.NaN, Certificate.NONE, false, "");

    /** Creates the provenance of a model without signatures, validation or evaluations. */
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
                TrainingRows.UNKNOWN,
                fingerprint,
                Signatures.NONE,
                Optional.empty(),
                Map.of());
    }

    /** Returns a copy with signatures. */
    public Provenance with(Signatures by) {
        return with(fingerprint, by, evaluations);
    }

    /** Returns a copy with the fingerprint of the data. */
    public Provenance withFingerprint(String digits) {
        return with(digits, signatures, evaluations);
    }

    /** Returns a copy with the result of an evaluation on the named set of rows. */
    public Provenance with(String by, EvaluationRecord evaluated) {
        Map<String, EvaluationRecord> all = new LinkedHashMap<>(evaluations);
        all.put(by, evaluated);
        return with(fingerprint, signatures, all);
    }

    private Provenance with(String digits, Signatures by, Map<String, EvaluationRecord> all) {
        return new Provenance(
                version,
                settings,
                method,
                graph,
                delay,
                certificate,
                exactness,
                certified,
                rows,
                digits,
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
