package dev.starling.spark.mllib;

import java.io.Serializable;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.OffsetInstance;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.IterativelyReweightedLeastSquares;
import org.apache.spark.ml.optim.WeightedLeastSquares;
import org.apache.spark.ml.optim.WeightedLeastSquaresModel;
import org.apache.spark.ml.regression.GeneralizedLinearRegression;
import org.apache.spark.ml.util.OptionalInstrumentation;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import scala.Function2;
import scala.Tuple2;

/** The pass over the rows by which MLlib finds the variances of coefficients, for its summaries. */
final class LeastSquares {

    private static final double MLLIB_TOLERANCE = 1e-6;
    private static final int DEPTH = 2;

    /** What the weights and labels of a row are at given coefficients. */
    private interface Reweighting
            extends Function2<OffsetInstance, WeightedLeastSquaresModel, Tuple2<Object, Object>>, Serializable {}

    private LeastSquares() {}

    /** For a model with normal errors. */
    static double[] inverseDiagonal(
            Dataset<?> rows, Columns columns, boolean intercept, double regParam, boolean standardization) {
        RDD<Instance> instances = chosen(rows, columns)
                .javaRDD()
                .map(row -> new Instance(row.getDouble(0) - row.getDouble(2), row.getDouble(1), row.<Vector>getAs(3)))
                .rdd();
        return new WeightedLeastSquares(
                        intercept,
                        regParam,
                        0,
                        standardization,
                        true,
                        WeightedLeastSquares.Auto$.MODULE$,
                        1,
                        MLLIB_TOLERANCE)
                .fit(instances, OptionalInstrumentation.create(LeastSquares.class), DEPTH)
                .diagInvAtWA()
                .toArray();
    }

    /** For another family, at the coefficients that were found. */
    static double[] inverseDiagonal(
            Dataset<?> rows,
            Columns columns,
            GeneralizedLinearRegression model,
            double[] coefficients,
            double intercept) {
        RDD<OffsetInstance> instances = chosen(rows, columns)
                .javaRDD()
                .map(row ->
                        new OffsetInstance(row.getDouble(0), row.getDouble(1), row.getDouble(2), row.<Vector>getAs(3)))
                .rdd();
        var family = GeneralizedLinearRegression.FamilyAndLink$.MODULE$.apply(model);
        Reweighting reweighting = family::reweightFunc;
        return new IterativelyReweightedLeastSquares(
                        new WeightedLeastSquaresModel(
                                Training.vector(coefficients.clone()), intercept, Training.vector(0), new double[1]),
                        reweighting,
                        model.getFitIntercept(),
                        0,
                        1,
                        MLLIB_TOLERANCE)
                .fit(instances, OptionalInstrumentation.create(LeastSquares.class), DEPTH)
                .diagInvAtWA()
                .toArray();
    }

    private static Dataset<Row> chosen(Dataset<?> rows, Columns columns) {
        return columns.used(rows)
                .select(
                        functions.col(columns.label()),
                        columns.weights(),
                        columns.offsets(),
                        functions.col(columns.features()));
    }
}
