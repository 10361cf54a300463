package dev.starling.evaluation;

import dev.starling.model.EvaluationRecord;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/** How well a model's predictions agree with labels. */
public sealed interface Measures extends Serializable permits ClassMeasures, NumberMeasures {

    /** Rows that were predicted. */
    long rows();

    /** The sum of their weights: as many as there are rows unless they have some. */
    double weight();

    /** The mean of the model's own loss; NaN where that is not one of Starling's. */
    double loss();

    /** The measures of all rows together by name, in the order in which they are best read; NaN where undefined. */
    Map<String, Double> values();

    /** The measures as a model's file keeps them, with the bounds of the area under a single curve. */
    default EvaluationRecord toKeep() {
        Map<String, Double> kept = new LinkedHashMap<>(values());
        if (this instanceof ClassMeasures classes && classes.curves().size() == 1) {
            Area area = classes.curves().get(0).area();
            kept.put("aucLower", area.lower());
            kept.put("aucUpper", area.upper());
            kept.put("aucError", area.error());
        }
        return new EvaluationRecord(rows(), weight(), kept);
    }
}
