package dev.starling.spark;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A driver with executors in processes of their own: trains, if asked for kills an executor on the way, and prints the
 * hash of the model and how often the stage ran.
 */
public final class ClusterProbe {

    static final int ROWS = 4000;
    static final int FEATURES = 20;
    static final long SEED = 51;
    static final double DELAY = 60;
    static final double LAMBDA = 1e-7;
    static final double GAP = 1e-10;

    private ClusterProbe() {}

    static StarlingClassifier classifier() {
        return new StarlingClassifier()
                .setRegParam(LAMBDA)
                .setTol(GAP)
                .setMaxIter(100_000)
                .setDelay(DELAY)
                .setFitIntercept(false)
                .setStandardization(false);
    }

    /** The rows of a partition, made where they are needed. */
    static List<Row> part(int partition) {
        return TestRows.cut(TestRows.random(ROWS, FEATURES, 2, false, SEED), 2).get(partition);
    }

    /** Arguments: master, jars or class path of executors, and a directory for checkpoints if an executor is to die. */
    public static void main(String[] arguments) throws Exception {
        SparkSession spark = SparkSession.builder()
                .master(arguments[0])
                .appName("starling-spark cluster test")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
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
        StarlingClassifier classifier = classifier();
        if (arguments.length > 2) {
            Path checkpoints = Path.of(arguments[2]);
            classifier.setCheckpointDir(checkpoints.toUri().toString()).setCheckpointInterval(5);
            killAnExecutorOnceThereIsACheckpoint(checkpoints);
        }
        StarlingClassificationModel model = classifier.setNodes(2).fit(rows);
        System.out.println("RESULT " + model.linearModel().hash() + " " + model.summary().attempts());
        spark.stop();
    }

    private static void killAnExecutorOnceThereIsACheckpoint(Path checkpoints) {
        Thread killer = new Thread(() -> {
            try {
                for (int k = 0; k < 1200 && !hasState(checkpoints); k++) {
                    Thread.sleep(50);
                }
                Optional<ProcessHandle> executor = ProcessHandle.current()
                        .descendants()
                        .filter(process -> process.info()
                                .commandLine()
                                .orElse("")
                                .contains("CoarseGrainedExecutorBackend"))
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

    private static boolean hasState(Path checkpoints) {
        try (java.util.stream.Stream<Path> files = java.nio.file.Files.walk(checkpoints)) {
            return files.anyMatch(file -> file.getFileName().toString().matches("state-\\d+\\.bin"));
        } catch (java.io.IOException | java.io.UncheckedIOException e) {
            return false;
        }
    }
}
