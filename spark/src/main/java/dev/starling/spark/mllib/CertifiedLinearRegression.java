package dev.starling.spark.mllib;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.WeightedLeastSquares;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.LinearRegression;
import org.apache.spark.ml.regression.LinearRegressionModel;
import org.apache.spark.ml.regression.LinearRegressionTrainingSummary;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;
import scala.Option;

/**
 * MLlib's linear regression, trained to a certified gap. Left to MLlib: its Huber loss, whose scale it estimates, and
 * labels that are all the same.
 */
public final class CertifiedLinearRegression extends LinearRegression {

    private static final long serialVersionUID = 1;

    /** Creates an estimator with MLlib's defaults. */
    public CertifiedLinearRegression() {
        super();
    }

    /** Creates an estimator with a given uid, as a Connect server does. */
    public CertifiedLinearRegression(String uid) {
        super(uid);
    }

    /** Reads an estimator that was saved. */
    public static CertifiedLinearRegression load(String path) {
        return new DefaultParamsReader<CertifiedLinearRegression>().load(path);
    }

    @Override
    public LinearRegressionModel train(Dataset<?> dataset) {
        return Training.orElse(uid(), () -> certified(dataset), () -> super.train(dataset));
    }

    private LinearRegressionModel certified(Dataset<?> dataset) throws ReflectiveOperationException {
        Training.leaveIf(!getLoss().equals("squaredError"), "loss " + getLoss());
        Columns columns = Columns.of(getFeaturesCol(), getLabelCol(), isDefined(weightCol()) ? getWeightCol() : "", "");
        Training.Solved solved = Training.solve(this::problem, false, dataset, columns, uid());
        boolean normal = isNormal(solved.moments());
        double deviation = scaling(solved.moments()).labelDeviation();
        double[] coefficients = solved.coefficients(0);
        LinearRegressionModel model = copyValues(
                new LinearRegressionModel(uid(), Vectors.dense(coefficients).compressed(), solved.intercept()),
                ParamMap.empty());
        double[] history = {solved.objective() / (deviation * deviation)};
        boolean errors = normal && (getElasticNetParam() == 0 || getRegParam() == 0);
        if (errors) {
            double[] all = Arrays.copyOf(coefficients, coefficients.length + (getFitIntercept() ? 1 : 0));
            if (getFitIntercept()) {
                all[coefficients.length] = solved.intercept();
            }
            summarise(
                    model,
                    dataset,
                    LeastSquares.inverseDiagonal(
                            dataset, columns, getFitIntercept(), getRegParam(), getStandardization()),
                    history,
                    all);
        } else {
            summarise(model, dataset, new double[1], history, new double[0]);
        }
        return model;
    }

    /** Whether the normal equations would be solved; the two solvers define deviations differently. */
    private boolean isNormal(Moments moments) {
        return getSolver().equals("normal")
                || (getSolver().equals("auto")
                        && moments.deviations().length <= WeightedLeastSquares.MAX_NUM_FEATURES());
    }

    private Moments scaling(Moments moments) {
        return isNormal(moments) ? moments.ofPopulation() : moments;
    }

    private Training problem(Moments moments) {
        Moments scaling = scaling(moments);
        double deviation = scaling.labelDeviation();
        Training.leaveIf(deviation == 0, "the labels are all the same");
        return new Training(
                "squared",
                getRegParam() * (1 - getElasticNetParam()) / deviation,
                getRegParam() * getElasticNetParam(),
                getFitIntercept(),
                getTol(),
                scaling.scales(getStandardization()));
    }

    /** Spark 4.1 has a method for it, Spark 4.0 a constructor. */
    private static void summarise(
            LinearRegressionModel model, Dataset<?> rows, double[] diagonal, double[] history, double... coefficients)
            throws ReflectiveOperationException {
        for (Method method : LinearRegressionModel.class.getMethods()) {
            if (method.getName().equals("createSummary")) {
                method.invoke(model, rows, diagonal, history, coefficients);
                return;
            }
        }
        var summarised = model.findSummaryModelAndPredictionCol();
        model.setSummary(Option.apply((LinearRegressionTrainingSummary)
                LinearRegressionTrainingSummary.class.getConstructors()[0].newInstance(
                        summarised._1().transform(rows),
                        summarised._2(),
                        model.getLabelCol(),
                        model.getFeaturesCol(),
                        model,
                        diagonal,
                        history)));
    }
}
