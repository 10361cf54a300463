package dev.starling.spark;

import dev.starling.data.InvalidInputException;
import java.io.Serializable;
import java.util.Arrays;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The Params with the names of the columns that a model adds to a DataFrame of raw columns. */
public final class PredictionColumns implements Serializable {

    final Param<String> predictionCol;
    final Param<String> probabilityCol;
    final Param<String> rawPredictionCol;

    PredictionColumns(Params owner) {
        predictionCol = new Param<>(
                owner,
                "predictionCol",
                "prediction column name: the class as it is written in the label column, or the number");
        probabilityCol = new Param<>(
                owner,
                "probabilityCol",
                "column name for the probabilities of the classes, in order, if the loss is logistic; "
                        + "left out if empty");
        rawPredictionCol = new Param<>(
                owner, "rawPredictionCol", "column name for the scores of the classes, in order; left out if empty");
        owner.setDefault(predictionCol, "prediction");
        owner.setDefault(probabilityCol, "probability");
        owner.setDefault(rawPredictionCol, "rawPrediction");
    }

    /** Something that has these Params. */
    public interface Owner extends Params {

        /** The Params. */
        PredictionColumns predictionColumns();

        /** Param for the column of predictions. */
        default Param<String> predictionCol() {
            return predictionColumns().predictionCol;
        }

        /** Param for the column of probabilities; empty for none. */
        default Param<String> probabilityCol() {
            return predictionColumns().probabilityCol;
        }

        /** Param for the column of scores; empty for none. */
        default Param<String> rawPredictionCol() {
            return predictionColumns().rawPredictionCol;
        }

        /** Returns the column of predictions. */
        default String getPredictionCol() {
            return getOrDefault(predictionCol());
        }

        /** Returns the column of probabilities; empty for none. */
        default String getProbabilityCol() {
            return getOrDefault(probabilityCol());
        }

        /** Returns the column of scores; empty for none. */
        default String getRawPredictionCol() {
            return getOrDefault(rawPredictionCol());
        }
    }

    /**
     * Adds the columns of predictions to a schema, in the order that {@link Predicting} uses.
     *
     * @throws InvalidInputException if a column with one of the names already exists
     */
    static StructType added(Owner names, StructType schema, boolean classes, boolean probabilities) {
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
