package dev.starling.spark.mllib;

import dev.starling.data.InvalidInputException;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.regression.GeneralizedLinearRegression;
import org.apache.spark.ml.regression.GeneralizedLinearRegressionModel;
import org.apache.spark.ml.regression.GeneralizedLinearRegressionTrainingSummary;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.sql.Dataset;
import scala.Option;

/**
 * MLlib's generalised linear regression, trained to a certified gap. Left to MLlib: links that Starling does not have,
 * and penalties beside other families than the normal one, whose weight changes from one of MLlib's iterations to the
 * next so that there is no objective to certify.
 */
public final class CertifiedGeneralizedLinearRegression extends GeneralizedLinearRegression {

    private static final long serialVersionUID = 1;

    /** Creates an estimator with MLlib's defaults. */
    public CertifiedGeneralizedLinearRegression() {
        super();
    }

    /** Creates an estimator with a given uid, as a Connect server does. */
    public CertifiedGeneralizedLinearRegression(String uid) {
        super(uid);
    }

    /** Reads an estimator that was saved. */
    public static CertifiedGeneralizedLinearRegression load(String path) {
        return new DefaultParamsReader<CertifiedGeneralizedLinearRegression>().load(path);
    }

    @Override
    public GeneralizedLinearRegressionModel train(Dataset<?> dataset) {
        return Training.orElse(uid(), () -> certified(dataset), () -> super.train(dataset));
    }

    private String loss() {
        boolean tweedie = getFamily().equals("tweedie");
        String link = tweedie ? "" : isDefined(link()) ? getLink() : "";
        switch (getFamily()) {
            case "gaussian":
                if (link.isEmpty() || link.equals("identity")) {
                    return "squared";
                }
                break;
            case "binomial":
                if (link.isEmpty() || link.equals("logit")) {
                    return "binomial";
                }
                return "binomial(" + link + ")";
            case "poisson":
                if (link.isEmpty() || link.equals("log")) {
                    return "poisson";
                }
                break;
            case "gamma":
                if (link.equals("log")) {
                    return "gamma";
                }
                break;
            case "tweedie":
                if (getVariancePower() > 1 && getVariancePower() < 2 && isDefined(linkPower()) && getLinkPower() == 0) {
                    return "tweedie(" + getVariancePower() + ")";
                }
                break;
            default:
                break;
        }
        throw new InvalidInputException("family " + getFamily() + " with its link " + link);
    }

    private GeneralizedLinearRegressionModel certified(Dataset<?> dataset) {
        String loss = loss();
        boolean normal = loss.equals("squared");
        Training.leaveIf(!normal && getRegParam() != 0, "regParam " + getRegParam() + " with family " + getFamily());
        Columns columns = Columns.of(
                getFeaturesCol(),
                getLabelCol(),
                hasWeightCol() ? getWeightCol() : "",
                hasOffsetCol() ? getOffsetCol() : "");
        Training.leaveIf(normal && columns.offset().isPresent() && getRegParam() != 0, "an offset beside regParam");
        Training.Solved solved =
                Training.solve(moments -> problem(moments.ofPopulation(), loss), false, dataset, columns, uid());
        double[] coefficients = solved.coefficients(0);
        GeneralizedLinearRegressionModel model =
                new GeneralizedLinearRegressionModel(uid(), Training.vector(coefficients), solved.intercept());
        model.setParent(this);
        copyValues(model, ParamMap.empty());
        double[] diagonal = normal
                ? LeastSquares.inverseDiagonal(dataset, columns, getFitIntercept(), getRegParam(), true)
                : LeastSquares.inverseDiagonal(dataset, columns, this, coefficients, solved.intercept());
        model.setSummary(Option.apply(new GeneralizedLinearRegressionTrainingSummary(
                dataset, model, diagonal, solved.passes(), getSolver())));
        return model;
    }

    private Training problem(Moments moments, String loss) {
        double l2 = 0;
        if (loss.equals("squared")) {
            Training.leaveIf(moments.labelDeviation() == 0, "the labels are all the same");
            l2 = getRegParam() / moments.labelDeviation();
        }
        return new Training(loss, l2, 0, getFitIntercept(), getTol(), moments.scales(true));
    }
}
