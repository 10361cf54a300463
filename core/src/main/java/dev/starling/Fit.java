package dev.starling;

import dev.starling.certificate.Certificate;
import dev.starling.model.LinearModel;
import java.util.List;

/**
 * The outcome of training: a model, the proof of how good it is, and what it took.
 *
 * @param model the model
 * @param certificate the certificate of the whole objective, summed over the classes where there are several
 * @param outcome why training ended
 * @param certificates one certificate per score of the model
 * @param preparations what each was solved with
 * @param updates proximal steps of all nodes
 * @param rounds communication rounds
 * @param bytes payload of all messages, certificates' included
 * @param idealisedTime time on a clock on which a proximal step costs 1 and a message τ
 * @param seconds time taken for solving
 */
public record Fit(
        LinearModel model,
        Certificate certificate,
        Outcome outcome,
        List<Certificate> certificates,
        List<Preparation> preparations,
        long updates,
        long rounds,
        long bytes,
        double idealisedTime,
        double seconds) {

    /** Why training ended. */
    public enum Outcome {
        /** The gap asked for is certified. */
        CERTIFIED,
        /** The limit on epochs came first. */
        EPOCH_LIMIT,
        /** The time limit, or someone who asked to stop, came first. */
        STOPPED
    }

    /** Copies the lists. */
    public Fit {
        certificates = List.copyOf(certificates);
        preparations = List.copyOf(preparations);
    }

    /** Whether the gap asked for was reached. */
    public boolean isCertified() {
        return outcome == Outcome.CERTIFIED;
    }

    /** The objective, mean loss + (λ/2)‖θ‖², at the model's weights. */
    public double objective() {
        return certificate.objective();
    }

    /** The certified relative duality gap. */
    public double gap() {
        return certificate.relativeGap();
    }

    /** Proximal steps per sample. */
    public double epochs() {
        return certificate.epochs();
    }
}
