package dev.starling.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.LogisticRegression;
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
 * fit that is stopped after the first iteration that has it, with the better of two block sizes. Starling stops by
 * itself when the precision is certified, which is later than when it is reached. Both objectives are computed anew
 * from the coefficients, on the DataFrame. Fits take turns, so that both see the same machine.
 *
 * <p>Arguments: values of λ with commas between them, then LIBSVM files; {@code bench/spark} runs it.
 */
public final class MllibBenchmark {

    private static final double[] PRECISIONS = {1e-3, 1e-6};
    private static final int REPEATS = 3;
    private static final int MOST_ITERATIONS = 1000;

    /** Megabytes of rows that MLlib multiplies at a time; 0 is its default. */
    private static final double[] BLOCKS = {0, 8};

    private static final String BEGIN = "<!-- spark: begin -->";
    private static final String END = "<!-- spark: end -->";

    private final double lambda;
    private final Dataset<Row> rows;
    private final double count;
    private double block;

    /** One line of the table, and what it was made of. */
    record Measurement(
            String data,
            double lambda,
            double precision,
            double[] mllibSeconds,
            int mllibIterations,
            double mllibSuboptimality,
            double mllibBlock,
            double[] starlingSeconds,
            double solveSeconds,
            double starlingSuboptimality,
            double certifiedGap,
            double passes,
            long rounds) {

        String row() {
            boolean reached = mllibSuboptimality <= precision;
            return String.format(
                    "| %s | %.0e | %.0e | %s%.2f | %d | %.2f | %.1f | %d | %s%.1fx |",
                    data,
                    lambda,
                    precision,
                    reached ? "" : "> ",
                    median(mllibSeconds),
                    mllibIterations,
                    median(starlingSeconds),
                    passes,
                    rounds,
                    reached ? "" : "> ",
                    median(mllibSeconds) / median(starlingSeconds));
        }
    }

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
        List<Measurement> all = new ArrayList<>();
        for (String name : Arrays.asList(arguments).subList(1, arguments.length)) {
            Path file = Path.of(name);
            if (!Files.exists(file)) {
                System.err.println(file + " does not exist; it is left out");
                continue;
            }
            Dataset<Row> rows = read(spark, file);
            for (double lambda : lambdas) {
                all.addAll(
                        new MllibBenchmark(rows, lambda).run(file.getFileName().toString()));
            }
            rows.unpersist();
        }
        spark.stop();
        List<String> table = new ArrayList<>(List.of(
                "| data | λ | precision | MLlib, s | iterations | Starling, s | passes | rounds | faster |",
                "|---|---|---|---|---|---|---|---|---|"));
        all.forEach(measurement -> table.add(measurement.row()));
        table.forEach(System.out::println);
        Path json = Path.of(System.getProperty("starling.json", "spark.json"));
        Files.createDirectories(json.toAbsolutePath().getParent());
        new ObjectMapper()
                .writerWithDefaultPrettyPrinter()
                .writeValue(json.toFile(), Map.of("machine", machine(), "measurements", all));
        System.err.println(json + " has every measurement");
        String page = System.getProperty("starling.page", "");
        if (!page.isEmpty()) {
            write(Path.of(page), table);
        }
    }

    private static void write(Path page, List<String> table) throws IOException {
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        if (text.indexOf(BEGIN) < 0 || to < from) {
            throw new IOException(page + " has no lines " + BEGIN + " and " + END + " to put the table between");
        }
        Files.writeString(
                page,
                text.substring(0, from) + "\n" + machine() + "\n\n" + String.join("\n", table) + "\n"
                        + text.substring(to));
    }

    private static String machine() {
        return String.format(
                "%s, %d cores, Java %s, %s",
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                System.getProperty("starling.master", "local[2]"));
    }

    private LogisticRegression mllib() {
        return new LogisticRegression()
                .setRegParam(lambda)
                .setElasticNetParam(0)
                .setStandardization(false)
                .setFitIntercept(false)
                .setMaxBlockSizeInMB(block)
                .setTol(0);
    }

    private StarlingClassifier starling() {
        return new StarlingClassifier()
                .setRegParam(lambda)
                .setStandardization(false)
                .setFitIntercept(false)
                .setMaxIter(100_000);
    }

    private List<Measurement> run(String name) {
        StarlingClassificationModel best = starling().setTol(1e-10).fit(rows);
        double optimum = objective(best.coefficients()) * (1 - best.summary().gap());
        double[] history =
                mllib().setMaxIter(MOST_ITERATIONS).fit(rows).summary().objectiveHistory();
        block = fastestBlock();
        List<Measurement> measurements = new ArrayList<>();
        for (double precision : PRECISIONS) {
            Measurement measured = measure(name, precision, optimum, iterations(history, optimum * (1 + precision)));
            System.err.println(measured.row() + " MLlib " + Arrays.toString(measured.mllibSeconds) + " within "
                    + measured.mllibSuboptimality + ", Starling " + Arrays.toString(measured.starlingSeconds)
                    + " within " + measured.starlingSuboptimality);
            measurements.add(measured);
        }
        return measurements;
    }

    /** The block size with which MLlib takes some iterations fastest. */
    private double fastestBlock() {
        double fastest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (double candidate : BLOCKS) {
            block = candidate;
            long start = System.nanoTime();
            mllib().setMaxIter(10).fit(rows);
            double seconds = (System.nanoTime() - start) * 1e-9;
            System.err.printf("MLlib, blocks of %.0f MB: %.2f s for 10 iterations%n", candidate, seconds);
            if (seconds < least) {
                least = seconds;
                fastest = candidate;
            }
        }
        return fastest;
    }

    private Measurement measure(String name, double precision, double optimum, int iterations) {
        Vector theirs = mllib().setMaxIter(iterations).fit(rows).coefficients();
        StarlingClassificationModel ours = starling().setTol(precision).fit(rows);
        double[] theirSeconds = new double[REPEATS];
        double[] ourSeconds = new double[REPEATS];
        for (int k = 0; k < REPEATS; k++) {
            long start = System.nanoTime();
            theirs = mllib().setMaxIter(iterations).fit(rows).coefficients();
            theirSeconds[k] = (System.nanoTime() - start) * 1e-9;
            start = System.nanoTime();
            ours = starling().setTol(precision).fit(rows);
            ourSeconds[k] = (System.nanoTime() - start) * 1e-9;
        }
        return new Measurement(
                name,
                lambda,
                precision,
                theirSeconds,
                iterations,
                objective(theirs) / optimum - 1,
                block,
                ourSeconds,
                ours.summary().solveSeconds(),
                objective(ours.coefficients()) / optimum - 1,
                ours.summary().gap(),
                ours.summary().passes(),
                ours.summary().rounds());
    }

    private static int iterations(double[] history, double enough) {
        for (int k = 0; k < history.length; k++) {
            if (history[k] <= enough) {
                return Math.max(1, k);
            }
        }
        return history.length;
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
