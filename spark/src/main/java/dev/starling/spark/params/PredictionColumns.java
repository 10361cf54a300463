package dev.starling.spark.params;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * The Params with the names of the columns that a model adds to a DataFrame of raw columns.
 *
 * @param <E> the estimator or model
 */
public interface PredictionColumns<E> extends PredictionParams<E> {

    /**
     * Adds the columns of predictions to a schema, in the order in which models add them.
     *
     * @throws InvalidInputException if a column with one of the names already exists
     */
    static StructType added(PredictionColumns<?> names, StructType schema, boolean classes, boolean probabilities) {
        StructType result = schema;
        if (classes) {
            result = with(result, names.getRawPredictionCol(), SQLDataTypes.VectorType(), names.rawPredictionCol());
        }
        if (classes && probabilities) {
            result = with(result, names.getProbabilityCol(), SQLDataTypes.VectorType(), names.probabilityCol());
        }
        return with(
                result,
                names.getPredictionCol(),
                classes ? DataTypes.StringType : DataTypes.DoubleType,
                names.predictionCol());
    }

    private static StructType with(StructType schema, String name, DataType type, Param<String> param) {
        if (name.isEmpty()) {
            return schema;
        }
        if (Arrays.asList(schema.fieldNames()).contains(name)) {
            throw new InvalidInputException("the DataFrame already has a column '" + name + "'; drop it, or set "
                    + param.name() + " to another name");
        }
        return schema.add(name, type, true);
    }
}
