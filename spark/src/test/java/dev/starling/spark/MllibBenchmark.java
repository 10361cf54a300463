package dev.starling.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Side by side with MLlib's logistic regression: seconds until the objective is within 1e-3 and 1e-6 of the optimum,
 * relative to it. Same objective (no standardisation, no intercept, same λ), same cached DataFrame, same session.
 *
 * <p>MLlib's L-BFGS takes the same path however long it is allowed to run, so its time to a precision is the time of a
 * fit that is stopped after the first iteration that has it. Starling stops by itself when the precision is certified,
 * which is later than when it is reached. Both objectives are computed anew from the coefficients, on the DataFrame.
 *
 * <p>Arguments: values of λ with commas between them, then LIBSVM files; {@code bench/spark} runs it.
 */
public final class MllibBenchmark {

    private static final double[] PRECISIONS = {1e-3, 1e-6};
    private static final int REPEATS = 3;
    private static final String BEGIN = "<!-- spark: begin -->";
    private static final String END = "<!-- spark: end -->";

    private final double lambda;
    private final Dataset<Row> rows;
    private final double count;

    private MllibBenchmark(Dataset<Row> rows, double lambda) {
        this.lambda = lambda;
        this.rows = rows;
        this.count = rows.count();
    }

    private static Dataset<Row> read(SparkSession spark, Path file) {
        Dataset<Row> raw = spark.read().format("libsvm").load(file.toUri().toString());
        double smallest = raw.agg(functions.min("label")).first().getDouble(0);
        return raw.withColumn(
                        "label",
                        functions.when(functions.col("label").gt(smallest), 1.0).otherwise(0.0))
                .repartition(spark.sparkContext().defaultParallelism())
                .cache();
    }

    /** Runs the comparison and prints it as a table. */
    public static void main(String[] arguments) throws IOException {
        double[] lambdas = Arrays.stream(arguments[0].split(",", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();
        SparkSession spark = SparkSession.builder()
                .master(System.getProperty("starling.master", "local[2]"))
                .appName("starling-spark beside MLlib")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .getOrCreate();
        spark.sparkContext().setLogLevel("ERROR");
        List<String> table = new ArrayList<>(List.of(
                "| data | λ | precision | MLlib, s | iterations | Starling, s | passes | rounds | faster |",
                "|---|---|---|---|---|---|---|---|---|"));
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            Path file = Path.of(name);
            if (!Files.exists(file)) {
                System.err.println(file + " does not exist; it is left out");
                continue;
            }
            Dataset<Row> rows = read(spark, file);
            for (double lambda : lambdas) {
                table.addAll(
                        new MllibBenchmark(rows, lambda).run(file.getFileName().toString()));
            }
            rows.unpersist();
        }
        table.forEach(System.out::println);
        spark.stop();
        String page = System.getProperty("starling.page", "");
        if (!page.isEmpty()) {
            write(Path.of(page), table);
        }
    }

    private static void write(Path page, List<String> table) throws IOException {
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        String machine = String.format(
                "%n%s, %d cores, Java %s, %s%n%n",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                System.getProperty("starling.master", "local[2]"));
        Files.writeString(
                page, text.substring(0, from) + machine + String.join("\n", table) + "\n" + text.substring(to));
    }

    private LogisticRegression mllib() {
        return new LogisticRegression()
                .setRegParam(lambda)
                .setElasticNetParam(0)
                .setStandardization(false)
                .setFitIntercept(false)
                .setTol(0);
    }

    private StarlingClassifier starling() {
        return new StarlingClassifier()
                .setRegParam(lambda)
                .setStandardization(false)
                .setFitIntercept(false)
                .setMaxIter(100_000);
    }

    private List<String> run(String name) {
        StarlingClassificationModel best = starling().setTol(1e-10).fit(rows);
        double optimum = objective(best.coefficients()) * (1 - best.summary().gap());
        double[] history = mllib().setMaxIter(1000).fit(rows).summary().objectiveHistory();
        List<String> lines = new ArrayList<>();
        for (double precision : PRECISIONS) {
            int iterations = iterations(history, optimum * (1 + precision));
            Timed<LogisticRegressionModel> theirs =
                    time(() -> mllib().setMaxIter(iterations).fit(rows));
            Timed<StarlingClassificationModel> ours =
                    time(() -> starling().setTol(precision).fit(rows));
            report(name + " MLlib", theirs.seconds, theirs.result.coefficients(), optimum);
            report(name + " Starling", ours.seconds, ours.result.coefficients(), optimum);
            StarlingSummary summary = ours.result.summary();
            lines.add(String.format(
                    "| %s | %.0e | %.0e | %.2f | %d | %.2f | %.1f | %d | %.1fx |",
                    name,
                    lambda,
                    precision,
                    median(theirs.seconds),
                    iterations,
                    median(ours.seconds),
                    summary.passes(),
                    summary.rounds(),
                    median(theirs.seconds) / median(ours.seconds)));
        }
        return lines;
    }

    private void report(String who, double[] seconds, Vector coefficients, double optimum) {
        System.err.printf(
                "%s: seconds %s, relative suboptimality %.2e%n",
                who, Arrays.toString(seconds), objective(coefficients) / optimum - 1);
    }

    private static int iterations(double[] history, double enough) {
        for (int k = 0; k < history.length; k++) {
            if (history[k] <= enough) {
                return Math.max(1, k);
            }
        }
        return history.length;
    }

    private record Timed<T>(T result, double[] seconds) {}

    private static <T> Timed<T> time(Supplier<T> fit) {
        double[] seconds = new double[REPEATS];
        T result = fit.get();
        for (int k = 0; k < REPEATS; k++) {
            long start = System.nanoTime();
            result = fit.get();
            seconds[k] = (System.nanoTime() - start) * 1e-9;
        }
        return new Timed<>(result, seconds);
    }

    private static double median(double[] seconds) {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Mean loss + (λ/2)‖w‖². */
    private double objective(Vector coefficients) {
        double[] w = coefficients.toArray();
        JavaRDD<Row> all = rows.select("features", "label").toJavaRDD();
        double losses = all.mapToDouble(row -> {
                    Vector x = row.getAs(0);
                    double margin = 0;
                    for (scala.collection.Iterator<scala.Tuple2<Object, Object>> entries = x.activeIterator();
                            entries.hasNext(); ) {
                        scala.Tuple2<Object, Object> entry = entries.next();
                        margin += w[(Integer) entry._1()] * (Double) entry._2();
                    }
                    double signed = row.getDouble(1) > 0 ? margin : -margin;
                    return signed > 0 ? Math.log1p(Math.exp(-signed)) : -signed + Math.log1p(Math.exp(signed));
                })
                .sum();
        double squares = 0;
        for (double value : w) {
            squares += value * value;
        }
        return losses / count + lambda / 2 * squares;
    }
}
