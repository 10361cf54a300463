package dev.starling.spark.frame;

import static org.apache.spark.sql.functions.udf;

import dev.starling.data.InvalidInputException;
import dev.starling.spark.params.StarlingParams;
import dev.starling.spark.rows.TableColumns;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.ml.Transformer;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.expressions.UserDefinedFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructType;

/**
 * The offsets of rows as one more feature with the coefficient 1, which is how a model of vectors predicts with
 * offsets.
 */
public final class OffsetFeature {

    private static final UserDefinedFunction APPENDED =
            udf((UDF2<Vector, Double, Vector>) OffsetFeature::appended, SQLDataTypes.VectorType());

    private OffsetFeature() {}

    /**
     * Returns the column of offsets of a DataFrame.
     *
     * @throws InvalidInputException if it has no such column, or the column is not numeric
     */
    static Column numbers(StructType schema, String offsetCol) {
        FrameRows.requireColumns(schema, List.of(offsetCol));
        DataType type = schema.apply(offsetCol).dataType();
        if (!(type instanceof NumericType)) {
            throw new InvalidInputException("offsetCol '" + offsetCol + "' is of type " + type.simpleString()
                    + "; offsets must be numbers, so cast it to double, or name another column");
        }
        return TableColumns.named(offsetCol).cast("double");
    }

    /**
     * Adds the predictions of a model whose rows have offsets to a DataFrame.
     *
     * @param widened returns the model with one more feature and these Params changed
     */
    public static Dataset<Row> applied(
            StarlingParams<?> model, Dataset<?> frame, Function<ParamMap, ? extends Transformer> widened) {
        Param<Object> featuresCol = model.getParam("featuresCol");
        String joined = model.uid() + "-features";
        Column features = frame.col(model.getOrDefault(featuresCol).toString());
        Column offsets = numbers(frame.schema(), model.getOffsetCol());
        return widened.apply(new ParamMap().put(featuresCol, joined).put(model.offsetCol(), ""))
                .transform(frame.withColumn(joined, APPENDED.apply(features, offsets)))
                .drop(joined);
    }

    private static Vector appended(Vector features, Double offset) {
        if (offset == null || !Double.isFinite(offset)) {
            throw new InvalidInputException("offset " + offset + " must be finite");
        }
        int size = features.size();
        if (features instanceof SparseVector sparse) {
            int stored = sparse.indices().length;
            int[] indices = Arrays.copyOf(sparse.indices(), stored + 1);
            indices[stored] = size;
            return Vectors.sparse(size + 1, indices, with(sparse.values(), offset));
        }
        return Vectors.dense(with(features.toArray(), offset));
    }

    private static double[] with(double[] values, double last) {
        double[] longer = Arrays.copyOf(values, values.length + 1);
        longer[values.length] = last;
        return longer;
    }
}
