package dev.starling.spark;

import dev.starling.data.Dataset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Rows for tests, as Spark has them and as the core has them. */
final class TestRows {

    static final StructType SCHEMA = new StructType()
            .add("features", SQLDataTypes.VectorType())
            .add("label", DataTypes.DoubleType)
            .add("weight", DataTypes.DoubleType);

    private TestRows() {}

    /** Rows of a noisy linear rule with this many classes; 0 classes for numbers. */
    static List<Row> random(int count, int features, int classes, boolean sparse, long seed) {
        Random random = new Random(seed);
        double[][] rules = new double[Math.max(1, classes)][features];
        for (double[] rule : rules) {
            Arrays.setAll(rule, c -> random.nextGaussian());
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double[] x = new double[features];
            for (int c = 0; c < features; c++) {
                boolean zero = sparse && random.nextInt(4) > 0;
                // Floats, so that nothing is lost on the way into the compact layout.
                x[c] = zero ? 0 : (float) random.nextGaussian();
            }
            double[] scores = new double[rules.length];
            for (int k = 0; k < rules.length; k++) {
                scores[k] = random.nextGaussian();
                for (int c = 0; c < features; c++) {
                    scores[k] += rules[k][c] * x[c];
                }
            }
            Vector vector = sparse ? Vectors.dense(x).toSparse() : Vectors.dense(x);
            rows.add(RowFactory.create(vector, label(scores, classes), 1.0 + random.nextInt(3)));
        }
        return rows;
    }

    private static double label(double[] scores, int classes) {
        if (classes == 0) {
            return scores[0];
        }
        if (classes == 2) {
            return scores[0] > scores[1] ? 1 : 0;
        }
        int best = 0;
        for (int k = 1; k < classes; k++) {
            best = scores[k] > scores[best] ? k : best;
        }
        return best;
    }

    /** A DataFrame with exactly these partitions. */
    static org.apache.spark.sql.Dataset<Row> frame(SparkSession spark, List<List<Row>> partitions) {
        List<Integer> numbers = new ArrayList<>();
        for (int k = 0; k < partitions.size(); k++) {
            numbers.add(k);
        }
        List<List<Row>> all = new ArrayList<>();
        partitions.forEach(rows -> all.add(new ArrayList<>(rows)));
        return spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(numbers, numbers.size())
                        .flatMap(k -> all.get(k).iterator()),
                SCHEMA);
    }

    /** The rows one after another, cut into this many equal stretches. */
    static List<List<Row>> cut(List<Row> rows, int parts) {
        List<List<Row>> result = new ArrayList<>();
        for (int k = 0; k < parts; k++) {
            result.add(new ArrayList<>(rows.subList(k * rows.size() / parts, (k + 1) * rows.size() / parts)));
        }
        return result;
    }

    /** The same rows as the core has them. */
    static Dataset dataset(List<Row> rows, boolean weighted) {
        int features = rows.get(0).<Vector>getAs(0).size();
        int[] offsets = new int[rows.size() + 1];
        List<Integer> columns = new ArrayList<>();
        List<Float> values = new ArrayList<>();
        double[] labels = new double[rows.size()];
        double[] weights = new double[rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            double[] x = rows.get(i).<Vector>getAs(0).toArray();
            for (int c = 0; c < x.length; c++) {
                if (x[c] != 0) {
                    columns.add(c);
                    values.add((float) x[c]);
                }
            }
            offsets[i + 1] = columns.size();
            labels[i] = rows.get(i).getDouble(1);
            weights[i] = rows.get(i).getDouble(2);
        }
        float[] flat = new float[values.size()];
        for (int k = 0; k < flat.length; k++) {
            flat[k] = values.get(k);
        }
        Dataset data = Dataset.sparse(
                features, offsets, columns.stream().mapToInt(Integer::intValue).toArray(), flat, labels);
        return weighted ? data.withWeights(weights) : data;
    }
}
