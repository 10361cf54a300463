package dev.starling.spark.model;

import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.statistics.ClassTable;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The coefficients of a model with standard errors as a DataFrame, in the columns of {@code starling glm --json}. */
public final class CoefficientTable {

    private static final StructType SCHEMA = new StructType()
            .add("name", DataTypes.StringType)
            .add("class", DataTypes.StringType)
            .add("estimate", DataTypes.DoubleType)
            .add("se", DataTypes.DoubleType)
            .add("statistic", DataTypes.DoubleType)
            .add("p", DataTypes.DoubleType)
            .add("lower", DataTypes.DoubleType)
            .add("upper", DataTypes.DoubleType)
            .add("error", DataTypes.DoubleType);

    private CoefficientTable() {}

    /**
     * A line for every coefficient; its class is null unless there are several, and its numbers are if it is left out.
     *
     * @param level that of the intervals, for example 0.95
     * @throws dev.starling.data.InvalidInputException if the model was not trained with standard errors
     */
    public static Dataset<Row> of(LinearModel model, double level) {
        GlmTable table = GlmTable.of(model, level);
        List<String> classes = List.of();
        if (Losses.named(model.loss()).outputs() > 1) {
            ClassTable several = ClassTable.of(model, level);
            table = several.table();
            classes = several.classes();
        }
        List<Row> lines = new ArrayList<>();
        for (Coefficient one : table.coefficients()) {
            boolean known = one.isEstimated();
            lines.add(RowFactory.create(
                    one.name(),
                    classes.isEmpty() ? null : classes.get(lines.size()),
                    known ? one.estimate().value() : null,
                    known ? one.se().value() : null,
                    known ? one.statistic().value() : null,
                    known ? one.p().value() : null,
                    known ? one.lower().value() : null,
                    known ? one.upper().value() : null,
                    known ? one.estimate().error() : null));
        }
        return SparkSession.active().createDataFrame(lines, SCHEMA);
    }
}
