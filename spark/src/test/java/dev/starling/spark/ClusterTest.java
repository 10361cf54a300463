package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.loss.Logistic;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.network.Topology;
import dev.starling.recipe.Missing;
import dev.starling.recipe.Recipe;
import dev.starling.table.Table;
import dev.starling.table.TableBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executors as processes of their own: the driver runs in one too, since a JVM holds one Spark context. */
@Tag("cluster")
class ClusterTest {

    private static final int PATIENCE_SECONDS = 240;
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path directory;

    @BeforeAll
    static void requireSpark() {
        SharedSpark.requireSupportedJava();
    }

    static String expectedHash(String method, double lambda) {
        List<Dataset> nodes = Stream.of(0, 1)
                .map(k -> Labels.of(0, 1)
                        .binary(TestRows.dataset(ClusterProbe.part(k), false))
                        .laidOut(true))
                .toList();
        double[] parameter = Reference.parameter(
                method,
                nodes,
                new Logistic(),
                lambda,
                Topology.named("complete").build(2, 1),
                ClusterProbe.DELAY,
                ClusterProbe.GAP,
                1);
        return new LinearModel(
                        "logistic", List.of(0.0, 1.0), new double[][] {parameter}, new double[1], Provenance.UNKNOWN)
                .hash();
    }

    static String expectedTableHash() {
        TableBuilder builder =
                new TableBuilder("rows", List.of("y", "x", "town")).words("y").words("town");
        for (int i = 0; i < ClusterProbe.TABLE_ROWS; i++) {
            Row row = ClusterProbe.tableRow(i);
            for (int c = 0; c < row.size(); c++) {
                if (row.isNullAt(c)) {
                    builder.addMissing();
                } else {
                    builder.add(row.get(c).toString());
                }
            }
        }
        Table table = builder.build();
        Recipe recipe = Recipe.builder().label("y").missing(Missing.MEDIAN).learn(table);
        return Trainer.logistic()
                .lambda(ClusterProbe.SHORT)
                .gap(ClusterProbe.GAP)
                .nodes(2)
                .intercept(true)
                .delay(ClusterProbe.DELAY)
                .maxEpochs(1000)
                .fit(recipe.encode(table).rows())
                .model()
                .with(recipe)
                .hash();
    }

    /** Runs a driver and returns its lines that begin with capitals. */
    List<String> run(String classPath, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx768m");
        command.addAll(java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--add-opens") || flag.startsWith("-Djdk.reflect"))
                .toList());
        command.add("-cp");
        command.add(classPath);
        command.add(ClusterProbe.class.getName());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("driver.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("SPARK_HOME", sparkHome(classPath).toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        Process driver = builder.start();
        try {
            assertThat(driver.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("the driver ends; its log so far:%n%s", Files.readString(output))
                    .isTrue();
        } finally {
            driver.descendants().forEach(ProcessHandle::destroyForcibly);
            driver.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(driver.exitValue()).as(String.join("\n", lines)).isZero();
        return lines.stream()
                .filter(line -> line.matches("(RESULT|TABLE|KILLED|CANCELLED) .*"))
                .toList();
    }

    /** A folder that executors are started from: all it needs is the jars. */
    private Path sparkHome(String classPath) throws IOException {
        Path jars = Files.createDirectories(directory.resolve("spark-home").resolve("jars"));
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path jar = Path.of(entry);
            if (entry.endsWith(".jar") && !Files.exists(jars.resolve(jar.getFileName()))) {
                Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
        return jars.getParent();
    }

    @Test
    void executorsInTheirOwnProcessesGiveTheSimulatorsBitsAndStopWhenCancelled() throws Exception {
        List<String> lines = run(CLASS_PATH, "local-cluster[2,1,1024]", CLASS_PATH);

        assertThat(lines)
                .containsExactly(
                        "RESULT " + expectedHash("adfs", ClusterProbe.SHORT) + " 1",
                        "RESULT " + expectedHash("newton", ClusterProbe.SHORT) + " 1",
                        "TABLE " + expectedTableHash() + " 200 200",
                        "CANCELLED on the way");
    }

    @Test
    void aKilledExecutorIsReplacedAndTheBitsStayTheSame() throws Exception {
        Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));

        List<String> lines = run(CLASS_PATH, "local-cluster[2,1,1024]", CLASS_PATH, checkpoints.toString());

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).isEqualTo("KILLED true");
        assertThat(lines.get(1))
                .startsWith("RESULT " + expectedHash("adfs", ClusterProbe.LONG) + " ")
                .doesNotEndWith(" 1");
    }
}
