package dev.starling.peer.config;

import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.loss.Logistic;
import dev.starling.study.Study;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads the section {@code training} of a site's file.
 *
 * @param section that section
 */
record TrainingReader(Section section) {

    private static final Set<String> SETTINGS =
            Settings.of(new Logistic()).toMap().keySet();
    private static final String STANDARDIZE = "standardize";
    private static final String MAX_FEATURES = "max-features";
    private static final List<String> KEYS = Stream.concat(SETTINGS.stream(), Stream.of(STANDARDIZE, MAX_FEATURES))
            .toList();

    /** Settings that a study determines, so that the file must not give them as well. */
    private static final List<String> STUDY_KEYS = List.of(
            "loss", "lambda", "l1", "lambda-path", "l1-ratios", "intercept", "bias", "scaling", STANDARDIZE, "labels");

    /** Settings that a study determines if it chooses lambda by cross-validation. */
    private static final List<String> FOLD_KEYS = List.of("cv", "cv-columns", "cv-rule");

    static TrainingReader of(Section root) {
        return new TrainingReader(root.section("training", KEYS));
    }

    /** All settings: a study, if there is one, determines what is minimised; the file determines the rest. */
    Settings settings(Optional<Study> study) {
        study.ifPresent(agreed -> requireAbsent(STUDY_KEYS));
        study.filter(agreed -> agreed.settings().path().folds().isPresent())
                .ifPresent(agreed -> requireAbsent(FOLD_KEYS));
        Map<String, String> settings = new LinkedHashMap<>();
        study.ifPresent(agreed -> settings.putAll(agreed.settings().toMap()));
        for (String key : SETTINGS) {
            section.text(key).ifPresent(text -> settings.put(key, text));
        }
        if (section.has("labels")) {
            section.list("labels");
        }
        if (section.has(STANDARDIZE)) {
            if (settings.containsKey("scaling")) {
                throw section.error(STANDARDIZE, "and training.scaling are both given; leave one out");
            }
            settings.put("scaling", (standardizes() ? Scaling.STANDARDIZE : Scaling.NONE).lowerCase());
        }
        return section.checked(() -> Settings.of(settings));
    }

    private void requireAbsent(List<String> keys) {
        for (String key : keys) {
            if (section.has(key)) {
                throw section.error(key, "and data.study are both given; the study determines it, so leave it out");
            }
        }
    }

    private boolean standardizes() {
        String text = section.string(STANDARDIZE);
        if (!text.equals("true") && !text.equals("false")) {
            throw section.error(STANDARDIZE, "is '" + text + "'; it must be true or false");
        }
        return text.equals("true");
    }

    /** The largest number of features that this site lets any site have. */
    int maxFeatures() {
        long most = section.integer(MAX_FEATURES, 1_000_000);
        if (most < 1 || most > 100_000_000) {
            throw section.error(MAX_FEATURES, "is " + most + "; it must be between 1 and 100000000");
        }
        return (int) most;
    }
}
