package dev.starling.spark;

import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.connect.plugin.MLBackendPlugin;

/**
 * Has a Spark Connect server train MLlib's linear models with Starling, for clients that name this class in
 * {@code spark.connect.ml.backend.classes}. Their code, and the models that they get, stay MLlib's.
 */
public final class ConnectPlugin implements MLBackendPlugin {

    private static final Map<String, String> REPLACED = Map.of(
            "org.apache.spark.ml.classification.LogisticRegression",
            "dev.starling.spark.mllib.CertifiedLogisticRegression",
            "org.apache.spark.ml.classification.LinearSVC",
            "dev.starling.spark.mllib.CertifiedLinearSVC",
            "org.apache.spark.ml.regression.LinearRegression",
            "dev.starling.spark.mllib.CertifiedLinearRegression",
            "org.apache.spark.ml.regression.GeneralizedLinearRegression",
            "dev.starling.spark.mllib.CertifiedGeneralizedLinearRegression");

    /** Called by the server, by name. */
    public ConnectPlugin() {}

    @Override
    public Optional<String> transform(String mlName) {
        return Optional.ofNullable(REPLACED.get(mlName));
    }
}
