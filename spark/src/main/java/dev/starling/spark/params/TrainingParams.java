package dev.starling.spark.params;

import dev.starling.network.Topology;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import org.apache.spark.ml.param.ParamValidators;

/** The table of the Params that are about training; those that stand for one setting follow from it. */
public final class TrainingParams {

    private TrainingParams() {}

    /** Adds them to those of an estimator or model. */
    public static void addTo(OwnParams own, String defaultLoss) {
        own.text(
                        "weightCol",
                        "",
                        "weight column name. If this is not set or empty, we treat all instance weights as 1.0")
                .text(
                        "offsetCol",
                        "",
                        "offset column name: numbers that are added to the rows' scores, in training and in prediction, without "
                                + "a coefficient to learn; none if empty")
                .texts(
                        "idCols",
                        "columns that identify rows and are not learnt from; with cv they determine which fold a row is in, "
                                + "instead of the whole row")
                .number(
                        "regParam",
                        1e-4,
                        "regularization parameter (>= 0): the objective is mean loss + regParam/2 |coefficients|^2; 0 only with "
                                + "the logistic and squared losses",
                        ParamValidators.gtEq(0))
                .number(
                        "elasticNetParam",
                        0.0,
                        "the ElasticNet mixing parameter, in range [0, 1]: the penalty is "
                                + "regParam ((1 - elasticNetParam)/2 |coefficients|^2 + elasticNetParam |coefficients|_1)",
                        ParamValidators.inRange(0, 1))
                .number(
                        "l1Param",
                        0.0,
                        "l1 regularization parameter (>= 0), an alternative to splitting regParam: adds "
                                + "l1Param |coefficients|_1 to the penalty",
                        ParamValidators.gtEq(0))
                .text("cv", Setting.CV)
                .text(
                        "cvGroupsCol",
                        "",
                        "with cv, a column that is not learnt from: rows with the same value are in the same fold; none if "
                                + "empty")
                .text("cvRule", Setting.CV_RULE)
                .text("lambdaPath", String.valueOf(LambdaPath.USUAL_COUNT), Setting.LAMBDA_PATH.help())
                .text("l1Ratios", "", Setting.L1_RATIOS.help())
                .text("classWeights", Setting.CLASS_WEIGHTS)
                .number("holdout", Setting.HOLDOUT, ParamValidators.inRange(0, 1, true, false))
                .number("tol", Setting.GAP, ParamValidators.gt(0))
                .whole("maxIter", 1000, Setting.MAX_EPOCHS, ParamValidators.gt(0))
                .number(
                        "maxSeconds",
                        0.0,
                        "maximum number of seconds for which nodes train (>= 0), checked whenever the gap is; 0 for no limit",
                        ParamValidators.gtEq(0))
                .truth("fitIntercept", true, "whether to fit an intercept term")
                .number(
                        "interceptScaling",
                        1.0,
                        "value of the constant feature whose coefficient gives the intercept (> 0); the larger it is, the less "
                                + "the intercept is regularized; unless set, it is not regularized if the method allows that",
                        ParamValidators.gt(0))
                .truth(
                        "standardization",
                        true,
                        "whether to scale features for training; coefficients are always on the original scale")
                .text("scaling", Scaling.SCALE.lowerCase(), Setting.SCALING.help())
                .text("loss", defaultLoss, Setting.LOSS)
                .truth("oneVersusRest", Setting.ONE_VERSUS_REST)
                .text("precision", Setting.PRECISION)
                .text("method", Setting.METHOD)
                .text("standardErrors", Setting.STANDARD_ERRORS)
                .text(
                        "clusterCol",
                        "",
                        "column, not learnt from, whose cell says which cluster a row belongs to, for standardErrors CR1 and "
                                + "CR2, or which stratum, for losses that compare rows with each other; none if empty")
                .whole(
                        "nodes",
                        0,
                        "number of nodes, each a task of one barrier stage (>= 0); 0 for one per partition, but not more than "
                                + "the cluster can run at once",
                        ParamValidators.gtEq(0))
                .text(
                        "topology",
                        "complete",
                        "which nodes are connected, one of: " + String.join(", ", Topology.names())
                                + "; with a size as in grid:3x4")
                .longWhole("seed", Setting.SEED)
                .number(
                        "delay",
                        0.0,
                        "cost of a message between neighbours for which the method is tuned, in units of a proximal step (>= 0); "
                                + "0 for that of a typical network",
                        ParamValidators.gtEq(0))
                .text(
                        "checkpointDir",
                        "",
                        "directory for checkpoints, from which training resumes when a stage is retried; all executors must be "
                                + "able to reach it (hdfs:, s3a:, a shared file system); none if empty")
                .whole(
                        "checkpointInterval",
                        20,
                        "number of passes over the data between checkpoints (>= 1)",
                        ParamValidators.gtEq(1));
    }
}
