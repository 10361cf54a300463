package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completion script, in the shell it is for. */
class CompletionTest {

    @TempDir
    private static Path folder;

    @BeforeAll
    static void writeScript() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash here");
        Files.writeString(folder.resolve("script"), Cli.run("completion").out());
        Files.writeString(folder.resolve("rows.txt"), "");
    }

    /** What the Tab key offers after some words; the last one may be begun, and is empty after a blank. */
    private static String completed(String line) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "/bin/bash",
                "--norc",
                "-c",
                "source ./script; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _complete_starling;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash"));
        command.addAll(List.of(line.split(" ", -1)));
        Process bash = new ProcessBuilder(command).directory(folder.toFile()).start();
        try {
            String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return String.join(" ", out.strip().split("\\s+"));
        } finally {
            bash.destroyForcibly();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            starling tr                        | train
            starling train ro                  | rows.txt
            starling predict m.json ro         | rows.txt
            starling split ro                  | rows.txt
            starling generate ro               | rows.txt
            starling peer ro                   | rows.txt
            starling train rows.txt --gr       | --graph
            starling train --graph ro          | rows.txt
            starling train --loss hu           | huber
            starling train --method a          | auto adfs adfs-local adfs-matchings adfs-localised adfs-varying
            starling train --topology r        | ring random-regular
            starling train --runtime s         | simulator
            starling train --format l          | libsvm
            starling train --model-format j    | json
            starling compare --loss squared-h  | squared-hinge
            starling topology bin              | binary-tree
            starling reproduce time            | time-against-n
            starling network new --loss quan   | quantile
            starling network new --method new  | newton
            starling keys i                    | init
            starling help pre                  | predict
            starling train --missing me        | mean median
            starling describe --missing d      | drop
            starling train --unknown ref       | refuse reference
            starling train --class-weight b    | balanced
            """)
    void bashOffersFilesAndNames(String line, String offered) throws IOException, InterruptedException {
        assertThat(completed(line)).isEqualTo(offered);
    }
}
