package dev.starling.peer.config;

import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the section {@code training} of a site's file.
 *
 * @param section that section
 */
record TrainingReader(Section section) {

    private static final String STANDARDIZE = "standardize";
    private static final String MAX_FEATURES = "max-features";
    private static final List<String> KEYS = Stream.concat(
                    Setting.all().stream().map(Setting::name), Stream.of(STANDARDIZE, MAX_FEATURES))
            .toList();

    static TrainingReader of(Section root) {
        return new TrainingReader(root.section("training", KEYS));
    }

    /** All settings: a study, if there is one, determines what is minimised; the file determines the rest. */
    Settings settings(Optional<Study> study) {
        study.ifPresent(this::requireAbsent);
        Map<String, String> settings = new LinkedHashMap<>();
        study.ifPresent(agreed -> settings.putAll(agreed.settings().toMap()));
        for (Setting<?> setting : Setting.all()) {
            section.text(setting.name()).ifPresent(text -> settings.put(setting.name(), text));
        }
        if (section.has(Setting.LABELS.name())) {
            section.list(Setting.LABELS.name());
        }
        if (section.has(STANDARDIZE)) {
            if (settings.containsKey(Setting.SCALING.name())) {
                throw section.error(STANDARDIZE, "and training.scaling are both given; leave one out");
            }
            settings.put(Setting.SCALING.name(), (standardizes() ? Scaling.STANDARDIZE : Scaling.NONE).lowerCase());
        }
        return section.checked(() -> Settings.of(settings));
    }

    /** Refuses settings that the study determines; it says how folds are made only if it has cross-validation. */
    private void requireAbsent(Study study) {
        Stream<String> determined = Setting.all().stream()
                .filter(setting -> setting.isAgreed() || setting == Setting.LABELS)
                .filter(setting -> !Setting.OF_FOLDS.contains(setting)
                        || study.settings().folds().isPresent())
                .map(Setting::name);
        Stream.concat(determined, Stream.of(STANDARDIZE))
                .filter(section::has)
                .findFirst()
                .ifPresent(key -> {
                    throw section.error(key, "and data.study are both given; the study determines it, so leave it out");
                });
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
