package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Folds;
import dev.starling.job.Settings;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.peer.config.WordFile;
import dev.starling.spark.rows.TableColumns;
import dev.starling.study.Study;
import dev.starling.table.Missing;
import dev.starling.table.Recipe;
import dev.starling.table.RecipeBuilder;
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
 * What Params say of columns and of training: by a study, by a recipe, or one by one, the rest of it to be inferred.
 */
final class WantedRecipe {

    private final StarlingTableEstimator params;
    private final Optional<Study> study;
    private final Optional<Recipe> given;

    /** @throws InvalidInputException if Params contradict each other, or what they give cannot be used */
    WantedRecipe(StarlingTableEstimator params) {
        this.params = params;
        this.study = given(params.getStudy()).map(WantedRecipe::study);
        study.ifPresent(this::requireNothingElse);
        this.given = study.map(Study::recipe)
                .or(() -> given(params.getRecipe()).map(WantedRecipe::recipe).map(this::alone));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(Predicate.not(String::isBlank));
    }

    /** Whether a Param is the text itself; otherwise it names the file that holds it. */
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
                params.scaling());
        requireUnset(
                "study says what columns mean and what is minimised",
                "study",
                Stream.concat(columnParams(), minimised));
        if (agreed.settings().path().folds().isPresent()) {
            requireUnset(
                    "study says how folds are made",
                    "study",
                    Stream.of(params.cv(), params.cvGroupsCol(), params.cvRule()));
        } else if (agreed.settings().path().isPresent() && params.getCv().isBlank()) {
            throw new InvalidInputException(
                    "the study has a path of lambdas, and nothing chooses one of them; set cv, for"
                            + " example to 10, or give the study one lambda");
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
            throw new InvalidInputException(claim + ", and so does " + String.join(", ", set) + "; change the " + owner
                    + ", or clear one of them");
        }
    }

    /** A recipe that no other Param contradicts. */
    private Recipe alone(Recipe recipe) {
        requireUnset("recipe says what columns mean", "recipe", columnParams());
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

    /** The recipe of the study or of its own, if there is one, of which something may be left to learn. */
    Optional<Recipe> given() {
        return given;
    }

    /** The loss, which says whether classes are predicted or numbers. */
    Loss loss() {
        return study.map(Study::settings).map(Settings::loss).orElseGet(() -> Losses.named(params.getLoss()));
    }

    /** The settings for rows that a recipe makes. */
    Settings settings(Recipe recipe) {
        return ParamSettings.of(params, recipe, study);
    }

    private List<String> foldColumns() {
        return study.map(agreed -> agreed.settings().path().folds())
                .filter(Folds::isPresent)
                .map(Folds::columns)
                .orElseGet(() -> ParamSettings.foldColumns(params));
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
            FrameRows.requireColumns(schema, foldColumns());
            return TableColumns.of(
                    schema,
                    Stream.concat(given.get().needed(true).stream(), foldColumns().stream())
                            .distinct()
                            .toList());
        }
        Set<String> wanted =
                new LinkedHashSet<>(params.getInputCols().length == 0 ? names : Arrays.asList(params.getInputCols()));
        wanted.add(label());
        wanted.addAll(ids());
        given(params.getWeightCol()).ifPresent(wanted::add);
        given(params.getOffsetCol()).ifPresent(wanted::add);
        FrameRows.requireColumns(schema, wanted);
        // In the order of the DataFrame, as those of a file are.
        return TableColumns.of(schema, names.stream().filter(wanted::contains).toList());
    }

    /** The columns that tell rows apart, and those that decide on folds: none of them is learnt from. */
    private List<String> ids() {
        List<String> ids = Stream.concat(Arrays.stream(params.getIdCols()), foldColumns().stream())
                .distinct()
                .toList();
        if (ids.contains(label())) {
            throw new InvalidInputException("column '" + label() + "' is the label; it cannot tell rows apart as well,"
                    + " so name another column in idCols or cvGroupsCol");
        }
        return ids;
    }

    /** The column of the label, where no recipe is given. */
    String label() {
        return !params.isSet(params.labelCol()) && params.isSet(params.formula())
                ? Recipe.labelOf(params.getFormula())
                : params.getLabelCol();
    }

    /** What Params say one by one, for rows to fill in the rest. */
    RecipeBuilder builder() {
        RecipeBuilder builder = Recipe.builder()
                .ids(ids())
                .rareBelow(params.getRareBelow())
                .unknownIsReference(params.getUnknownLevels().equals(StarlingTableEstimator.REFERENCE));
        if (!loss().isClassification()) {
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
