package dev.starling.spark.params;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.network.Topology;
import dev.starling.problem.Regulariser;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.Target;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Scaling;
import dev.starling.settings.Settings;
import dev.starling.study.Study;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Converts Spark's Params to the settings that the rest of Starling uses; there is no other conversion. */
public final class ParamSettings {

    private ParamSettings() {}

    /**
     * Returns the settings.
     *
     * @throws dev.starling.data.InvalidInputException naming the Param that is invalid; the topology is checked too
     */
    public static Settings of(StarlingParams<?> params) {
        return Settings.of(text(params, params.getClassWeights()));
    }

    /** Refuses Params that are invalid whatever the rows are. */
    public static void check(StarlingParams<?> params) {
        Settings.of(text(params, ""));
    }

    /**
     * Returns the settings for rows that a recipe makes: classes are named as in the label column, and the recipe may
     * ask for features to be scaled or for no intercept.
     *
     * @param study the study, if there is one, which determines what is minimised
     */
    public static Settings of(StarlingParams<?> params, Recipe recipe, Optional<Study> study) {
        Map<String, String> text = text(params, byLabel(params.getClassWeights(), recipe.target()));
        if (!recipe.intercept()) {
            text.put("bias", number(0));
            text.put("intercept", String.valueOf(false));
        }
        if (recipe.standardize()) {
            text.put("scaling", Scaling.STANDARDIZE.lowerCase());
        }
        study.map(Study::agreed).ifPresent(text::putAll);
        return Settings.of(text);
    }

    /** Replaces the names of classes in class weights by the numbers that represent them internally. */
    private static String byLabel(String weights, Target target) {
        if (weights.isBlank()
                || weights.equals(ClassWeighting.BALANCED_TEXT)
                || target.classes().isEmpty()) {
            return weights;
        }
        return Arrays.stream(weights.split(","))
                .map(part -> {
                    int equals = part.lastIndexOf('=');
                    String name = equals < 0 ? part : part.substring(0, equals);
                    double label = target.label(name);
                    if (equals >= 0 && Double.isNaN(label)) {
                        throw new InvalidInputException("classWeights: "
                                + InvalidInputException.unknownName("class", name, target.classes())
                                        .getMessage());
                    }
                    return equals < 0 ? part : label + part.substring(equals);
                })
                .collect(Collectors.joining(","));
    }

    /**
     * The columns whose cells determine a row's fold; empty if there are no folds, or if the whole row determines it.
     */
    public static List<String> foldColumns(StarlingParams<?> params) {
        if (!params.getCvGroupsCol().isEmpty()) {
            return List.of(params.getCvGroupsCol());
        }
        boolean hashed = !params.getCv().isBlank() && !params.getCv().equals("sites");
        return hashed ? List.of(params.getIdCols()) : List.of();
    }

    /**
     * The columns whose cells make the keys of rows: that of clusters and strata, or those of folds.
     *
     * @param settings what the Params, and perhaps a study, say
     */
    public static List<String> keyColumns(StarlingParams<?> params, Settings settings) {
        if (params.getClusterCol().isEmpty()) {
            return settings.folds().columns();
        }
        if (!settings.keepsKeysTogether()) {
            throw new InvalidInputException("clusterCol '" + params.getClusterCol()
                    + "' is for standardErrors CR1 and CR2 and for losses that compare rows with each other, such as"
                    + " cox; set one of them, or clear it");
        }
        return List.of(params.getClusterCol());
    }

    private static void requireConsistentColumns(StarlingParams<?> params) {
        if (!params.getCvGroupsCol().isEmpty() && params.getCv().isBlank()) {
            throw new InvalidInputException("cvGroupsCol '" + params.getCvGroupsCol()
                    + "' is for cross-validation; set cv too, for example to 10");
        }
        Set<String> ids = new HashSet<>();
        for (String id : params.getIdCols()) {
            if (!ids.add(id)) {
                throw new InvalidInputException("idCols names column '" + id + "' twice; name it once");
            }
        }
    }

    private static Map<String, String> text(StarlingParams<?> params, String classWeights) {
        Topology.named(params.getTopology());
        requireConsistentColumns(params);
        double regParam = params.getRegParam();
        double elasticNet = params.getElasticNetParam();
        Map<String, String> text = params.ownParams().settings();
        text.put("lambda", number(regParam * (1 - elasticNet)));
        text.put("l1", number(regParam * elasticNet + params.getL1Param()));
        text.put("cv-columns", String.join(",", foldColumns(params)));
        if (hasPath(params)) {
            text.put("lambda-path", params.getLambdaPath());
            text.put("l1-ratios", params.getL1Ratios());
        }
        text.put("max-seconds", number(params.getMaxSeconds() > 0 ? params.getMaxSeconds() : Double.POSITIVE_INFINITY));
        text.put("tau", params.getDelay() > 0 ? number(params.getDelay()) : Methods.AUTO);
        boolean free = hasFreeIntercept(params);
        text.put("bias", number(params.getFitIntercept() && !free ? params.getInterceptScaling() : 0));
        text.put("intercept", String.valueOf(free));
        text.put("scaling", params.getStandardization() ? params.getScaling() : Scaling.NONE.lowerCase());
        text.put("class-weights", classWeights);
        return text;
    }

    private static boolean hasPath(StarlingParams<?> params) {
        return !params.getCv().isBlank() || params.isSet(params.lambdaPath());
    }

    /** Whether the intercept is not regularised: if no scaling is set and there is a method for it. */
    private static boolean hasFreeIntercept(StarlingParams<?> params) {
        if (!params.getFitIntercept() || params.isSet(params.interceptScaling())) {
            return false;
        }
        double elasticNet = params.getElasticNetParam();
        boolean path = hasPath(params);
        double l1 = path
                ? (params.getL1Ratios().matches(".*[1-9].*") ? 1 : 0)
                : params.getRegParam() * elasticNet + params.getL1Param();
        double lambda = path ? 1 : params.getRegParam() * (1 - elasticNet);
        Regulariser regulariser = Regulariser.elasticNet(lambda, l1);
        return Methods.canTake(params.getMethod(), new Objective(Losses.named(params.getLoss()), regulariser, true));
    }

    private static String number(double value) {
        return String.valueOf(value);
    }
}
