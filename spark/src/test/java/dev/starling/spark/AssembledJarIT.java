package dev.starling.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The jar that {@code spark-submit} takes. */
class AssembledJarIT {

    private static final Path JAR = Path.of(System.getProperty("starling.spark.jar", "absent"));

    @Test
    void bundledDependenciesAreRelocated() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> foreign = jar.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> !name.endsWith("/") && !name.startsWith("dev/starling/"))
                    .filter(name -> !name.matches("META-INF/(MANIFEST.MF|.*LICENSE.*|NOTICE.*|license/.*)"))
                    .filter(name -> !name.matches("META-INF/native/(lib)?dev_starling_.*"))
                    .filter(name -> !name.startsWith("META-INF/services/dev.starling."))
                    // Spark Connect finds estimators there.
                    .filter(name -> !name.equals("META-INF/services/org.apache.spark.ml.Estimator"))
                    .toList();
            assertThat(foreign).isEmpty();
        }
    }

    @Test
    @Tag("cluster")
    void executorsWithOnlySparkAndTheJarGiveTheSimulatorsBits() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(AssembledJarIT::isNotInTheJar)
                .collect(Collectors.joining(File.pathSeparator));
        ClusterTest cluster = new ClusterTest();
        cluster.directory = java.nio.file.Files.createTempDirectory("starling-jar");

        List<String> lines = cluster.run(
                JAR + File.pathSeparator + classPath, "local-cluster[2,1,1024]", JAR + File.pathSeparator + classPath);

        assertThat(lines)
                .contains(
                        "RESULT " + ClusterTest.expectedHash("adfs", ClusterProbe.SHORT) + " 1",
                        "RESULT " + ClusterTest.expectedHash("newton", ClusterProbe.SHORT) + " 1");
    }

    /** Starling's classes and the libraries that only it needs must come from the jar. */
    private static boolean isNotInTheJar(String entry) {
        String path = entry.replace(File.separatorChar, '/');
        return !path.matches(".*/(core|peer|spark)/target/(classes|[^/]*\\.jar)/?")
                && !path.matches(".*/(grpc-[^/]*|bcp[^/]*|bcutil[^/]*|ejml-[^/]*|jgrapht-[^/]*|commons-rng-[^/]*"
                        + "|protobuf-java-[^/]*|jackson-core-3[^/]*|snakeyaml-engine-[^/]*|perfmark-[^/]*)\\.jar");
    }
}
