package dev.starling.spark.params;

import dev.starling.Trainer;
import dev.starling.job.Folds;
import dev.starling.job.Scaling;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import org.apache.spark.ml.param.ParamValidators;

/** The table of the Params that are about training. */
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
                .text(
                        "cv",
                        "",
                        "number of folds of a cross-validation that chooses the penalty, or sites for one per node; none if "
                                + "empty. regParam, elasticNetParam and l1Param are then ignored")
                .text(
                        "cvGroupsCol",
                        "",
                        "with cv, a column that is not learnt from: rows with the same value are in the same fold; none if "
                                + "empty")
                .text(
                        "cvRule",
                        Folds.Rule.MIN.text(),
                        "with cv, which penalty to choose, one of: " + String.join(", ", Folds.Rule.names())
                                + "; 1se is the largest within one standard error of the best")
                .text(
                        "lambdaPath",
                        Trainer.USUAL_PATH,
                        "how many values of lambda cv chooses from, or the values themselves, such as 1e-2,1e-3,1e-4; if this is "
                                + "set without cv, the model is that of the last value and has those of all others in its path")
                .text(
                        "l1Ratios",
                        "",
                        "shares of the l1 term in the penalty of the values of lambdaPath, such as 0,0.5; none if empty")
                .text(
                        "classWeights",
                        "",
                        "weights by label, such as 0=1,1=2.5, which multiply the weights of rows with that label; 1 for labels "
                                + "that are not listed; or balanced, which gives all classes the same total weight")
                .number(
                        "holdout",
                        0.0,
                        "fraction of rows that is held out from training to evaluate the model (in range [0, 1)); the content of "
                                + "a row and the seed determine whether it is held out",
                        ParamValidators.inRange(0, 1, true, false))
                .number(
                        "tol",
                        1e-6,
                        "the relative duality gap at which training ends, as a certificate proves (> 0)",
                        ParamValidators.gt(0))
                .whole("maxIter", 1000, "maximum number of passes over the data (> 0)", ParamValidators.gt(0))
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
                .text(
                        "scaling",
                        Scaling.SCALE.lowerCase(),
                        "how standardization scales features, one of: " + String.join(", ", Scaling.names())
                                + "; scale divides features by their standard deviations, standardize also centres dense rows and, "
                                + "in regression, the label")
                .text(
                        "loss",
                        defaultLoss,
                        "the loss, one of: " + String.join(", ", Losses.names())
                                + "; with a parameter as in huber(0.5)")
                .text(
                        "method",
                        Methods.AUTO,
                        "how the optimum is found, one of: " + String.join(", ", Methods.names())
                                + "; auto chooses what suits the data: newton needs a loss without kinks, adfs accepts any")
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
                .longWhole("seed", 1L, "random seed")
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
