package dev.starling.spark.mllib;

import org.apache.spark.ml.classification.BinaryLogisticRegressionTrainingSummaryImpl;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.classification.LogisticRegressionTrainingSummary;
import org.apache.spark.ml.classification.LogisticRegressionTrainingSummaryImpl;
import org.apache.spark.ml.linalg.DenseMatrix;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.MetadataUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import scala.Option;

/**
 * MLlib's logistic regression, trained to a certified gap. Left to MLlib: bounds on coefficients, and labels of one
 * class.
 */
public final class CertifiedLogisticRegression extends LogisticRegression {

    private static final long serialVersionUID = 1;

    /** Creates an estimator with MLlib's defaults. */
    public CertifiedLogisticRegression() {
        super();
    }

    /** Creates an estimator with a given uid, as a Connect server does. */
    public CertifiedLogisticRegression(String uid) {
        super(uid);
    }

    /** Reads an estimator that was saved. */
    public static CertifiedLogisticRegression load(String path) {
        return new DefaultParamsReader<CertifiedLogisticRegression>().load(path);
    }

    @Override
    public LogisticRegressionModel train(Dataset<?> dataset) {
        return Training.orElse(uid(), () -> certified(dataset), () -> super.train(dataset));
    }

    private LogisticRegressionModel certified(Dataset<?> dataset) {
        Training.leaveIf(usingBoundConstrainedOptimization(), "coefficients are bounded");
        Columns columns = Columns.of(getFeaturesCol(), getLabelCol(), isDefined(weightCol()) ? getWeightCol() : "", "");
        Option<Object> told = MetadataUtils.getNumClasses(dataset.schema().apply(getLabelCol()));
        Training.Solved solved = Training.solve(moments -> problem(moments, told), true, dataset, columns, uid());
        int classes = classes(solved.moments());
        return model(dataset, solved, classes, isMultinomial(classes));
    }

    private static int classes(Moments moments) {
        return (int) moments.largestLabel() + 1;
    }

    private boolean isMultinomial(int classes) {
        return classes > 2 || getFamily().equals("multinomial");
    }

    private Training problem(Moments moments, Option<Object> told) {
        int classes = classes(moments);
        Training.leaveIf(
                !moments.wholeLabels() || moments.smallestLabel() == moments.largestLabel(),
                "the labels are not several classes");
        Training.leaveIf(told.isDefined() && (int) told.get() != classes, "there are no rows of some classes");
        Training.leaveIf(isDefined(thresholds()) && getThresholds().length != classes, "thresholds of other classes");
        boolean several = isMultinomial(classes);
        Training.leaveIf(
                several && (classes == 2 || getFamily().equals("binomial")),
                "family " + getFamily() + " for " + classes);
        return new Training(
                several ? "softmax" : "logistic",
                getRegParam() * (1 - getElasticNetParam()),
                getRegParam() * getElasticNetParam(),
                getFitIntercept(),
                getTol(),
                moments.scales(getStandardization()));
    }

    private LogisticRegressionModel model(Dataset<?> dataset, Training.Solved solved, int classes, boolean several) {
        int scores = several ? classes : 1;
        int features = solved.scales().length;
        double[] flat = new double[scores * features];
        double[] intercepts = new double[scores];
        for (int k = 0; k < scores; k++) {
            System.arraycopy(solved.coefficients(k), 0, flat, k * features, features);
            intercepts[k] = solved.intercept(k);
        }
        if (several) {
            // MLlib's convention where no penalty decides: those of all classes add up to 0.
            for (int j = 0; j < features && getRegParam() == 0; j++) {
                centre(flat, j, features);
            }
            centre(intercepts, 0, 1);
        }
        LogisticRegressionModel model = copyValues(
                new LogisticRegressionModel(
                        uid(),
                        new DenseMatrix(scores, features, flat, true).compressed(),
                        several ? Vectors.dense(intercepts).compressed() : Vectors.dense(intercepts),
                        classes,
                        several),
                ParamMap.empty());
        var summarised = model.findSummaryModel();
        Dataset<Row> predictions = summarised._1().transform(dataset);
        String weight = isDefined(weightCol()) ? getWeightCol() : "weightCol";
        double[] history = {solved.objective()};
        LogisticRegressionTrainingSummary summary = classes == 2
                ? new BinaryLogisticRegressionTrainingSummaryImpl(
                        predictions, summarised._2(), summarised._3(), getLabelCol(), getFeaturesCol(), weight, history)
                : new LogisticRegressionTrainingSummaryImpl(
                        predictions,
                        summarised._2(),
                        summarised._3(),
                        getLabelCol(),
                        getFeaturesCol(),
                        weight,
                        history);
        model.setSummary(Option.apply(summary));
        return model;
    }

    /** Subtracts their mean from every so-manieth number, from one on. */
    private static void centre(double[] numbers, int first, int stride) {
        double sum = 0;
        for (int k = first; k < numbers.length; k += stride) {
            sum += numbers[k];
        }
        double mean = sum * stride / numbers.length;
        for (int k = first; k < numbers.length; k += stride) {
            numbers[k] -= mean;
        }
    }
}
