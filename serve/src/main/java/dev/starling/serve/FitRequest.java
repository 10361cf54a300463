package dev.starling.serve;

import dev.starling.Fit;
import dev.starling.Trainer;
import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.job.TrainingListener;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Settings;
import java.util.Map;
import java.util.Set;

/**
 * A request to train, with its rows.
 *
 * @param trainer what to do
 * @param sent what to do it with
 * @param progress whether to tell of certificates on the way
 * @param file whether to answer with the model's file as well
 */
record FitRequest(Trainer trainer, SentRows sent, boolean progress, boolean file) implements Request {

    private static final Set<String> MEMBERS = Set.of(
            "op",
            "id",
            "arrays",
            "settings",
            "nodes",
            "topology",
            "progress",
            "file",
            "features",
            "order",
            "names",
            "table",
            "label",
            "missing",
            "unknown");

    private static final long BETWEEN_PROGRESS = 100_000_000;

    /**
     * Takes a request apart.
     *
     * @throws InvalidInputException if something about it is wrong
     */
    static FitRequest of(Members header, Map<String, Object> arrays) {
        header.requireOnly(MEMBERS);
        Settings settings = Settings.of(header.map("settings"));
        Trainer trainer = Trainer.of(settings);
        if (header.has("nodes")) {
            trainer = trainer.nodes((int) Math.min(header.whole("nodes", 1), 1 << 16));
        }
        if (header.has("topology")) {
            trainer = trainer.topology(header.required("topology"));
        }
        boolean keyed = settings.holdout() > 0 || settings.folds().isPresent();
        SentRows sent = SentRows.of(header, arrays, settings.loss().isClassification(), keyed);
        return new FitRequest(trainer, sent, header.flag("progress"), header.flag("file"));
    }

    /** Trains, and tells the events what happens meanwhile. */
    @Override
    public Answer run(StopSignal signal, Events events) {
        Fit fit = trainer.stopSignal(signal)
                .listener(progress ? told(events) : TrainingListener.NONE)
                .fit(sent.rows(), sent.clusters());
        if (!fit.isCertified() && !signal.isRaised()) {
            events.send("log", Map.of("level", "warning", "message", "the gap asked for is not certified: " + fit));
        }
        return Answer.of(sent.recipe().map(fit::with).orElse(fit), sent.recipe(), file);
    }

    private static TrainingListener told(Events events) {
        return new TrainingListener() {
            private long last = System.nanoTime() - BETWEEN_PROGRESS;

            @Override
            public void certified(Certificate certificate, double epochsLeft) {
                long now = System.nanoTime();
                if (now - last >= BETWEEN_PROGRESS) {
                    last = now;
                    events.send(
                            "progress",
                            Map.of(
                                    "epochs",
                                    certificate.epochs(),
                                    "gap",
                                    certificate.relativeGap(),
                                    "epochsLeft",
                                    epochsLeft));
                }
            }
        };
    }
}
