package dev.starling.evaluation;

import dev.starling.model.EvaluationRecord;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How well a model's predictions agree with labels. */
public sealed interface Measures extends Serializable permits ClassMeasures, NumberMeasures {

    /** The number of rows that were predicted. */
    long rows();

    /** The sum of their weights; the number of rows if they have none. */
    double weight();

    /** The mean of the loss the model was trained with; NaN if that is not one of Starling's losses. */
    double loss();

    /** The measures over all rows by name, in the order in which they are best shown; NaN if undefined. */
    Map<String, Double> values();

    /** Measures in a line; those that are undefined are left out. */
    static String text(Measures measures) {
        StringBuilder text = new StringBuilder(measures.rows() + " rows");
        measures.values().forEach((name, value) -> {
            if (!Double.isNaN(value)) {
                text.append(String.format(Locale.US, ", %s %.4g", name, value));
            }
        });
        return text.toString();
    }

    /**
     * The measures as stored in a model file, with the confidence interval and error of the area if there is a single
     * curve.
     */
    default EvaluationRecord toKeep() {
        Map<String, Double> kept = new LinkedHashMap<>(values());
        if (this instanceof ClassMeasures classes && classes.curves().size() == 1) {
            Area area = classes.curves().get(0).area();
            kept.put("aucLower", area.lower());
            kept.put("aucUpper", area.upper());
            kept.put("aucError", area.error());
        }
        return new EvaluationRecord(rows(), weight(), "", kept);
    }
}
