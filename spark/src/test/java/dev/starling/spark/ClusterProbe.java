package dev.starling.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A driver with executors in processes of their own: trains, if asked for kills an executor on the way, and prints the
 * hash of the model and how often the stage ran; else does so with another method and with raw columns too, cancels
 * another run and prints how it ended.
 */
public final class ClusterProbe {

    static final int ROWS = 4000;
    static final int FEATURES = 20;
    static final long SEED = 51;
    static final double DELAY = 60;
    static final double GAP = 1e-10;
    static final int TABLE_ROWS = 200;

    /** Soon done. */
    static final double SHORT = 1e-2;

    /** Not done before the limit on passes, so that there is time to kill an executor. */
    static final double LONG = 1e-8;

    private ClusterProbe() {}

    static StarlingClassifier classifier(String method, double lambda) {
        return new StarlingClassifier()
                .setMethod(method)
                .setRegParam(lambda)
                .setTol(GAP)
                .setDelay(DELAY)
                .setFitIntercept(false)
                .setStandardization(false);
    }

    /** The rows of a partition, made where they are needed. */
    static List<Row> part(int partition) {
        return TestRows.cut(TestRows.random(ROWS, FEATURES, 2, false, SEED), 2).get(partition);
    }

    static final StructType TABLE = new StructType()
            .add("y", DataTypes.StringType)
            .add("x", DataTypes.DoubleType)
            .add("town", DataTypes.StringType);

    /** A row of words and numbers, some of which are missing. */
    static Row tableRow(int i) {
        return RowFactory.create(
                i * 7 % 10 < 3 + i % 4 ? "no" : "yes", i % 9 == 0 ? null : i * 3 % 50 / 4.0, "town" + i % 5);
    }

    /** Every other row, so that the two partitions have what two nodes of one process have. */
    private static List<Row> tablePart(int partition) {
        return IntStream.range(0, TABLE_ROWS)
                .filter(i -> i % 2 == partition)
                .mapToObj(ClusterProbe::tableRow)
                .toList();
    }

    /** Arguments: master, jars or class path of executors, and a directory for checkpoints if an executor is to die. */
    public static void main(String[] arguments) throws Exception {
        int port = freePort();
        SparkSession spark = SparkSession.builder()
                .master(arguments[0])
                .appName("starling-spark cluster test")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.starling.port", port)
                .config("spark.executor.extraClassPath", arguments[1])
                .config("spark.executor.memory", "1g")
                .config("spark.executor.cores", 1)
                .getOrCreate();
        spark.sparkContext().setLogLevel("ERROR");
        Dataset<Row> rows = spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(List.of(0, 1), 2)
                        .flatMap(k -> part(k).iterator()),
                TestRows.SCHEMA);
        boolean kill = arguments.length > 2;
        StarlingClassifier classifier = classifier("adfs", kill ? LONG : SHORT);
        if (kill) {
            Path checkpoints = Path.of(arguments[2]);
            classifier.setCheckpointDir(checkpoints.toUri().toString()).setCheckpointInterval(5);
            killAnExecutorOnceThereIsACheckpoint(checkpoints);
        }
        report(classifier, rows);
        if (!kill) {
            report(classifier("newton", SHORT), rows);
            reportTable(spark);
            System.out.println("CANCELLED " + cancelled(rows, port));
        }
        spark.stop();
    }

    private static void report(StarlingClassifier classifier, Dataset<Row> rows) {
        StarlingClassificationModel model = classifier.setNodes(2).fit(rows);
        System.out.println(
                "RESULT " + model.linearModel().hash() + " " + model.summary().attempts());
        System.out.println("TOOK " + model.summary());
    }

    private static void reportTable(SparkSession spark) {
        Dataset<Row> frame = spark.createDataFrame(
                JavaSparkContext.fromSparkContext(spark.sparkContext())
                        .parallelize(List.of(0, 1), 2)
                        .flatMap(k -> tablePart(k).iterator()),
                TABLE);
        StarlingTableModel model = new StarlingTableEstimator()
                .setLabelCol("y")
                .setMissing("median")
                .setStandardization(false)
                .setRegParam(SHORT)
                .setTol(GAP)
                .setDelay(DELAY)
                .fit(frame);
        long predicted = model.transform(frame).filter("prediction is not null").count();
        System.out.println("TABLE " + model.linearModel().hash() + " " + predicted + " "
                + model.evaluate(frame).rows());
    }

    /** Cancels a run on the way, and returns how it ended once both ports are closed and no task runs. */
    private static String cancelled(Dataset<Row> rows, int port) throws Exception {
        EndlessJob endless = EndlessJob.start(rows);
        endless.await("both nodes listen", () -> !isFree(port) && !isFree(port + 1));
        endless.await("both nodes train", () -> endless.runningTasks() == 2);
        Thread.sleep(1000);
        endless.cancel();
        endless.await("tasks end", () -> endless.runningTasks() == 0);
        endless.await("ports close", () -> isFree(port) && isFree(port + 1));
        return endless.model()
                .handle((model, failure) -> failure == null ? "never" : "on the way")
                .get(20, TimeUnit.SECONDS);
    }

    /** A port that is free, as is the one after it. */
    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (isFree(socket.getLocalPort() + 1)) {
                    return socket.getLocalPort();
                }
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static void killAnExecutorOnceThereIsACheckpoint(Path checkpoints) {
        Thread killer = new Thread(() -> {
            try {
                for (int k = 0; k < 1200 && !hasState(checkpoints); k++) {
                    Thread.sleep(50);
                }
                Optional<ProcessHandle> executor = ProcessHandle.current()
                        .descendants()
                        .filter(ClusterProbe::isExecutor)
                        .findFirst();
                executor.ifPresent(ProcessHandle::destroyForcibly);
                System.out.println("KILLED " + executor.isPresent());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        killer.setDaemon(true);
        killer.start();
    }

    /** Java leaves command lines out that are as long as a class path of Spark's; Linux does not. */
    private static boolean isExecutor(ProcessHandle process) {
        try {
            return java.nio.file.Files.readString(
                            Path.of("/proc/" + process.pid() + "/cmdline"),
                            java.nio.charset.StandardCharsets.ISO_8859_1)
                    .contains("CoarseGrainedExecutorBackend");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasState(Path checkpoints) {
        try (java.util.stream.Stream<Path> files = java.nio.file.Files.walk(checkpoints)) {
            return files.anyMatch(file -> file.getFileName().toString().matches("state-\\d+\\.bin"));
        } catch (java.io.IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }
}
