package dev.starling.study;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.LabelDomain;
import dev.starling.loss.Loss;
import dev.starling.recipe.Column;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.table.ColumnSurvey;
import dev.starling.table.Kind;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a table differs from a study. It reveals only what may be shared with others: names and kinds of columns, numbers
 * of cells, and levels that enough rows have.
 *
 * @param survey statistics of the table
 * @param differences one sentence for each difference; empty if the table fits
 * @param ignored columns that the study does not use
 */
public record StudyCheck(Survey survey, List<String> differences, List<String> ignored) {

    private static final int MOST_NAMED = 10;

    /** Copies the lists. */
    public StudyCheck {
        differences = List.copyOf(differences);
        ignored = List.copyOf(ignored);
    }

    /**
     * Checks a table.
     *
     * @param fewest how many rows a level must have for it to be named
     */
    public static StudyCheck of(Study study, Table table, int fewest) {
        return of(study, study.survey(table, new BitSet()), fewest);
    }

    /**
     * Checks a table by its survey.
     *
     * @param survey the survey, made with the study's tokens for missing values
     * @param fewest how many rows a level must have for it to be named
     */
    public static StudyCheck of(Study study, Survey survey, int fewest) {
        List<String> differences = new ArrayList<>();
        for (Column column : study.recipe().columns()) {
            found(survey, column.name(), "column", differences)
                    .ifPresent(rows -> differences.addAll(column(column, rows, fewest)));
        }
        for (String label : study.recipe().labelColumns()) {
            found(survey, label, "label column", differences)
                    .ifPresent(rows -> differences.addAll(label(study, rows, fewest)));
        }
        Stream.concat(study.recipe().strata().stream(), study.recipe().clusters().stream())
                .filter(name -> !name.equals(Recipe.SITE) || survey.names().contains(name))
                .forEach(name -> found(survey, name, "column of strata or clusters", differences)
                        .filter(rows -> study.recipe().target().missing() == Missing.REFUSE)
                        .flatMap(rows -> missing("column '" + name + "'", rows))
                        .ifPresent(differences::add));
        study.recipe().weights().ifPresent(name -> numbers(survey, name, "weights column", differences));
        study.recipe().offsets().forEach(offset -> numbers(survey, offset.column(), "offset column", differences));
        study.foldColumns().forEach(name -> found(survey, name, "column of folds", differences));
        return new StudyCheck(survey, differences, ignored(study, survey));
    }

    private static Optional<ColumnSurvey> found(Survey survey, String name, String what, List<String> differences) {
        if (survey.names().contains(name)) {
            return Optional.of(survey.column(name));
        }
        String nearest = InvalidInputException.nearest(name, survey.names());
        differences.add(what + " '" + name + "' is missing"
                + (nearest.equalsIgnoreCase(name) ? " (is '" + nearest + "' the same?)" : ""));
        return Optional.empty();
    }

    private static void numbers(Survey survey, String name, String what, List<String> differences) {
        found(survey, name, what, differences)
                .filter(rows -> rows.kind() != Kind.NUMERIC || rows.missing() > 0)
                .ifPresent(rows -> differences.add(what + " '" + name + "' must be a number in every row"));
    }

    private static List<String> column(Column column, ColumnSurvey rows, int fewest) {
        String name = "column '" + column.name() + "'";
        List<String> differences = new ArrayList<>();
        if (rows.present() == 0) {
            return List.of(name + " holds nothing but missing values");
        }
        if (!column.kind().hasLevels() && rows.kind() != column.kind()) {
            differences.add(name + " is " + rows.kind().text() + " here, "
                    + column.kind().text() + " in the study");
        } else if (column.kind().hasLevels() && column.buckets() == 0 && !column.unknownIsReference()) {
            Set<String> listed = Stream.concat(column.levels().stream(), column.rare().stream())
                    .map(level -> key(column.kind(), level))
                    .collect(Collectors.toSet());
            unknown(name + " has levels that the study does not list", listed, column.kind(), rows, fewest)
                    .ifPresent(differences::add);
        }
        if (column.missing() == Missing.REFUSE) {
            missing(name, rows).ifPresent(differences::add);
        }
        return differences;
    }

