package dev.starling.spark.frame;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Likelihood;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.peer.config.WordFile;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeBuilder;
import dev.starling.settings.Folds;
import dev.starling.settings.Settings;
import dev.starling.spark.model.TextFiles;
import dev.starling.spark.params.ParamSettings;
import dev.starling.spark.params.TableParams;
import dev.starling.spark.rows.TableColumns;
import dev.starling.study.Study;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * What Params ask for about columns and training: by a study, by a recipe, or one by one, with the rest to be inferred.
 */
public final class WantedRecipe {

    private final TableParams<?> params;
    private final Optional<Study> study;
    private final Optional<Recipe> given;

    /** @throws InvalidInputException if Params contradict each other, or a study or recipe is invalid */
    public WantedRecipe(TableParams<?> params) {
        this.params = params;
        this.study = given(params.getStudy()).map(WantedRecipe::study);
        study.ifPresent(this::requireNothingElse);
        this.given = study.map(Study::recipe)
                .or(() -> given(params.getRecipe()).map(WantedRecipe::recipe).map(this::requireAlone));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(Predicate.not(String::isBlank));
    }

    /** Whether a Param is the text itself; otherwise it is the name of the file that holds the text. */
    private static boolean isText(String given) {
        return isJson(given) || given.contains("\n");
    }

    private static boolean isJson(String given) {
        return given.strip().startsWith("{");
    }

    private static String read(String file, String what) {
        return TextFiles.read(file, "a " + what + " in JSON or YAML, or the file that holds it", SparkSession.active());
    }

    private static Study study(String given) {
        return isText(given) ? WordFile.study(given, "study") : WordFile.study(read(given, "study"), given);
    }

    private static Recipe recipe(String given) {
        return isText(given)
                ? WordFile.recipe(given, "recipe", !isJson(given))
                : WordFile.recipe(read(given, "recipe"), given, WordFile.isYaml(given));
    }

    private void requireNothingElse(Study agreed) {
        Stream<Param<?>> minimised = Stream.of(
                params.recipe(),
                params.labelCol(),
                params.loss(),
                params.regParam(),
                params.elasticNetParam(),
                params.l1Param(),
                params.lambdaPath(),
                params.l1Ratios(),
                params.fitIntercept(),
                params.interceptScaling(),
                params.standardization(),
                params.scaling(),
                params.standardErrors());
        requireUnset(
                "study determines what columns mean and what is minimised",
                "study",
                Stream.concat(columnParams(), minimised));
        if (agreed.settings().folds().isPresent()) {
            requireUnset(
                    "study determines how folds are made",
                    "study",
                    Stream.of(params.cv(), params.cvGroupsCol(), params.cvRule()));
        }
    }

    private Stream<Param<?>> columnParams() {
        return Stream.of(
                params.formula(),
                params.inputCols(),
                params.missing(),
                params.rareBelow(),
                params.unknownLevels(),
                params.weightCol(),
                params.offsetCol(),
                params.idCols());
    }

    private void requireUnset(String claim, String owner, Stream<Param<?>> others) {
        List<String> set = others.filter(params::isSet).map(Param::name).toList();
        if (!set.isEmpty()) {
            throw new InvalidInputException(
                    claim + ", but " + String.join(", ", set) + (set.size() == 1 ? " is" : " are")
                            + " set as well; change the " + owner + " instead, or clear one of them");
        }
    }

    /** Returns the recipe if no other Param contradicts it. */
    private Recipe requireAlone(Recipe recipe) {
        requireUnset("recipe determines what columns mean", "recipe", columnParams());
        String label = recipe.target().column();
        if (params.isSet(params.labelCol()) && !params.getLabelCol().equals(label)) {
            throw new InvalidInputException("labelCol is '" + params.getLabelCol() + "', but the recipe predicts '"
                    + label + "'; name one of them");
        }
        return recipe;
    }

    /** The study, if there is one. */
    Optional<Study> study() {
        return study;
    }

    /**
     * The recipe that the study contains or that was given by itself, if there is one; something may be left to learn
     * in it.
     */
    Optional<Recipe> given() {
        return given;
    }

    /** The loss, which determines whether classes or numbers are predicted. */
    public Loss loss() {
        return study.map(Study::settings).map(Settings::loss).orElseGet(() -> Losses.named(params.getLoss()));
    }

    /** The settings for rows that a recipe makes. */
    public Settings settings(Recipe recipe) {
        return ParamSettings.of(params, recipe, study);
    }

    private List<String> keyColumns() {
        if (!params.getClusterCol().isEmpty()) {
            return List.of(params.getClusterCol());
        }
        return study.map(agreed -> agreed.settings().folds())
                .filter(Folds::isPresent)
                .map(Folds::columns)
                .orElseGet(() -> ParamSettings.foldColumns(params));
    }

    /**
     * The columns that are read.
     *
     * @throws InvalidInputException if one is missing, or its type is not supported
     */
    public TableColumns columns(StructType schema) {
        List<String> names = List.of(schema.fieldNames());
        if (given.isPresent()) {
            given.get().requireColumns(FrameRows.SOURCE, names, true);
            FrameRows.requireColumns(schema, keyColumns());
            return TableColumns.of(
                    schema,
                    Stream.concat(given.get().needed(true).stream(), keyColumns().stream())
                            .distinct()
                            .toList());
        }
        Set<String> needed =
                new LinkedHashSet<>(params.getInputCols().length == 0 ? names : Arrays.asList(params.getInputCols()));
        needed.add(label());
        needed.addAll(ids());
        given(params.getWeightCol()).ifPresent(needed::add);
        given(params.getOffsetCol()).ifPresent(needed::add);
        FrameRows.requireColumns(schema, needed);
        // In the order of the DataFrame, just as the columns of a file keep their order.
        return TableColumns.of(schema, names.stream().filter(needed::contains).toList());
    }

    /** The columns that identify rows and those that determine folds or clusters; none of them is learnt from. */
    private List<String> ids() {
        List<String> ids = Stream.concat(Arrays.stream(params.getIdCols()), keyColumns().stream())
                .distinct()
                .toList();
        if (ids.contains(label())) {
            throw new InvalidInputException("column '" + label() + "' is the label; it cannot identify rows as well,"
                    + " so name another column in idCols, cvGroupsCol or clusterCol");
        }
        return ids;
    }

    /** The column of the label, if no recipe is given. */
    String label() {
        return !params.isSet(params.labelCol()) && params.isSet(params.formula())
                ? Recipe.labelOf(params.getFormula())
                : params.getLabelCol();
    }

    /** A builder with what Params say one by one; the rest is learnt from rows. */
    RecipeBuilder builder() {
        RecipeBuilder builder = Recipe.builder()
                .ids(ids())
                .rareBelow(params.getRareBelow())
                .unknownIsReference(params.getUnknownLevels().equals(TableParams.REFERENCE));
        if (loss() instanceof Likelihood family && family.takesShares()) {
            builder.shares();
        } else if (!loss().isClassification()) {
            builder.regression();
        }
        given(params.getFormula()).ifPresent(builder::formula);
        given(params.getWeightCol()).ifPresent(builder::weights);
        given(params.getOffsetCol()).ifPresent(builder::offset);
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
}
