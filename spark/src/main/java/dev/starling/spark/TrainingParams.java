package dev.starling.spark;

import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Scaling;
import java.io.Serializable;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/** The Params that Starling adds to those that Spark gives every estimator, with their documentation and defaults. */
public final class TrainingParams implements Serializable {

    final Param<String> weightCol;
    final Param<String> offsetCol;
    final StringArrayParam idCols;
    final DoubleParam regParam;
    final DoubleParam elasticNetParam;
    final DoubleParam l1Param;
    final Param<String> cv;
    final Param<String> cvGroupsCol;
    final Param<String> cvRule;
    final Param<String> lambdaPath;
    final Param<String> l1Ratios;
    final Param<String> classWeights;
    final DoubleParam holdout;
    final DoubleParam tol;
    final IntParam maxIter;
    final DoubleParam maxSeconds;
    final BooleanParam fitIntercept;
    final DoubleParam interceptScaling;
    final BooleanParam standardization;
    final Param<String> scaling;
    final Param<String> loss;
    final Param<String> method;
    final IntParam nodes;
    final Param<String> topology;
    final LongParam seed;
    final DoubleParam delay;
    final Param<String> checkpointDir;
    final IntParam checkpointInterval;

    private final String uid;

    /** Creates the Params of an estimator or model under construction, and sets their defaults. */
    TrainingParams(Params owner, String defaultLoss, EarlyUid early) {
        weightCol = new Param<>(
                owner,
                "weightCol",
                "weight column name. If this is not set or empty, we treat all instance weights as 1.0");
        offsetCol = new Param<>(
                owner,
                "offsetCol",
                "offset column name: numbers that are added to the rows' scores, in training and in prediction, without "
                        + "a coefficient to learn; none if empty");
        idCols = new StringArrayParam(
                owner,
                "idCols",
                "columns that identify rows and are not learnt from; with cv they determine which fold a row is in, "
                        + "instead of the whole row");
        regParam = new DoubleParam(
                owner,
                "regParam",
                "regularization parameter (>= 0): the objective is mean loss + regParam/2 |coefficients|^2; 0 only with "
                        + "the logistic and squared losses",
                ParamValidators.gtEq(0));
        elasticNetParam = new DoubleParam(
                owner,
                "elasticNetParam",
                "the ElasticNet mixing parameter, in range [0, 1]: the penalty is "
                        + "regParam ((1 - elasticNetParam)/2 |coefficients|^2 + elasticNetParam |coefficients|_1)",
                ParamValidators.inRange(0, 1));
        l1Param = new DoubleParam(
                owner,
                "l1Param",
                "l1 regularization parameter (>= 0), an alternative to splitting regParam: adds "
                        + "l1Param |coefficients|_1 to the penalty",
                ParamValidators.gtEq(0));
        cv = new Param<>(
                owner,
                "cv",
                "number of folds of a cross-validation that chooses the penalty, or sites for one per node; none if "
                        + "empty. regParam, elasticNetParam and l1Param are then ignored");
        cvGroupsCol = new Param<>(
                owner,
                "cvGroupsCol",
                "with cv, a column that is not learnt from: rows with the same value are in the same fold; none if "
                        + "empty");
        cvRule = new Param<>(
                owner,
                "cvRule",
                "with cv, which penalty to choose, one of: " + String.join(", ", Folds.Rule.names())
                        + "; 1se is the largest within one standard error of the best");
        lambdaPath = new Param<>(
                owner,
                "lambdaPath",
                "with cv, how many values of lambda to choose from, or the values themselves, such as 1e-2,1e-3,1e-4");
        l1Ratios = new Param<>(
                owner,
                "l1Ratios",
                "with cv, shares of the l1 term in the penalty to choose from, such as 0,0.5; none if empty");
        classWeights = new Param<>(
                owner,
                "classWeights",
                "weights by label, such as 0=1,1=2.5, which multiply the weights of rows with that label; 1 for labels "
                        + "that are not listed; or balanced, which gives all classes the same total weight");
        holdout = new DoubleParam(
                owner,
                "holdout",
                "fraction of rows that is held out from training to evaluate the model (in range [0, 1)); the content of "
                        + "a row and the seed determine whether it is held out",
                ParamValidators.inRange(0, 1, true, false));
        tol = new DoubleParam(
                owner,
                "tol",
                "the relative duality gap at which training ends, as a certificate proves (> 0)",
                ParamValidators.gt(0));
        maxIter = new IntParam(owner, "maxIter", "maximum number of passes over the data (> 0)", ParamValidators.gt(0));
        maxSeconds = new DoubleParam(
                owner,
                "maxSeconds",
                "maximum number of seconds for which nodes train (>= 0), checked whenever the gap is; 0 for no limit",
                ParamValidators.gtEq(0));
        fitIntercept = new BooleanParam(owner, "fitIntercept", "whether to fit an intercept term");
        interceptScaling = new DoubleParam(
                owner,
                "interceptScaling",
                "value of the constant feature whose coefficient gives the intercept (> 0); the larger it is, the less "
                        + "the intercept is regularized; unless set, it is not regularized if the method allows that",
                ParamValidators.gt(0));
        standardization = new BooleanParam(
                owner,
                "standardization",
                "whether to scale features for training; coefficients are always on the original scale");
        scaling = new Param<>(
                owner,
                "scaling",
                "how standardization scales features, one of: " + String.join(", ", Scaling.names())
                        + "; scale divides features by their standard deviations, standardize also centres dense rows and, "
                        + "in regression, the label");
        loss = new Param<>(
                owner,
                "loss",
                "the loss, one of: " + String.join(", ", Losses.names()) + "; with a parameter as in huber(0.5)");
        method = new Param<>(
                owner,
                "method",
                "how the optimum is found, one of: " + String.join(", ", Methods.names())
                        + "; auto chooses what suits the data: newton needs a loss without kinks, adfs accepts any");
        nodes = new IntParam(
                owner,
                "nodes",
                "number of nodes, each a task of one barrier stage (>= 0); 0 for one per partition, but not more than "
                        + "the cluster can run at once",
                ParamValidators.gtEq(0));
        topology = new Param<>(
                owner,
                "topology",
                "which nodes are connected, one of: " + String.join(", ", Topology.names())
                        + "; with a size as in grid:3x4");
        seed = new LongParam(owner, "seed", "random seed");
        delay = new DoubleParam(
                owner,
                "delay",
                "cost of a message between neighbours for which the method is tuned, in units of a proximal step (>= 0); "
                        + "0 for that of a typical network",
                ParamValidators.gtEq(0));
        checkpointDir = new Param<>(
                owner,
                "checkpointDir",
                "directory for checkpoints, from which training resumes when a stage is retried; all executors must be "
                        + "able to reach it (hdfs:, s3a:, a shared file system); none if empty");
        checkpointInterval = new IntParam(
                owner,
                "checkpointInterval",
                "number of passes over the data between checkpoints (>= 1)",
                ParamValidators.gtEq(1));
        setDefaults(owner, defaultLoss);
        uid = early.keep();
    }

