package dev.starling.spark.mllib;

import org.apache.spark.ml.classification.LinearSVC;
import org.apache.spark.ml.classification.LinearSVCModel;
import org.apache.spark.ml.classification.LinearSVCTrainingSummaryImpl;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.MetadataUtils;
import org.apache.spark.sql.Dataset;
import scala.Option;

/**
 * MLlib's linear support vector machine, trained to a certified gap. Left to MLlib: problems without penalty, and
 * labels of one class.
 */
public final class CertifiedLinearSVC extends LinearSVC {

    private static final long serialVersionUID = 1;

    /** Creates an estimator with MLlib's defaults. */
    public CertifiedLinearSVC() {
        super();
    }

    /** Creates an estimator with a given uid, as a Connect server does. */
    public CertifiedLinearSVC(String uid) {
        super(uid);
    }

    /** Reads an estimator that was saved. */
    public static CertifiedLinearSVC load(String path) {
        return new DefaultParamsReader<CertifiedLinearSVC>().load(path);
    }

    @Override
    public LinearSVCModel train(Dataset<?> dataset) {
        return Training.orElse(uid(), () -> certified(dataset), () -> super.train(dataset));
    }

    private LinearSVCModel certified(Dataset<?> dataset) {
        Training.leaveIf(getRegParam() == 0, "regParam is 0");
        Columns columns = Columns.of(getFeaturesCol(), getLabelCol(), isDefined(weightCol()) ? getWeightCol() : "", "");
        Option<Object> told = MetadataUtils.getNumClasses(dataset.schema().apply(getLabelCol()));
        Training.Solved solved = Training.solve(moments -> problem(moments, told), true, dataset, columns, uid());
        LinearSVCModel model = copyValues(
                new LinearSVCModel(uid(), Vectors.dense(solved.coefficients(0)).compressed(), solved.intercept()),
                ParamMap.empty());
        var summarised = model.findSummaryModel();
        model.setSummary(Option.apply(new LinearSVCTrainingSummaryImpl(
                summarised._1().transform(dataset),
                summarised._2(),
                summarised._3(),
                getLabelCol(),
                isDefined(weightCol()) ? getWeightCol() : "weightCol",
                new double[] {solved.objective()})));
        return model;
    }

    private Training problem(Moments moments, Option<Object> told) {
        Training.leaveIf(
                !moments.wholeLabels()
                        || moments.smallestLabel() != 0
                        || moments.largestLabel() != 1
                        || (told.isDefined() && (int) told.get() != 2),
                "the labels are not two classes");
        return new Training(
                "hinge", getRegParam(), 0, getFitIntercept(), getTol(), moments.scales(getStandardization()));
    }
}
