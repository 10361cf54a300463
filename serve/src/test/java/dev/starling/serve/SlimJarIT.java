package dev.starling.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar that goes into other languages' packages is small, has what it needs and nothing else. */
class SlimJarIT {

    private static final Path JAR = Path.of("target", "starling-serve.jar");

    @Test
    void takesFiveMegabytesAtMostWithoutWhatSitesNeed() throws IOException {
        assertThat(Files.size(JAR)).isLessThan(5_000_000);
        try (JarFile jar = new JarFile(JAR.toFile())) {
            List<String> names = jar.stream().map(ZipEntry::getName).toList();
            assertThat(names)
                    .contains("dev/starling/Trainer.class", "LICENSE")
                    .noneMatch(name -> name.startsWith("io/grpc")
                            || name.startsWith("com/google")
                            || name.startsWith("org/bouncycastle"));
        }
    }

    /** With methods and recipes, which are found by name. */
    @Test
    void trainsFromMatricesAndTables() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-jar",
                        JAR.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            for (String vector : VectorsTest.vectors().toList()) {
                process.getOutputStream().write(VectorsTest.request(vector));
                process.getOutputStream().flush();
                VectorsTest.check(vector, Wire.read(process.getInputStream()));
            }
            byte[] tooMuch = new byte[100_000_000];
            process.getOutputStream()
                    .write(Wire.frame(
                            "{\"op\":\"fit\",\"arrays\":[{\"name\":\"x\",\"type\":\"u8\",\"length\":100000000}]}",
                            tooMuch));
            process.getOutputStream().flush();
            assertThat(Wire.read(process.getInputStream()).text("kind")).isEqualTo("memory");
            process.getOutputStream().close();
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