    /** The uid of their owner. */
    String uid() {
        return uid;
    }

    private void setDefaults(Params owner, String defaultLoss) {
        owner.setDefault(weightCol, "");
        owner.setDefault(offsetCol, "");
        owner.setDefault(idCols, new String[0]);
        owner.setDefault(regParam, 1e-4);
        owner.setDefault(elasticNetParam, 0.0);
        owner.setDefault(l1Param, 0.0);
        owner.setDefault(cv, "");
        owner.setDefault(cvGroupsCol, "");
        owner.setDefault(cvRule, Folds.Rule.MIN.text());
        owner.setDefault(lambdaPath, String.valueOf(LambdaPath.USUAL_COUNT));
        owner.setDefault(l1Ratios, "");
        owner.setDefault(classWeights, "");
        owner.setDefault(holdout, 0.0);
        owner.setDefault(tol, 1e-6);
        owner.setDefault(maxIter, 1000);
        owner.setDefault(maxSeconds, 0.0);
        owner.setDefault(fitIntercept, true);
        owner.setDefault(interceptScaling, 1.0);
        owner.setDefault(standardization, true);
        owner.setDefault(scaling, Scaling.SCALE.lowerCase());
        owner.setDefault(loss, defaultLoss);
        owner.setDefault(method, Methods.AUTO);
        owner.setDefault(nodes, 0);
        owner.setDefault(topology, "complete");
        owner.setDefault(seed, 1L);
        owner.setDefault(delay, 0.0);
        owner.setDefault(checkpointDir, "");
        owner.setDefault(checkpointInterval, 20);
    }
}
