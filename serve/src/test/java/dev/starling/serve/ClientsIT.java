package dev.starling.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages about other languages show what happens; their packages' own tests are run by clients/test. */
class ClientsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("starling.root")).toAbsolutePath();
    private static final String PYTHON =
            Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

    private record Done(int code, String output) {}

    private static Done run(Path folder, List<String> command) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
            builder.environment()
                    .put(
                            "STARLING_JAR",
                            ROOT.resolve("serve/target/starling-serve.jar").toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Done(process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1, output);
        } catch (IOException e) {
            return new Done(-1, e.toString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void pythonsPageShowsWhatHappens() {
        Path folder = ROOT.resolve("clients/python");
        assumeTrue(
                run(folder, List.of(PYTHON, "-c", "import numpy, pandas, sklearn")).code == 0,
                "there is no Python with numpy, pandas and scikit-learn");
        Done done = run(folder, List.of(PYTHON, "-m", "unittest", "tests.test_docs"));
        assertThat(done.code).as(done.output).isZero();
    }

    @Test
    void rsPageShowsWhatHappens(@TempDir Path library) throws IOException {
        Path folder = ROOT.resolve("clients/r");
        assumeTrue(run(folder, List.of("R", "--version")).code == 0, "there is no R");
        Done packages = run(folder, List.of("Rscript", "-e", "for (p in " + packagesOf("r.md") + ") loadNamespace(p)"));
        assumeTrue(packages.code == 0, "R lacks a package of docs/r.md: " + packages.output.strip());
        // Outside the sources, where building leaves nothing behind.
        Done installed =
                run(folder, List.of("R", "CMD", "INSTALL", "--no-docs", "-l", library.toString(), folder.toString()));
        assertThat(installed.code).as(installed.output).isZero();
        Done done = run(
                library,
                List.of(
                        "Rscript",
                        "-e",
                        ".libPaths(commandArgs(TRUE)[[2]]); source(commandArgs(TRUE)[[3]])",
                        ROOT.resolve("docs/r.md").toString(),
                        library.toString(),
                        folder.resolve("check-docs.R").toString()));
        assertThat(done.code).as(done.output).isZero();
    }

    /** The R packages that a page calls, as a vector of R. */
    private static String packagesOf(String page) throws IOException {
        return Pattern.compile("\\b(\\w+)::")
                .matcher(Files.readString(ROOT.resolve("docs").resolve(page)))
                .results()
                .map(found -> '"' + found.group(1) + '"')
                .distinct()
                .filter(name -> !name.equals("\"starling\""))
                .collect(Collectors.joining(", ", "c(", ")"));
    }
}
