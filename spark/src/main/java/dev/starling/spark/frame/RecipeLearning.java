package dev.starling.spark.frame;

import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowSample;
import dev.starling.recipe.Column;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.spark.rows.TableColumns;
import dev.starling.study.Study;
import dev.starling.study.StudyCheck;
import dev.starling.table.PartialSurvey;
import dev.starling.table.Survey;
import dev.starling.table.Table;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;

/**
 * Learns the recipe for a DataFrame: what the Params ask for, completed by what the core learns from the rows of all
 * partitions.
 *
 * @param wanted the recipe that the Params ask for
 */
public record RecipeLearning(WantedRecipe wanted) {

    /**
     * The recipe for training, with nothing left to learn; replacements for missing values are not learnt from rows
     * that are held out.
     */
    public Recipe toTrain(Dataset<?> frame, RowSample heldOut) {
        Recipe recipe = learnt(frame);
        if (heldOut.part() == 0 || recipe.filled().isEmpty()) {
            return recipe;
        }
        TableColumns columns = TableColumns.keyed(frame.schema(), recipe.needed(true), recipe.ids());
        Survey survey = survey(frame, columns, recipe.missingTokens(), HeldOutCells.of(recipe, heldOut));
        return wanted.study()
                .map(study -> study.learnt(survey))
                .orElseGet(() -> recipe.refilled(
                        survey, wanted.given().map(Recipe::filled).orElse(Set.of())));
    }

    /** The recipe learnt from all rows, with nothing left to learn. */
    public Recipe learnt(Dataset<?> frame) {
        TableColumns columns = wanted.columns(frame.schema());
        if (wanted.given().isEmpty()) {
            RecipeBuilder builder = wanted.builder();
            Survey survey = survey(frame, columns, builder.missingTokens(), HeldOutCells.NONE);
            return complete(builder.learn(survey, wanted.label()), survey);
        }
        Recipe given = wanted.given().get();
        Survey survey = survey(frame, columns, given.missingTokens(), HeldOutCells.NONE);
        return wanted.study()
                .map(study -> learnt(study, survey))
                .orElseGet(() -> complete(given.learnt(survey, wanted.loss().isClassification()), survey));
    }

    private static Recipe learnt(Study study, Survey survey) {
        StudyCheck.of(study, survey, 1).require();
        return study.learnt(survey);
    }

    private static Survey survey(
            Dataset<?> frame, TableColumns columns, List<String> missingTokens, HeldOutCells heldOut) {
        List<PartialSurvey> parts =
                FrameRows.ask(FrameRows.selected(frame, columns.texts()), PartialSurvey.class, (partition, rows) -> {
                    Optional<PartialSurvey> survey = Optional.empty();
                    for (Iterator<Table> tables = columns.tables(partition, rows); tables.hasNext(); ) {
                        Table table = tables.next();
                        survey = survey.or(() -> Optional.of(new PartialSurvey(table, missingTokens)));
                        survey.get().add(table, heldOut.in(table));
                    }
                    return survey;
                });
        if (parts.isEmpty()) {
            throw new InvalidInputException("no rows to train on; the DataFrame is empty");
        }
        parts.subList(1, parts.size()).forEach(parts.get(0)::add);
        return parts.get(0)
                .whole(FrameRows.SOURCE, name -> new ColumnOrder(frame, columns, name, missingTokens, heldOut));
    }

    /**
     * Checks for missing values in all partitions together, so that the message has the total counts rather than those
     * of one partition.
     */
    private static Recipe complete(Recipe recipe, Survey survey) {
        Stream<String> columns = recipe.columns().stream()
                .filter(column -> column.missing() == Missing.REFUSE)
                .map(Column::name);
        Stream<String> label = recipe.target().missing() == Missing.REFUSE
                ? Stream.of(recipe.target().column())
                : Stream.empty();
        String counts = Stream.concat(columns, label)
                .map(survey::column)
                .filter(column -> column.missing() > 0)
                .map(column -> "'" + column.name() + "' (" + column.missing() + ")")
                .collect(Collectors.joining(", "));
        if (!counts.isEmpty()) {
            throw new InvalidInputException(FrameRows.SOURCE + " has missing values in " + counts
                    + "; set missing to drop, mean, median or most-frequent, for all columns or as in 'age=median',"
                    + " or leave the columns out of inputCols");
        }
        return recipe;
    }
}
