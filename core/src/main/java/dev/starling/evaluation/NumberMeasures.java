package dev.starling.evaluation;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How well a regression model predicts numbers.
 *
 * @param r2 the fraction of the labels' variance that is explained; NaN if all labels are the same
 * @param rmse the root of the mean squared error
 * @param mae the mean absolute error
 * @param deviance the sum of squared errors if the model was trained with squared loss; otherwise NaN
 */
public record NumberMeasures(long rows, double weight, double r2, double rmse, double mae, double loss, double deviance)
        implements Measures {

    @Override
    public Map<String, Double> values() {
        Map<String, Double> values = new LinkedHashMap<>();
        values.put("rmse", rmse);
        values.put("mae", mae);
        values.put("r2", r2);
        values.put("loss", loss);
        values.put("deviance", deviance);
        return values;
    }

    /** The measures in a line, such as {@code 6512 rows, accuracy 0.8497, auc 0.9019}. */
    @Override
    public String toString() {
        return Measures.text(this);
    }
}