    private static Optional<String> missing(String name, ColumnSurvey rows) {
        return rows.missing() == 0
                ? Optional.empty()
                : Optional.of(name + " has " + rows.missing() + " missing values, which the study refuses");
    }

    private static List<String> label(Study study, ColumnSurvey rows, int fewest) {
        String name = "label column '" + rows.name() + "'";
        List<String> differences = new ArrayList<>();
        if (study.recipe().target().classes().isEmpty()) {
            if (rows.kind() != Kind.NUMERIC) {
                differences.add(name + " is " + rows.kind().text() + " here, numbers to predict in the study");
            } else {
                Loss loss = study.settings().loss();
                DoublePredicate taken = taken(study.recipe(), rows.name(), loss.domain());
                long others =
                        Arrays.stream(rows.numbers()).filter(taken.negate()).count();
                if (others > 0) {
                    differences.add(name + " has " + others + (others == 1 ? " number" : " numbers") + " that the loss "
                            + loss.name() + " does not take");
                }
            }
        } else {
            Set<String> known = rows.levels().keySet().stream()
                    .filter(cell -> !Double.isNaN(study.recipe().target().label(cell)))
                    .collect(Collectors.toSet());
            unknown(name + " has classes that the study does not list", known, Kind.CATEGORICAL, rows, fewest)
                    .ifPresent(differences::add);
        }
        if (study.recipe().target().missing() == Missing.REFUSE) {
            missing(name, rows).ifPresent(differences::add);
        }
        return differences;
    }

    /** Which numbers a column of the label may hold: those of the loss, or times and whether the event was seen. */
    private static DoublePredicate taken(Recipe recipe, String name, LabelDomain domain) {
        int place = recipe.labelColumns().indexOf(name);
        if (domain == LabelDomain.TIMES) {
            return place == 0 ? time -> time > 0 : place == 1 ? seen -> seen == 0 || seen == 1 : start -> true;
        }
        return recipe.response().equals(name) ? domain::contains : number -> true;
    }

    private static String key(Kind kind, String level) {
        return kind == Kind.BOOLEAN ? level.toLowerCase(Locale.ROOT) : level;
    }

    /** Names the levels that enough rows have, and counts the others. */
    private static Optional<String> unknown(String what, Set<String> known, Kind kind, ColumnSurvey rows, int fewest) {
        Map<String, Long> unknown = rows.levels().entrySet().stream()
                .filter(entry -> !known.contains(key(kind, entry.getKey())))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
        if (unknown.isEmpty()) {
            return Optional.empty();
        }
        List<String> named = unknown.entrySet().stream()
                .filter(entry -> entry.getValue() >= fewest)
                .map(entry -> "'" + entry.getKey().replaceAll("\\p{Cntrl}", "?") + "'")
                .limit(MOST_NAMED)
                .toList();
        int others = unknown.size() - named.size();
        return Optional.of(what + ": " + String.join(", ", named) + (named.isEmpty() || others == 0 ? "" : ", and ")
                + (others == 0 ? "" : others + " that are not named here"));
    }

    private static List<String> ignored(Study study, Survey survey) {
        Recipe recipe = study.recipe();
        Set<String> used = Stream.of(
                        recipe.needed(true), recipe.ids(), recipe.strata(), recipe.clusters(), study.foldColumns())
                .flatMap(List::stream)
                .collect(Collectors.toSet());
        return survey.names().stream().filter(name -> !used.contains(name)).toList();
    }

    /** Whether the table fits. */
    public boolean fits() {
        return differences.isEmpty();
    }

    /**
     * Checks that the table fits.
     *
     * @throws InvalidInputException if it does not; the message lists all differences
     */
    public void require() {
        if (!fits()) {
            throw new InvalidInputException(
                    survey.source() + " does not fit the study: " + String.join("; ", differences));
        }
    }
}
