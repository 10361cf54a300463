package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Table;
import dev.starling.peer.config.WordFile;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import dev.starling.study.StudyCheck;
import dev.starling.table.Recipe;
import dev.starling.table.Survey;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** A study: what several sites have agreed on about the columns and the objective. */
final class StudyOption {

    /** Options for what the study settles. */
    private static final List<String> SETTLED = List.of(
            "--like",
            "--recipe",
            "--label-column",
            "--loss",
            "--lambda",
            "--c",
            "--l1",
            "--lambda-path",
            "--l1-ratios",
            "--bias",
            "--intercept",
            "--no-intercept",
            "--standardize");

    /** Options for what a study with cross-validation settles too. */
    private static final List<String> FOLDS = List.of("--cv", "--cv-groups", "--cv-rule");

    @Option(
            names = "--study",
            paramLabel = "FILE",
            description = "Train as the sites of this study would, on a table of all their rows: see 'starling study'.")
    private Path file;

    private Optional<Study> study = Optional.empty();

    /** Reads the study, if one was given, and returns its settings for training. */
    Optional<Settings> settings(Predicate<String> isGiven, boolean columnsAreGiven) {
        if (file == null) {
            return Optional.empty();
        }
        requireAbsent(SETTLED, isGiven);
        if (columnsAreGiven) {
            throw new InvalidInputException(
                    "--study " + file + " says what columns mean; change the study instead of giving options");
        }
        study = Optional.of(WordFile.readStudy(file));
        if (study.get().settings().folds().isPresent()) {
            requireAbsent(FOLDS, isGiven);
        }
        return study.map(Study::settings);
    }

    private void requireAbsent(List<String> options, Predicate<String> isGiven) {
        options.stream().filter(isGiven).findFirst().ifPresent(option -> {
            throw new InvalidInputException(
                    option + " and --study " + file + " are both given; change the study instead");
        });
    }

    boolean isGiven() {
        return file != null;
    }

    /** The study's recipe for a table; the study must have been read. */
    Recipe recipe(Table table) {
        StudyCheck check = StudyCheck.of(study.orElseThrow(), table, 1);
        check.require();
        return refilled(check.survey());
    }

    /** The recipe, with replacements for missing values learnt from the given rows. */
    Recipe refilled(Survey rows) {
        return study.orElseThrow().learnt(rows);
    }
}
