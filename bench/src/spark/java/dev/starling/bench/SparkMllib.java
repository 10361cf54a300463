package dev.starling.bench;

import java.io.IOException;
import java.io.PrintStream;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Runs Spark MLlib's logistic regression on the cores of this machine, with rows cached in memory: arguments FILE CORES LAMBDA.
 */
public final class SparkMllib {

    private static final int MOST_ITERATIONS = 100_000;

    private SparkMllib() {}

    /** Loads the data and serves requests. */
    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        double lambda = Double.parseDouble(args[2]);
        try (SparkSession spark = SparkSession.builder()
                .master("local[" + args[1] + "]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "localhost")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", Integer.parseInt(args[1]))
                .getOrCreate()) {
            spark.sparkContext().setLogLevel("ERROR");
            long start = System.nanoTime();
            // MLlib expects labels 0 and 1, while the file has -1 and 1.
            Dataset<Row> rows = spark.read()
                    .format("libsvm")
                    .load(args[0])
                    .selectExpr("CASE WHEN label > 0 THEN 1.0D ELSE 0.0D END AS label", "features")
                    .repartition(Integer.parseInt(args[1]))
                    .persist(StorageLevel.MEMORY_ONLY());
            rows.count();
            double loadSeconds = SolverProtocol.secondsSince(start);
            SolverProtocol.serve(loadSeconds, tolerance -> solve(rows, lambda, tolerance), out);
        }
    }

    private static double[] solve(Dataset<Row> rows, double lambda, double tolerance) {
        LogisticRegressionModel model = new LogisticRegression()
                .setRegParam(lambda)
                .setElasticNetParam(0)
                .setFitIntercept(false)
                .setStandardization(false)
                .setTol(tolerance)
                .setMaxIter(MOST_ITERATIONS)
                .fit(rows);
        return model.coefficients().toArray();
    }
}
