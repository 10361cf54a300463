package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import java.util.LinkedHashMap;
import java.util.Map;

/** Spark's Params as the settings that the rest of Starling knows: the one way from the former to the latter. */
final class ParamSettings {

    private ParamSettings() {}

    /**
     * The settings.
     *
     * @throws dev.starling.data.InvalidInputException naming what makes no sense; graphs are looked at too
     */
    static Settings of(StarlingParams params) {
        Topology.named(params.getTopology());
        double regParam = params.getRegParam();
        double elasticNet = params.getElasticNetParam();
        Map<String, String> text = new LinkedHashMap<>();
        text.put("loss", params.getLoss());
        text.put("lambda", number(regParam * (1 - elasticNet)));
        text.put("l1", number(regParam * elasticNet + params.getL1Param()));
        text.put("method", params.getMethod());
        text.put("gap", number(params.getTol()));
        text.put("max-epochs", number(params.getMaxIter()));
        text.put("max-seconds", number(params.getMaxSeconds() > 0 ? params.getMaxSeconds() : Double.POSITIVE_INFINITY));
        text.put("seed", String.valueOf(params.getSeed()));
        text.put("tau", params.getDelay() > 0 ? number(params.getDelay()) : Methods.AUTO);
        boolean regularised = params.getInterceptScaling() > 0;
        text.put("bias", number(params.getFitIntercept() && regularised ? params.getInterceptScaling() : 0));
        text.put("intercept", String.valueOf(params.getFitIntercept() && !regularised));
        text.put("scaling", params.getStandardization() ? params.getScaling() : Scaling.NONE.lowerCase());
        text.put("class-weights", params.getClassWeights());
        try {
            return Settings.of(text);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(e.getMessage().replace("give a bias", "set interceptScaling to 1"), e);
        }
    }

    private static String number(double value) {
        return String.valueOf(value);
    }
}
