package dev.starling.cli.options;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import dev.starling.study.StudyCheck;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** A study: what several sites have agreed on about the columns and the objective. */
@Under(Section.COLUMNS)
final class StudyOption {

    /** Options that decide what the study decides, but no setting. */
    private static final List<String> SETTLED = List.of("--like", "--recipe", "--label-column");

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
        Stream<String> agreed = options(setting -> setting.isAgreed() && !Setting.OF_FOLDS.contains(setting));
        requireAbsent(Stream.concat(SETTLED.stream(), agreed), isGiven);
        if (columnsAreGiven) {
            throw new InvalidInputException(
                    "--study " + file + " says what columns mean; change the study instead of giving options");
        }
        study = Optional.of(WordFile.readStudy(file));
        if (study.get().settings().folds().isPresent()) {
            requireAbsent(options(Setting.OF_FOLDS::contains), isGiven);
        }
        return study.map(Study::settings);
    }

    private static Stream<String> options(Predicate<Setting<?>> which) {
        return Setting.all().stream().filter(which).flatMap(SettingOptions::deciding);
    }

    private void requireAbsent(Stream<String> options, Predicate<String> isGiven) {
        options.filter(isGiven).findFirst().ifPresent(option -> {
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
