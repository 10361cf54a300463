package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.data.RowSample;
import dev.starling.data.Table;
import dev.starling.loss.Losses;
import dev.starling.peer.config.WordFile;
import dev.starling.spark.rows.TableColumns;
import dev.starling.table.Column;
import dev.starling.table.Missing;
import dev.starling.table.PartialSurvey;
import dev.starling.table.Recipe;
import dev.starling.table.RecipeBuilder;
import dev.starling.table.Survey;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The recipe for a DataFrame: what Params say, and what the core learns from the rows of all partitions. */
final class RecipeLearning {

    private final StarlingTableEstimator params;
    private final boolean classes;
    private final Optional<Recipe> given;

    /** @throws InvalidInputException if Params contradict each other, or the recipe that is given cannot be used */
    RecipeLearning(StarlingTableEstimator params) {
        this.params = params;
        this.classes = Losses.named(params.getLoss()).isClassification();
        this.given = params.getRecipe().isBlank() ? Optional.empty() : Optional.of(read(params.getRecipe()));
        given.ifPresent(this::requireNothingElse);
    }

    private static Recipe read(String recipe) {
        boolean json = recipe.strip().startsWith("{");
        if (json || recipe.contains("\n")) {
            return WordFile.recipe(recipe, "recipe", !json);
        }
        String text =
                TextFiles.read(recipe, "a recipe in JSON or YAML, or the file that holds it", SparkSession.active());
        return WordFile.recipe(text, recipe, WordFile.isYaml(recipe));
    }

    private void requireNothingElse(Recipe recipe) {
        List<String> set = Stream.<Param<?>>of(
                        params.formula(),
                        params.inputCols(),
                        params.missing(),
                        params.rareBelow(),
                        params.unknownLevels(),
                        params.weightCol(),
                        params.offsetCol(),
                        params.idCols())
                .filter(params::isSet)
                .map(Param::name)
                .toList();
        if (!set.isEmpty()) {
            throw new InvalidInputException("recipe says what columns mean, and so does " + String.join(", ", set)
                    + "; change the recipe, or clear one of them");
        }
        String label = recipe.target().column();
        if (params.isSet(params.labelCol()) && !params.getLabelCol().equals(label)) {
            throw new InvalidInputException("labelCol is '" + params.getLabelCol() + "', but the recipe predicts '"
                    + label + "'; name one of them");
        }
    }

    /**
     * The columns that are looked at.
     *
     * @throws InvalidInputException if one is not there, or of a type that no table has
     */
    TableColumns columns(StructType schema) {
        List<String> names = List.of(schema.fieldNames());
        if (given.isPresent()) {
            given.get().requireColumns(FrameRows.SOURCE, names, true);
            FrameRows.requireColumns(schema, ParamSettings.foldColumns(params));
            return TableColumns.of(schema, given.get().needed(true));
        }
        Set<String> wanted =
                new LinkedHashSet<>(params.getInputCols().length == 0 ? names : Arrays.asList(params.getInputCols()));
        wanted.add(label());
        Stream.of(params.getWeightCol(), params.getOffsetCol())
                .filter(name -> !name.isEmpty())
                .forEach(wanted::add);
        wanted.addAll(ids());
        FrameRows.requireColumns(schema, wanted);
        // In the order of the DataFrame, as those of a file are.
        return TableColumns.of(schema, names.stream().filter(wanted::contains).toList());
    }

    /** The columns that tell rows apart, and those that decide on folds: none of them is learnt from. */
    private List<String> ids() {
        List<String> ids = Stream.concat(
                        Arrays.stream(params.getIdCols()), ParamSettings.foldColumns(params).stream())
                .distinct()
                .toList();
        if (ids.contains(label())) {
            throw new InvalidInputException("column '" + label() + "' is the label; it cannot tell rows apart as well,"
                    + " so name another column in idCols or cvGroupsCol");
        }
        return ids;
    }

    private String label() {
        return !params.isSet(params.labelCol()) && params.isSet(params.formula())
                ? Recipe.labelOf(params.getFormula())
                : params.getLabelCol();
    }

    /**
     * The recipe to train by, with nothing left to learn: what stands in for missing values is not learnt from rows that
     * are held out.
     */
    Recipe toTrain(Dataset<?> frame, RowSample heldOut) {
        Recipe recipe = learnt(frame);
        if (heldOut.part() == 0 || recipe.filled().isEmpty()) {
            return recipe;
        }
        Dataset<Row> rows = TrainingRows.of(frame, recipe, heldOut);
        Survey survey = survey(rows, TableColumns.of(rows.schema(), List.of(rows.columns())), recipe.missingTokens());
        return recipe.refilled(survey, given.map(Recipe::filled).orElse(Set.of()));
    }

    /** The recipe that all rows make, with nothing left to learn. */
    Recipe learnt(Dataset<?> frame) {
        RecipeBuilder builder = builder();
        List<String> tokens = given.map(Recipe::missingTokens).orElseGet(builder::missingTokens);
        Survey survey = survey(frame, columns(frame.schema()), tokens);
        Recipe recipe = given.map(recipeGiven -> recipeGiven.learnt(survey, classes))
                .orElseGet(() -> builder.learn(survey, label()));
        requireComplete(recipe, survey);
        return recipe;
    }

    private RecipeBuilder builder() {
        RecipeBuilder builder = Recipe.builder()
                .ids(ids())
                .rareBelow(params.getRareBelow())
                .unknownIsReference(params.getUnknownLevels().equals(StarlingTableEstimator.REFERENCE));
        if (!classes) {
            builder.regression();
        }
        if (!params.getFormula().isBlank()) {
            builder.formula(params.getFormula());
        }
        if (!params.getWeightCol().isEmpty()) {
            builder.weights(params.getWeightCol());
        }
        if (!params.getOffsetCol().isEmpty()) {
            builder.offset(params.getOffsetCol());
        }
        for (String policy : params.getMissing().split(",")) {
            int equals = policy.lastIndexOf('=');
            if (equals < 0) {
                builder.missing(Missing.named(policy.strip()));
            } else {
                builder.missing(
                        policy.substring(0, equals).strip(),
                        Missing.named(policy.substring(equals + 1).strip()));
            }
        }
        return builder;
    }

    private static Survey survey(Dataset<?> frame, TableColumns columns, List<String> missingTokens) {
        List<PartialSurvey> parts =
                FrameRows.ask(FrameRows.selected(frame, columns.texts()), PartialSurvey.class, (partition, rows) -> {
                    Optional<PartialSurvey> survey = Optional.empty();
                    for (Iterator<Table> tables = columns.tables(partition, rows); tables.hasNext(); ) {
                        Table table = tables.next();
                        survey = survey.or(() -> Optional.of(new PartialSurvey(table, missingTokens)));
                        survey.get().add(table);
                    }
                    return survey;
                });
        if (parts.isEmpty()) {
            throw new InvalidInputException("no rows to train on; the DataFrame is empty");
        }
        parts.subList(1, parts.size()).forEach(parts.get(0)::add);
        return parts.get(0)
                .whole(
                        FrameRows.SOURCE,
                        name -> new ColumnOrder(frame, TableColumns.of(frame.schema(), List.of(name)), missingTokens));
    }

    /** Says of all partitions together what each would say of its own rows. */
    private static void requireComplete(Recipe recipe, Survey survey) {
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
    }
}
